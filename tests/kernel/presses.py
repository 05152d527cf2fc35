"""Presses with bounce, as fast as fingers can be told apart: each is counted once."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path
from typing import Any

from hardware.pins import load
from tests.kernel.disk import Disk
from tests.kernel.machine import Guest, Machine
from tests.kernel.sitting import Differs

BOUNCES = 3
BATCH = 500


def measure(folder: Path, guest: Guest, presses: int, seed: int) -> dict[str, Any]:
    """Press all keys in turn. Raises Differs unless the count is right, key by key."""
    keys = load().keys
    offsets = ",".join(str(offset) for offset in keys.values())
    with Machine(guest, Disk(), folder / "console") as machine:
        machine.start("/srv/tests/kernel/guest/probe.py", slot=1)
        machine.hear("(probe: listening)")
        began = time.monotonic()
        least = most = done = 0
        while done < presses:
            batch = min(BATCH, presses - done)
            low, high = machine.tell(f"storm {offsets} {batch} {BOUNCES} {seed + done}", patience=300)
            least, most, done = least + int(low), most + int(high), done + batch
        took = time.monotonic() - began
        machine.stop(signal.SIGTERM, slot=1)
        counted = json.loads(machine.hear(r"probe: (\{.*\})"))
    # Batches begin with the first key again.
    wanted = {
        key: sum(len(range(i, min(BATCH, presses - begun), len(keys))) for begun in range(0, presses, BATCH))
        for i, key in enumerate(keys)
    }
    if least != presses or most != presses:
        raise Differs(f"the hands were held up: {presses} presses amount to {least} to {most}")
    for kind in ("press", "release"):
        if counted[kind] != {key: count for key, count in wanted.items() if count}:
            raise Differs(f"{kind}: counted were {counted[kind]}, pressed {wanted}")
    faults = {kind: counted[kind] for kind in ("chatter", "stuck") if any(counted[kind].values())}
    if faults:
        raise Differs(f"keys that only bounced were taken for broken ones: {faults}")
    return {
        "presses": presses,
        "counted": sum(counted["press"].values()),
        "edges": counted["edges"],
        "took_s": [took],
    }
