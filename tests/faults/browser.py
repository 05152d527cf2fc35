"""Faults of browsers at the panel: the production server on real sockets, beside a station on virtual time."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from referee.station.loop import Item
from referee.station.panel import News
from referee.web.hub import Message
from referee.web.server import Address, WebServer
from tests.faults.rig import Rig
from tests.faults.table import Row, scenario, within

GROUP = "Browsers"
PATIENCE = 20.0
"""Real seconds a broken run is waited for; the limits of the table are far below."""
ASLEEP = 8.0
"""Real seconds until a browser reads even if the table is waiting for it; after ten the server would cut it off."""

CUT = (1006, 1008, 1011)
"""What a line is cut off with: without a word if it does not read, for no answer in time if that waits in line."""

NONSENSE = (
    "",
    "{}",
    "[" * 4000,
    '{"type":"click","key":"die-7","ms":0}',
    '{"type":"turn","steps":1e99}',
    "\0\u2028null",
)


@contextmanager
def served(folder: Path) -> Iterator[tuple[Rig, Address]]:
    """A rig and its panel."""
    with Rig(folder) as rig:
        server = WebServer(rig.hub, port=0)
        try:
            yield rig, server.start()
        finally:
            server.stop()


@contextmanager
def join(address: Address) -> Iterator[ClientConnection]:
    """Watch as the panel's own page does, and say nothing at the end."""
    with closing(socket.create_connection(address)) as raw:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        origin = Origin(address.url.rstrip("/"))
        url = f"ws://{address.host}:{address.port}/ws"
        with connect(url, sock=raw, origin=origin, open_timeout=PATIENCE, close_timeout=0.1, max_queue=1) as line:
            yield line


def say(line: ClientConnection, **message: object) -> None:
    """Send one message."""
    line.send(json.dumps(message))


def heard(rig: Rig) -> None:
    """Let the loop take one thing a browser did."""
    while (item := rig.inbox.get(PATIENCE)) == rig.hub.announce:  # somebody watches, which is nobody's press
        pass
    rig.loop.step(item, rig.clock.now)


def touches(rig: Rig) -> list[Item]:
    """Return all that a browser did that still waits for the loop."""
    items: list[Item] = []
    while (item := rig.inbox.get(0)) is not None:
        items.append(item)
    return [item for item in items if item != rig.hub.announce]


@scenario(GROUP, "gone without a word, with a key held down")
def vanished(folder: Path) -> Row:
    with served(folder) as (rig, address), join(address) as line:
        say(line, type="hold", key="back")
        heard(rig)
        assert rig.console._guard.holding("back")
        began = time.monotonic()
        # A reset, as a phone that drops off the network and comes back makes it.
        line.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        rig.inject(lambda: None)
        line.socket.shutdown(socket.SHUT_RDWR)
        heard(rig)
        seconds = time.monotonic() - began
        assert rig.console._guard.holding("back") == {}, "the key is held for ever"
        rig.silent("nothing: the key it held is let go")
        return rig.row("nothing to do")._replace(noticed=within(seconds, 2.0))


@scenario(GROUP, "slow: it never reads, while four hundred pictures are sent")
def slow(folder: Path) -> Row:
    glasses: list[Message] = []
    read: list[Message] = []
    played = threading.Event()

    def sleep_and_read(line: ClientConnection) -> None:
        played.wait(ASLEEP)
        line.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)  # now it takes all that comes
        while not read or read[-1].get("name") != "end":
            read.extend(json.loads(line.recv(timeout=PATIENCE)))

    with served(folder) as (rig, address), join(address) as line:
        reader = threading.Thread(target=sleep_and_read, args=(line,), daemon=True)
        rig.hub.subscribe(lambda news: glasses.extend(each for each in news if each["type"] == "glass"))
        rig.inject(lambda: None)
        began = time.monotonic()
        reader.start()
        for _ in range(200):
            for steps in (1, -1):
                rig.simulated.turn(steps)
                rig.wait(0.12)  # no hand turns back more often
        assert time.monotonic() - began < ASLEEP, "the table waits for a browser"
        assert len(glasses) >= 400  # and what is told anew when it comes in
        played.set()
        rig.hub.publish(News.to_all({"type": "sound", "name": "end", "pattern": []}))  # it comes after all that waits
        reader.join(PATIENCE)
        came = [message for message in read if message["type"] == "glass"]
        assert read[-1].get("name") == "end"
        assert len(came) < len(glasses) / 4, f"{len(came)} pictures were kept for it"
        assert came[-1] == glasses[-1], "what it sees is not the newest"
        rig.silent("nothing: of each kind of news only the newest waits for it")
        return rig.row("nothing to do")


@scenario(GROUP, "hostile: nonsense until it is shut out")
def hostile(folder: Path) -> Row:
    with served(folder) as (rig, address), join(address) as line:
        rig.inject(lambda: None)
        code, seconds = _until_shut(line, [text.encode() if text == "{}" else text for text in NONSENSE] * 200)
        assert code in CUT
        assert touches(rig) == []
        rig.silent("nothing: its line is cut, and nothing of it reached the table")
        return rig.row("nothing to do")._replace(noticed=within(seconds, 15.0))


@scenario(GROUP, "hostile: a message of 100 kB")
def oversize(folder: Path) -> Row:
    with served(folder) as (rig, address), join(address) as line:
        rig.inject(lambda: None)
        code, seconds = _until_shut(line, ["x" * 100_000])
        assert code in (1006, 1009)  # what it has not sent yet may cut off the word
        assert touches(rig) == []
        rig.silent("nothing: its line is cut")
        return rig.row("nothing to do")._replace(noticed=within(seconds, 2.0))


@scenario(GROUP, "hostile: two thousand turns of the knob at once")
def too_many(folder: Path) -> Row:
    with served(folder) as (rig, address), join(address) as line:
        rig.inject(lambda: None)
        code, seconds = _until_shut(line, ['{"type":"turn","steps":1}'] * 2000)
        assert code in CUT
        turns = touches(rig)
        assert len(turns) < 1000, "they were taken as fast as they came"
        for turn in turns:
            rig.loop.step(turn, rig.clock.now)
        rig.silent("the cursor turns; what comes faster than a hand is dropped, and then its line is cut")
        usable = within(rig.usable, 0.1)  # by where the cursor stops, which the real clock decides
        return rig.row("nothing to do")._replace(noticed=within(seconds, 15.0), usable=usable)


def _until_shut(line: ClientConnection, texts: list[str] | list[str | bytes]) -> tuple[int, float]:
    """Send all of it; return the code the line was closed with, and the real seconds until then."""
    began = time.monotonic()
    try:
        for text in texts:
            line.send(text)
        while True:
            line.recv(timeout=PATIENCE)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 1006, time.monotonic() - began
