"""The daemon's end of the USB cable in the guest: finds the board, counts its presses, tells what it reports."""

from __future__ import annotations

import json
import queue
import sys
import threading
import time
from collections import Counter

from hardware.events import InputEvent, Press, Release
from hardware.keys.debounce import Keys
from hardware.line.input_board import InputBoard
from hardware.line.port_names import find_pico
from hardware.line.presence import Connected, Disconnected, Gap, Presence


def main() -> None:
    """Count; say what was counted so far after each line of input."""
    items: queue.SimpleQueue[InputEvent | str] = queue.SimpleQueue()
    board = InputBoard("auto", tell)
    keys = Keys(board.level)
    counted: dict[str, Counter[str]] = {"press": Counter(), "release": Counter()}
    board.open(items.put)
    threading.Thread(target=ask, args=(items,), daemon=True).start()
    print("daemon: looking", flush=True)
    asked = ""
    while True:
        deadline = keys.deadline()
        events = []
        try:
            item = items.get(timeout=None if deadline is None else max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            pass
        else:
            if isinstance(item, str):
                asked = item
            else:
                events = keys.feed(item)
        for event in [*events, *keys.due(time.monotonic())]:
            if isinstance(event, (Press, Release)):
                counted[type(event).__name__.lower()][event.key] += 1
        if asked and keys.deadline() is None:  # the last release takes a moment to be certain
            print(f"daemon: {asked}", json.dumps({kind: dict(keys) for kind, keys in counted.items()}), flush=True)
            asked = ""


def tell(report: Presence) -> None:
    """Say what became of the board."""
    if isinstance(report, Connected):
        print(f"daemon: connected, firmware {report.firmware}, at {find_pico()}", flush=True)
    elif isinstance(report, Gap):
        print(f"daemon: gap {report.missed}", flush=True)
    elif isinstance(report, Disconnected):
        print(f"daemon: gone, {report.why}", flush=True)


def ask(items: queue.SimpleQueue[InputEvent | str]) -> None:
    """Hand questions on."""
    for line in sys.stdin:
        items.put(line.strip())


if __name__ == "__main__":
    main()
