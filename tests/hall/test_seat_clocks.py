"""Seat clocks that the organiser chooses for every box: from the settings to the clocks of a game, and a restart."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest

from referee.clock.control import Settings as Clock
from referee.config import Config
from referee.hall import example
from referee.hall.desk import Desk
from referee.hall.pages.setup import PRESETS
from referee.journal.notes import Notes
from referee.session.wish import Player, Seating
from referee.station.virtual.bench import Bench
from tests.hall.table import Floor

WAR = "war-of-the-ring"
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


def test_a_power_cut_between_the_game_and_its_clocks_costs_no_clocks(start: Start) -> None:
    bench = start(own=Clock())
    begin(bench)
    assert [each for each in Notes(bench.journal, 1).read() if "clock" in each.extra] == []
    bench = start(own=Clock(), of_event=OF_EVENT)
    bench.wait(1.0)
    assert words(bench) == EVENTS
