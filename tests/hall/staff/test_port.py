"""The staff's port of a hall in a process of its own: TLS, streams that end with their pass; the desk's link."""

from __future__ import annotations

import hashlib
import http.client
import re
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, nullcontext
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from referee.cli.exits import OK
from referee.cli.main import main
from referee.hall.serving import MAX_STAFF_OF_ADDRESS
from referee.web.limits import MAX_HEADERS
from tests.hall.process import PATIENCE, running
from tests.hall.tablet import Staff

WOKEN = 2.5
"""How soon a page hears that its pass was taken back, s: at once, and not with the next sign of life after 3 s."""


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Staff]:
    with (
        running("--example", "--staff-port", "0", state=tmp_path_factory.mktemp("state")) as hall,
        ExitStack() as lines,
    ):
        yield Staff(hall, lines)


def test_a_judge_works_over_tls_and_is_out_when_the_desk_says_so(staff: Staff) -> None:
    cookie = staff.let_in("judge")
    news = staff.ask("GET", "/news", cookie)
    assert news.readline().startswith(b"data: ")
    assert news.readline() == b"\n"
    assert staff.ask("POST", "/judges", cookie, do="call", table="3").status == 303
    assert news.readline().startswith(b"data: ")
    assert news.readline() == b"\n"
    page = staff.hall.ask(staff.hall.own, "GET", "/staff").read().decode()
    (id_,) = re.findall(r'name="pass" value="(.*?)"', page)
    begun = time.monotonic()
    assert staff.hall.ask(staff.hall.own, "POST", "/staff", **{"do": "revoke", "key": id_, "pass": id_}).status == 303
    assert news.read() == b"event: out\ndata: \n\n"  # and the stream has ended
    assert time.monotonic() - begun < WOKEN
    page = staff.hall.ask(staff.hall.own, "GET", "/staff").read().decode()
    assert "The pass of judge " in page
    assert staff.ask("GET", "/news", cookie).status == 403
    assert staff.ask("GET", "/judges", cookie).status == 303


def test_plain_http_and_old_tls_are_not_spoken(staff: Staff) -> None:
    at = urlsplit(staff.url)
    plain = staff.lines.enter_context(
        closing(http.client.HTTPConnection(str(at.hostname), at.port, timeout=PATIENCE))
    )
    plain.request("GET", "/login")
    with pytest.raises((http.client.BadStatusLine, ConnectionError)):
        plain.getresponse()
    for version in (ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_2):
        staff.context.maximum_version = version
        line = http.client.HTTPSConnection(str(at.hostname), at.port, context=staff.context, timeout=PATIENCE)
        with closing(line), pytest.raises(ssl.SSLError) if version < ssl.TLSVersion.TLSv1_3 else nullcontext():
            line.connect()
    staff.context.maximum_version = ssl.TLSVersion.MAXIMUM_SUPPORTED


def test_how_to_install_it_is_public_and_the_fingerprint_is_at_the_desk_alone(staff: Staff) -> None:
    page = staff.hall.ask(staff.hall.public, "GET", "/staff").read().decode()
    assert staff.url in page
    der = staff.hall.ask(staff.hall.public, "GET", "/event-ca.crt").read()
    fingerprint = hashlib.sha256(der).digest().hex(" ").upper()
    assert fingerprint in staff.hall.ask(staff.hall.own, "GET", "/staff").read().decode()
    assert fingerprint not in page  # or it would be compared with itself


def test_the_desks_link_works_once_and_another_is_to_be_had(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "event"
    with running("--folder", str(folder), state=tmp_path) as hall:
        cookie, hall.cookie = hall.cookie, ""
        link = hall.link.partition(str(hall.own))[2]
        assert hall.ask(hall.own, "GET", "/").status == 303
        assert hall.ask(hall.own, "POST", "/players", do="add", list="Mallory").status == 403
        answer = hall.ask(hall.own, "GET", link)
        assert (answer.status, answer.headers["set-cookie"]) == (403, None)
        assert main(["hall", "--folder", str(folder), "--port", str(hall.own), "--link", "--no-browser"]) == OK
        another = re.findall(r"http://\S+", capsys.readouterr().out)[0].partition(str(hall.own))[2]
        answer = hall.ask(hall.own, "GET", another)
        assert answer.status == 303
        name, _, attributes = answer.headers["set-cookie"].partition("=")
        assert name == f"referee-desk-{hall.own}"
        assert {"httponly", "samesite=strict"} <= set(attributes.lower().split("; "))
        hall.cookie = cookie  # the first browser is still let in
        assert b"Mallory" not in hall.ask(hall.own, "GET", "/players").read()


def strangers(address: str, port: int, count: int, lines: ExitStack) -> list[socket.socket]:
    """Connect from an address that limits take for another computer's."""
    return [
        lines.enter_context(socket.create_connection(("127.0.0.1", port), PATIENCE, source_address=(address, 0)))
        for _ in range(count)
    ]


def test_silent_connections_of_one_address_give_way_before_tls(staff: Staff) -> None:
    with ExitStack() as lines:
        silent = strangers("127.0.0.2", urlsplit(staff.url).port or 0, MAX_STAFF_OF_ADDRESS + 1, lines)
        assert silent[0].recv(1) == b""
        assert staff.ask("GET", "/login").status == 200


def test_a_head_without_end_is_cut_off(staff: Staff) -> None:
    blind = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    blind.check_hostname, blind.verify_mode = False, ssl.CERT_NONE
    with ExitStack() as lines:
        line = lines.enter_context(
            blind.wrap_socket(strangers("127.0.0.3", urlsplit(staff.url).port or 0, 1, lines)[0])
        )
        line.sendall(b"GET /login HTTP/1.1\r\nCookie: " + b"x" * 2 * MAX_HEADERS)
        assert line.recv(12) == b"HTTP/1.1 400"
    assert staff.ask("GET", "/login").status == 200
