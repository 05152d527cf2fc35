"""Limits on open connections; pure. New ones are accepted, and replace the one that was served longest ago.

WebSockets of admitted browsers are exempt; `referee.web.browsers` limits those. All others (silent, in the middle of
a request, idle after one) are few and short-lived, and first replace connections of their own address. So however
many one address opens, others can still connect, above all the browser on the box.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from referee.web.identity import BOX_ADDRESSES

MAX_PASSING: Final = 48
"""Connections that are not WebSockets of admitted browsers; a browser opens six to load the page."""
MAX_OF_ADDRESS: Final = 12
"""The same from one address other than the box's own."""
PATIENCE: Final = 15.0
"""Seconds after which such a connection is closed if nothing was sent to it."""

Client = tuple[str, int]
"""Address and port of the browser; identifies a connection."""


class Connection(Protocol):
    """A connection that can be closed."""

    def abort(self) -> None:
        """Close it at once."""


@dataclass(slots=True)
class _Passing:
    connection: Connection
    served_at: float


class Connections:
    """All connections to the panel. Belongs to the web server's thread; times are seconds of one monotonic clock."""

    def __init__(self, *, passing: int = MAX_PASSING, of_address: int = MAX_OF_ADDRESS) -> None:
        """``passing``: most connections that are not exempt; ``of_address``: of one address among them."""
        self._most, self._most_of_address = passing, of_address
        self._passing: dict[Client, _Passing] = {}  # the one that was served last is last
        self._exempt: set[Client] = set()

    def open(self, client: Client, connection: Connection, now: float) -> None:
        """Add a new connection, or what stands for it from now on; may close another one."""
        self._passing.pop(client, None)
        self._passing[client] = _Passing(connection, now)
        of_address = [each for each in self._passing if each[0] == client[0]]
        if client[0] not in BOX_ADDRESSES and len(of_address) > self._most_of_address:
            self._abort(of_address[0])
        elif len(self._passing) > self._most:
            strangers = (each for each in self._passing if each[0] not in BOX_ADDRESSES)
            self._abort(next(strangers, next(iter(self._passing))))

    def served(self, client: Client, now: float) -> None:
        """Note that something was sent to it."""
        passing = self._passing.pop(client, None)
        if passing is not None:
            passing.served_at = now
            self._passing[client] = passing

    def exempt(self, client: Client) -> None:
        """Exempt it: it is the WebSocket of an admitted browser."""
        if self._passing.pop(client, None) is not None:
            self._exempt.add(client)

    def closed(self, client: Client) -> None:
        """Remove it."""
        self._passing.pop(client, None)
        self._exempt.discard(client)

    def due(self, now: float) -> None:
        """Close those that were not served for `PATIENCE` seconds."""
        for client in [client for client, each in self._passing.items() if now >= each.served_at + PATIENCE]:
            self._abort(client)

    def end(self) -> None:
        """Close all but the WebSockets of admitted browsers."""
        for client in list(self._passing):
            self._abort(client)

    def deadline(self) -> float | None:
        """Return when `due` has something to do, or None."""
        first = next(iter(self._passing.values()), None)
        return None if first is None else first.served_at + PATIENCE

    def _abort(self, client: Client) -> None:
        self._passing.pop(client).connection.abort()
