"""Which connections stay: pure. Everybody gets in, and whoever has done nothing for longest makes room.

Only a browser that was let in and watches stays for certain; how many of those there are is bounded by the room. All
others, silent, half way through a request, idle after one, are few, live shortly, and compete with their own address
first: however many somebody opens, somebody else, and the browser on the box above all, finds a place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from referee.web.gate import BOX_ADDRESSES

MAX_PASSING: Final = 48
"""Connections of nobody in particular; a browser opens six to load the page."""
MAX_OF_ADDRESS: Final = 12
"""Of them from one address other than the box's own."""
PATIENCE: Final = 15.0
"""Seconds such a connection may go without being answered anything."""

Client = tuple[str, int]
"""Address and port of the far end: what tells connections apart."""


class Connection(Protocol):
    """What can be ended."""

    def abort(self) -> None:
        """End it at once, without a word."""


@dataclass(slots=True)
class _Passing:
    connection: Connection
    served_at: float


class Connections:
    """All connections to the panel. Belongs to the web server's thread; times are seconds of one monotonic clock."""

    def __init__(self) -> None:
        self._passing: dict[Client, _Passing] = {}  # the one that was served last comes last
        self._staying: set[Client] = set()

    def open(self, client: Client, connection: Connection, now: float) -> None:
        """Take a new connection in; another may have to go for it."""
        self._passing[client] = _Passing(connection, now)
        of_address = [each for each in self._passing if each[0] == client[0]]
        if client[0] not in BOX_ADDRESSES and len(of_address) > MAX_OF_ADDRESS:
            self._abort(of_address[0])
        elif len(self._passing) > MAX_PASSING:
            strangers = (each for each in self._passing if each[0] not in BOX_ADDRESSES)
            self._abort(next(strangers, next(iter(self._passing))))

    def served(self, client: Client, now: float) -> None:
        """Something was sent to it: it is in use."""
        passing = self._passing.pop(client, None)
        if passing is not None:
            passing.served_at = now
            self._passing[client] = passing

    def stay(self, client: Client) -> None:
        """It is the line of a browser that was let in: let it stay for as long as it likes."""
        if self._passing.pop(client, None) is not None:
            self._staying.add(client)

    def closed(self, client: Client) -> None:
        """It has ended."""
        self._passing.pop(client, None)
        self._staying.discard(client)

    def due(self, now: float) -> None:
        """End those whose patience is over."""
        for client in [client for client, each in self._passing.items() if now >= each.served_at + PATIENCE]:
            self._abort(client)

    def end(self) -> None:
        """End all but the lines of browsers that were let in."""
        for client in list(self._passing):
            self._abort(client)

    def deadline(self) -> float | None:
        """Return when `due` has something to do, or None."""
        first = next(iter(self._passing.values()), None)
        return None if first is None else first.served_at + PATIENCE

    def _abort(self, client: Client) -> None:
        self._passing.pop(client).connection.abort()
