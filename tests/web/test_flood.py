"""L1, L3: how soon a key of the box is answered while others in the network do their worst, beside a quiet run."""

from __future__ import annotations

import multiprocessing
import os
import statistics
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPException
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from websockets.exceptions import WebSocketException

from referee.web.passes import Passes
from referee.web.server import WebServer
from tests.bench.latency import ATTACK, BETWEEN, Live
from tests.web.conftest import NAME
from tests.web.visitor import Visitor

ROUNDS = 5
TIMES, SLOWER = 3.0, 0.010
"""The median may be so many times the quiet one, and so many seconds more: two turns of Python's threads
(`sys.setswitchinterval`)."""
LONGEST = 0.25
"""Seconds within which four keys of five are answered: nobody feels that they are late."""

Attack = Callable[[Visitor], None]


def asks(stranger: Visitor) -> None:
    """Load the page, and try codes."""
    stranger.send("GET", "/")
    stranger.pair(do="code", code="123456")


def posts_much(stranger: Visitor) -> None:
    """Send a body of a mebibyte."""
    headers = {"Origin": f"http://{stranger.host}", "Content-Type": "application/json"}
    stranger.send("POST", "/pair", b"." * (1 << 20), **headers)


def chatters(watcher: Visitor) -> None:
    """Send pings, messages that are far too long, and fragments of nothing."""
    for frames in (b"\x89\x80\0\0\0\0" * 20_000, b"\x01\x80\0\0\0\0" + b"\x00\x80\0\0\0\0" * 20_000):
        with watcher.line() as line:
            line.socket.sendall(frames)
    with watcher.line() as line:
        line.send("." * (1 << 20))


def attack(act: Attack, port: int, source: str, token: str, begun: Connection) -> None:
    """Do it again and again until killed."""
    os.nice(19)  # another machine: what it costs is not what is measured
    visitor = Visitor(port, source)
    visitor.cookies["referee"] = token
    while True:
        with suppress(OSError, WebSocketException, EOFError, HTTPException):
            act(visitor)
        if not begun.closed:
            begun.send(None)
            begun.close()


@contextmanager
def flooded(port: int, passes: Passes) -> Iterator[None]:
    """Four processes attack meanwhile, each from its address."""
    spawn = multiprocessing.get_context("spawn")
    attacks = [(asks, ""), (asks, ""), (posts_much, ""), (chatters, passes.issue("watch", "127.0.0.13"))]
    pipes = [spawn.Pipe(duplex=False) for _ in attacks]  # events would need /dev/shm
    processes = [
        spawn.Process(target=attack, args=(act, port, f"127.0.0.{10 + number}", token, pipes[number][1]))
        for number, (act, token) in enumerate(attacks)
    ]
    try:
        for process in processes:
            process.start()
        assert all(here.poll(60) for here, _ in pipes)
        yield
        assert all(process.is_alive() for process in processes)
    finally:
        for process in processes:
            process.kill()
            process.join()


def answered(live: Live) -> list[float]:
    """Return seconds from edge to glass of each key."""
    pace, seconds = threading.Event(), []
    for key in ROUNDS * ATTACK:
        pace.wait(BETWEEN)
        seconds.append(live.press(key)[0])
    return seconds


@pytest.mark.timed
def test_a_key_is_answered_while_the_network_does_its_worst(tmp_path: Path) -> None:
    with ExitStack() as stack:
        live = Live(tmp_path, panel=True)
        stack.callback(live.close)
        passes = Passes()
        server = WebServer(live.hub, port=0, names=[NAME], passes=passes)
        port = server.start().port
        stack.callback(server.stop)
        quiet = answered(live)
        with flooded(port, passes):
            loud = answered(live)
    usual = statistics.median(quiet)
    assert statistics.median(loud) < usual * TIMES + SLOWER, (quiet, loud)
    assert sorted(loud)[-len(loud) // 5] < LONGEST, loud
