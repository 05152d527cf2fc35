"""Dice without a terminal: the box's menu finds, names, assigns, blinks and forgets them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hardware.dice.link import Seen
from hardware.events import Reading, Thrown
from hardware.line.presence import Connected
from referee.console.console import Console
from referee.console.shelf import BoxDice, Visitors
from referee.console.spoken import spoken
from referee.station.dice import radio
from referee.station.dice.case import StationDice
from referee.station.dice.known import KnownDice, KnownDie
from referee.testing.station import Bench

ADDRESS, OTHER = "C3:5A:11:20:7E:F0", "C3:5A:11:20:7E:A1"


class Air:
    """A radio as the station asks it; who plays its thread is the test."""

    def __init__(self) -> None:
        self.members: dict[str, tuple[Any, Callable[[Any], None], Callable[[Any], None]]] = {}
        self.searches: list[Callable[[Sequence[Seen], str], None]] = []
        self.blinks: list[str] = []

    def add(self, die: Any, sink: Callable[[Any], None], report: Callable[[Any], None]) -> None:
        self.members[die.address] = die, sink, report

    def drop(self, address: str) -> None:
        del self.members[address]

    def look(self, seconds: float, report: Callable[[Sequence[Seen], str], None]) -> None:
        assert seconds > 0
        self.searches.append(report)

    def blink(self, address: str, failed: Callable[[str], None]) -> None:
        self.blinks.append(address)
        if address not in self.members:
            failed("asleep, or held by a phone")


class Box(Bench):
    """A box with Bluetooth."""

    def begin(self, journal: Path, dice: BoxDice, visitors: Visitors | None) -> Console:
        self.known = KnownDice(journal.with_name("dice.json"))
        self.case = StationDice(self.known, self.inbox.put)
        return super().begin(journal, dice._replace(owner=self.known.owner, case=self.case), visitors)

    def open(self, air: Air) -> None:
        self.case.open(self.loop, air, radio.plug)  # type: ignore[arg-type]

    def page(self) -> str:
        return spoken(self.view)

    def home(self) -> None:
        while "which game?" not in self.page():
            self.wait(1)
            self.hold("back", 0.6)
        self.wait(1)

    def dice_page(self) -> None:
        self.home()
        self.hold("back", 0.6)
        self.choose("Dice")

    def choose(self, label: str) -> None:
        for _ in range(8):
            for number in range(1, 7):
                if f"{number} {label}" in self.page():
                    self.key(str(number))
                    return
            self.key("6")
        raise LookupError(f"{label!r} is not in {self.page()!r}")


@pytest.fixture
def air() -> Air:
    return Air()


@pytest.fixture
def box(tmp_path: Path, air: Air) -> Iterator[Box]:
    with Box(tmp_path / "journal.db") as opened:
        opened.open(air)
        opened.wait(1)
        yield opened
        assert opened.misfits == []


def seen(address: str = ADDRESS) -> Seen:
    return Seen(address, "pixels", "Pixels", 1_700_000_000, 4, 80, None)  # type: ignore[arg-type]


def answer(box: Box, air: Air, *dice: Seen, why: str = "") -> None:
    air.searches.pop()(dice, why)
    box.settle()
    box.wait(1)


def test_a_die_is_found_named_and_given_to_a_seat_with_keys_alone(box: Box, air: Air) -> None:
    box.dice_page()
    assert box.page().startswith("Dice. 1 Find dice")
    box.choose("Find dice")
    assert "Looking. Shake them. Close their app on phones." in box.page()
    answer(box, air, seen(OTHER), seen())
    assert box.page().startswith("Dice. found. 1 pixels 7E:A1 (lit). 2 pixels 7E:F0")
    box.choose("pixels 7E:F0")
    assert "which name?. 1 White (lit). 2 Black" in box.page()
    box.choose("Black")
    assert "Black. whose?. 1 Seat 1 (lit)" in box.page()
    box.choose("Seat 2")
    assert "2 Black: Seat 2" in box.page()
    assert box.known.listed() == (KnownDie("Black", "pixels", ADDRESS, 1_700_000_000, 2),)
    assert box.known.owner("bluetooth-dice", "Black") == "seat-2"
    assert [die.name for die, _, _ in air.members.values()] == ["Black"], "it is connected to, without a restart"


def test_a_die_that_was_found_throws_at_once(box: Box, air: Air) -> None:
    box.known.keep(KnownDie("Red", "pixels", OTHER))
    box.open(air)
    box.dice_page()
    box.choose("Find dice")
    answer(box, air, seen())
    box.choose("pixels")
    box.choose("White")
    box.choose("Nobody's")
    for _, _, report in air.members.values():
        report(Connected("", box.clock.now))
    box.home()
    box.key("1", "2", "1", "2")  # a bare ruling that asks for two dice
    box.wait(0.5)
    for face, (die, sink, _) in zip((5, 4), air.members.values(), strict=True):
        sink(Thrown((Reading(face, die.name, 998),), box.clock.now, box.clock.now))
        box.settle()
    assert sorted(box.console.table.current.entries[-1].answer) == [4, 5]


def test_known_dice_are_renamed_blinked_and_forgotten(box: Box, air: Air) -> None:
    for name, address in (("White", ADDRESS), ("Red", OTHER)):
        box.known.keep(KnownDie(name, "pixels", address))
    box.open(air)
    box.dice_page()
    box.choose("Red")
    assert box.page().startswith("Red. Nobody's. 1 Seat (lit). 2 Blink. 3 Name. 4 Forget")
    box.choose("Blink")
    assert air.blinks == [OTHER]
    box.choose("Name")
    assert "White2" in box.page()
    box.choose("Green")
    assert {die.name for die, _, _ in air.members.values()} == {"White", "Green"}
    box.choose("Green")
    box.choose("Forget")
    box.wait(0.4)
    box.hold("select", 1.2)
    assert [die.name for die in box.known.listed()] == ["White"]
    assert air.members.keys() == {ADDRESS}, "phones find it again"


def test_what_goes_wrong_is_said_and_changes_nothing(box: Box, air: Air) -> None:
    box.dice_page()
    for dice, why, text in (
        ((), "", "No dice. None found"),
        ((), "no Bluetooth: No adapters", "No search. no Bluetooth: No adapters"),
    ):
        box.choose("Find dice")
        answer(box, air, *dice, why=why)
        assert text in box.page()
        box.key("select")
    box.choose("Find dice")
    box.key("back")
    before = box.page()
    answer(box, air, seen())
    assert box.page() == before, "nobody waits for it any more"
    box.known.keep(KnownDie("White", "pixels", ADDRESS))
    box.dice_page()
    box.choose("White")
    box.choose("Blink")
    box.wait(1)
    assert "No blink. White: asleep, or held by a phone" in box.page()
    assert box.known.listed() == (KnownDie("White", "pixels", ADDRESS),)


def test_a_die_on_a_cable_is_given_to_seats_and_forgotten_only(box: Box, air: Air) -> None:
    box.known.assign("A7", 1)
    box.open(air)
    assert air.members == {}
    box.dice_page()
    box.choose("A7")
    box.choose("Blink")
    assert "It is on a cable" in box.page()
    box.key("select")
    box.choose("Seat")
    box.choose("Seat 3")
    assert box.known.owner("serial-dice", "A7") == "seat-3"


def test_a_box_without_such_dice_has_no_such_entry(bench: Bench) -> None:
    bench.wait(1)
    bench.hold("back", 0.6)
    assert "Join" in spoken(bench.view)
    assert "Dice" not in spoken(bench.view)
