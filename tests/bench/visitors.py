"""Who comes to a hall, in one event loop: boxes on their uplink, phones that listen, televisions that turn pages."""

from __future__ import annotations

import asyncio
import os
import random
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import count
from typing import Final, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.messages import MOST_BYTES

AGAIN: Final = 60.0
"""How often a phone loads its page, s."""
TURN: Final = 8.0
"""How long a television shows a page, s."""
PAGES: Final = 5


class Writes(Protocol):
    """A box. ``woken``: set when it has written something."""

    side: BoxSide
    woken: asyncio.Event

    def heard(self) -> None:
        """See what is acknowledged now."""


async def box(port: int, each: Writes, tick: float) -> None:
    """Talk with the hall until it is cancelled, as a box does: it connects again. ``tick``: how often at least, s."""
    while True:
        with suppress(OSError, WebSocketException):
            await _talk(port, each, tick)
        each.side.closed()
        await asyncio.sleep(each.side.pause(random.random()))


async def _talk(port: int, each: Writes, tick: float) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    async with connect(
        f"wss://127.0.0.1:{port}/", ssl=context, max_size=MOST_BYTES, compression=None, ping_interval=None,
        open_timeout=60, proxy=None,
    ) as line:  # fmt: skip
        secured = line.transport.get_extra_info("ssl_object")
        shown = sha256(secured.getpeercert(binary_form=True)).hexdigest()
        each.side.opened(shown, os.urandom(32).hex(), time.monotonic())
        hearing = asyncio.create_task(_hear(line, each))
        try:
            while not each.side.over:
                await _send(line, each.side.tick(time.monotonic()))
                each.woken.clear()
                try:
                    async with asyncio.timeout(tick):
                        await each.woken.wait()
                except TimeoutError:
                    pass
        finally:
            hearing.cancel()


async def _hear(line: ClientConnection, each: Writes) -> None:
    try:
        async for text in line:
            answers = each.side.received(text, time.monotonic())
            each.heard()
            await _send(line, answers)
    except ConnectionClosed:
        each.side.closed()
    each.woken.set()


async def _send(line: ClientConnection, texts: list[str]) -> None:
    for text in texts:
        await line.send(text)


async def phone(port: int, number: int, share: float) -> None:
    """Listen for news, and load the page now and then. ``share``: of the first pause."""
    address = f"127.0.1.{1 + number % 250}"
    await asyncio.sleep(share * AGAIN)
    await page(port, address, "/")
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
    writer.write(_request(port, "/news"))
    listening = asyncio.create_task(_drain(reader))
    try:
        while True:
            await asyncio.sleep(AGAIN)
            await page(port, address, "/")
    finally:
        listening.cancel()
        writer.close()


async def television(port: int, number: int) -> None:
    """Turn pages."""
    for at in count(number):
        await page(port, f"127.0.2.{1 + number}", f"/tv?page={1 + at % PAGES}")
        await asyncio.sleep(TURN)


async def page(port: int, address: str, path: str) -> None:
    """Load a page. Raises ConnectionError unless the hall shows it."""
    with _closing(*await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))) as (reader, writer):
        writer.write(_request(port, path, "close"))
        answer = await reader.read(-1)
        if not answer.startswith(b"HTTP/1.1 200"):
            raise ConnectionError(f"{path}: expected a page, got {answer[:100]!r}")


async def _drain(reader: asyncio.StreamReader) -> None:
    while await reader.read(4096):
        pass


def _request(port: int, path: str, connection: str = "keep-alive") -> bytes:
    return f"GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: {connection}\r\n\r\n".encode()


@contextmanager
def _closing(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> Iterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    try:
        yield reader, writer
    finally:
        writer.close()
