"""The thread of a serial port: a peer that stalls and a talk that fails end the connection, never the thread."""

from __future__ import annotations

import os
import pty
import queue
import tty
from collections.abc import Iterator

import pytest

from hardware.line.serial_port import SerialPort


@pytest.fixture
def master() -> Iterator[tuple[int, str]]:
    """A pty's master and the path of its other end."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(slave)
    os.close(master)


class Talk:
    """Says once what it is given, and tells what happens to it."""

    def __init__(self, say: bytes = b"", *, fail: bool = False) -> None:
        self.calls: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._say = [say] if say else []
        self._fail = fail

    def opened(self, now: float) -> None:
        self.calls.put("opened")

    def received(self, data: bytes, now: float) -> None:
        self.calls.put(data.decode())
        if self._fail:
            raise KeyError(data)

    def due(self, now: float) -> None:
        """Nothing is ever due."""

    def deadline(self) -> float | None:
        return None

    def outgoing(self) -> list[bytes]:
        frames, self._say = self._say, []
        return frames

    def lost(self, why: str, now: float) -> None:
        self.calls.put(f"lost: {why}")


def test_peer_that_does_not_read_is_left_and_met_again(master: tuple[int, str]) -> None:
    talk = Talk(b"x" * 1_000_000)
    port = SerialPort(lambda: master[1], talk)
    port.start()
    assert [talk.calls.get(timeout=20) for _ in range(3)] == ["opened", "lost: Write timeout", "opened"]
    os.write(master[0], b"here")
    assert talk.calls.get(timeout=20) == "here"
    port.close()


def test_talk_that_fails_is_logged_and_begins_anew(master: tuple[int, str], caplog: pytest.LogCaptureFixture) -> None:
    talk = Talk(fail=True)
    port = SerialPort(lambda: master[1], talk)
    port.start()
    assert talk.calls.get(timeout=20) == "opened"
    os.write(master[0], b"here")
    events = [talk.calls.get(timeout=20) for _ in range(3)]
    port.close()
    assert events == ["here", "lost: fault of the program, see the log", "opened"]
    assert "KeyError" in caplog.text


def test_port_can_be_closed_while_it_waits_for_nothing(master: tuple[int, str]) -> None:
    talk = Talk()
    port = SerialPort(lambda: master[1], talk)
    port.start()
    assert talk.calls.get(timeout=20) == "opened"
    port.close()
    port.close()
    assert talk.calls.empty()
