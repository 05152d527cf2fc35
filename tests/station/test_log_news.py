"""What browsers are told of the log: the lines that are new or taken back, and together the log as it is."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from referee.errors import Refused
from referee.station import news as station_news
from referee.station.news import log_message
from referee.station.virtual.bench import Bench
from referee.testing.fits import some_answer
from referee.web import outbox
from referee.web.outbox import together


def test_a_press_tells_the_new_lines_alone(tmp_path: Path) -> None:
    with Bench(tmp_path / "journal.db") as bench:
        logs = listened(bench)
        bench.play("battle-of-the-ring", "attack")
        bench.key("1", "1")
        del logs[:]
        bench.key("5", "4")
        assert [(log["since"], {line["seq"] for line in log["entries"]}) for log in logs] == [(3, {3})]


def test_what_is_taken_back_is_told_again_from_there_on(tmp_path: Path) -> None:
    with Bench(tmp_path / "journal.db") as bench:
        logs = listened(bench)
        bench.play("battle-of-the-ring", "attack")
        bench.key("1", "1", "5", "4")
        session = bench.console.table.current
        # The second undo takes back what was before the first: an entry in the middle of the log changes.
        for undone in (3, 2):
            session.undo()
            bench.key("select")
            assert logs[-1]["since"] == undone
            assert whole(logs) == log_message(session, {})
    assert [line["undone"] for line in whole(logs)["entries"] if line["kind"] != "undo"][:4] == [
        False,
        False,
        True,
        True,
    ]


def test_what_a_browser_was_told_is_the_newest_part_of_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (station_news, outbox):
        monkeypatch.setattr(module, "LOG_LINES", 20)
    with Bench(tmp_path / "journal.db") as bench:
        logs = listened(bench)
        bench.play("battle-of-the-ring", "attack")
        for _ in range(6):
            bench.key("1", "1", "5", "4", "select")
        session = bench.console.table.current
        assert len(session.log()) > 20
        assert whole(logs) == {**log_message(session, {}), "since": 0}
        assert max(len(log["entries"]) for log in logs[2:]) < 5, "each press alone is short"
        snapshot = {message["type"]: message for message in bench.hub.snapshot()}
        assert snapshot["log"] == whole(logs), "a browser that comes later is told all at once"


def test_each_line_tells_the_round_it_was_made_in(tmp_path: Path) -> None:
    with Bench(tmp_path / "journal.db") as bench:
        logs = listened(bench)
        bench.play("war-of-the-ring")
        session = bench.console.table.current
        chance = random.Random("a battle")
        rounds: dict[int, list[str]] = {}
        while ["Battle 1", "Round 2"] not in rounds.values():
            assert session.prompt is not None
            place = [*session.place]
            how, value = some_answer(session.prompt, chance)
            try:
                accepted = getattr(session, how)(value)
            except Refused:
                continue
            rounds |= {entry.seq: place for entry in accepted.entries}
        bench.key("select")
        told = {line["seq"]: line["place"] for line in whole(logs)["entries"]}
        assert {seq: told[seq] for seq in rounds} == rounds


def listened(bench: Bench) -> list[Any]:
    """Return the messages about the log from here on."""
    logs: list[Any] = []
    bench.hub.subscribe(lambda news: logs.extend(each for each in news if each["type"] == "log"))
    bench.settle()
    return logs


def whole(logs: list[Any]) -> Any:
    """Return what a browser has that was told all of these."""
    log = logs[0]
    for news in logs[1:]:
        log = together(log, news)
    return log
