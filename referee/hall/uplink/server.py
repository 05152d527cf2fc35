"""The hall's side on sockets: WebSockets over TLS, served in an asyncio loop, which owns the core."""

from __future__ import annotations

import asyncio
import logging
import os
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Final, Protocol, Self

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from referee.hall.again import again
from referee.hall.bound import bound
from referee.hall.uplink.messages import MOST_BYTES
from referee.web.connections import Connections
from referee.web.door import Door
from referee.web.identity import BOX_ADDRESSES

TOGETHER: Final = 0.005
"""How long a message waits for others, to be committed with them, s."""
TICK: Final = 0.25
GREETING: Final = 5.0
"""How long a connection may take for TLS, and again for the WebSocket, s; silent ones cost no more than that."""
LEAVING: Final = 2.0
"""How long a connection that is ended may take for its last messages, s."""
MOST_WORDS: Final = 64
"""Messages for one connection that wait to be sent; who takes them no faster is given up."""
STRANGERS: Final = 128
STRANGERS_OF_ADDRESS: Final = 16
"""Connections that have not logged in, at once, and of one address; the oldest gives way."""

_logger = logging.getLogger(__name__)


class Side(Protocol):
    """A core that talks with boxes: `HallSide`, or that of a hall that is being rebuilt."""

    def take_out(self) -> list[tuple[int, str | None]]:
        """Return what there is to send, each to its connection, and have it no more; None: close that connection."""

    def opened(self, number: int, nonce: str, now: float, address: str = "") -> None:
        """Greet a new connection."""

    def received(self, number: int, text: str | bytes, now: float) -> None:
        """Take a message."""

    def admitted(self, number: int) -> bool:
        """Whether a connection is that of a box that has proved its key, or is being paired."""

    def closed(self, number: int) -> None:
        """Forget a connection that is gone."""

    def tick(self, now: float) -> None:
        """Do what time asks for; called several times a second."""

    def commit(self) -> None:
        """Make durable what has come, and acknowledge it."""


class _Line:
    """What is to be sent over one connection."""

    def __init__(self, socket: ServerConnection) -> None:
        self._socket = socket
        self._queue: asyncio.Queue[str | None] = asyncio.Queue()

    async def send(self) -> None:
        """Send what is posted, until the end of it."""
        while (text := await self._queue.get()) is not None:
            await self._socket.send(text)
        await self._socket.close()

    def post(self, text: str | None) -> None:
        """Have a message sent; None: close the connection after it, whether or not it is taken by then."""
        if self._queue.qsize() >= MOST_WORDS:
            _logger.warning("a box takes no messages and is given up")
            self._socket.transport.abort()
            return
        self._queue.put_nowait(text)
        if text is None:
            asyncio.get_running_loop().call_later(LEAVING, self._socket.transport.abort)


class UplinkServer:
    """See the module. Its port is taken from the beginning; boxes that connect wait until it serves.

    ``port``: where it listens.
    """

    def __init__(self, pem: Path, host: str, port: int) -> None:
        """``pem``: key and certificate; ``port`` 0: any free one. Raises StationError if it is taken."""
        self._pem = pem
        self._numbers = count(1)
        self._lines: dict[int, _Line] = {}
        self._commit: asyncio.TimerHandle | None = None
        self._connections = Connections(passing=STRANGERS, of_address=STRANGERS_OF_ADDRESS)
        self._door = bound(Door(host, self._connections), host, port, " for boxes")
        self.port: int = self._door.getsockname()[1]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        self._door.close()

    @asynccontextmanager
    async def serve(self, side: Side) -> AsyncIterator[None]:
        """Let boxes talk with a core while the context is open."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.load_cert_chain(self._pem)
        ticks = asyncio.create_task(again(lambda: self._tick(side), TICK))
        try:
            async with serve(
                partial(self._talk, side), sock=self._door, ssl=context, max_size=MOST_BYTES, max_queue=4,
                compression=None,
                open_timeout=GREETING, close_timeout=1, ssl_handshake_timeout=GREETING, ssl_shutdown_timeout=1,
                ping_interval=None, server_header=None,
            ):  # fmt: skip
                yield
        finally:
            self._connections.end()
            ticks.cancel()
            if self._commit is not None:
                self._commit.cancel()

    async def _talk(self, side: Side, socket: ServerConnection) -> None:
        """Talk with one box until either ends it."""
        number = next(self._numbers)
        address, port = socket.remote_address[:2]
        counted = "" if address in BOX_ADDRESSES else address
        line = self._lines[number] = _Line(socket)
        sender = asyncio.create_task(line.send())
        try:
            side.opened(number, os.urandom(32).hex(), time.monotonic(), counted)
            self._post(side)
            async for text in socket:
                side.received(number, text, time.monotonic())
                if side.admitted(number):
                    self._connections.exempt((address, port))
                self._post(side)
                self._commit = self._commit or asyncio.get_running_loop().call_later(TOGETHER, self._work, side)
        except ConnectionClosed:
            pass
        finally:
            del self._lines[number]
            side.closed(number)
            sender.cancel()

    def _post(self, side: Side) -> None:
        for number, text in side.take_out():
            if number in self._lines:
                self._lines[number].post(text)

    def _work(self, side: Side) -> None:
        self._commit = None
        side.commit()
        self._post(side)

    def _tick(self, side: Side) -> None:
        side.tick(time.monotonic())
        self._work(side)
