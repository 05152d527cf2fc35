"""Seat clocks that the organiser chooses for every box: from the settings to the clocks of a game, and a restart."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from referee.clock.settings import Settings as Clock
from referee.config import Config
from referee.errors import Malformed
from referee.hall import example
from referee.hall.desk import Desk
from referee.hall.ledger import State
from referee.hall.pages.setup import PRESETS
from referee.hall.wishes import wishes
from referee.journal.notes import Notes
from referee.session import Submission
from referee.session.wish import Player, Seating, Wish
from referee.station.virtual.bench import Bench
from tests.hall.table import TABLE, Floor

WAR = "war-of-the-ring"
RIDDLE = "riddle-of-the-ring"
OF_EVENT = Clock("start", "fischer", "90 min", "30 s", flag="freeze")
OWN = Clock("start")
SEATING = Seating(2, 7, (Player(3, "Anna"), Player(9, "Bo")), clock=OF_EVENT)

Start = Callable[..., Bench]


@pytest.fixture
def sixteen(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """The example, with seat clocks."""
    preset = PRESETS[WAR]
    monkeypatch.setitem(PRESETS, WAR, replace(preset, settings=replace(preset.settings, clock=OF_EVENT)))
    example.fill(desk)
    return desk


@pytest.fixture
def start(memory: Path) -> Iterator[Start]:
    """Start a box, again and again."""
    with ExitStack() as stack:

        def starts(own: Clock = OWN, of_event: Clock | None = None) -> Bench:
            stack.close()
            bench = Bench(memory / "box" / "journal.db", Config(clock=own), of_event=of_event)
            return stack.enter_context(closing(bench))

        yield starts


def told(bench: Bench, clock: Clock | None) -> None:
    """The hall says how the seats keep time."""
    bench.console.event.seat(SEATING._replace(clock=clock))
    bench.settle()


def begin(bench: Bench, game: str = WAR) -> None:
    """Begin a game; what lies on the glass is read first."""
    if bench.console.table.session is not None:
        bench.console.table.leave()
        bench.settle()
    bench.wait(1.0)
    bench.key("back")
    bench.play(game)
    bench.wait(1.0)


def words(bench: Bench) -> str:
    """The time control of the game in progress, and what a flag does; "" without clocks."""
    keeper = bench.console.table.clocks.keeper
    return f"{keeper.clocks.control.words}; {keeper.customs.flag}" if keeper.clocks is not None else ""


EVENTS = f"{OF_EVENT.control.words}; freeze"
OWNS = "1 h; tell"


# -- from the hall ---------------------------------------------------------------------------------------------------


def test_a_game_at_a_table_of_the_event_has_its_clocks_whatever_the_box_is_configured(floor: Floor) -> None:
    assert floor.bench.config.clock == OWN
    assert words(floor.bench) == EVENTS == "90 min, +30 s; freeze"
    put = next(note for note in floor.notes("clock") if note["what"] == "set")
    assert (put["control"], put["customs"]) == (OF_EVENT.control.as_json(), OF_EVENT.customs.as_json())


def test_the_table_is_told_before_a_round_is_published_too(sixteen: Desk) -> None:
    event = replace(sixteen.event, boxes={TABLE: "b" * 64}, rounds=())
    asked = wishes(State(event=event), str)["b" * 64]
    assert asked.wish.seating == Seating(0, TABLE, clock=OF_EVENT)
    event = replace(event, settings=replace(event.settings, clock=None))
    assert wishes(State(event=event), str)["b" * 64].wish.as_json()["clock"] is None


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"mode": "blitz"}, 'clock: mode: expected "sudden-death", "fischer"'),
        ({"time": "soon"}, "clock: time: expected a time up to 24 h"),
        ({"extra": "0 s"}, "clock: extra: expected a time above 0, up to 24 h"),
        ({"extra": "1 h" + " " * 20_000 + "x"}, "clock: extra: expected a time up to 24 h"),
        ({"minutes": 3}, "clock: expected seat clocks: use, mode, time"),
    ],
)
def test_clocks_that_are_none_are_refused_by_the_box(change: dict[str, Any], expected: str) -> None:
    said = json.loads(json.dumps(Wish(SEATING).as_json()))
    assert Wish.from_json(said) == Wish(SEATING)
    wrong: Any
    for wrong in (said["clock"] | change, [], "90 min"):
        with pytest.raises(Malformed) as refused:
            Wish.from_json(said | {"clock": wrong})
        assert refused.value.text.startswith(expected if isinstance(wrong, dict) else "clock: expected")


# -- at the box ------------------------------------------------------------------------------------------------------


def test_a_game_that_has_begun_keeps_its_clocks_and_the_next_one_has_those_of_the_event(start: Start) -> None:
    bench = start()
    begin(bench)
    told(bench, OF_EVENT)
    bench.wait(60)
    assert words(bench) == OWNS
    begin(bench)
    assert words(bench) == EVENTS
    told(bench, None)
    assert words(bench) == EVENTS
    begin(bench)
    assert words(bench) == OWNS


def test_a_game_that_has_begun_without_clocks_has_none_after_a_restart_either(start: Start) -> None:
    bench = start(own=Clock())
    begin(bench)
    bench.key("1", "1")
    told(bench, OF_EVENT)
    bench.wait(60)
    assert words(bench) == ""
    bench = start(own=Clock(), of_event=OF_EVENT)
    bench.wait(60)
    assert bench.console.table.current.n > 1
    assert words(bench) == ""
    begin(bench)
    assert words(bench) == EVENTS


@pytest.mark.parametrize("use", ["off", "menu"])
def test_the_event_can_leave_clocks_to_the_menu_or_away(start: Start, use: Any) -> None:
    of_event = replace(OF_EVENT, use=use)
    bench = start()
    told(bench, of_event)
    begin(bench)
    bench.key("1", "1")
    bench = start(of_event=of_event)
    bench.wait(60)
    assert words(bench) == ""
    assert bench.console.table.clocks.offered == (use == "menu")
    assert bench.console.table.clocks.controls[0] == OF_EVENT.control
    bench = start()  # what the event said is what kept the box's own clocks away
    bench.wait(1.0)
    assert words(bench) == OWNS


def test_after_a_restart_the_game_has_its_clocks_and_seats_named_later_have_those_of_the_event(start: Start) -> None:
    bench = start(of_event=OF_EVENT)
    begin(bench)
    bench.key("1", "1")
    bench.wait(60)
    before = {seat: each.left for seat, each in bench.console.table.clocks.keeper.current.seats.items()}
    bench = start(of_event=replace(OF_EVENT, time="5 min"))
    assert words(bench) == EVENTS
    after = bench.console.table.clocks.keeper.current.seats
    assert all(abs(after[seat].left - left) <= 30_000 for seat, left in before.items())
    begin(bench, RIDDLE)
    assert words(bench) == ""
    bench = start(of_event=OF_EVENT)
    name_seats(bench, 2, "frodo", "br1")
    assert words(bench) == EVENTS
    bench = start(of_event=replace(OF_EVENT, time="5 min"))
    bench.console.table.current.undo(at=bench.clock.now)
    name_seats(bench, 3, "sam", "br2", "merry")
    assert [*bench.console.table.clocks.keeper.current.seats] == ["sam", "br2", "merry"]
    assert words(bench) == EVENTS


def name_seats(bench: Bench, *answers: str | int) -> None:
    bench.console.table.current.sequence(Submission(answers, at=bench.clock.now))
    bench.loop.step(None, bench.clock.now)


def test_a_power_cut_between_the_game_and_its_clocks_costs_no_clocks(start: Start) -> None:
    bench = start(own=Clock())
    begin(bench)
    assert [each for each in Notes(bench.journal, 1).read() if "clock" in each.extra] == []
    bench = start(own=Clock(), of_event=OF_EVENT)
    bench.wait(1.0)
    assert words(bench) == EVENTS
