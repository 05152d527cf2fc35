"""Dice without a terminal: the box's menu finds, names, assigns, blinks and forgets them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from hardware.simulated.reader import SimulatedReader
from referee.console.console import Console
from referee.console.shelf import BoxDice, Visitors
from referee.station.dice import KnownDice, KnownDie, StationDice
from referee.station.virtual.bench import Bench

ADDRESS, OTHER = "C3:5A:11:20:7E:F0", "C3:5A:11:20:7E:A1"


class Box(Bench):
    """A box with Bluetooth."""

    def begin(self, journal: Path, dice: BoxDice, visitors: Visitors | None) -> Console:
        self.known = KnownDice(journal.with_name("dice.json"))
        self.case = StationDice(self.known, lambda take: self.inbox.put(partial(self.loop.learn, take)))
        return super().begin(journal, dice._replace(case=self.case), visitors)

    def open(self) -> None:
        """Start the reader of dice by Bluetooth, in the test's hands."""

        def attach() -> SimulatedReader:
            make = lambda report: SimulatedReader(report, self.clock, self.case.heard)  # noqa: E731
            device = self.loop.attach("Bluetooth", make, source="bluetooth-dice")
            assert isinstance(device, SimulatedReader)
            self.radio = device
            return device

        self.case.open(attach)
        self.radio.told += self.case.greeting()

    @property
    def connected(self) -> list[str]:
        """The dice that the reader was told to connect to."""
        names: dict[str, str] = {}
        for words in self.radio.told:
            if "add" in words:
                names[words["add"]["address"]] = words["add"]["name"]
            elif "drop" in words:
                del names[words["drop"]]
        return sorted(names.values())

    def page(self) -> str:
        return self.view.speech().spoken

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
def box(tmp_path: Path) -> Iterator[Box]:
    with Box(tmp_path / "journal.db") as opened:
        opened.open()
        opened.wait(1)
        yield opened
        assert opened.misfits == []


def answer(box: Box, *addresses: str, why: str = "") -> None:
    assert box.radio.told[-1] == {"find": True}
    near = [{"address": each, "kind": "pixels", "built": 1_700_000_000} for each in addresses]
    box.radio.say(answer={"near": near, "why": why})
    box.settle()
    box.wait(1)


def test_a_die_is_found_named_and_given_to_a_seat(box: Box) -> None:
    box.dice_page()
    assert box.page().startswith("Dice. 1 Find dice")
    box.choose("Find dice")
    assert "Searching. Shake the dice. Close their app on phones." in box.page()
    answer(box, OTHER, ADDRESS)
    assert box.page().startswith("Dice. found. 1 pixels 7E:A1 (lit). 2 pixels 7E:F0")
    box.choose("pixels 7E:F0")
    assert "which name?. 1 White (lit). 2 Black" in box.page()
    box.choose("Black")
    assert "Black. whose?. 1 Seat 1 (lit)" in box.page()
    box.choose("Seat 2")
    assert "2 Black: Seat 2" in box.page()
    assert box.known.listed() == (KnownDie("Black", "pixels", ADDRESS, 1_700_000_000, 2),)
    assert box.radio.told[-1]["add"]["seat"] == 2
    assert box.connected == ["Black"], "it is connected to, without a restart"


def test_a_die_that_was_found_throws_at_once(box: Box) -> None:
    box.known.keep(KnownDie("Red", "pixels", OTHER))
    box.open()
    box.dice_page()
    box.choose("Find dice")
    answer(box, ADDRESS)
    box.choose("pixels")
    box.choose("White")
    box.choose("Nobody's")
    box.home()
    box.key("1", "2", "1", "2")  # a bare ruling that asks for two dice
    box.wait(0.5)
    for face, die in zip((5, 4), box.connected, strict=True):
        box.radio.throw(face, dice=[die], certainty=[998])
        box.settle()
    assert sorted(box.console.table.current.entries[-1].answer) == [4, 5]


def test_known_dice_are_renamed_blinked_and_forgotten(box: Box) -> None:
    for name, address in (("White", ADDRESS), ("Red", OTHER)):
        box.known.keep(KnownDie(name, "pixels", address))
    box.open()
    box.dice_page()
    box.choose("Red")
    assert box.page().startswith("Red. Nobody's. 1 Seat (lit). 2 Blink. 3 Name. 4 Forget")
    box.choose("Blink")
    assert box.radio.told[-1] == {"blink": OTHER}
    box.choose("Name")
    assert "White2" in box.page()
    box.choose("Green")
    assert box.connected == ["Green", "White"]
    box.choose("Green")
    box.choose("Forget")
    box.wait(0.4)
    box.hold("select", 1.2)
    assert [die.name for die in box.known.listed()] == ["White"]
    assert box.connected == ["White"], "phones find it again"


def test_what_goes_wrong_is_said_and_changes_nothing(box: Box) -> None:
    box.dice_page()
    for why, text in (
        ("", "No dice. None found"),
        ("no Bluetooth: No adapters", "No search. no Bluetooth: No adapters"),
    ):
        box.choose("Find dice")
        answer(box, why=why)
        assert text in box.page()
        box.key("select")
    box.choose("Find dice")
    box.key("back")
    before = box.page()
    answer(box, ADDRESS)
    assert box.page() == before, "nobody waits for it any more"
    box.known.keep(KnownDie("White", "pixels", ADDRESS))
    box.dice_page()
    box.choose("White")
    box.choose("Blink")
    box.radio.say(answer={"dark": "asleep, or held by a phone"})
    box.settle()
    box.wait(1)
    assert "No blink. White: asleep, or held by a phone" in box.page()
    assert box.known.listed() == (KnownDie("White", "pixels", ADDRESS),)


def test_a_box_without_such_dice_has_no_such_entry(bench: Bench) -> None:
    bench.wait(1)
    bench.hold("back", 0.6)
    assert "Join" in bench.view.speech().spoken
    assert "Dice" not in bench.view.speech().spoken
