"""Real sockets, TLS and processes: nothing is lost when they are killed, and strangers get nowhere."""

from __future__ import annotations

import socket
import ssl
import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from websockets.client import ClientProtocol
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from referee.errors import JournalError
from referee.hall.uplink import client, server
from referee.hall.uplink.certificate import FILE, certificate
from referee.hall.uplink.client import Hall, converse
from referee.hall.uplink.messages import MOST_BYTES
from tests.hall.uplink.kills import kill_at_random
from tests.hall.uplink.memory import MemoryJournal
from tests.hall.uplink.pair import KEY, box, shown
from tests.hall.uplink.serving import Served, serving


@pytest.fixture
def served(store: str, memory: Path) -> Iterator[Served]:
    with serving(memory, KEY.public) as served:
        yield served


def _until(journal: MemoryJournal, durable: Callable[[], object]) -> Callable[[], bool]:
    until = time.monotonic() + 10
    return lambda: durable() == journal.end() or time.monotonic() > until


def _stranger(served: Served) -> ClientConnection:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return connect(f"wss://{served.hall.address}/", ssl=context, max_size=None, proxy=None)


def _hang_up(plain: socket.socket) -> None:
    plain.accept()[0].close()


def _works(served: Served) -> None:
    """A paired box gets its journal through."""
    journal = MemoryJournal(KEY)
    journal.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {}})
    side = box(journal, KEY, now=time.monotonic())
    over = _until(journal, lambda: side.durable)
    while not over():
        converse(served.hall, side, over)
    assert side.durable == journal.end()


def test_a_paired_box_gets_its_journal_through(served: Served) -> None:
    _works(served)
    assert served.news.get(timeout=10).kind == "on"


def test_a_hall_with_a_name_is_looked_up_at_each_attempt_so_a_new_address_is_found(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody listens at the first address; the certificate is pinned by its hash, whatever the hall is called."""
    port = int(served.hall.address.rpartition(":")[2])
    address = "127.0.0.2"
    asked: list[str] = []

    def resolve(host: str, *_: object, flags: int = 0, **__: object) -> list[object]:
        if flags == socket.AI_NUMERICHOST:
            raise socket.gaierror("it is a name")
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    hall = replace(served.hall, address=f"referee-hall.local:{port}")
    journal = MemoryJournal(KEY)
    journal.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {}})
    side = box(journal, KEY, now=time.monotonic())
    converse(hall, side, lambda: False)
    assert side.durable is None
    address = "127.0.0.1"
    over = _until(journal, lambda: side.durable)
    while not over():
        converse(hall, side, over)
    assert side.durable == journal.end()
    assert len(asked) >= 2
    assert set(asked) == {"referee-hall.local"}


def test_a_resolver_that_hangs_is_asked_once_and_keeps_neither_the_line_nor_the_box_from_ending(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = threading.Event()
    asked: list[str] = []

    def resolve(host: str, *_: object, flags: int = 0, **__: object) -> list[object]:
        if flags == socket.AI_NUMERICHOST:
            raise socket.gaierror("it is a name")
        asked.append(host)
        answers.wait(60)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    side = box(MemoryJournal(KEY), KEY)
    hall = Hall("referee-hall.local:8470")
    began = time.monotonic()
    for _ in range(2):
        converse(hall, side, lambda: False, 0.3)
    converse(hall, side, lambda: True, 60.0)
    assert 0.6 <= time.monotonic() - began < 5.0
    assert asked == ["referee-hall.local"]
    assert side.over
    (lookup,) = [each for each in threading.enumerate() if each.name == "lookup"]
    assert lookup.daemon
    answers.set()
    lookup.join(10)
    converse(hall, side, lambda: False)
    assert len(asked) == 2


def test_a_box_says_nothing_to_a_hall_with_another_certificate(served: Served) -> None:
    served.side.identity = shown("d" * 64)  # as somebody between box and hall repeats it
    side = box(MemoryJournal(KEY), KEY)
    while side.refused is None:
        converse(served.hall, side, lambda: False)
    assert side.refused.code == "certificate"
    assert served.news.empty()


def test_a_hall_that_is_not_there_or_speaks_no_tls_is_no_error() -> None:
    side = box(MemoryJournal(KEY), KEY)
    with socket.create_server(("127.0.0.1", 0)) as plain:
        address = f"127.0.0.1:{plain.getsockname()[1]}"
        thread = threading.Thread(target=_hang_up, args=(plain,))
        thread.start()
        converse(Hall(address), side, lambda: False)
        thread.join()
    converse(Hall(address), side, lambda: False)
    assert side.over
    assert side.refused is None


def test_a_hall_that_is_only_slow_costs_a_line_of_the_log_and_no_traceback(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(client, "PATIENCE", 1.0)
    side, slow, wakes = box(MemoryJournal(KEY), KEY, now=time.monotonic()), threading.Event(), threading.Event()

    def busy() -> None:
        slow.set()
        wakes.wait(20)

    def begun() -> bool:
        if served.side.admitted(1) and not slow.is_set():
            served.loop.call_soon_threadsafe(busy)
            slow.wait(10)
        return False

    try:
        converse(served.hall, side, begun)  # until the box has had enough
    finally:
        wakes.set()
    assert slow.is_set()
    assert [record.getMessage() for record in caplog.records if record.levelname != "DEBUG"] == [
        f"the hall at {served.hall.address} has not answered for 1 s; the box connects again"
    ]
    assert not any(record.exc_info for record in caplog.records)
    _works(served)


def test_a_fault_of_the_box_is_not_told_as_a_hall_that_does_not_answer(
    served: Served, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no such frame")

    with monkeypatch.context() as patched:
        patched.setattr(ClientProtocol, "recv_frame", fail)
        converse(served.hall, box(MemoryJournal(KEY), KEY), lambda: False)
    assert [record.getMessage() for record in caplog.records if record.levelname != "DEBUG"] == [
        f"a fault of this box ended its line to the hall at {served.hall.address}; the box connects again"
    ]
    assert "no such frame" in caplog.text  # with a traceback
    _works(served)


@pytest.mark.parametrize("word", ["{}", b"\xff\xfe", "x" * (MOST_BYTES + 1), "[" * 5000, '{"type":"entries"}'])
def test_what_a_stranger_says_ends_only_his_connection(served: Served, word: str | bytes) -> None:
    with _stranger(served) as stranger:
        assert '"hello"' in str(stranger.recv(5))
        words: list[str] = []
        with suppress(ConnectionClosed):
            stranger.send(word)
            words.extend(map(str, stranger))  # until it is closed
        assert all('"goodbye"' in each for each in words)
    _works(served)


def test_strangers_who_say_nothing_do_not_keep_a_box_out(served: Served) -> None:
    host, port = served.hall.address.split(":")
    silent = [socket.create_connection((host, int(port))) for _ in range(50)]
    _works(served)
    for each in silent:
        each.close()


def test_who_says_nothing_is_hung_up_on(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "GREETING", 0.2)
    with serving(memory) as served:
        host, port = served.hall.address.split(":")
        with socket.create_connection((host, int(port)), timeout=20) as silent:
            assert silent.recv(1) == b""


def test_the_key_of_the_hall_stays_the_same_and_is_readable_by_its_owner_only(memory: Path) -> None:
    first = certificate(memory)
    assert certificate(memory) == first
    assert stat.S_IMODE((memory / FILE).stat().st_mode) == 0o600
    other = memory / "other"
    other.mkdir()
    assert certificate(other).hash != first.hash
    (memory / FILE).write_text("no key")
    with pytest.raises(JournalError, match="is not a key"):
        certificate(memory)
    assert (memory / FILE).read_text() == "no key"


@pytest.mark.long
def test_thirty_kills_among_them_of_whole_folders_lose_nothing(tmp_path: Path) -> None:
    report = kill_at_random(tmp_path, boxes=3, kills=30, seed=2)
    assert report["faults"] == []
    assert report["kills"] == {"hall": 10, "box": 9, "line": 8, "folder": 3}  # as the seed has them


@pytest.mark.timed
def test_processes_that_are_killed_lose_nothing(tmp_path: Path) -> None:
    report = kill_at_random(tmp_path, boxes=2, kills=6, seed=1)
    assert report["faults"] == []
    assert report["kills"] == {"hall": 3, "box": 2, "line": 1, "folder": 0}
    assert int(str(report["entries"])) > 50
