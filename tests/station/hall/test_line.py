"""One call to a hall that is slow, cut, hung, a liar, or another one: a whole answer in time, or none."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from referee.errors import NoAnswer, WrongCertificate
from referee.station.hall.line import MOST, Line, Names, Places
from tests.station.hall.hostile import Reply, Served, says, serving, whole

LIMIT = 0.25
SLACK = 0.5


def line(served: Served) -> Line:
    return Line(served.names, served.fingerprint, lambda: {"authorization": "Bearer secret"})


def fails(served: Served, *, limit: float = LIMIT) -> str:
    began, asking = time.monotonic(), line(served)
    with pytest.raises(NoAnswer) as fault:
        asking.call("GET", "/api/table", limit=limit)
    assert time.monotonic() - began < limit + SLACK
    return str(fault.value)


def test_one_connection_carries_call_after_call(tmp_path: Path) -> None:
    with serving(tmp_path, says(whole(b'{"have": 3}', "200 OK", "ETag: 7"))) as served:
        asking = line(served)
        for _ in range(3):
            answer = asking.call("PUT", "/api/games/a/entries?after=2", b"{}\n", limit=5)
        assert (answer.status, answer.body, answer.headers["etag"]) == (200, {"have": 3}, "7")
        assert served.connections == 1
        assert b"Bearer secret" in served.heads.get()
        asking.close()


def test_a_connection_closed_meanwhile_is_made_anew_once(tmp_path: Path) -> None:
    def once(secured: ssl.SSLSocket, _: bytes) -> None:
        secured.sendall(whole())
        socket.socket.shutdown(secured, socket.SHUT_RDWR)

    with serving(tmp_path, once) as served:
        asking = line(served)
        assert [asking.call("GET", "/", limit=5).status for _ in range(3)] == [200] * 3
        assert served.connections == 3
        asking.close()


def test_another_certificate_gets_no_token(tmp_path: Path) -> None:
    with serving(tmp_path, says(whole())) as served:
        other = Line(served.names, "0" * 64, lambda: pytest.fail("the token was asked for"))
        with pytest.raises(WrongCertificate):
            other.call("GET", "/", limit=5)
    assert served.heads.empty()


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n",  # cut in the headers
        whole(b'{"have": 12}')[:-3],
        whole(b'{"have": 12'),
        whole(b"<html>Please log in</html>"),
        whole(b"[1]"),
        whole(b'{"a":' * 100_000),
        whole(b'{"have": NaN}'),
        b'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
        b"HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n{",
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 3,
        b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 200 + b"\r\n{}",
        b"HTTP/1.1 200 OK\r\nx: " + b"y" * 100_000 + b"\r\n\r\n{}",
        whole(b'"' + b"a" * MOST + b'"'),
    ],
)
def test_what_is_no_whole_answer_is_none(tmp_path: Path, answer: bytes) -> None:
    def last(secured: ssl.SSLSocket, _: bytes) -> None:
        with suppress(OSError):
            secured.sendall(answer)
        socket.socket.shutdown(secured, socket.SHUT_RDWR)

    with serving(tmp_path, last) as served:
        fails(served, limit=5)


def _nothing(secured: ssl.SSLSocket, _: bytes) -> None:
    secured.recv(1)


def _drips(secured: ssl.SSLSocket, _: bytes) -> None:
    with suppress(OSError):
        while True:
            secured.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")


def _crawls(secured: ssl.SSLSocket, _: bytes) -> None:
    secured.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
    pause = threading.Event()
    with suppress(OSError):
        while not pause.wait(0.02):
            secured.sendall(b" ")


@pytest.mark.parametrize("reply", [_nothing, _drips, _crawls])
def test_a_limit_is_that_of_the_whole_call(tmp_path: Path, reply: Reply) -> None:
    with serving(tmp_path, reply) as served:
        fails(served)


@pytest.fixture
def mute() -> Iterator[Names]:
    with socket.create_server(("127.0.0.1", 0)) as server:  # the kernel takes connections, and nobody speaks
        yield Names("127.0.0.1", server.getsockname()[1])


def test_a_hall_that_is_hung_costs_the_limit_and_no_more(mute: Names) -> None:
    began = time.monotonic()
    with pytest.raises(NoAnswer):
        Line(mute, "0" * 64, dict).call("GET", "/", limit=LIMIT)
    assert time.monotonic() - began < LIMIT + SLACK


def test_another_thread_ends_a_call_that_waits(tmp_path: Path) -> None:
    with serving(tmp_path, _nothing) as served:
        asking, ended = line(served), threading.Event()

        def wait() -> None:
            with pytest.raises(NoAnswer):
                asking.call("GET", "/api/table?wait=25", limit=60)
            ended.set()

        thread = threading.Thread(target=wait)
        thread.start()
        served.heads.get(timeout=10)
        asking.cut()
        assert ended.wait(10)
        thread.join()


def test_a_resolver_that_hangs_is_asked_once() -> None:
    hangs, asked = threading.Event(), []

    def resolve(host: str, port: int, **how: int) -> Places:
        asked.append(host)
        hangs.wait()
        return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("192.0.2.1", port))]

    names = Names("hall.local", 8470, resolve)
    for _ in range(3):
        with pytest.raises(TimeoutError):
            names.places(0.05)
    assert asked == ["hall.local"]
    hangs.set()
    assert names.places(10)[0][4] == ("192.0.2.1", 8470)
