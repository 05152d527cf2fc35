"""Who is on the box: told by the address a request comes from and the name it asks for, never by one alone."""

from __future__ import annotations

import pytest
from starlette.requests import HTTPConnection

from referee.web.guard import at_the_box, literal


def line(peer: str, *hosts: str, **more: str) -> HTTPConnection:
    headers = [*((b"host", host.encode()) for host in hosts), *((k.encode(), v.encode()) for k, v in more.items())]
    return HTTPConnection({"type": "http", "client": (peer, 50000), "headers": headers})


BOX = "127.0.0.1:8080"


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"])
def test_a_browser_on_the_box_asks_the_loopback_by_its_own_name(peer: str) -> None:
    for host in (BOX, "localhost:8080", "LOCALHOST", "[::1]:8080", "[::1]"):
        assert at_the_box(line(peer, host)), host


@pytest.mark.parametrize(
    ("peer", "host"),
    [
        ("192.168.1.20", BOX),
        ("::ffff:192.168.1.20", "localhost:8080"),
        ("fe80::1%eth0", "[::1]:8080"),
        ("testclient", "localhost"),
        ("127.0.0.1", "referee.local:8080"),
        ("127.0.0.1", "localhost.evil.example:8080"),
        ("127.0.0.1", "127.0.0.1.evil.example"),
        ("127.0.0.1", ""),
    ],
)
def test_anybody_else_is_a_stranger(peer: str, host: str) -> None:
    assert not at_the_box(line(peer, host))


FORWARDED = (
    "forwarded", "via", "x-forwarded-for", "X-Forwarded-Host", "x-forwarded-proto", "x-real-ip", "cf-connecting-ip",
    "true-client-ip", "x-client-ip", "x-original-forwarded-for", "tailscale-user-login",
)  # fmt: skip


def test_what_was_passed_on_is_not_from_the_box_whatever_it_says() -> None:
    for header in FORWARDED:
        for value in ("127.0.0.1", "for=127.0.0.1", ""):
            assert not at_the_box(line("127.0.0.1", BOX, **{header: value})), (header, value)


def test_a_page_under_another_name_is_not_from_the_box() -> None:
    for origin in ("http://referee.local", "http://192.168.1.5:8080", "null", "http://[::2]:8080"):
        assert not at_the_box(line("127.0.0.1", BOX, origin=origin)), origin
    assert at_the_box(line("127.0.0.1", BOX, origin="http://127.0.0.1:8080"))
    assert at_the_box(line("127.0.0.1", "localhost:8080", origin="http://[::1]:8080"))


def test_an_address_stands_as_in_a_url() -> None:
    addresses = ("192.168.1.20", "::ffff:192.168.1.20", "2001:DB8::1")
    assert [literal(each) for each in addresses] == ["192.168.1.20", "192.168.1.20", "[2001:db8::1]"]
