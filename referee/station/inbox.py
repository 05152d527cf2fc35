"""The loop's queue: the only way for other threads to reach a station."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from hardware.events import InputEvent
from referee.errors import StationError
from referee.station.fingers import Touch
from referee.station.glass.screen import DisplayReport
from referee.station.peripherals import PeripheralReport
from referee.station.voice import Silent
from referee.web.hub import Gesture, Visit


@dataclass(frozen=True)
class Stop:
    """End the loop; ``failure``: the error that ends it."""

    failure: StationError | None = None


class Announce:
    """Publish everything once, because a browser connected."""


class Knock(NamedTuple):
    """Show a visitor's request, or remove it from the glass (None)."""

    visit: Visit | None


class Heard(NamedTuple):
    """A browser has begun to read the glass aloud, or is silent again."""

    source: str
    speaks: bool
    at: float


class Named(NamedTuple):
    """Somebody typed who plays the seat with this button; "": nobody."""

    key: str
    name: str


class Trouble(NamedTuple):
    """What people must know that has gone wrong beside the table, as title and text."""

    title: str
    text: str


class TakeOver(NamedTuple):
    """Go on with the game of another box.

    ``begin`` is called on the loop's thread; it writes the game, and returns which it is, None if it was there.
    """

    begin: Callable[[], str | None]


class Learned(NamedTuple):
    """Another thread has found something out for a part of the station.

    ``take`` is called on the loop's thread; it gives that part what it is to know.
    """

    take: Callable[[], None]


Item: TypeAlias = (
    InputEvent
    | DisplayReport
    | Announce
    | PeripheralReport
    | Knock
    | Touch
    | Heard
    | Named
    | Silent
    | Learned
    | Trouble
    | TakeOver
    | Stop
)


class Inbox:
    """A queue with a method for each kind of item; callable from any thread and from signal handlers."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._items: queue.SimpleQueue[Item] = queue.SimpleQueue()

    def put(self, item: Item) -> None:
        """Put in an item: an edge of a contact, or a report of the display or a peripheral."""
        self._items.put(item)

    def touch(self, gesture: Gesture, source: str) -> None:
        """Put in a gesture of a browser; ``source`` names who made it."""
        self._items.put(Touch(gesture, source, self._clock()))

    def voice(self, source: str, *, speaks: bool) -> None:
        """Put in that a browser has begun to read the glass aloud, or is silent again."""
        self._items.put(Heard(source, speaks, self._clock()))

    def name(self, key: str, name: str) -> None:
        """Put in who plays the seat with this button."""
        self._items.put(Named(key, name))

    def visit(self, visit: Visit | None) -> None:
        """Show a visitor's request; None: remove it from the glass."""
        self._items.put(Knock(visit))

    def announce(self) -> None:
        """Publish everything once."""
        self._items.put(Announce())

    def stop(self) -> None:
        """End the loop."""
        self._items.put(Stop())

    def fail(self, failure: StationError) -> None:
        """End the loop with an error."""
        self._items.put(Stop(failure))

    def get(self, timeout: float | None) -> Item | None:
        """Return the next item, or None if there is none within that many seconds (None: wait without limit)."""
        try:
            return self._items.get(timeout=timeout)
        except queue.Empty:
            return None

    def __len__(self) -> int:
        """Return the number of items."""
        return self._items.qsize()
