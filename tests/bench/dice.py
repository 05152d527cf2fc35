"""What dice by Bluetooth cost and how fast they are: a simulated die, BlueZ on a private bus, bleak as it is.

``python -m tests.bench.dice`` prints the figures as JSON, and returns 1 if one misses its limit: last byte of a throw
to the last one of its picture, back after a lost connection (while another die sleeps), a station that waits for its
dice, and start and memory of one that has none: with the extra installed, and with none of it to be imported.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final
from unittest.mock import patch

from hardware.dice.bluetooth import BluetoothDie, Radio
from hardware.dice.link import Die
from hardware.line.presence import Connected, Disconnected
from referee.station.dice import radio
from referee.station.dice.known import FILE, KnownDice, KnownDie
from tests.bench.figures import limit, missed
from tests.bench.latency import BETWEEN, Live
from tests.bench.spread import spread
from tests.bench.start import station
from tests.components import MEMORY
from tests.hardware.dice import throws
from tests.hardware.dice.bluez import BlueZ
from tests.hardware.dice.fake_die import FakeDie

EXTRA: Final = ("bleak", "dbus_fast", "numpy", "cv2")
"""What a station without dice must not import."""

W1, B1 = "C3:5A:11:20:7E:F0", "C3:5A:11:20:7E:F1"
NOISE_MIB: Final = 1.0
"""Resident memory of the same program differs by so much from run to run."""


@contextmanager
def table() -> Iterator[tuple[BlueZ, FakeDie, FakeDie, Path]]:
    """Put two dice on a table, the second of which sleeps."""
    with (
        tempfile.TemporaryDirectory(dir=MEMORY) as folder,
        closing(BlueZ(Path(folder))) as bluez,
        patch.dict(os.environ, {"DBUS_SYSTEM_BUS_ADDRESS": bluez.address}),
    ):
        awake, sleeper = bluez.put(FakeDie(W1)), bluez.put(FakeDie(B1))
        sleeper.asleep = True
        yield bluez, awake, sleeper, Path(folder)


def to_the_glass(rounds: int) -> list[float]:
    """Return ms from telling a die to land until the ruling's last byte is on the bus of the display."""
    pause = threading.Event()
    waits = []
    with table() as (bluez, awake, sleeper, folder):
        sleeper.asleep = False
        known = [KnownDie("W1", "pixels", W1), KnownDie("B1", "pixels", B1)]
        radios = []
        live = Live(folder, plug_in=lambda loop: radios.append(radio.attach(loop, known)))
        try:
            while not (awake.notify and sleeper.notify):
                pause.wait(0.05)
            pause.wait(1)
            for _ in range(rounds):
                for key in ("die-1", "die-2"):
                    live.press(key)
                    pause.wait(BETWEEN)
                for die, face in ((awake, 5), (sleeper, 4)):
                    bluez.tell(die.roll)
                    at = time.monotonic()
                    bluez.tell(lambda die=die, face=face: die.land(face))  # type: ignore[misc]
                    shown = live.shown.get(timeout=10)
                waits.append((shown.at - at) * 1000)
                pause.wait(2 * BETWEEN)
                live.press("select")
                pause.wait(BETWEEN)
        finally:
            radios[0].stop()
            live.close()
    return waits


def back(rounds: int) -> list[float]:
    """Return the seconds from a lost connection to the next, while another die is looked for all the time."""
    heard: SimpleQueue[Any] = SimpleQueue()
    with table() as (bluez, awake, _, _):
        opened = Radio()
        BluetoothDie(opened, Die(W1, "pixels", "W1"), heard.put).open(lambda _: None)
        BluetoothDie(opened, Die(B1, "pixels", "B1"), lambda _: None).open(lambda _: None)
        opened.start()
        try:
            return [_lose(bluez, awake, heard) for _ in range(rounds)]
        finally:
            opened.stop()


def _lose(bluez: BlueZ, die: FakeDie, heard: SimpleQueue[Any]) -> float:
    def until(kind: type[Connected | Disconnected]) -> float:
        while not isinstance(event := heard.get(timeout=60), kind):
            assert isinstance(event, (Connected, Disconnected))
        return event.at

    while die.notify is None:
        until(Connected)
    bluez.pull(die)
    return -until(Disconnected) + until(Connected)


def costs(rounds: int) -> dict[str, Any]:
    """Return what a station costs that cannot import the extra, that does not use it, and that waits for dice."""
    figures: dict[str, list[dict[str, Any]]] = {"without": [], "unused": [], "used": []}
    with table() as (_, _, _, folder):
        beside = folder / "beside"
        known = KnownDice(beside / FILE)
        for name, address in (("W1", W1), ("B1", B1)):
            known.keep(KnownDie(name, "pixels", address))
        (beside / "referee.toml").write_text("[bluetooth_dice]\nuse = true\n")
        for _ in range(rounds):
            figures["without"].append(station(panel=False, idle=0.2, without=EXTRA))
            figures["unused"].append(station(panel=False, idle=0.2))
        figures["used"].append(station(panel=False, idle=20, beside=beside))

    def middle(kind: str, name: str) -> float:
        return float(statistics.median(each[name] for each in figures[kind]))

    imported = {name for each in figures["unused"] for name in each["modules"]}
    names = ("first_pixels_s", "resident_mib")
    return {
        "station_s_and_mib": {kind: [round(middle(kind, name), 2) for name in names] for kind in figures},
        "imported_without_dice": limit(len(imported & set(EXTRA)), most=0),
        "start_of_that_without_the_extra": limit(
            middle("unused", "first_pixels_s") / middle("without", "first_pixels_s"), most=1.25
        ),
        "resident_mib_more": limit(
            middle("unused", "resident_mib") - middle("without", "resident_mib"), most=NOISE_MIB
        ),
        "idle_cpu_percent_with_a_die_and_one_asleep": limit(middle("used", "idle_cpu_percent"), most=1),
    }


def measure(rounds: int, thrown: int) -> dict[str, Any]:
    """Return all figures."""
    counts, _ = throws.run(thrown, seed=1)
    waits, reconnects = to_the_glass(rounds), back(rounds)
    return {
        "throws": dict(counts),
        "wrong_doubled_or_lost": limit(sum(counts[name] for name in ("wrong", "doubled", "lost")), most=0),
        "last_byte_to_glass_ms": spread(waits, 1) | limit(statistics.median(waits), most=150),
        "reconnected_s": spread(reconnects, 2) | limit(max(reconnects), most=5),
        **costs(rounds),
    }


def main() -> int:
    """Print the figures; return 1 if one misses its limit."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.dice", description=__doc__)
    options.add_argument("--throws", type=int, default=10_000)
    options.add_argument("--rounds", type=int, default=5, help="of everything else")
    chosen = options.parse_args()
    figures = measure(chosen.rounds, chosen.throws)
    figures["missed"] = missed(figures)
    print(json.dumps(figures, indent=2))
    return 1 if figures["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
