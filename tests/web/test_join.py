"""How a phone gets to the panel: the address, and the code that holds it, read by somebody else's reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from referee.web.guard import join_address, own_address
from referee.web.server import WebServer
from tests.web.conftest import NAME
from tests.web.visitor import Visitor, let_in, receive

if TYPE_CHECKING:
    from tests.web.conftest import FakeHub

JOIN = "http://192.168.178.201:8080"


@pytest.mark.parametrize(
    ("host", "port", "names", "own", "address"),
    [
        ("0.0.0.0", 8080, ("referee.local",), "192.168.1.20", "http://192.168.1.20:8080"),
        ("0.0.0.0", 80, (), "192.168.1.20", "http://192.168.1.20"),
        ("::", 8080, (), "192.168.1.20", "http://192.168.1.20:8080"),
        ("10.0.0.7", 8080, (), "192.168.1.20", "http://10.0.0.7:8080"),
        ("fd00::7", 8080, (), "192.168.1.20", "http://[fd00::7]:8080"),
        ("0.0.0.0", 8080, ("referee.local",), "", "http://referee.local:8080"),
        ("0.0.0.0", 8080, ("referee.local:80",), "", "http://referee.local:80"),
        ("0.0.0.0", 8080, (), "", ""),
        ("127.0.0.1", 8080, ("referee.local",), "192.168.1.20", ""),
        ("::1", 8080, (), "192.168.1.20", ""),
    ],
)
def test_a_phone_opens_what_the_panel_answers_to(
    host: str, port: int, names: tuple[str, ...], own: str, address: str
) -> None:
    assert join_address(host, port, names, lambda: own) == address


def test_the_machine_tells_its_own_address_or_none() -> None:
    address = own_address()
    assert not address.startswith("127.")
    assert join_address("0.0.0.0", 8080, (), lambda: address) in ("", f"http://{address}:8080")


def test_only_who_is_in_gets_the_code(hub: FakeHub, monkeypatch: pytest.MonkeyPatch) -> None:
    server = WebServer(hub, port=0, names=[NAME])
    monkeypatch.setattr(server, "join_address", lambda: JOIN)
    visitor = Visitor(server.start().port)
    try:
        assert visitor.send("GET", "/join.svg").status == 404
        let_in(visitor, hub, "watch")
        answer = visitor.send("GET", "/join.svg")
        assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")
        with visitor.line() as line:
            assert receive(line, "join")["address"] == JOIN
    finally:
        server.stop()
