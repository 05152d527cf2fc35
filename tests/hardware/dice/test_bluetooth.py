"""Dice by Bluetooth: bleak as it is, against a BlueZ without a radio on a bus of its own."""

from __future__ import annotations

import queue
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from hardware.dice import bluetooth, link, pixels
from hardware.dice.bluetooth import ABSENT, BluetoothDie, Radio
from hardware.dice.link import Die
from hardware.events import Battery, Doubt, Reading, Thrown
from hardware.line.presence import Connected, Disconnected
from referee.cli.main import main
from referee.console.views import Ruling
from referee.station.dice import radio
from referee.station.dice.known import KnownDie
from referee.testing.station import Bench
from tests.hardware.dice.bluez import BlueZ
from tests.hardware.dice.fake_die import FakeDie
from tests.hardware.dice.throws import run

W1, B1 = "C3:5A:11:20:7E:F0", "C3:5A:11:20:7E:F1"


class Table:
    """A radio with its dice, on a table in the test's hands."""

    def __init__(self, bluez: BlueZ) -> None:
        self.bluez = bluez
        self.radio = Radio()
        self.heard: queue.Queue[Any] = queue.Queue()

    def know(self, die: FakeDie, name: str) -> None:
        known = Die(die.address, "pixels" if die.kind == "pixels" else "godice", name)
        BluetoothDie(self.radio, known, self.heard.put).open(self.heard.put)

    def next(self, *kinds: type) -> Any:
        """Return the next report of one of these kinds; batteries are passed over."""
        while True:
            event = self.heard.get(timeout=30)
            if not isinstance(event, Battery) or Battery in kinds:
                assert isinstance(event, kinds), event
                return event

    def throw(self, die: FakeDie, face: int) -> None:
        self.bluez.tell(die.roll)
        self.bluez.tell(lambda: die.land(face))


@pytest.fixture
def table(bluez: BlueZ, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr(bluetooth, "RETRY", (0.0, 0.0))
    monkeypatch.setattr(pixels, "PATIENCE", 60.0)
    opened = Table(bluez)
    yield opened
    opened.radio.stop()
    opened.radio.stop()


def test_dice_are_connected_to_and_each_throw_is_told_once(table: Table) -> None:
    first, second = table.bluez.put(FakeDie(W1, percent=8)), table.bluez.put(FakeDie(B1, "godice"))
    table.know(first, "W1")
    table.know(second, "B1")
    table.radio.start()
    for _ in range(2):
        table.next(Connected)
    for face in (1, 6, 6, 2):
        table.throw(first, face)
        assert table.next(Thrown).dice == (Reading(face, "W1", 998),)
        table.throw(second, face)
        assert table.next(Thrown).dice == (Reading(face, "B1", 1000),)
    first.certainty = 700
    table.throw(first, 3)
    event = table.next(Doubt)
    assert (event.why, event.dice) == ("tilted", (Reading(3, "W1", 700),))
    table.radio.stop()
    assert not any(isinstance(each, (Thrown, Doubt)) for each in table.heard.queue)
    assert not table.bluez.connected(first), "phones find it again"


def test_a_connection_that_is_lost_is_told_and_made_again(table: Table) -> None:
    die = table.bluez.put(FakeDie(W1))
    table.know(die, "W1")
    table.radio.start()
    table.next(Connected)
    for _ in range(3):
        table.bluez.tell(die.roll)
        table.bluez.pull(die)
        assert table.next(Doubt).dice == (Reading(None, "W1"),), "it rolled: it is no quiet die"
        assert table.next(Disconnected).why == "the connection was lost"
        table.next(Connected)
        table.throw(die, 4)
        assert table.next(Thrown).dice == (Reading(4, "W1", 998),)


def test_a_die_whose_protocol_fails_is_told_and_begun_anew(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    die = table.bluez.put(FakeDie(W1))
    table.know(die, "W1")
    table.radio.start()
    table.next(Connected)
    sound = pixels.PixelsTalk.deadline

    def fail_once(talk: pixels.PixelsTalk) -> float | None:
        monkeypatch.setattr(pixels.PixelsTalk, "deadline", sound)
        raise ValueError("no such state")

    monkeypatch.setattr(pixels.PixelsTalk, "deadline", fail_once)
    table.bluez.tell(die.roll)
    table.next(Doubt)
    assert table.next(Disconnected).why == "the connection was lost"
    assert "no such state" in caplog.text
    table.next(Connected)
    table.throw(die, 4)
    assert table.next(Thrown).dice == (Reading(4, "W1", 998),)


@pytest.mark.parametrize("why", ["asleep", "held"])
def test_a_die_that_sleeps_or_is_held_by_a_phone_is_told_and_found_when_it_is_back(
    table: Table, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    monkeypatch.setattr(bluetooth, "SEARCH", 0.05)  # it is looked for again and again
    die = table.bluez.put(FakeDie(W1))
    setattr(die, why, True)
    table.know(die, "W1")
    table.radio.start()
    gone = table.next(Disconnected)
    assert (gone.why, gone.advice) == (ABSENT, "Shake it; close its app on phones.")
    table.bluez.wake(die)
    table.next(Connected)
    table.throw(die, 2)
    assert table.next(Thrown).dice == (Reading(2, "W1", 998),)


def beside_one_that_sleeps(table: Table) -> FakeDie:
    """Know two dice of which one sleeps; return the other, once it is connected."""
    sleeper, other = table.bluez.put(FakeDie(W1)), table.bluez.put(FakeDie(B1))
    sleeper.asleep = True
    table.know(sleeper, "W1")
    table.know(other, "B1")
    table.radio.start()
    table.next(Connected)
    return other


def test_a_die_that_sleeps_keeps_no_other_from_being_heard(table: Table) -> None:
    other = beside_one_that_sleeps(table)
    table.throw(other, 5)
    assert table.next(Thrown).dice == (Reading(5, "B1", 998),)


def test_a_die_that_is_lost_while_another_is_looked_for_is_told_and_back_at_once(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bluetooth, "SEARCH", 3600.0)  # the one that sleeps is looked for all the time
    other = beside_one_that_sleeps(table)
    for face in (5, 3):
        table.bluez.pull(other)
        assert table.next(Disconnected).why == "the connection was lost"
        table.next(Connected)
        table.throw(other, face)
        assert table.next(Thrown).dice == (Reading(face, "B1", 998),)


def test_without_bluetooth_the_dice_are_told_to_be_gone(
    table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/nothing")
    table.know(FakeDie(W1), "W1")
    table.radio.start()
    assert table.next(Disconnected).why.startswith("no Bluetooth: ")


def test_the_command_line_finds_names_blinks_and_tests_dice(
    bluez: BlueZ, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(link, "BLINK", 0.0)
    monkeypatch.setattr(pixels, "PATIENCE", 60.0)
    die = bluez.put(FakeDie(W1))
    journal = ("--journal", str(tmp_path / "journal.db"))

    def dice(*arguments: str) -> tuple[int, str]:
        code = main(["dice", *arguments, *journal])
        shown = capsys.readouterr()
        return code, shown.out + shown.err

    seen = f"{W1}  pixels  Pixel  battery 80 %  shows 1"
    looks = (dice("find", "--seconds", "1") for _ in range(20))  # a second may be short for a busy machine
    assert next(look for look in looks if W1 in look[1]) == (0, f"{seen}  not known\n")
    assert dice("name", W1, "W1") == (0, f"W1        pixels  {W1}  no seat\n")
    assert dice("assign", "W1", "2") == (0, f"W1        pixels  {W1}  seat 2\n")
    assert dice("blink", "W1") == (0, "")
    assert b"\x1d\x03" in {message[:2] for message in die.written}
    die.certainty = 700
    writes = die.take

    def roll(data: bytes) -> None:
        writes(data)
        if data == b"\x21":
            die.roll()
            die.land(5)

    monkeypatch.setattr(die, "take", roll)
    assert dice("test", "W1", "--throws", "1")[1].splitlines() == [
        *("Throw W1 1 times", "W1: battery 80 %", "W1: 5, 70 % certain, tilted")
    ]
    die.asleep = True
    assert [each.line for each in radio.find([KnownDie("W1", "pixels", W1)], 0.0)] == [f"{W1}  W1: {ABSENT}"]
    monkeypatch.setattr(radio, "LOOK", 0.05)
    code, text = dice("blink", "W1")
    assert (code, "does not advertise" in text) == (69, True)
    assert dice("forget", "W1") == (0, "W1 is forgotten\n")
    assert dice("list")[1].startswith("No dice are known")


def test_no_throw_is_wrong_doubled_or_lost_in_silence(dbus_daemon: str) -> None:
    counts, _ = run(80, seed=7)
    assert (counts["wrong"], counts["doubled"], counts["lost"]) == (0, 0, 0)
    assert counts["throws"] > 60
    assert counts["doubts"] > 0


def test_a_throw_by_bluetooth_is_ruled_on_and_recorded(
    bluez: BlueZ, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    white, black = bluez.put(FakeDie(W1)), bluez.put(FakeDie(B1, "godice"))
    known = [KnownDie("W1", "pixels", W1), KnownDie("B1", "godice", B1)]
    with Bench(tmp_path / "journal.db") as bench:

        def step_until(seen: Callable[[], bool]) -> None:
            while not seen():
                item = bench.inbox.get(30)
                assert item is not None
                bench.loop.step(item, bench.clock.now)

        bench.key("1", "2", "1", "2")
        bench.wait(0.5)
        opened = radio.attach(bench.loop, known, bench.clock)
        try:
            step_until(lambda: bool(white.notify and black.notify))
            for die, face in ((white, 5), (black, 4)):
                bluez.tell(die.roll)
                bluez.tell(lambda die=die, face=face: die.land(face))  # type: ignore[misc]
            step_until(lambda: isinstance(bench.view, Ruling))
        finally:
            opened.stop()
        entry = bench.console.table.current.entries[-1]
        assert sorted(entry.answer) == [4, 5]
        assert entry.source == "bluetooth-dice"
        assert {(face["die"], face["certainty"]) for face in entry.extra["faces"]} == {("W1", 998), ("B1", 1000)}


def test_while_the_radio_runs_dice_are_found_taken_blinked_and_let_go(table: Table) -> None:
    die, other = table.bluez.put(FakeDie(W1)), table.bluez.put(FakeDie(B1))
    answers: queue.Queue[Any] = queue.Queue()
    table.know(die, "W1")
    table.radio.start()
    table.next(Connected)
    table.radio.look(0.3, lambda dice, why: answers.put(([each.address for each in dice], why)))
    assert answers.get(timeout=30) == ([B1], ""), "who is connected does not advertise"
    table.know(other, "B1")
    table.next(Connected)
    table.throw(other, 5)
    assert table.next(Thrown).dice == (Reading(5, "B1", 998),)
    table.radio.blink("C3:00:00:00:00:00", answers.put)
    assert answers.get(timeout=30) == ABSENT
    table.radio.drop(W1)
    table.radio.look(0.3, lambda dice, why: answers.put(([each.address for each in dice], why)))
    assert answers.get(timeout=30) == ([W1], ""), "phones find it again"
    table.throw(other, 2)
    assert table.next(Thrown).dice == (Reading(2, "B1", 998),)
