"""The clock of the round, from the desk to the glass of a box: extensions, a pause for all, time that is called."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from referee.clock.round import RoundNews
from referee.config import ClockSettings, Config
from referee.hall.desk import Desk
from referee.hall.pages.render import clock, day
from referee.journal.notes import Notes
from referee.session import ms
from referee.session.wish import Player, Seating, Wish
from referee.session.wish import Time as WishedTime
from referee.station.virtual.bench import Bench
from referee.tournament.acts.rounds import ExtensionGiven, RoundEnded, RoundPaused, RoundResumed
from referee.tournament.acts.stages import SettingsChosen
from referee.tournament.settings import Settings
from tests.hall.hours import Time
from tests.hall.table import Floor
from tests.hall.visitor import Visitor, at_desk_of

TABLE = 3
MINUTE = 60_000


def told(floor: Floor) -> WishedTime | None:
    """What the box is told of the clock now."""
    return Wish.from_json(floor.box.say("GET", "/api/table").body).time


def do(floor: Floor, act: type, **members: Any) -> None:
    floor.desk.perform(act(who="organiser", at=floor.desk.now(), **{"round": 1, **members}))


def test_a_box_hears_how_the_clock_stands(floor: Floor, time: Time) -> None:
    whole = floor.desk.event.settings.minutes * MINUTE
    began = floor.desk.event.rounds[0].started
    time.now = began / 1000 + 60
    first = told(floor)
    assert first is not None
    assert (first.round, first.left, first.runs, first.then) == (1, whole - MINUTE, True, "finish the action")
    do(floor, ExtensionGiven, table=TABLE + 1, ms=5 * MINUTE, why="late")
    other = told(floor)
    assert other is not None
    assert other.left == first.left
    do(floor, ExtensionGiven, table=TABLE, ms=5 * MINUTE, why="late")
    extended = told(floor)
    assert extended is not None
    assert extended.left == first.left + 5 * MINUTE
    assert extended.number > other.number
    do(floor, RoundPaused)
    time.now += 3600
    paused = told(floor)
    assert paused is not None
    assert (paused.runs, paused.left) == (False, extended.left)
    do(floor, RoundResumed)
    resumed = told(floor)
    assert resumed is not None
    assert (resumed.runs, resumed.left) == (True, extended.left)
    do(floor, RoundEnded, why="no time")
    assert told(floor) is None


def test_the_desk_pauses_the_round_and_every_page_says_so(sixteen: Desk, public: Visitor, time: Time) -> None:
    visitor = at_desk_of(sixteen)
    minutes = sixteen.event.settings.minutes
    visitor.post("/round", "start", round=1)
    time.now += 60
    page = visitor.post("/round", "pause", round=1)
    left = f"{minutes - 1 - 60 * ((minutes - 1) // 60):02}:00"
    assert f"paused, {(minutes - 1) // 60}:{left}" in page.words
    assert "data-paused" in page.text
    time.now += 600
    for path in ("/", "/tv?page=2&hold=1", "/player?number=1"):
        text = public.get(path).text
        assert f"aused, {(minutes - 1) // 60}:{left}" in text
    assert "he clock does not run" in visitor.post("/round", "pause", round=1).words
    page = visitor.post("/round", "resume", round=1)
    assert "data-paused" not in page.text
    assert sixteen.event.rounds[0].started == 1_800_000_600_250
    assert "he clock of round 1 runs already" in visitor.post("/round", "resume", round=1).words


# -- the box ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def bench(memory: Path) -> Iterator[Bench]:
    with Bench(memory / "box" / "journal.db") as opened:
        yield opened
        assert opened.misfits == []


def hear(bench: Bench, left: int, number: int = 1, *, runs: bool = True, round_: int = 2) -> None:
    now = ms(bench.clock.now)
    news = RoundNews(number, round_, left, runs, "finish the turn", now)
    bench.inbox.put(partial(bench.loop.learn, partial(bench.console.event.time, news)))
    bench.settle()


def band(bench: Bench) -> tuple[str, ...]:
    """The time on the question."""
    return tuple(bench.view.band.clock)  # type: ignore[attr-defined]


def stands(bench: Bench) -> str:
    """Why the seat clocks stand still, "" if they run."""
    return bench.console.table.clocks.keeper.current.paused


def in_game(bench: Bench) -> None:
    seating = Seating(2, 7, (Player(3, "Anna"), Player(9, "Bo")))
    bench.inbox.put(partial(bench.loop.learn, partial(bench.console.event.seat, seating)))
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
    assert "Time called. Finish the turn, then enter the result" in bench.text
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


def test_a_pause_for_all_holds_as_long_as_the_hall_is_reached(memory: Path) -> None:
    with Bench(memory / "held" / "journal.db", Config(clock=ClockSettings(use="start"))) as bench:
        reached = True
        bench.console.event.reaches = lambda: reached
        in_game(bench)
        hear(bench, 30 * MINUTE)
        hear(bench, 29 * MINUTE, number=2, runs=False)
        bench.key("select", "select")
        assert "Not now. The desk has paused the round. Please wait" in bench.text
        assert stands(bench) == "pause"
        bench.key("select")
        assert "Round paused" in bench.text
        (button,) = bench.console.stage.top.buttons
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


def test_a_round_over_weeks_says_until_which_day(desk: Desk) -> None:
    visitor = at_desk_of(desk)
    visitor.post("/players", "add", list="Anna\nBo")
    visitor.post("/players", "check-in-all")
    two_weeks = Settings(minutes=14 * 24 * 60)
    desk.perform(SettingsChosen(who="organiser", at=desk.now(), settings=two_weeks))
    visitor.post("/setup", "open-stage", format="round robin", match="one game", sides="none")
    visitor.post("/round", "draft")
    for do_ in ("publish", "start"):
        visitor.post("/round", do_, round=1)
    ends = desk.event.rounds[0].started + two_weeks.minutes * MINUTE
    assert f"time: until {day(ends)}, {clock(ends)}" in visitor.get("/round").words
