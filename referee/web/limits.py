"""What bounds what strangers can make a server work: rates, connections and their size.

New connections are accepted, and the oldest gives way. WebSockets of admitted browsers are exempt;
`referee.web.browsers` limits those. All others (silent, in the middle of a request, idle after one) first replace
connections of their own address. So however many one address opens, others can still connect, above all the browser
on the box.
"""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette

from referee.web.guard import BOX_ADDRESSES


class Pace:
    """Allows ``burst`` messages at once and ``rate`` a second in the long run."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate = rate
        self._burst = float(burst)
        self._tokens = float(burst)
        self._then: float | None = None

    def allows(self, now: float) -> bool:
        """Whether one more message is within the limits at ``now``, in seconds of a monotonic clock."""
        if self._then is not None:
            self._tokens = min(self._burst, self._tokens + (now - self._then) * self._rate)
        self._then = now
        if self._tokens < 1.0:
            return False
        self._tokens -= 1.0
        return True


class Paces:
    """The same limits for each of many senders; only the ``most`` that sent last are tracked."""

    def __init__(self, rate: float, burst: int, most: int) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._paces: dict[str, Pace] = {}

    def allows(self, who: str, now: float) -> bool:
        """Whether one more message of ``who`` is within the limits at ``now``."""
        pace = self._paces.pop(who) if who in self._paces else Pace(self._rate, self._burst)
        self._paces[who] = pace
        if len(self._paces) > self._most:
            del self._paces[next(iter(self._paces))]
        return pace.allows(now)


MAX_PASSING: Final = 48
"""Connections that are not WebSockets of admitted browsers; a browser opens six to load the page."""
MAX_OF_ADDRESS: Final = 12
"""The same from one address other than the box's own."""
Client = tuple[str, int]
"""Address and port of the browser; identifies a connection."""


class Connections:
    """All connections to the panel. Belongs to the web server's thread."""

    def __init__(self, *, passing: int = MAX_PASSING, of_address: int = MAX_OF_ADDRESS) -> None:
        """``passing``: most connections that are not exempt; ``of_address``: of one address among them."""
        self._most, self.of_address = passing, of_address
        self._passing: dict[Client, Line] = {}  # the oldest is first
        self._exempt: dict[Client, tuple[Line, str]] = {}

    def open(self, client: Client, connection: Line) -> None:
        """Add a new connection; may close another one."""
        self._passing[client] = connection
        of_address = [each for each in self._passing if each[0] == client[0]]
        if client[0] not in BOX_ADDRESSES and len(of_address) > self.of_address:
            self._passing.pop(of_address[0]).abort()
        elif len(self._passing) > self._most:
            strangers = (each for each in self._passing if each[0] not in BOX_ADDRESSES)
            self._passing.pop(next(strangers, next(iter(self._passing)))).abort()

    def exempt(self, client: Client, whose: str = "", most: int = 0) -> None:
        """Exempt it: somebody admitted has it. Of more than ``most`` of one of them the oldest gives way; 0: none."""
        if client in self._passing:
            self._exempt[client] = self._passing.pop(client), whose
            same = [each for each, (_, of) in self._exempt.items() if of == whose]
            if most and len(same) > most:
                self._exempt.pop(same[0])[0].abort()
        self.heard(client)

    def heard(self, client: Client) -> None:
        """A whole message came over an exempt one."""
        if client in self._exempt:
            self._exempt[client][0].heard()

    def closed(self, client: Client) -> None:
        """Remove it."""
        self._passing.pop(client, None)
        self._exempt.pop(client, None)

    def end(self, *, exempt: bool = False) -> None:
        """Close all; ``exempt``: those that are exempt, too."""
        admitted = [connection for connection, _ in self._exempt.values()]
        for connection in (*self._passing.values(), *(admitted if exempt else ())):
            connection.abort()
        self._passing.clear()


UNHEARD: Final = 64 * 1024
"""Bytes that a browser may send without a whole message: fragments without end would stay in memory, and what answers
pings is a few bytes in seconds."""


class Line(socket.socket):
    """An accepted connection that tells when it is closed, and ends where no message of it ever ends."""

    def __init__(self, accepted: socket.socket, closed: Callable[[], None]) -> None:
        super().__init__(accepted.family, accepted.type, accepted.proto, fileno=accepted.detach())
        self._closed_call = closed
        self._left: int | None = None

    def heard(self) -> None:
        """A whole message came; from the first one on, the next may be so far away and no farther."""
        self._left = UNHEARD

    def recv(self, size: int, flags: int = 0, /) -> bytes:
        """Return what came, b"" at the end, which is near where no message ends."""
        received = super().recv(size, flags)
        if self._left is None:
            return received
        self._left -= len(received)
        if self._left > 0:
            return received
        self.abort()
        return b""

    def abort(self) -> None:
        """End it; whoever reads from it finds out."""
        with contextlib.suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close it."""
        super().close()
        self._closed_call()


class Door(socket.socket):
    """A listening socket that counts its connections from the moment they are accepted, so before TLS as well."""

    def __init__(self, host: str, connections: Connections) -> None:
        """``host``: the address it will be bound to."""
        super().__init__(family(host), socket.SOCK_STREAM)
        # Accepted sockets inherit it. asyncio sets it only on sockets that name their protocol; without it the second
        # of two messages waits until the browser has acknowledged the first, for which its kernel takes 40 ms.
        self.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._connections = connections

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection, counted. Raises BlockingIOError if none waits."""
        accepted, peer = super().accept()
        client = (str(peer[0]), int(peer[1]))
        line = Line(accepted, lambda: self._connections.closed(client))
        self._connections.open(client, line)
        return line, peer


def family(host: str) -> socket.AddressFamily:
    """Return that of an address."""
    return socket.AF_INET6 if ":" in host else socket.AF_INET


MAX_HEADERS: Final = 8 * 1024
"""Bytes of a request's head; those of a browser with a cookie or two have one thousand."""


def configured(app: Starlette, **more: Any) -> uvicorn.Config:
    """Return the configuration of a server, which writes nothing of requests that are no HTTP."""
    return uvicorn.Config(
        app,
        http="h11",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=MAX_HEADERS,
        **more,
    )
