"""The listening socket: closes connections above the rate limit before any object is created for them."""

from __future__ import annotations

import socket
import time
from typing import Any, Final, NamedTuple

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


class Rates(NamedTuple):
    """Connections a second, and at once, of one address and of all."""

    of_address: tuple[float, int] = (RATE_OF_ADDRESS, BURST_OF_ADDRESS)
    of_all: tuple[float, int] = (RATE_OF_ALL, BURST_OF_ALL)


USUAL: Final = Rates()


class Listener(socket.socket):
    """A stream socket that accepts connections at these rates."""

    def __init__(self, family: socket.AddressFamily, rates: Rates = USUAL) -> None:
        super().__init__(family, socket.SOCK_STREAM)
        # Accepted sockets inherit it. asyncio sets it only on sockets that name their protocol; without it the second
        # of two messages waits until the browser has acknowledged the first, for which its kernel takes 40 ms.
        self.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._of_address = Paces(*rates.of_address, ADDRESSES)
        self._of_all = Pace(*rates.of_all)

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
