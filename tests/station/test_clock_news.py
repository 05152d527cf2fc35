"""What browsers are told of the seat clocks: what changes, once, and nothing each second."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from referee.clock.round import RoundNews
from referee.config import parse
from referee.session import ms
from referee.station.virtual.bench import Bench
from referee.web.browsers import Browsers
from referee.web.guard import BOX


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


CONTROLS = {
    "an hour": "",
    "a delay": 'mode = "us-delay"\nextra = "30 s"\n',
}
SEVEN, LONG = 7.0, 120.0


class Pages:
    """Pages that are opened and reloaded, and what they show."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.browsers = Browsers(bench.hub)

    def open(self) -> dict[str, list[float]]:
        """Open one more; return what its clocks show, by the kind of their message: ms."""
        page = self.browsers.connect(lambda: None, BOX)
        self.bench.settle()
        told = {str(each.message["type"]): each.message for each in page.outbox.take()}
        return {kind: shown(told[kind]) for kind in ("clock", "round") if kind in told}

    def truth(self) -> dict[str, list[float]]:
        """The same as the station would count it now."""
        clocks, at = self.bench.console.table.clocks, ms(self.bench.clock.now)
        seats = clocks.keeper.current.until(at).seats.values()
        times: list[float] = [seat.left for seat in seats]
        news, since = clocks.round.news, at - clocks.round.at
        return {"clock": times} | ({"round": [clocks.round.left - since * news.runs]} if news else {})


def shown(message: Any) -> list[float]:
    """What a page shows of a message that has just come, ms."""
    if message["type"] == "round":
        return [message["ms"] - message["ago"] * message["runs"]]
    passed = [max(0, message["ago"] - seat["free"]) / message["shared"] * seat["runs"] for seat in message["seats"]]
    return [seat["ms"] - each for seat, each in zip(message["seats"], passed, strict=True)]


def hear(bench: Bench, number: int, left: int, *, runs: bool = True) -> None:
    news = RoundNews(number, 3, left, runs, "finish the action", ms(bench.clock.now))
    bench.inbox.put(partial(bench.loop.learn, partial(bench.console.event.time, news)))
    bench.settle()


@pytest.mark.parametrize("control", CONTROLS.values(), ids=CONTROLS)
def test_a_page_that_joins_or_is_reloaded_shows_what_is_left_now(tmp_path: Path, control: str) -> None:
    with Bench(tmp_path / "journal.db", parse(f'[clock]\nuse = "start"\n{control}')) as bench:
        begin(bench)
        hear(bench, 1, 4 * 3_600_000)
        pages = Pages(bench)
        seen = []
        for wait in (SEVEN, SEVEN, LONG, 0.25):
            bench.wait(wait)
            seen.append(pages.open())
            assert seen[-1] == pages.truth()
        rounds = [page["round"][0] for page in seen]
        assert [before - after for before, after in pairwise(rounds)] == [7_000, 120_000, 250]
        assert len({page["clock"][0] for page in seen}) == (3 if "delay" in control else 4)
        assert len({page["clock"][1] for page in seen}) == 1  # whose time does not run


def test_clocks_that_stand_still_do_so_for_who_joins(tmp_path: Path) -> None:
    with Bench(tmp_path / "journal.db", parse('[clock]\nuse = "start"\n')) as bench:
        begin(bench)
        hear(bench, 1, 600_000)
        pages = Pages(bench)
        pages.open()
        bench.wait(SEVEN)
        hear(bench, 2, 593_000, runs=False)
        assert bench.console.table.clocks.keeper.current.paused
        paused = pages.truth()
        bench.wait(LONG)
        assert pages.open() == pages.truth() == paused
        hear(bench, 3, 593_000)
        bench.wait(SEVEN)
        bench.key("select", "select")  # the round goes on, and so do they
        bench.wait(SEVEN)
        after = pages.open()
        assert after == pages.truth()
        assert paused["clock"][0] - 15_000 < after["clock"][0] <= paused["clock"][0] - 7_000
        bench.wait(SEVEN)
        assert pages.open()["clock"][0] == after["clock"][0] - 7_000
