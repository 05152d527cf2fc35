"""The panel's real server on a real socket: broken frames, broken requests, half of either."""

from __future__ import annotations

import contextlib
import errno
import http.client
import random
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from referee.web import cpu_share
from referee.web.passes import Passes
from referee.web.server import Address, WebServer
from tests.fuzz.house import House
from tests.fuzz.seam import FOLDER, Tally, expect
from tests.fuzz.shapes import broken

PATIENCE = 20.0
PRESS = b'{"type":"click","key":"no such key","ms":0}'
FRAMES = 12
"""Frames on one connection."""


def frame(chance: random.Random, evil: float) -> bytes:
    """Return a frame: a whole one with a message that means nothing, or, as often as said, a broken one."""
    noise = chance.randbytes(chance.randrange(120))
    payload = chance.choice(
        (b'{"type":"ping"}', b'{"type":"release","key":"back"}', PRESS, noise.hex().encode()[:125])
    )
    mask = chance.randbytes(4)
    if chance.random() >= evil:
        return bytes([0x81, 0x80 | len(payload)]) + mask + masked(payload, mask)
    if chance.random() < 0.1:
        return chance.randbytes(chance.randrange(1, 40))
    payload = (broken(chance, payload) if chance.random() < 0.5 else noise)[:125]
    first = chance.choice((0x81, 0x82, 0x01, 0x00, 0x80, 0x88, 0x89, 0x8A, 0x83, 0xC1, chance.randrange(256)))
    if chance.random() < 0.05:
        return bytes([first, 0xFF]) + chance.randbytes(8) + mask
    size = len(payload) if chance.random() < 0.9 else chance.randrange(128)
    if chance.random() < 0.1:
        return bytes([first, size]) + payload
    return bytes([first, 0x80 | size]) + mask + masked(payload, mask)


def masked(payload: bytes, mask: bytes) -> bytes:
    """Return a payload as a browser masks it (RFC 6455, 5.3)."""
    return bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


def hello(address: Address) -> bytes:
    """Return the request for a WebSocket."""
    lines = (
        "GET /ws HTTP/1.1",
        f"Host: {address.host}:{address.port}",
        f"Origin: http://{address.host}:{address.port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


@contextlib.contextmanager
def connected(address: Address) -> Iterator[socket.socket]:
    """Connect; nothing that the other side does with the connection is an error."""
    with socket.create_connection(address, timeout=PATIENCE) as line:
        try:
            yield line
        except OSError as error:
            # A line that the other side has reset is not connected any more when this one ends it.
            if not isinstance(error, ConnectionError) and error.errno != errno.ENOTCONN:
                raise


def talk(chance: random.Random, address: Address, count: int) -> list[bytes]:
    """Send frames, or one broken request, and go; return what was sent."""
    sent: list[bytes] = []
    with connected(address) as line:
        if chance.random() < 0.25:
            sent.append(broken(chance, broken(chance, hello(address))))
            line.sendall(sent[0])
        else:
            evil = chance.choice((0.02, 0.2, 1.0))
            sent += [frame(chance, evil) for _ in range(count)]
            line.sendall(hello(address))
            line.recv(65536)
            for each in sent:
                line.sendall(each)
        if chance.random() < 0.5:
            line.shutdown(socket.SHUT_WR)
            line.settimeout(0.01)
            with contextlib.suppress(TimeoutError):
                line.recv(65536)
    return sent


def part(chance: random.Random, count: int, tally: Tally) -> None:
    """Let strangers come and go; the server must serve the next one, and nothing may have been pressed."""
    done = 0
    with (
        mock.patch.object(cpu_share, "SHARE", 100.0),  # as fast as the server can: it is only slowed for keys
        tempfile.TemporaryDirectory(dir=FOLDER) as folder,
        House(Path(folder), chance) as house,
    ):
        server = WebServer(house.hub, port=0, passes=Passes())
        address = server.start()
        try:
            while done < count:
                sent = talk(chance, address, min(FRAMES, count - done))
                done += len(sent)
                tally.inputs += len(sent) + 1
                with contextlib.closing(http.client.HTTPConnection(*address, timeout=PATIENCE)) as line:
                    line.request("GET", "/")
                    expect(line.getresponse().status in (200, 503), "the next page was not served", b"|".join(sent))
                    tally.accepted += 1
                tally.same(house.hub.acts == [], f"somebody pressed {house.hub.acts}", b"|".join(sent))
                tally.refused += len(sent)
        finally:
            server.stop()
