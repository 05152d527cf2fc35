"""The thread of a serial port: a peer that stalls and a talk that fails end the connection, never the thread."""

from __future__ import annotations

import gc
import logging
import os
import pty
import queue
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.line.serial_port import SerialPort
from tests.hardware.line.cable import Cable


@pytest.fixture
def master(terminal: None) -> Iterator[tuple[int, str]]:
    """A pty's master and the path of its other end."""
    master, slave = pty.openpty()
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(slave)
    os.close(master)


class Talk:
    """Says once what it is given, and tells what happens to it. Nothing is due before a `deadline` is set."""

    def __init__(self, say: bytes = b"", *, fail: bool = False) -> None:
        self.next: float | None = None
        self.steps = 0
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
        self.steps += 1
        if self.next is not None and now >= self.next:
            self.calls.put("due")
            self.next = now + 0.001

    def deadline(self) -> float | None:
        return self.next

    def outgoing(self) -> list[bytes]:
        frames, self._say = self._say, []
        return frames

    def lost(self, why: str, now: float, advice: str = "") -> None:
        self.calls.put(f"lost: {why}")
        self.advice = advice


def test_peer_that_does_not_read_is_left_and_met_again(master: tuple[int, str]) -> None:
    talk = Talk(b"x" * 1_000_000)
    port = SerialPort(lambda: master[1], talk, name="pty")
    port.start()
    assert [talk.calls.get(timeout=20) for _ in range(3)] == ["opened", "lost: Write timeout", "opened"]
    os.write(master[0], b"here")
    assert talk.calls.get(timeout=20) == "here"
    port.close()


def test_talk_that_fails_is_logged_and_begins_anew(master: tuple[int, str], caplog: pytest.LogCaptureFixture) -> None:
    talk = Talk(fail=True)
    port = SerialPort(lambda: master[1], talk, name="pty")
    port.start()
    assert talk.calls.get(timeout=20) == "opened"
    os.write(master[0], b"here")
    events = [talk.calls.get(timeout=20) for _ in range(3)]
    port.close()
    assert events == ["here", "lost: fault of the program, see the log", "opened"]
    assert "KeyError" in caplog.text


def opened() -> set[tuple[str, str]]:
    """Return the numbers of open files, and what each is; what nobody has any more is closed first."""
    gc.collect()
    return {(path.name, os.path.realpath(path)) for path in Path("/proc/self/fd").iterdir() if path.exists()}


@pytest.mark.usefixtures("terminal")
def test_a_closed_port_leaves_nothing_open() -> None:
    before = opened()
    for _ in range(2):
        cable, talk = Cable(), Talk()
        port = SerialPort(cable.find, talk, name="input board")
        cable.plug()
        port.step(ready=False)
        cable.pull()
        port.step(ready=True)
        cable.plug()
        port.start()
        assert [talk.calls.get(timeout=20) for _ in range(3)][::2] == ["opened", "opened"]
        port.close()
        cable.pull()
    assert opened() <= before


@pytest.mark.usefixtures("terminal")
def test_a_port_that_is_not_there_is_tried_again_and_said_once(caplog: pytest.LogCaptureFixture) -> None:
    """Each loss is said, and the port tried again at once."""
    cable, talk = Cable(), Talk()
    port = SerialPort(cable.find, talk, name="input board", clock=lambda: 7.0)
    with caplog.at_level(logging.WARNING):
        assert [port.step(ready=False) for _ in range(2)] == [7.4, 7.4]
        talk.next = 9.0
        for _ in range(2):
            cable.plug()
            assert port.step(ready=False) == 9.0
            cable.pull()
            assert port.step(ready=True) == 7.0
        assert [port.step(ready=False) for _ in range(2)] == [7.4, 7.4]
    assert {message.partition(": ")[0] for message in caplog.messages} == {"input board"}
    absent = ["nothing is plugged in" in message for message in caplog.messages]
    assert absent == [True, False, False, True]
    port.close()


@pytest.mark.parametrize(
    ("port", "message"),
    [("/dev/none-such", "/dev/none-such: No such file or directory"), ("/dev/null", "/dev/null: no serial port")],
)
def test_a_port_that_cannot_be_opened_is_told_in_plain_words(port: str, message: str) -> None:
    talk = Talk()
    driver = SerialPort(lambda: port, talk, name="port")
    driver.step(ready=False)
    assert talk.calls.get_nowait() == f"lost: {message}"
    driver.close()
