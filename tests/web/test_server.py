"""The panel's server over real sockets: who may talk to it, what it takes, and what a bad browser cannot do."""

from __future__ import annotations

import http.client
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from referee.web.hub import PanelHold, PanelRelease
from referee.web.server import Address, WebServer
from tests.web.conftest import glass_of, lamps_of
from tests.web.page import PATIENCE
from tests.web.visitor import read, read_to_the_end, receive, say

if TYPE_CHECKING:
    from tests.web.conftest import FakeHub


def ws_url(address: Address) -> str:
    return f"ws://{address.host}:{address.port}/ws"


def own_origin(address: Address) -> str:
    return address.url.rstrip("/")


@contextmanager
def join(address: Address, *, origin: str | None = "own") -> Iterator[ClientConnection]:
    """Watch as the panel's own page does."""
    sent = own_origin(address) if origin == "own" else origin
    with connect(
        ws_url(address), origin=Origin(sent) if sent else None, open_timeout=PATIENCE, close_timeout=1
    ) as line:
        yield line


@contextmanager
def join_without_reading(address: Address) -> Iterator[ClientConnection]:
    """Watch, but take in next to nothing unless asked to: one message and a few kilobytes."""
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    narrow.connect(address)
    with connect(
        ws_url(address),
        sock=narrow,
        origin=Origin(own_origin(address)),
        open_timeout=PATIENCE,
        close_timeout=0.1,
        max_queue=1,
    ) as line:
        yield line


def upgrade(address: Address, host: str) -> bytes:
    """What the panel's own page asks for a line with, at a host of this name."""
    lines = (
        "GET /ws HTTP/1.1",
        f"Host: {host}",
        f"Origin: {own_origin(address)}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    )
    return "".join(f"{line}\r\n" for line in (*lines, "")).encode()


def look_in(address: Address, origin: str | None) -> None:
    with join(address, origin=origin) as line:
        receive(line, "glass")


def get(address: Address, path: str, **headers: str) -> http.client.HTTPResponse:
    with closing(http.client.HTTPConnection(address.host, address.port, timeout=PATIENCE)) as line:
        line.request("GET", path, headers=headers)
        response = line.getresponse()
        response.read()
        return response


@pytest.fixture
def line(address: Address) -> Iterator[ClientConnection]:
    with join(address) as line:
        yield line


def test_a_fresh_browser_is_told_everything_and_then_every_change(hub: FakeHub, line: ClientConnection) -> None:
    messages = [read(line) for _ in range(4)]
    assert messages == hub.snapshot()
    hub.publish(glass_of((5, 5)))
    assert receive(line, "glass") == glass_of((5, 5))
    hub.publish({"type": "sound", "name": "refusal", "pattern": [200, 80, 200]})
    assert receive(line, "sound")["pattern"] == [200, 80, 200]


def test_at_each_ping_the_box_looks_for_names_that_were_erased(hub: FakeHub, address: Address) -> None:
    with join(address) as line:
        for _ in range(2):
            say(line, type="ping")
            receive(line, "pong")
    assert hub.refreshed == 2


def test_a_browser_that_never_reads_slows_nobody_and_later_sees_the_newest(hub: FakeHub, address: Address) -> None:
    with join_without_reading(address) as slow, join(address) as quick:
        receive(quick, "log")
        log = {"type": "log", "entries": [{"text": "x" * 50_000}]}
        for n in range(400):
            # 20 MB in all: far beyond what the sockets between can hold.
            hub.publish(log | {"n": n})
        hub.publish(glass_of((9, 9)))
        assert receive(quick, "glass") == glass_of((9, 9))
        seen = [receive(slow, "log").get("n", -1)]
        while seen[-1] != 399:
            seen.append(receive(slow, "log")["n"])
        assert seen == sorted(seen)
        assert len(seen) < 400
        assert receive(slow, "glass") == glass_of((9, 9))


def test_the_box_is_listened_to_only_while_somebody_watches(hub: FakeHub, address: Address) -> None:
    assert not hub.watched()
    with join(address) as line:
        say(line, type="hold", key="back")
        hub.next_act()
        assert hub.watched()
    hub.next_act()
    assert not hub.watched()
    hub.publish(lamps_of(Frodo="on"))
    with join(address) as line:
        assert receive(line, "lamps") == lamps_of(Frodo="on")


@pytest.mark.parametrize(
    "origin",
    [None, "null", "http://evil.example", "https://127.0.0.1:{port}", "http://127.0.0.1", "http://127.0.0.1:1"],
)
def test_a_foreign_page_gets_no_line(address: Address, origin: str | None) -> None:
    sent = origin.format(port=address.port) if origin else None
    with pytest.raises(InvalidStatus) as refusal:
        look_in(address, sent)
    assert refusal.value.response.status_code == 403


@pytest.mark.parametrize(
    "host", ["evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "", "127.0.0.1.evil.example:{port}"]
)
def test_a_name_that_was_bound_to_the_box_from_outside_is_refused(address: Address, host: str) -> None:
    sent = host.format(port=address.port)
    assert get(address, "/", Host=sent).status == 421
    with socket.create_connection(address) as raw:
        raw.settimeout(PATIENCE)
        raw.sendall(upgrade(address, sent))
        assert b"403" in raw.recv(64)


def test_a_name_of_the_house_is_answered_when_it_is_given(hub: FakeHub) -> None:
    server = WebServer(hub, port=0, names=["referee.local"])
    address = server.start()
    try:
        assert get(address, "/", Host=f"referee.local:{address.port}").status == 200
        assert get(address, "/", Host="referee.local").status == 421
    finally:
        server.stop()


def test_every_answer_forbids_what_is_not_the_panels_own(address: Address) -> None:
    for path, status in (("/", 200), ("/main.js", 200), ("/nothing", 404)):
        response = get(address, path)
        assert response.status == status
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert response.headers["x-content-type-options"] == "nosniff"


def test_stopping_says_goodbye_releases_and_frees_the_port(hub: FakeHub, server: WebServer, address: Address) -> None:
    with join(address) as line:
        say(line, type="hold", key="back")
        assert hub.next_act() == PanelHold("back")
        server.stop()
        assert hub.next_act() == PanelRelease("back")
        with pytest.raises(ConnectionClosed):
            read_to_the_end(line)
        assert line.close_code == 1012
    assert not hub.watched()
    assert "web" not in {thread.name for thread in threading.enumerate()}
    again = WebServer(hub, port=address.port)
    assert again.start() == address
    again.stop()


def test_stopping_does_not_wait_for_a_browser_that_never_reads(
    hub: FakeHub, server: WebServer, address: Address, caplog: pytest.LogCaptureFixture
) -> None:
    with join_without_reading(address) as slow, join(address) as quick:
        say(slow, type="hold", key="back")
        assert hub.next_act() == PanelHold("back")
        receive(quick, "log")
        hub.publish({"type": "log", "entries": [{"text": "x" * 900_000}]})
        # Sent to both in turn; by now one of them has the rest of it stuck in its throat.
        receive(quick, "log")
        server.stop()
        assert hub.next_act() == PanelRelease("back")
    assert "timeout graceful shutdown exceeded" not in caplog.text


def test_a_port_in_use_is_an_error_at_once(hub: FakeHub, address: Address) -> None:
    with pytest.raises(OSError, match="in use"):
        WebServer(hub, port=address.port).start()
