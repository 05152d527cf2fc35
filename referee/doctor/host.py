"""The probe of the machine this runs on."""

from __future__ import annotations

import errno
import fcntl
import getpass
import grp
import os
import queue
import subprocess
import tempfile
import time
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path

import smbus2

from hardware.events import InputEvent
from hardware.header import Chip, read_chip
from hardware.line.input_board import InputBoard
from hardware.line.presence import Connected, Disconnected, Presence
from referee.config import InputBoardPort
from referee.doctor.probe import Access, Account

PAGE = bytes(4096)
BOARD_PATIENCE = 3.0
"""Seconds an input board has to answer; it tells its absence after two heartbeats."""

NOBODY_THERE = (errno.ENXIO, errno.EREMOTEIO, errno.EIO)
"""What the I2C drivers of the Pi return where no device acknowledges."""


class Host:
    """See `referee.doctor.probe.Probe`."""

    def read(self, path: str) -> bytes | None:
        """Return a file."""
        try:
            return Path(path).read_bytes()
        except OSError:
            return None

    def names(self, folder: str) -> Sequence[str]:
        """Return what is in a folder."""
        try:
            return sorted(entry.name for entry in Path(folder).iterdir())
        except OSError:
            return ()

    def access(self, path: str) -> Access:
        """Return whether a device may be used."""
        if not Path(path).exists():
            return "missing"
        return "ok" if os.access(path, os.R_OK | os.W_OK) else "denied"

    def run(self, *command: str) -> str | None:
        """Return what a command printed."""
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)  # noqa: S603
        except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
            return None
        return done.stdout if done.returncode == 0 else None

    def answers(self, bus: int, address: int) -> bool:
        """Whether an address is acknowledged: an empty write, which changes nothing in any device."""
        with smbus2.SMBus(bus) as opened:
            try:
                opened.write_quick(address)
            except OSError as error:
                if error.errno in NOBODY_THERE:
                    return False
                raise
        return True

    def chip(self, path: str) -> Chip:
        """Return a GPIO chip."""
        return read_chip(path)

    def board(self, where: InputBoardPort) -> Connected | Disconnected | None:
        """Greet the input board."""
        reports: queue.SimpleQueue[Presence] = queue.SimpleQueue()
        board = InputBoard(where.port, reports.put)
        board.open(_unheard)
        try:
            report = reports.get(timeout=BOARD_PATIENCE)
        except queue.Empty:
            return None
        finally:
            board.close()
        return report if isinstance(report, (Connected, Disconnected)) else None

    def account(self) -> Account:
        """Return who runs this, by the user database."""
        known = grp.getgrall()
        ours = {os.getegid(), *os.getgroups()}
        try:
            user = getpass.getuser()
        except (OSError, KeyError):  # a user without a name in the database
            user = str(os.geteuid())
        return Account(
            user,
            frozenset(group.gr_name for group in known if group.gr_gid in ours),
            frozenset(group.gr_name for group in known if user in group.gr_mem),
            frozenset(group.gr_name for group in known),
        )

    def version(self, package: str) -> str | None:
        """Return the version of an installed package."""
        try:
            return metadata.version(package)
        except metadata.PackageNotFoundError:
            return None

    def free(self, folder: Path) -> int:
        """Return bytes free for this user."""
        status = os.statvfs(folder)
        return status.f_bavail * status.f_frsize

    def fsyncs(self, folder: Path, times: int) -> list[float]:
        """Time appending and syncing a page, as a commit of the journal's write-ahead log does."""
        seconds = []
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".referee-", buffering=0) as file:
            for _ in range(times):
                begun = time.monotonic()
                file.write(PAGE)
                os.fsync(file.fileno())
                seconds.append(time.monotonic() - begun)
        return seconds

    def locked(self, path: Path) -> bool:
        """Whether another process holds the lock beside the journal."""
        try:
            with path.with_name(path.name + ".lock").open("rb") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:
            return False
        return False


def _unheard(event: InputEvent) -> None:
    """Take a key of the input board; the doctor only wants to know whether the board answers."""
