"""The listening socket: closes connections above the rate limit before any object is created for them."""

from __future__ import annotations

import socket
import time
from typing import Any, Final

from referee.web.identity import BOX_ADDRESSES
from referee.web.pace import Pace, Paces

RATE_OF_ADDRESS: Final = 10.0
BURST_OF_ADDRESS: Final = 30
RATE_OF_ALL: Final = 40.0
BURST_OF_ALL: Final = 120
"""Connections a second, and at once, of one address, and of all; those of the box itself are not counted."""
ADDRESSES: Final = 256
"""Addresses whose rates are tracked."""
AT_ONCE: Final = 50
"""Connections closed before the server does something else."""


class Listener(socket.socket):
    """A stream socket that accepts connections at these rates."""

    def __init__(self, family: socket.AddressFamily) -> None:
        super().__init__(family, socket.SOCK_STREAM)
        self._of_address = Paces(RATE_OF_ADDRESS, BURST_OF_ADDRESS, ADDRESSES)
        self._of_all = Pace(RATE_OF_ALL, BURST_OF_ALL)

    def accept(self) -> tuple[socket.socket, Any]:
        """Return the next connection that is within the limits. Raises BlockingIOError if none waits."""
        for _ in range(AT_ONCE):
            line, peer = super().accept()
            if self._within(str(peer[0])):
                return line, peer
            line.close()
        raise BlockingIOError  # the next call finds more

    def _within(self, address: str) -> bool:
        if address in BOX_ADDRESSES:
            return True
        now = time.monotonic()
        return self._of_address.allows(address, now) and self._of_all.allows(now)
