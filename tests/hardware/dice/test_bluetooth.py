"""Dice by Bluetooth: bleak as it is, against a BlueZ without a radio on a bus of its own."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from hardware.dice import bluetooth, link, pixels
from hardware.dice.bluetooth import ABSENT
from hardware.dice.reader import ReaderTalk
from hardware.events import Battery, Doubt, Reading, Thrown
from hardware.line.presence import Connected, Disconnected
from referee.config import BluetoothDice, Config
from referee.console.views import Ruling
from referee.station.dice import KnownDie, StationDice, beside
from referee.station.virtual.bench import Bench
from referee.station.wiring import plug_in
from tests.hardware.dice.bluez import BlueZ
from tests.hardware.dice.fake_die import FakeDie

W1, B1 = "C3:5A:11:20:7E:F0", "C3:5A:11:20:7E:F1"


class Table:
    """The reader's program with its dice, on a table in the test's hands."""

    def __init__(self, bluez: BlueZ) -> None:
        self.bluez = bluez
        self.heard: queue.Queue[Any] = queue.Queue()
        self._talk = ReaderTalk(self.heard.put, self.heard.put, self.heard.put)
        told, self._told = os.pipe()
        lines = lambda line: self._talk.line(json.dumps(line).encode(), 0.0)  # noqa: E731
        self._thread = threading.Thread(target=lambda: asyncio.run(bluetooth.serve(told, lines)))
        self._thread.start()
        self.next(Connected)

    def tell(self, **words: object) -> None:
        os.write(self._told, json.dumps(words).encode() + b"\n")

    def know(self, die: FakeDie, name: str, seat: int = 0) -> None:
        self.tell(add={"address": die.address, "kind": die.kind, "name": name, "built": 0, "seat": seat})

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

    def close(self) -> None:
        if self._told >= 0:
            os.close(self._told)
            self._thread.join()
        self._told = -1


@pytest.fixture
def table(bluez: BlueZ, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr(link, "RETRY", (0.01, 0.01))
    monkeypatch.setattr(pixels, "PATIENCE", 60.0)
    opened = Table(bluez)
    yield opened
    opened.close()


def test_dice_are_connected_to_and_each_throw_is_told_once(table: Table) -> None:
    first, second = table.bluez.put(FakeDie(W1, percent=8)), table.bluez.put(FakeDie(B1, "godice"))
    table.know(first, "W1")
    table.know(second, "B1")
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
    table.close()
    assert not any(isinstance(each, (Thrown, Doubt)) for each in table.heard.queue)
    assert not table.bluez.connected(first), "phones find it again"


def test_a_connection_that_is_lost_is_told_and_made_again(table: Table) -> None:
    die = table.bluez.put(FakeDie(W1))
    table.know(die, "W1")
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
def test_a_sleeping_or_held_die_is_told_and_found_again(
    table: Table, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    monkeypatch.setattr(bluetooth, "SEARCH", 0.05)  # it is looked for again and again
    die = table.bluez.put(FakeDie(W1))
    setattr(die, why, True)
    table.know(die, "W1")
    gone = table.next(Disconnected)
    assert (gone.why, gone.advice) == (ABSENT, "Shake it; close its app on phones.")
    table.bluez.wake(die)
    table.next(Connected)
    table.throw(die, 2)
    assert table.next(Thrown).dice == (Reading(2, "W1", 998),)


def test_without_bluetooth_the_dice_are_told_to_be_gone(
    table: Table, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", f"unix:path={tmp_path}/nothing")
    table.know(FakeDie(W1), "W1")
    assert table.next(Disconnected).why.startswith("no Bluetooth: ")


def test_a_throw_by_bluetooth_is_ruled_on_and_recorded(bluez: BlueZ, tmp_path: Path) -> None:
    """By the program as the station starts it."""
    white, black = bluez.put(FakeDie(W1)), bluez.put(FakeDie(B1, "godice"))
    journal = tmp_path / "journal.db"
    known = beside(journal)
    known.keep(KnownDie("W1", "pixels", W1))
    known.keep(KnownDie("B1", "godice", B1))
    config = Config(bluetooth_dice=BluetoothDice(use=True))
    with Bench(journal) as bench, ExitStack() as parts:
        case = StationDice(known, lambda take: bench.inbox.put(partial(bench.loop.learn, take)))
        bench.key("1", "2", "1", "2")
        bench.wait(0.5)
        plug_in(parts, bench.loop, config, journal, case, terminal=True)

        def step_until(seen: Callable[[], bool]) -> None:
            while not seen():
                item = bench.inbox.get(30)
                assert item is not None
                bench.loop.step(item, bench.clock.now)

        step_until(lambda: bool(white.notify and black.notify))
        for die, face in ((white, 5), (black, 4)):
            bluez.tell(die.roll)
            bluez.tell(lambda die=die, face=face: die.land(face))  # type: ignore[misc]
        step_until(lambda: isinstance(bench.view, Ruling))
        entry = bench.console.table.current.entries[-1]
    assert sorted(entry.answer) == [4, 5]
    assert entry.source == "bluetooth-dice"
    assert {(face["die"], face["certainty"]) for face in entry.extra["faces"]} == {("W1", 998), ("B1", 1000)}
    assert not bluez.connected(white), "phones find it again"


def test_dice_are_found_taken_blinked_and_let_go(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """K4: whoever lets one die go keeps the others."""
    monkeypatch.setattr(bluetooth, "LOOK", 0.3)
    monkeypatch.setattr(link, "BLINK", 0.0)
    die, other = table.bluez.put(FakeDie(W1)), table.bluez.put(FakeDie(B1))
    table.know(die, "W1")
    table.next(Connected)
    table.tell(find=True)
    found = {"near": [{"address": B1, "kind": "pixels", "built": 0}], "why": ""}
    assert table.next(dict) == found, "who is connected does not advertise"
    table.know(other, "B1")
    table.next(Connected)
    table.throw(other, 5)
    assert table.next(Thrown).dice == (Reading(5, "B1", 998),)
    table.tell(blink="C3:00:00:00:00:00")
    assert table.next(dict) == {"dark": ABSENT}
    table.tell(blink=W1)
    table.tell(drop=W1)
    table.tell(find=True)
    assert table.next(dict)["near"][0]["address"] == W1, "phones find it again"
    assert b"\x1d\x03" in {message[:2] for message in die.written}
    table.throw(other, 2)
    assert table.next(Thrown).dice == (Reading(2, "B1", 998),)
