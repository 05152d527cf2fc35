"""A box that was off goes on with what the hall wished: its table, its decisions, and the clock of the round."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from referee.clock.round import RoundNews
from referee.journal.notes import Notes
from referee.session import ms
from referee.session.wish import Order, Player, Seating, Time, Wish
from referee.station.hall.kept import STALE, TABLE_FILE, TableMemory, round_news
from referee.station.virtual.bench import Bench

MINUTE = 60_000
HALL = "a" * 64
SEATING = Seating(2, 5, (Player(3, "Anna Schmidt", "Shadow"), Player(9, "Bo", "Free Peoples")), 2)
WISH = Wish(SEATING, (Order(6, "ruling", 0, "judge 2", "Replay"),), Time(7, 2, 30 * MINUTE, True, "finish the turn"))


class Machine:
    """What the clocks of a box show, and what its disk has."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.monotonic, self.wall = 500.0, 1_800_000_000.0

    def wait(self, seconds: float) -> None:
        self.monotonic += seconds
        self.wall += seconds

    def lose_power(self, seconds: float) -> None:
        """Be in the dark for so long."""
        self.monotonic = 20.0
        self.wall += seconds

    def start(self, hall: str = HALL) -> TableMemory:
        return TableMemory(self.folder, hall, lambda: self.monotonic, lambda: self.wall)

    def hears(self, left: int = 30 * MINUTE, *, runs: bool = True) -> TableMemory:
        """Hear the wish with so much left of the round."""
        assert WISH.time is not None
        memory = self.start()
        memory.hear(WISH._replace(time=WISH.time._replace(left=left, runs=runs)), self.monotonic)
        return memory

    def recalled(self) -> tuple[Wish, RoundNews]:
        recalled = self.start().recall()
        assert recalled is not None
        return recalled


@pytest.fixture
def machine(memory: Path) -> Machine:
    return Machine(memory)


def test_time_in_the_dark_counts_and_is_marked(machine: Machine) -> None:
    machine.hears()
    machine.wait(60)
    machine.lose_power(600)
    time = machine.recalled()[1]
    assert (time.left, time.about, time.called) == (19 * MINUTE, True, False)


@pytest.mark.parametrize("set_", [-365 * 86_400, 365 * 86_400])
def test_a_clock_that_is_a_year_off_never_calls_time(machine: Machine, box: Bench, set_: float) -> None:
    machine.hears()
    machine.lose_power(set_)
    if set_ > 0:
        assert machine.start().recall() is None, "it may be another event: the hall will say"
    else:
        remember(box, machine)
        assert band(box) == ("R ~30'", "R~30'")
    hear(box, 25 * MINUTE)
    while "Replay" in box.text:
        box.key("select")
    assert band(box) == ("R 25'", "R25'")


def test_a_pause_stands_however_long_the_box_was_off(machine: Machine) -> None:
    machine.hears(runs=False)
    machine.lose_power(600)
    assert machine.recalled()[1].left == 30 * MINUTE


def test_another_hall_and_another_day_leave_nothing(machine: Machine) -> None:
    assert machine.start().recall() is None
    machine.hears()
    assert machine.start("f" * 64).recall() is None
    machine.start().hear(WISH._replace(time=None), machine.monotonic)
    assert machine.recalled()[1].round == 0
    machine.lose_power(STALE + 1)
    assert machine.start().recall() is None


def test_the_seating_comes_back_without_a_name(machine: Machine) -> None:
    machine.hears()
    machine.lose_power(60)
    wish, _ = machine.recalled()
    assert [player.name for player in wish.seating.players] == ["No. 3", "No. 9"]
    assert (wish.seating.match, wish.orders) == (SEATING.match, WISH.orders)
    assert "Anna" not in (machine.folder / TABLE_FILE).read_text()


@pytest.mark.parametrize(
    "change",
    [
        lambda _: "",
        lambda _: "[]",
        lambda _: "[" * 100_000,
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("1800000000.0", "-Infinity"),
        lambda text: json.dumps(json.loads(text) | {"wish": {"round": 1}}),
        lambda text: json.dumps({name: value for name, value in json.loads(text).items() if name != "hall"}),
    ],
)
def test_a_damaged_file_is_as_none(machine: Machine, change: Callable[[str], str]) -> None:
    machine.hears()
    path = machine.folder / TABLE_FILE
    path.write_text(change(path.read_text()))
    assert machine.start().recall() is None


# -- on the glass ----------------------------------------------------------------------------------------------------


@pytest.fixture
def box(machine: Machine) -> Iterator[Bench]:
    with Bench(machine.folder / "journal.db") as bench:
        bench.play("war-of-the-ring")
        yield bench
        assert bench.misfits == []


def remember(bench: Bench, machine: Machine) -> None:
    """Let the station hear at its own time what was recalled."""
    wish, time = machine.recalled()
    hear = partial(bench.console.hear, wish, time._replace(at=ms(bench.clock.now)), True)
    bench.inbox.put(hear)
    bench.settle()


def hear(bench: Bench, left: int) -> None:
    assert WISH.time is not None
    wish = WISH._replace(time=WISH.time._replace(left=left))
    bench.inbox.put(partial(bench.console.hear, wish, round_news(wish, bench.clock.now), False))
    bench.settle()


def band(bench: Bench) -> tuple[str, ...]:
    return tuple(bench.view.band.clock)  # type: ignore[attr-defined]


def test_what_is_left_is_marked_until_the_hall_says(box: Bench, machine: Machine) -> None:
    machine.hears()
    machine.lose_power(600)
    remember(box, machine)
    assert band(box) == ("R ~20'", "R~20'")
    hear(box, 25 * MINUTE)
    assert band(box) == ("R 25'", "R25'")
    assert "Replay" not in box.text  # it was decided, and shown, before


def test_it_does_not_call_time_that_it_does_not_know(box: Bench, machine: Machine) -> None:
    machine.hears(5_000)
    machine.lose_power(600)
    remember(box, machine)
    box.wait(0.1)
    assert "Time may be over. This box was off. Ask the desk" in box.text
    assert box.sounds.count("flag") == 1
    assert not any("time" in each.extra for each in Notes(box.journal, 1).read())
    box.read()
    box.key("select")
    assert band(box) == ("time?",)
    hear(box, MINUTE)
    assert band(box) == ("R 1:00", "R1'")
    box.wait(61)
    assert "Time called" in box.text
