"""Throws of simulated Bluetooth dice, with lost connections, nudges, leaning dice and phones between them.

``python -m tests.hardware.dice.throws --throws 10000 --seed 1`` counts what was wrong, doubled or lost in silence,
and how long a throw takes from the last byte of the die to the queue of the station.
"""

from __future__ import annotations

import argparse
import os
import queue
import random
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

from hardware.dice import bluetooth, pixels
from hardware.dice.bluetooth import BluetoothDie, Radio
from hardware.dice.link import Die
from hardware.events import Battery, Disturbed, Doubt, Thrown
from hardware.line.presence import Connected, Disconnected
from tests.hardware.dice.bluez import BlueZ
from tests.hardware.dice.fake_die import FakeDie


class Trial:
    """One die on one radio, and what went wrong."""

    def __init__(self, bluez: BlueZ, seed: int) -> None:
        self.random = random.Random(seed)
        self.bluez = bluez
        self.die = bluez.put(FakeDie("C3:5A:11:20:7E:F0"))
        self.heard: queue.Queue[Any] = queue.Queue()
        self.radio = Radio()
        BluetoothDie(self.radio, Die(self.die.address, "pixels", "W1"), self.heard.put).open(self.heard.put)
        self.counts: Counter[str] = Counter(dict.fromkeys(("throws", "wrong", "doubled", "doubts", "lost"), 0))
        self.waits: list[float] = []

    def run(self, throws: int) -> Counter[str]:
        """Throw so often; return what was counted."""
        self.radio.start()
        self._until(Connected)
        try:
            for _ in range(throws):
                self.random.choices((self._throw, self._lean, self._nudge, self._pull), (85, 5, 5, 5))[0]()
        finally:
            self.radio.stop()
        self.counts["doubled"] += sum(isinstance(each, (Thrown, Doubt)) for each in self.heard.queue)
        return self.counts

    def _until(self, *kinds: type) -> Any:
        """Return the next event of a kind; a throw or a doubt that nobody made on the way is a wrong one."""
        while True:
            event = self.heard.get(timeout=60)
            if isinstance(event, kinds):
                return event
            if isinstance(event, (Thrown, Doubt)):
                self.counts["wrong"] += 1
            assert isinstance(event, (Thrown, Doubt, Disturbed, Battery, Connected, Disconnected))

    def _roll(self) -> Any:
        face = self.random.randint(1, 6)
        self.counts["throws"] += 1
        self.bluez.tell(self.die.roll)
        landed = time.monotonic()
        self.bluez.tell(lambda: self.die.land(face))
        event = self._until(Thrown, Doubt)
        self.waits.append(time.monotonic() - landed)
        self.counts["wrong"] += event.dice[0].face != face
        return event

    def _throw(self) -> None:
        self.counts["wrong"] += not isinstance(self._roll(), Thrown)

    def _lean(self) -> None:
        self.die.certainty = 800
        event = self._roll()
        self.counts["wrong"] += not isinstance(event, Doubt)
        self.counts["doubts"] += 1
        self.die.certainty = 998

    def _nudge(self) -> None:
        """It is turned over where it lies: the firmware says "rolled"."""
        face = self.die.face % 6 + 1
        self.bluez.tell(lambda: self.die.land(face))

    def _pull(self) -> None:
        """The connection is lost while it rolls, and a phone holds it for a while."""
        self.counts["throws"] += 1
        self.bluez.tell(self.die.roll)
        self.die.held = True
        self.bluez.pull(self.die)
        event = self._until(Doubt, Disconnected)
        self.counts["lost"] += not isinstance(event, Doubt)
        self.counts["doubts"] += 1
        self.die.face = self.random.randint(1, 6)
        self.bluez.wake(self.die)
        self._until(Connected)


def run(throws: int, seed: int) -> tuple[Counter[str], list[float]]:
    """Return the counts, and the waits in seconds, shortest first. However slow the machine is, no answer is late."""
    with tempfile.TemporaryDirectory() as folder, closing(BlueZ(Path(folder))) as bluez:
        bus = patch.dict(os.environ, {"DBUS_SYSTEM_BUS_ADDRESS": bluez.address})
        with bus, patch.object(bluetooth, "RETRY", (0.0, 0.0)), patch.object(pixels, "PATIENCE", 60.0):
            trial = Trial(bluez, seed)
            return trial.run(throws), sorted(trial.waits)


def main() -> int:
    """Print the figures; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.hardware.dice.throws", description=__doc__)
    parser.add_argument("--throws", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    counts, waits = run(options.throws, options.seed)
    print(", ".join(f"{name} {count}" for name, count in counts.items()))
    middle, longest = waits[len(waits) // 2] * 1000, waits[-1] * 1000
    print(f"from the die's last byte to the queue: {middle:.1f} ms, at most {longest:.1f} ms")
    return int(any(counts[name] for name in ("wrong", "doubled", "lost")))


if __name__ == "__main__":
    sys.exit(main())
