"""The station's end of Bluetooth in the guest: Debian's bus and bluetoothd, and the reader with bleak as it is.

Tells what it hears, with the time; after each line of input, how much of it so far.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter

BUS = "unix:path=/run/bus"
os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = BUS

from hardware.dice.reader import Reader  # noqa: E402
from hardware.events import DiceEvent, Doubt, Thrown  # noqa: E402
from hardware.line.presence import Disconnected, Presence  # noqa: E402

counted: Counter[str] = Counter()


def hear(event: DiceEvent) -> None:
    """Tell what the die tells."""
    name = type(event).__name__.lower()
    counted[name] += 1
    if isinstance(event, (Thrown, Doubt)):
        why = event.why if isinstance(event, Doubt) else "certain"
        (reading,) = event.dice
        print(f"dice: {name} {why} {reading.face} {reading.certainty} {reading.die} at {event.at}", flush=True)


def report(presence: Presence) -> None:
    """Tell whether the die is there."""
    if not getattr(presence, "die", ""):
        return
    name = type(presence).__name__.lower()
    counted[name] += 1
    why = presence.why if isinstance(presence, Disconnected) else "there"
    print(f"dice: {name} at {presence.at}: {why}", flush=True)


def main(address: str) -> None:
    """Listen to a die until the input ends."""
    bus = subprocess.Popen(
        ["/usr/bin/dbus-daemon", "--config-file=/srv/tests/kernel/guest/bus.conf", "--nofork", "--print-address"],
        stdout=subprocess.PIPE,
    )
    assert bus.stdout is not None
    bus.stdout.readline()  # it listens
    daemon = subprocess.Popen(["/usr/libexec/bluetooth/bluetoothd", "--nodetach"])
    known = {"add": {"address": address, "kind": "pixels", "name": "W1"}}
    radio = Reader([sys.executable, "-m", "hardware.dice.bluetooth"], report, greeting=lambda: [known])
    radio.open(hear)
    for line in sys.stdin:
        print(f"dice: {line.strip()} {json.dumps(counted)}", flush=True)
    radio.close()
    daemon.terminate()
    bus.terminate()


if __name__ == "__main__":
    main(sys.argv[1])
