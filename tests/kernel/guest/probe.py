"""Counts presses in the guest, key by key, with the drivers and the debouncing that the station uses.

The station's screens would set the pace; this lets fingers be faster than any question is answered.
"""

from __future__ import annotations

import json
import queue
import signal
import time
from collections import Counter
from types import FrameType

from hardware.events import Chatter, Event, InputEvent, KeyEvent, Press, Release, Stuck
from hardware.gpio import GpioInputs
from hardware.header import lgpio_factory
from hardware.keys.debounce import Keys
from hardware.pins import load


def main() -> None:
    """Count until SIGTERM, then say what was counted as one line of JSON."""
    items: queue.SimpleQueue[InputEvent | None] = queue.SimpleQueue()

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        items.put(None)

    signal.signal(signal.SIGTERM, stop)
    factory = lgpio_factory()
    inputs = GpioInputs(load(), factory, stamped=True)
    keys = Keys(inputs.level)
    counted: dict[type[Event], Counter[str]] = {kind: Counter() for kind in (Press, Release, Chatter, Stuck)}
    edges = 0
    inputs.open(items.put)
    print("probe: listening", flush=True)
    stopping = False
    while not stopping or keys.deadline() is not None:  # the last release takes a moment to be certain
        events: list[Event] = []
        deadline = keys.deadline()
        try:
            item = items.get(timeout=None if deadline is None else max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            pass
        else:
            stopping = stopping or item is None
            if item is not None:
                edges += 1
                events += keys.feed(item)
        events += keys.due(time.monotonic())
        for event in events:
            if type(event) in counted and isinstance(event, KeyEvent):
                counted[type(event)][event.key] += 1
    figures = {kind.__name__.lower(): dict(sorted(keys.items())) for kind, keys in counted.items()}
    print("probe:", json.dumps({"edges": edges, **figures}), flush=True)
    inputs.close()
    factory.close()


if __name__ == "__main__":
    main()
