"""Listening sockets of the hall."""

from __future__ import annotations

import socket
from asyncio.sslproto import SSLProtocol
from typing import Final

from referee.errors import StationError

BACKLOG: Final = 512
READ_AT_ONCE: Final = 32 * 1024
"""Bytes that asyncio reads of a TLS connection at once, 256 KiB by itself; it holds a buffer of that size for each.
A record of TLS has 16 KiB at most (RFC 8446, 5.1)."""
SSLProtocol.max_size = READ_AT_ONCE


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
