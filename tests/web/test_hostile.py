"""A hostile client at the real server, over real sockets: it costs itself, and the browser on the box gets in."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from typing import TYPE_CHECKING

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from referee.web.browsers import MAX_BROWSERS, MAX_OF_BOX, MAX_OF_PASS
from referee.web.hub import PanelClick
from referee.web.limits import MAX_OF_ADDRESS
from referee.web.passes import Passes
from referee.web.server import Address, WebServer
from tests.web.page import PATIENCE
from tests.web.visitor import Visitor, let_in, read_to_the_end, receive, say, typed

if TYPE_CHECKING:
    from tests.web.conftest import FakeHub

STRANGER = "127.0.0.66"
BEGUN, MORE = b"\x01\x80\0\0\0\0", b"\x00\x80\0\0\0\0"
"""The first fragment of a message, and a further one, both empty (RFC 6455, 5.4)."""


@contextmanager
def on_the_box(network: Address) -> Iterator[ClientConnection]:
    with connect(
        f"ws://127.0.0.1:{network.port}/ws", origin=Origin(network.url.rstrip("/")), open_timeout=PATIENCE
    ) as line:
        yield line


def the_box_gets_in(network: Address, hub: FakeHub) -> None:
    """Load the page, watch and press, as the browser on the box does."""
    with closing(HTTPConnection("127.0.0.1", network.port, timeout=PATIENCE)) as http:
        http.request("GET", "/")
        assert b"main.js" in http.getresponse().read()
    with on_the_box(network) as line:
        receive(line, "glass")
        say(line, type="click", key="die-1", ms=0)
        while hub.next_act() != PanelClick("die-1", 0):
            pass


@contextmanager
def meanwhile(attack: Callable[[threading.Event], None], count: int = 1) -> Iterator[None]:
    """Attack from other threads until the block ends."""
    over = threading.Event()
    threads = [threading.Thread(target=attack, args=(over,)) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def silent(stack: ExitStack, network: Address, source: str) -> socket.socket:
    """Connect and send one byte, without which the kernel would keep the connection to itself for seconds."""
    line = stack.enter_context(socket.create_connection(network, timeout=PATIENCE, source_address=(source, 0)))
    line.sendall(b"G")
    return line


def still_open(lines: list[socket.socket]) -> int:
    """How many the box has not ended."""
    count = 0
    for line in lines:
        line.setblocking(False)
        try:
            line.recv(1)
        except BlockingIOError:
            count += 1
        except ConnectionError:
            pass
    return count


def test_silent_sockets_end_each_other_and_nothing_is_written_about_them(
    network: Address, hub: FakeHub, caplog: pytest.LogCaptureFixture
) -> None:
    with ExitStack() as stack:
        lines = [silent(stack, network, STRANGER) for _ in range(300)]
        the_box_gets_in(network, hub)
        assert still_open(lines) <= MAX_OF_ADDRESS
        lines += [silent(stack, network, f"127.0.1.{n + 1}") for n in range(100)]
        the_box_gets_in(network, hub)
    assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []


def test_a_pass_takes_its_own_lines_and_all_passes_together_none_of_the_boxs(
    network: Address, hub: FakeHub, passes: Passes
) -> None:
    with ExitStack() as stack:
        for n in range(MAX_BROWSERS // MAX_OF_PASS):
            visitor = Visitor(network.port, f"127.0.0.{n + 10}")
            visitor.cookies["referee"] = passes.issue("watch", visitor.source)
            for _ in range(MAX_OF_PASS):
                receive(stack.enter_context(visitor.line()), "glass")
            turned_away(visitor)
        late = Visitor(network.port, "127.0.0.9")
        late.cookies["referee"] = passes.issue("judge", late.source)
        turned_away(late)
        for _ in range(MAX_OF_BOX):
            receive(stack.enter_context(on_the_box(network)), "glass")


def turned_away(visitor: Visitor) -> None:
    with visitor.line() as line, pytest.raises(ConnectionClosed):
        read_to_the_end(line)
    assert line.close_code == 1013


def test_a_message_without_end_ends_its_line_soon(network: Address, hub: FakeHub) -> None:
    # L1: fragments of nothing add up to no message, so no limit of a message would end them.
    visitor = Visitor(network.port, STRANGER)
    let_in(visitor, hub, "watch")
    with visitor.line() as line:
        receive(line, "log")
        for _ in range(30):
            say(line, type="ping", idle="." * 4000)
            receive(line, "pong")
        with suppress(OSError):  # the box ends it meanwhile
            line.socket.sendall(BEGUN + 1_000_000 * MORE)
        with pytest.raises(ConnectionClosed):
            read_to_the_end(line)


def test_a_browser_that_is_in_stays_in_however_many_others_come(network: Address, hub: FakeHub) -> None:
    visitor = Visitor(network.port, STRANGER)
    let_in(visitor, hub, "judge")
    with visitor.line() as line, ExitStack() as stack:
        receive(line, "log")
        for _ in range(3 * MAX_OF_ADDRESS):
            silent(stack, network, STRANGER)
        say(line, type="ping")
        receive(line, "pong")


def test_many_addresses_together_do_not_keep_out_the_visitor_with_the_code(network: Address, hub: FakeHub) -> None:
    honest = Visitor(network.port, "127.0.0.20")

    def post(over: threading.Event) -> None:
        n = 0
        while not over.is_set():
            n += 1
            try:
                Visitor(network.port, f"127.0.{1 + n // 250}.{1 + n % 250}").pair(do="wait")
            except (ConnectionError, OSError):
                continue

    with meanwhile(post, 2):
        typed(honest, hub)
        hub.visitor().answer("watch")
        assert honest.pair(do="wait").json == {"state": "in"}


def test_a_server_that_stops_does_not_wait_for_silent_sockets(hub: FakeHub) -> None:
    server = WebServer(hub, port=0)
    address = server.start()
    with ExitStack() as stack:
        lines = [silent(stack, address, "127.0.0.1") for _ in range(20)]
        the_box_gets_in(address, hub)
        began = time.monotonic()
        server.stop()
        assert time.monotonic() - began < 3
        assert still_open(lines) == 0
