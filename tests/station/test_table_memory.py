"""A box that was off goes on with what the hall had said: its table, and the clock of the round."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from referee.clock.settings import Settings as SeatClocks
from referee.hall.uplink.messages import Clock, Seating
from referee.journal.notes import Notes
from referee.station.inbox import Seated, Timed
from referee.station.table_memory import EVERY, FILE, STALE, Recalled, TableMemory
from referee.station.uplink import round_news_of, seating_of
from referee.testing.station import Bench
from tests.hall.uplink.pair import EVENT

MINUTE = 60_000
CLOCK = Clock(7, 2, 30 * MINUTE, runs=True, then="finish the turn")
SEAT_CLOCKS = SeatClocks("start", "fischer", ("90 min/40", "30 min"), "30 s", flag="freeze")
SEATING = Seating(2, 5, ((3, "Anna Schmidt", "Shadow"), (9, "Bo", "Free Peoples")), games=2, clock=SEAT_CLOCKS)


class Machine:
    """What the clocks of a box show, and what its disk has."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.monotonic, self.wall, self.boot = 500.0, 1_800_000_000.0, "first"

    def wait(self, seconds: float) -> None:
        self.monotonic += seconds
        self.wall += seconds

    def lose_power(self, seconds: float, *, sets_back: float = 0.0) -> None:
        """Be in the dark for so long. ``sets_back``: by how much its clock on the wall is behind afterwards, s."""
        self.monotonic, self.boot = 20.0, self.boot + "'"
        self.wall += seconds - sets_back

    def start(self, event: str = EVENT) -> TableMemory:
        return TableMemory(self.folder, event, lambda: self.monotonic, lambda: self.wall, self.boot)


@pytest.fixture
def machine(memory: Path) -> Machine:
    return Machine(memory)


def left(recalled: Recalled) -> int:
    assert recalled.clock is not None
    return recalled.clock.left


def test_a_station_that_was_started_again_counts_on_to_the_millisecond(machine: Machine) -> None:
    machine.start().hear_clock(CLOCK, machine.monotonic)
    machine.wait(90.5)
    clock = machine.start().recall().clock
    assert clock == round_news_of(replace(CLOCK, left=CLOCK.left - 90_500), machine.monotonic)


def test_time_in_the_dark_counts_and_is_marked(machine: Machine) -> None:
    machine.start().hear_clock(CLOCK, machine.monotonic)
    machine.wait(60)
    machine.lose_power(600)
    clock = machine.start().recall().clock
    assert clock is not None
    assert (clock.left, clock.about, clock.called) == (CLOCK.left - 11 * MINUTE, True, False)


def test_a_clock_on_the_wall_that_stood_still_gives_at_most_the_time_in_the_dark(machine: Machine) -> None:
    before = machine.start()
    before.hear_clock(CLOCK, machine.monotonic)
    for _ in range(10):
        machine.wait(EVERY)
        before.look()
    machine.lose_power(600, sets_back=3600)
    after = machine.start()
    assert left(after.recall()) == CLOCK.left - ms(10 * EVERY)
    machine.wait(EVERY)
    after.look()
    again = machine.start().recall().clock
    assert again is not None
    assert (again.left, again.about) == (CLOCK.left - ms(11 * EVERY), True)
    after.hear_clock(CLOCK, machine.monotonic)
    known = machine.start().recall().clock
    assert known is not None
    assert (known.left, known.about) == (CLOCK.left, False)


def test_a_pause_stands_however_long_the_box_was_off(machine: Machine) -> None:
    machine.start().hear_clock(replace(CLOCK, runs=False), machine.monotonic)
    machine.lose_power(600)
    assert left(machine.start().recall()) == CLOCK.left


def test_a_round_without_a_clock_another_event_and_another_day_leave_nothing(machine: Machine) -> None:
    box = machine.start()
    assert box.recall() == Recalled()
    box.hear_clock(CLOCK, machine.monotonic)
    assert machine.start("f" * 64).recall() == Recalled()
    box.hear_clock(replace(CLOCK, round=0), machine.monotonic)
    assert machine.start().recall() == Recalled()
    box.hear_clock(CLOCK, machine.monotonic)
    machine.lose_power(STALE + 1)
    assert machine.start().recall() == Recalled()


def test_the_seating_comes_back_without_a_name(machine: Machine) -> None:
    machine.start().hear_seating(SEATING)
    machine.lose_power(60)
    seating = machine.start().recall().seating
    assert seating == replace(SEATING, players=((3, "No. 3", "Shadow"), (9, "No. 9", "Free Peoples")))
    assert "Anna" not in (machine.folder / FILE).read_text()


@pytest.mark.parametrize(
    "change",
    [
        lambda _: "",
        lambda _: "[]",
        lambda _: "[" * 100_000,
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("1800000000.0", "-Infinity"),
        lambda text: json.dumps(json.loads(text) | {"clock": '{"type":"ping"}'}),
        lambda text: json.dumps({name: value for name, value in json.loads(text).items() if name != "about"}),
    ],
)
def test_a_damaged_file_is_as_none(machine: Machine, change: Callable[[str], str]) -> None:
    box = machine.start()
    box.hear_clock(CLOCK, machine.monotonic)
    path = machine.folder / FILE
    path.write_text(change(path.read_text()))
    machine.boot = "another"
    assert machine.start().recall() == Recalled()


def test_a_disk_that_takes_nothing_stops_nobody(machine: Machine, caplog: pytest.LogCaptureFixture) -> None:
    machine.folder /= "gone"
    machine.start().hear_clock(CLOCK, machine.monotonic)
    assert "table.json cannot be saved" in caplog.text


# -- on the glass ----------------------------------------------------------------------------------------------------


@pytest.fixture
def box(machine: Machine) -> Iterator[Bench]:
    with Bench(machine.folder / "journal.db") as bench:
        bench.play("war-of-the-ring")
        yield bench
        assert bench.misfits == []


def take(bench: Bench, recalled: Recalled) -> None:
    """Let the station hear at its own time what was recalled."""
    assert recalled.clock is not None
    bench.inbox.put(Timed(recalled.clock._replace(at=ms(bench.clock.now))))
    bench.settle()


def band(bench: Bench) -> tuple[str, ...]:
    return tuple(bench.view.band.clock)  # type: ignore[union-attr]


def hear(bench: Bench, clock: Clock) -> None:
    bench.inbox.put(Timed(round_news_of(clock, bench.clock.now)))
    bench.settle()


def test_a_box_that_was_off_shows_about_how_much_is_left_until_the_hall_says(box: Bench, machine: Machine) -> None:
    machine.start().hear_clock(CLOCK, machine.monotonic)
    machine.lose_power(600)
    take(box, machine.start().recall())
    assert band(box) == ("R ~20'", "R~20'")
    hear(box, replace(CLOCK, left=25 * MINUTE))
    assert band(box) == ("R 25'", "R25'")


def test_it_does_not_call_time_that_it_does_not_know(box: Bench, machine: Machine) -> None:
    machine.start().hear_clock(replace(CLOCK, left=5_000), machine.monotonic)
    machine.lose_power(600)
    take(box, machine.start().recall())
    box.wait(0.1)
    assert "Time may be over. This box was off. Ask the desk" in box.text
    assert box.sounds.count("flag") == 1
    assert not any("time" in each.extra for each in Notes(box.journal, 1).read())
    box.read()
    box.key("select")
    assert band(box) == ("time?",)
    hear(box, replace(CLOCK, left=MINUTE))
    assert band(box) == ("R 1:00", "R1'")
    box.wait(61)
    assert "Time called" in box.text


def test_time_that_was_called_is_not_called_again(box: Bench, machine: Machine) -> None:
    machine.start().hear_clock(replace(CLOCK, left=-1), machine.monotonic)
    machine.wait(5)
    take(box, machine.start().recall())
    box.wait(10)
    assert band(box) == ("time",)
    assert "flag" not in box.sounds


def test_a_table_without_a_hall_keys_in_its_slip_by_numbers(box: Bench, machine: Machine) -> None:
    machine.start().hear_seating(SEATING)
    seating = machine.start().recall().seating
    assert seating is not None
    box.inbox.put(Seated(seating_of(seating)))
    box.settle()
    assert box.console.event.slip_due
    box.console.event.open_slip()
    box.wait(0.1)
    assert "No. 3" in box.text


def ms(seconds: float) -> int:
    return round(seconds * 1000)
