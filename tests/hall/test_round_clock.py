"""The clock of the round, from the desk to the glass of a box: extensions, a pause for all, time that is called."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.clock.settings import Settings as Clock
from referee.config import Config
from referee.errors import JournalError
from referee.hall.boxes import Boxes
from referee.hall.desk import Desk
from referee.hall.uplink import messages
from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.hall import CLOCK_EVERY
from referee.journal.notes import Notes
from referee.station.inbox import Seated, Timed
from referee.station.uplink import round_news_of, seating_of
from referee.testing.station import Bench
from referee.tournament.acts import (
    BoxPlaced,
    ExtensionGiven,
    RoundEnded,
    RoundPaused,
    RoundResumed,
    RoundStarted,
    RoundUnpublished,
)
from tests.hall.hours import Time
from tests.hall.uplink.memory import MemoryJournal
from tests.hall.uplink.pair import KEY, Hall, box, go_on, talk
from tests.hall.visitor import Visitor, at_desk_of

TABLE = 3
MINUTE = 60_000


def heard(side: BoxSide) -> messages.Clock | None:
    clock = side.news.clock
    return clock[0] if clock is not None else None


class Table:
    """A desk whose round 1 is published, and a box at table 3, connected."""

    def __init__(self, desk: Desk, hall: Hall, boxes: Boxes, time: Time) -> None:
        self.desk, self.hall, self.boxes, self.time = desk, hall, boxes, time
        self.minutes = desk.event.settings.minutes
        self.side = box(MemoryJournal(KEY), KEY)
        talk(hall, 1, self.side)

    def do(self, act: type, **members: Any) -> None:
        self.desk.perform(act(who="organiser", at=self.desk.now(), **{"round": 1, **members}))

    def news(self, seconds: float = 0.25) -> messages.Clock | None:
        """Let time pass; return what the box is told of the clock, if it is told anything."""
        self.side.take_news()
        while seconds > 0:
            step = min(5.0, seconds)
            seconds -= step
            self.time.now += step
            self.hall.now += step
            self.hall.side.received(1, '{"type":"ping"}', self.hall.now)
            self.hall.side.tick(self.hall.now)
            go_on(self.hall, 1, self.side)
        return heard(self.side)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def table(sixteen: Desk, hall: Hall, time: Time) -> Iterator[Table]:
    loop = asyncio.new_event_loop()
    boxes = Boxes(sixteen, hall.intake, hall.make, "192.0.2.7:8470", loop)
    sixteen.listen(boxes.seat)
    sixteen.perform(BoxPlaced(who="organiser", at=1, table=TABLE, box=KEY.public))
    yield Table(sixteen, hall, boxes, time)
    loop.close()


def test_a_box_hears_how_the_clock_stands_when_it_changes_and_now_and_then(table: Table) -> None:
    whole = table.minutes * MINUTE
    none_runs = table.news()
    assert none_runs is not None
    assert none_runs.round == 0
    assert table.news(CLOCK_EVERY) is None
    table.do(RoundStarted)
    started = table.news()
    assert started is not None
    assert (started.round, started.left, started.runs, started.then) == (1, whole - 250, True, "finish the action")
    assert table.news(CLOCK_EVERY - 1) is None
    again = table.news(1)
    assert again == replace(started, left=round(whole - 250 - CLOCK_EVERY * 1000))
    table.do(ExtensionGiven, table=TABLE + 1, ms=5 * MINUTE, why="late")
    other = table.news()
    assert other is not None
    assert other.left == again.left - 250
    table.do(ExtensionGiven, table=TABLE, ms=5 * MINUTE, why="late")
    extended = table.news()
    assert extended is not None
    assert extended.left == other.left + 5 * MINUTE - 250
    assert extended.number > other.number
    table.do(ExtensionGiven, table=TABLE, ms=-2 * MINUTE, why="too much")
    shorter = table.news()
    assert shorter is not None
    assert (shorter.left, shorter.number) == (extended.left - 2 * MINUTE - 250, extended.number + 1)
    table.do(RoundEnded, why="no time")
    over = table.news()
    assert over is not None
    assert over.round == 0
    assert table.news(CLOCK_EVERY) is None


def test_a_pause_takes_no_table_any_time(table: Table) -> None:
    table.do(RoundStarted)
    table.news()
    table.do(RoundPaused)
    paused = table.news()
    assert paused is not None
    assert (paused.runs, paused.left) == (False, table.minutes * MINUTE - 250)
    later = table.news(3600)
    assert later == paused
    table.do(RoundResumed)
    resumed = table.news()
    assert resumed is not None
    assert (resumed.runs, resumed.left) == (True, table.minutes * MINUTE - 500)


def test_a_box_that_connects_again_hears_it_and_one_without_a_table_never(table: Table) -> None:
    table.do(RoundStarted)
    assert table.news() is not None
    table.hall.side.closed(1)
    table.side.closed()
    talk(table.hall, 1, table.side)
    assert table.news() is not None
    table.desk.perform(BoxPlaced(who="organiser", at=1, table=TABLE, box="", why="its battery is flat"))
    gone = table.news()
    assert gone is not None
    assert gone.round == 0
    assert table.news(CLOCK_EVERY) is None


def test_a_box_that_was_away_when_the_round_ended_hears_that_no_clock_runs(table: Table) -> None:
    table.do(RoundStarted)
    assert table.news() is not None
    table.hall.side.closed(1)
    table.side.closed()
    table.do(RoundEnded, why="no time")
    talk(table.hall, 1, table.side)
    over = table.news()
    assert over is not None
    assert over.round == 0


def test_a_round_that_is_taken_back_has_no_clock(table: Table) -> None:
    table.do(RoundStarted)
    table.do(RoundPaused)
    table.news()
    table.do(RoundUnpublished, why="wrong list")
    gone = table.news()
    assert gone is not None
    assert gone.round == 0
    assert table.desk.event.rounds[0].paused == 0


def test_the_desk_pauses_the_round_and_every_page_says_so(table: Table, public: Visitor) -> None:
    visitor = at_desk_of(table.desk)
    visitor.post("/round", "start", round=1)
    table.time.now += 60
    page = visitor.post("/round", "pause", round=1)
    left = f"{table.minutes - 1 - 60 * ((table.minutes - 1) // 60):02}:00"
    assert f"paused, {(table.minutes - 1) // 60}:{left}" in page.words
    assert "data-paused" in page.text
    table.time.now += 600
    for path in ("/", "/tv?page=2&hold=1", "/player?number=1"):
        text = public.get(path).text
        assert f"aused, {(table.minutes - 1) // 60}:{left}" in text
    assert "expected a round whose clock runs" in visitor.post("/round", "pause", round=1).words
    page = visitor.post("/round", "resume", round=1)
    assert "data-paused" not in page.text
    assert table.desk.event.rounds[0].started == (1_800_000_000_000 + 600_000)
    assert "expected a round whose clock is paused" in visitor.post("/round", "resume", round=1).words


# -- the box ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def bench(memory: Path) -> Iterator[Bench]:
    with Bench(memory / "box" / "journal.db") as opened:
        yield opened
        assert opened.misfits == []


def hear(bench: Bench, left: int, number: int = 1, *, runs: bool = True, round_: int = 2) -> None:
    said = messages.Clock(number, round_, left, runs, "finish the turn")
    bench.inbox.put(Timed(round_news_of(said, bench.clock.now)))
    bench.settle()


def band(bench: Bench) -> tuple[str, ...]:
    """The time on the question."""
    return tuple(bench.view.band.clock)  # type: ignore[union-attr]


def stands(bench: Bench) -> str:
    """Why the seat clocks stand still, "" if they run."""
    return bench.console.table.clocks.keeper.current.paused


def in_game(bench: Bench) -> None:
    bench.inbox.put(Seated(seating_of(messages.Seating(2, 7, ((3, "Anna", ""), (9, "Bo", ""))))))
    bench.settle()
    bench.wait(1.0)
    bench.key("select")
    bench.play("war-of-the-ring")
    bench.wait(1.0)


def test_a_question_shows_what_is_left_and_an_extension_at_once(bench: Bench) -> None:
    in_game(bench)
    assert band(bench) == ()
    hear(bench, 12 * MINUTE)
    assert band(bench) == ("R 12'", "R12'")
    bench.wait(121.2)
    assert band(bench) == ("R 9:59", "R9'")
    bench.wait(1.0)
    assert band(bench) == ("R 9:58", "R9'")
    hear(bench, 20 * MINUTE, number=2)
    assert band(bench) == ("R 20'", "R20'")
    hear(bench, 15 * MINUTE, number=3)  # 5 min taken back
    assert band(bench) == ("R 15'", "R15'")
    hear(bench, 0, number=4, round_=0)
    assert band(bench) == ()


def test_time_is_called_with_a_sound_until_a_key_and_stands_beside_the_game(bench: Bench) -> None:
    in_game(bench)
    asked = bench.prompt
    hear(bench, 5_000)
    before = bench.sounds.count("flag")
    bench.wait(4.9)
    assert bench.sounds.count("flag") == before
    bench.wait(0.2)
    assert "Time called. Finish the turn, then key in the result" in bench.text
    bench.wait(6.0)
    assert bench.sounds.count("flag") == before + 2
    bench.key("select")
    bench.wait(20.0)
    assert bench.sounds.count("flag") == before + 2
    assert bench.prompt == asked
    assert band(bench) == ("time",)
    assert [each.extra["time"] for each in Notes(bench.journal, 1).read() if "time" in each.extra] == [
        {"round": 2, "table": 7}
    ]


def test_time_is_called_though_the_box_cannot_save_it_and_that_is_told(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise JournalError("full", "Disk is full. Free some space, then press again.")

    in_game(bench)
    hear(bench, 5_000)
    monkeypatch.setattr(Notes, "add", full)
    bench.wait(5.1)
    assert "Time called" in bench.text
    bench.key("select")
    assert "Not saved. Disk is full" in bench.text


def test_a_pause_for_all_stops_the_seat_clocks_and_the_table_goes_on_with_a_key(memory: Path) -> None:
    with Bench(memory / "clocked" / "journal.db", Config(clock=Clock(use="start"))) as bench:
        in_game(bench)
        hear(bench, 30 * MINUTE)
        bench.key("1")
        keeper = bench.console.table.clocks.keeper
        assert stands(bench) == ""
        hear(bench, 29 * MINUTE, number=2, runs=False)
        assert "Round paused" in bench.text
        assert stands(bench) == "pause"
        left = [seat.left for seat in keeper.current.seats.values()]
        bench.wait(600.0)
        hear(bench, 29 * MINUTE, number=3)
        assert "Round goes on" in bench.text
        assert [seat.left for seat in keeper.current.seats.values()] == left
        bench.key("select")
        assert "Pause" in bench.text
        bench.key("select")
        assert stands(bench) == ""
        assert bench.misfits == []


def test_a_pause_for_all_holds_as_long_as_the_hall_is_reached(memory: Path) -> None:
    with Bench(memory / "held" / "journal.db", Config(clock=Clock(use="start"))) as bench:
        reached = True
        bench.console.event.reaches = lambda: reached
        in_game(bench)
        hear(bench, 30 * MINUTE)
        hear(bench, 29 * MINUTE, number=2, runs=False)
        bench.key("select", "select")
        assert "Not now. The round is paused for all: wait for the desk" in bench.text
        assert stands(bench) == "pause"
        bench.key("select")
        assert "Round paused" in bench.text
        (button,) = bench.console.top.buttons
        assert button.bar is not None, "a browser sees that it cannot be pressed, and why"
        reached = False
        bench.key("select")
        assert stands(bench) == "", "a table without its hall is not locked"
        reached = True
        hear(bench, 29 * MINUTE, number=2, runs=False)  # which a hall says whenever a box connects
        assert stands(bench) == "pause"
        hear(bench, 29 * MINUTE, number=3)
        bench.key("select", "select")
        assert stands(bench) == ""
        assert bench.misfits == []


def test_a_game_that_is_begun_while_the_round_is_paused_waits_too(memory: Path) -> None:
    with Bench(memory / "begun" / "journal.db", Config(clock=Clock(use="start"))) as bench:
        bench.console.event.reaches = lambda: True
        hear(bench, 30 * MINUTE, runs=False)
        in_game(bench)
        bench.turn(1)
        assert stands(bench) == "pause"
        assert "Round paused" in bench.text


def test_a_round_that_starts_says_so_once_and_is_no_round_that_goes_on(bench: Bench) -> None:
    in_game(bench)
    hear(bench, 30 * MINUTE)
    assert "has started" not in bench.text, "the box came when it ran"
    hear(bench, 0, number=2, round_=0)
    hear(bench, 60 * MINUTE, number=3, round_=3)
    assert bench.text == "Round started. Round 3 has started"
    hear(bench, 59 * MINUTE, number=4, round_=3)  # another pairing has changed
    bench.key("select")
    assert "Round" not in bench.text
    hear(bench, 58 * MINUTE, number=5, round_=3, runs=False)
    hear(bench, 57 * MINUTE, number=6, round_=3)
    assert bench.text == "Round goes on. Round 3 goes on"


def test_browsers_hear_of_the_round_s_clock_when_something_changes(bench: Bench) -> None:
    told: list[Any] = []
    bench.hub.subscribe(lambda news: told.extend(each for each in news if each["type"] == "round"))
    in_game(bench)
    assert told == []
    hear(bench, 12 * MINUTE)
    bench.wait(5.0)
    hear(bench, 0, round_=0, number=2)
    bench.wait(1.0)
    assert told == [
        {"type": "round", "round": 2, "ms": 12 * MINUTE, "runs": True, "about": False, "ago": 0},
        {"type": "round", "round": 0, "ms": 0, "runs": False, "about": False},
    ]


def test_without_a_hall_there_is_no_clock_of_a_round(bench: Bench) -> None:
    bench.play("war-of-the-ring")
    bench.wait(1.0)
    assert bench.console.table.clocks.round.news is None
    assert bench.console.table.clocks.deadline() is None
    assert band(bench) == ()
