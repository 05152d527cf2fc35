"""The loop's queue: all that other threads may do to a station is to put something here."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from hardware.events import Edge, Turn
from referee.errors import StationError
from referee.station.fingers import Touch
from referee.station.glass.screen import DisplayReport
from referee.station.peripherals import PeripheralReport
from referee.web.hub import Gesture, Visit


@dataclass(frozen=True)
class Stop:
    """End the loop; ``failure``: because of something it cannot do without."""

    failure: StationError | None = None


class Announce:
    """Publish everything once: somebody begins to watch."""


class Knock(NamedTuple):
    """Show a browser that wants in, or take it off the glass (None)."""

    visit: Visit | None


Item: TypeAlias = Edge | Turn | DisplayReport | Announce | PeripheralReport | Knock | Touch | Stop


class Inbox:
    """A queue with a word for each thing that can be put into it; from any thread, and from a signal handler."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._items: queue.SimpleQueue[Item] = queue.SimpleQueue()

    def put(self, item: Item) -> None:
        """Put anything in: an edge of a contact, what the display reports, what a device beside the box tells."""
        self._items.put(item)

    def touch(self, gesture: Gesture, source: str) -> None:
        """Take what somebody did in a browser, ``source`` being who."""
        self._items.put(Touch(gesture, source, self._clock()))

    def visit(self, visit: Visit | None) -> None:
        """Show a browser that wants in, None: take it off the glass."""
        self._items.put(Knock(visit))

    def announce(self) -> None:
        """Publish everything once."""
        self._items.put(Announce())

    def stop(self) -> None:
        """End the loop."""
        self._items.put(Stop())

    def fail(self, failure: StationError) -> None:
        """End the loop because of something it cannot do without."""
        self._items.put(Stop(failure))

    def get(self, timeout: float | None) -> Item | None:
        """Return the next item, None if there is none within so many seconds (None: however long it takes)."""
        try:
            return self._items.get(timeout=timeout)
        except queue.Empty:
            return None

    def __len__(self) -> int:
        """Return how many items wait."""
        return self._items.qsize()
