"""A listening socket that counts its connections from the moment they are accepted, so before TLS as well.

asyncio gives a connection in the middle of its handshake a minute. Here it is one of the few
that have not said who they are: the oldest gives way to a new one, and each has `referee.web.connections.PATIENCE`.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
from asyncio.sslproto import SSLProtocol
from collections.abc import Callable
from typing import Any, Final

from referee.errors import StationError
from referee.web.listener import Listener, Rates
from referee.web.throttle import Watch

BACKLOG: Final = 512
READ_AT_ONCE: Final = 32 * 1024
"""Bytes that asyncio reads of a TLS connection at once, 256 KiB by itself; it holds a buffer of that size for each.
A record of TLS has 16 KiB at most (RFC 8446, 5.1)."""
SSLProtocol.max_size = READ_AT_ONCE


class Line(socket.socket):
    """An accepted connection that tells when it is closed."""

    def __init__(self, accepted: socket.socket, closed: Callable[[], None]) -> None:
        super().__init__(accepted.family, accepted.type, accepted.proto, fileno=accepted.detach())
        self._closed_call = closed

    def abort(self) -> None:
        """End it; whoever reads from it finds out."""
        with contextlib.suppress(OSError):
            self.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close it."""
        super().close()
        self._closed_call()


class Door(Listener):
    """See the module."""

    def __init__(self, family: socket.AddressFamily, watch: Watch, rates: Rates) -> None:
        super().__init__(family, rates)
        self._watch = watch

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection within the rates, counted. Raises BlockingIOError if none waits."""
        accepted, peer = super().accept()
        client = (str(peer[0]), int(peer[1]))
        connections = self._watch.connections
        line = Line(accepted, lambda: connections.closed(client))
        connections.open(client, line, asyncio.get_running_loop().time())
        self._watch.look()
        return line, peer


def bound(listener: socket.socket, host: str, port: int, purpose: str = "") -> socket.socket:
    """Bind a socket and listen; return it. Raises StationError if the port is taken. ``purpose``: " for boxes"."""
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError as fault:
        listener.close()
        raise StationError(f"port {port} cannot be used{purpose}: {fault.strerror}; name another one") from fault
    return listener


def family(host: str) -> socket.AddressFamily:
    """Return that of an address."""
    return socket.AF_INET6 if ":" in host else socket.AF_INET
