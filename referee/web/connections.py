"""Limits on open connections; pure. New ones are accepted, and the oldest gives way.

WebSockets of admitted browsers are exempt; `referee.web.browsers` limits those. All others (silent, in the middle of
a request, idle after one) first replace connections of their own address. So however many one address opens, others
can still connect, above all the browser on the box.
"""

from __future__ import annotations

from typing import Final, Protocol

from referee.web.identity import BOX_ADDRESSES

MAX_PASSING: Final = 48
"""Connections that are not WebSockets of admitted browsers; a browser opens six to load the page."""
MAX_OF_ADDRESS: Final = 12
"""The same from one address other than the box's own."""

Client = tuple[str, int]
"""Address and port of the browser; identifies a connection."""


class Connection(Protocol):
    """A connection that can be closed."""

    def abort(self) -> None:
        """Close it at once."""

    def heard(self) -> None:
        """A whole message came over it."""


class Connections:
    """All connections to the panel. Belongs to the web server's thread."""

    def __init__(self, *, passing: int = MAX_PASSING, of_address: int = MAX_OF_ADDRESS) -> None:
        """``passing``: most connections that are not exempt; ``of_address``: of one address among them."""
        self._most, self._most_of_address = passing, of_address
        self._passing: dict[Client, Connection] = {}  # the oldest is first
        self._exempt: dict[Client, Connection] = {}

    def open(self, client: Client, connection: Connection) -> None:
        """Add a new connection; may close another one."""
        self._passing[client] = connection
        of_address = [each for each in self._passing if each[0] == client[0]]
        if client[0] not in BOX_ADDRESSES and len(of_address) > self._most_of_address:
            self._passing.pop(of_address[0]).abort()
        elif len(self._passing) > self._most:
            strangers = (each for each in self._passing if each[0] not in BOX_ADDRESSES)
            self._passing.pop(next(strangers, next(iter(self._passing)))).abort()

    def exempt(self, client: Client) -> None:
        """Exempt it: it is the WebSocket of an admitted browser."""
        if client in self._passing:
            self._exempt[client] = self._passing.pop(client)
        self.heard(client)

    def heard(self, client: Client) -> None:
        """A whole message came over an exempt one."""
        if client in self._exempt:
            self._exempt[client].heard()

    def closed(self, client: Client) -> None:
        """Remove it."""
        self._passing.pop(client, None)
        self._exempt.pop(client, None)

    def end(self, *, exempt: bool = False) -> None:
        """Close all; ``exempt``: those that are exempt, too."""
        for connection in (*self._passing.values(), *(self._exempt.values() if exempt else ())):
            connection.abort()
        self._passing.clear()
