"""A Pico without a Pico: real MicroPython under node, on a pty, flashed by the real deploy script."""

from __future__ import annotations

import os
import pty
import queue
import select
import socket
import subprocess
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.events import InputEvent
from hardware.line.input_board import InputBoard
from hardware.line.presence import Connected, Presence
from tests.components import INTERPRETER, NODE

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "firmware" / "input_board" / "deploy"
RUNNER = Path(__file__).parent / "micropython"

# What mpremote would do with the files, done to a folder.
MPREMOTE = """\
#!/bin/sh
echo "$@" > "$FLASH/../called"
while [ "$1" != cp ]; do shift; done
shift
while [ "$1" != : ]; do cp "$1" "$FLASH/" || exit; shift; done
"""

SEAT_2_LAMP = 19


@pytest.fixture(scope="session")
def flash(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a board, put there by the deploy script."""
    tools = tmp_path_factory.mktemp("tools")
    (tools / "mpremote").write_text(MPREMOTE)
    (tools / "mpremote").chmod(0o755)
    folder = tmp_path_factory.mktemp("board") / "flash"
    folder.mkdir()
    environment = {"PATH": f"{tools}:{os.environ['PATH']}", "FLASH": str(folder)}
    subprocess.run([DEPLOY], env=environment, check=True, timeout=20)
    return folder


class Pico:
    """A board on a cable. `plug` gives it power, `pull` takes it; both may happen again and again."""

    def __init__(self, flash: Path) -> None:
        self._flash = flash
        self._process: subprocess.Popen[bytes] | None = None
        self._wires: socket.socket | None = None
        self._heard = b""
        self.path = ""

    def find(self) -> str:
        """Where the board is plugged in."""
        if not self.path:
            raise FileNotFoundError("no board is plugged in")
        return self.path

    def plug(self) -> None:
        assert NODE, "node is not installed"
        assert INTERPRETER.exists(), "MicroPython is not installed: npm ci --prefix tests/firmware/micropython"
        master, slave = pty.openpty()
        tty.setraw(slave)
        path = os.ttyname(slave)
        os.close(slave)
        os.set_blocking(master, False)
        self._wires, theirs = socket.socketpair()
        theirs.setblocking(False)
        self._process = subprocess.Popen(
            [NODE, str(RUNNER / "runner.mjs"), str(self._flash), str(theirs.fileno())],
            stdin=master,
            stdout=master,
            pass_fds=(theirs.fileno(),),
        )
        theirs.close()
        os.close(master)
        self._heard = b""
        self.expect("ready")
        self.path = path

    def pull(self) -> None:
        """Take the plug out: the port is gone, and the board without power."""
        self.path = ""
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None
        if self._wires is not None:
            self._wires.close()

    def tell(self, line: str) -> None:
        """Say something on the wires: "pin 4 0" closes the contact on GPIO 4."""
        assert self._wires is not None
        self._wires.sendall(line.encode() + b"\n")

    def expect(self, wanted: str) -> None:
        """Wait until the wires say so, skipping what they say before."""
        assert self._wires is not None
        while True:
            *lines, self._heard = self._heard.split(b"\n")
            if wanted.encode() in lines:
                rest = lines[lines.index(wanted.encode()) + 1 :]
                self._heard = b"\n".join([*rest, self._heard])
                return
            assert select.select([self._wires], [], [], 20)[0], f"the board never said {wanted!r}"
            more = self._wires.recv(4096)
            assert more, "the board has stopped"
            self._heard += more


@pytest.fixture
def pico(flash: Path, terminal: None) -> Iterator[Pico]:
    """A board, plugged in."""
    pico = Pico(flash)
    try:
        pico.plug()
        yield pico
    finally:
        pico.pull()


class Daemon:
    """The daemon's end, and all it tells, in order."""

    def __init__(self, pico: Pico) -> None:
        self.reports: queue.SimpleQueue[InputEvent | Presence] = queue.SimpleQueue()
        self.board = InputBoard("auto", self.reports.put, find=pico.find)
        self.board.open(self.reports.put)

    def meet(self, pico: Pico) -> Connected:
        """Wait until both ends know of each other: a lamp is lit."""
        connected = self.next()
        assert isinstance(connected, Connected), connected
        self.board.set("seat-2", "on")
        pico.expect(f"pin {SEAT_2_LAMP} 1")
        return connected

    def next(self) -> InputEvent | Presence:
        return self.reports.get(timeout=20)


@pytest.fixture
def daemon(pico: Pico) -> Iterator[Daemon]:
    daemon = Daemon(pico)
    yield daemon
    daemon.board.close()
