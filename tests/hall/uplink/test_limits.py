"""The boxes' port takes few tries and few silent connections from one address, and boxes do not suffer from them."""

from __future__ import annotations

import json
import os
import socket
import ssl
import time
import tracemalloc
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from websockets.sync.client import ClientConnection, connect

from referee.hall.uplink import server
from referee.hall.uplink.certificate import certificate
from referee.hall.uplink.hall import TRIES_OF_ADDRESS
from referee.hall.uplink.messages import MOST_BYTES, Ping, write
from referee.hall.uplink.server import MOST_WORDS, STRANGERS_OF_ADDRESS
from referee.hall.uplink.times import Times
from tests.hall.uplink.memory import MemoryJournal, signer
from tests.hall.uplink.pair import KEY, Hall, box
from tests.hall.uplink.serving import Served, serving

ELSEWHERE = "127.0.0.2"
"""An address that is not this computer's own, as far as limits are concerned."""
PATIENT = Times(patience=600.0)
RATE, BURST = TRIES_OF_ADDRESS


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take as long as it needs for TLS."""
    monkeypatch.setattr(server, "GREETING", 600.0)


def tried(hall: Hall, number: int, address: str) -> str:
    """Try to log in with a key that nobody knows; return the code of the refusal."""
    hall.side.opened(number, f"{number % 16:x}" * 64, hall.now, address)
    hall.words(number)
    login = {"type": "login", "version": 1, "key": signer(9).public, "nonce": "a" * 64, "start": "1" * 64}
    (answer,) = hall.hear(number, json.dumps(login | {"end": None, "signature": "0" * 128}))
    return str(answer["code"])


def test_one_address_tries_to_log_in_a_few_times_and_others_are_not_held_up(hall: Hall) -> None:
    codes = [tried(hall, number, "192.0.2.66") for number in range(1, BURST + 11)]
    assert codes == ["signature"] * BURST + ["busy"] * 10
    assert tried(hall, 100, "192.0.2.67") == "signature"
    hall.now += 1 / RATE
    assert tried(hall, 101, "192.0.2.66") == "signature"


def test_what_a_box_says_once_it_is_let_in_is_no_try(hall: Hall) -> None:
    hall.side.intake.admit(KEY.public)
    side = box(MemoryJournal(KEY), KEY)
    hall.side.opened(1, "1" * 64, hall.now, "192.0.2.20")
    for word in hall.words(1):
        side.opened("c" * 64, "9" * 64, hall.now)
        for reply in side.received(word, hall.now):
            hall.side.received(1, reply, hall.now)
    assert [json.loads(word)["type"] for word in hall.words(1)] == ["heads"]
    for _ in range(5 * BURST):
        assert hall.hear(1, Ping()) == [{"type": "pong"}]


def _stranger(served: Served) -> ClientConnection:
    """Connect from elsewhere."""
    host, port = served.hall.address.split(":")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    plain = socket.create_connection((host, int(port)), timeout=20, source_address=(ELSEWHERE, 0))
    return connect(
        f"wss://{served.hall.address}/", sock=plain, ssl=context, proxy=None, open_timeout=600, close_timeout=0.1
    )


def _connected(served: Served, folder: Path, lines: ExitStack) -> ClientConnection:
    """Log a paired box in from elsewhere."""
    line = lines.enter_context(_stranger(served))
    side = box(MemoryJournal(KEY), KEY, now=time.monotonic())
    side.opened(certificate(folder).hash, os.urandom(32).hex(), time.monotonic())
    kind = ""
    while kind != "heads":
        word = str(line.recv(20))
        kind = json.loads(word)["type"]
        for reply in side.received(word, time.monotonic()):
            line.send(reply)
    return line


def test_silent_connections_of_one_address_give_way_and_a_box_behind_it_stays(memory: Path) -> None:
    with serving(memory, KEY.public, times=PATIENT) as served, ExitStack() as lines:
        line = _connected(served, memory, lines)
        host, port = served.hall.address.split(":")
        silent = [
            lines.enter_context(
                closing(socket.create_connection((host, int(port)), timeout=20, source_address=(ELSEWHERE, 0)))
            )
            for _ in range(STRANGERS_OF_ADDRESS + 1)
        ]
        assert silent[0].recv(1) == b""
        line.send(write(Ping()))
        while json.loads(line.recv(20))["type"] != "pong":
            pass


@pytest.mark.parametrize("words", [MOST_WORDS + 2, 40])
def test_who_reads_nothing_is_hung_up_on(memory: Path, monkeypatch: pytest.MonkeyPatch, words: int) -> None:
    """With too many words that wait, or when it is ended while its last ones are stuck."""
    monkeypatch.setattr(server, "LEAVING", 0.05)
    with serving(memory, KEY.public, times=PATIENT) as served, ExitStack() as lines:
        _connected(served, memory, lines)
        (number,) = served.side._boxes.values()
        long = [(number, "x" * MOST_BYTES)] * words  # more than the kernel and the client's library take
        served.call(lambda: served.side.out.extend([*long, (number, None)]))
        while served.call(lambda: served.server._lines):
            pass
        assert served.call(served.side.connected) == {}.keys()


def test_a_silent_connection_costs_little_memory(memory: Path) -> None:
    with serving(memory, times=PATIENT) as served, ExitStack() as lines:
        host, port = served.hall.address.split(":")
        tracemalloc.start()
        try:
            for _ in range(STRANGERS_OF_ADDRESS):
                silent = socket.create_connection((host, int(port)), timeout=20, source_address=(ELSEWHERE, 0))
                lines.enter_context(closing(silent))
            lines.enter_context(_stranger(served))  # was accepted after them
            current, _ = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert current / STRANGERS_OF_ADDRESS < 128 * 1024
