"""What browsers are told of the seat clocks: what changes, once, and nothing each second."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.config import parse
from referee.testing.station import Bench


def listened(bench: Bench) -> tuple[list[Any], Any]:
    """Whatever is told from here on, and what ends the listening."""
    messages: list[Any] = []
    return messages, bench.hub.subscribe(messages.extend)


def begin(bench: Bench) -> None:
    """Play up to the first question of the first turn."""
    bench.play("battle-of-the-ring")
    bench.key("1", "1", "1", "select", "select")


def kinds(messages: list[Any]) -> list[str]:
    return [message["type"] for message in messages]


def test_a_second_tells_the_picture_and_a_change_the_clocks(tmp_path: Path) -> None:
    with Bench(tmp_path / "journal.db", parse('[clock]\nuse = "start"\n')) as bench:
        begin(bench)
        messages, leave = listened(bench)
        bench.wait(1.5)
        clocks = [message for message in messages if message["type"] == "clock"]
        assert len(clocks) == 1  # to whoever has just come
        assert [seat["name"] for seat in clocks[0]["seats"]] == ["Sauron", "Saruman", "Alliance"]
        assert [seat["runs"] for seat in clocks[0]["seats"]] == [True, False, False]
        assert clocks[0]["seats"][1]["ms"] == 3_600_000
        messages.clear()
        bench.wait(10)
        assert set(kinds(messages)) == {"glass"}  # nothing else is new
        messages.clear()
        bench.key("5")
        assert kinds(messages).count("clock") == 1
        assert [seat["runs"] for seat in messages[kinds(messages).index("clock")]["seats"]].count(True) <= 1
        leave()


def test_where_there_are_no_clocks_nothing_is_told_of_them(tmp_path: Path) -> None:
    with Bench(tmp_path / "journal.db") as bench:
        messages, leave = listened(bench)
        begin(bench)
        bench.wait(2)
        assert "clock" not in kinds(messages)
        leave()


def test_clocks_that_are_taken_away_are_told_once(tmp_path: Path) -> None:
    with Bench(tmp_path / "journal.db", parse('[clock]\nuse = "start"\n')) as bench:
        begin(bench)
        messages, leave = listened(bench)
        bench.wait(1)
        messages.clear()
        bench.console.table.leave()
        bench.loop.step(None, bench.clock.now)
        bench.wait(1)
        assert [message for message in messages if message["type"] == "clock"] == [{"type": "clock", "seats": []}]
        leave()
