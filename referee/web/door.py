"""A listening socket that counts its connections from the moment they are accepted, so before TLS as well."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable
from typing import Any, Final

from referee.web.connections import Connections

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
    """See the module."""

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
