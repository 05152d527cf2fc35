"""A serial port that comes and goes: one thread that finds, opens, reads, writes and opens it again.

What is said on the line is the matter of a `Talk`: bytes and the time in, bytes out, no port and no thread. All
its methods are called on the port's thread. Facts of pyserial that show here: an unplugged port may raise a bare
OSError or termios.error; it stays "open" and must be closed at once, or it comes back under another name; and a
peer that does not read blocks writes for ever unless a timeout is set.
"""

from __future__ import annotations

import contextlib
import logging
import os
import select
import termios
import threading
import time
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

import serial

from hardware.line import port_names
from hardware.line.presence import CABLE

RETRY = 0.4
"""Seconds between two attempts to open a port that is not there."""

WRITE_TIMEOUT = 0.4

PATIENCE = 0.5
"""Seconds to wait at the end for the thread; a connection to a host that never answers is given up after 5 s only."""

BAUD = 115200

# termios.error is no OSError, and pyserial lets it out where the port vanishes between two calls.
FAULTS = (OSError, termios.error)

_logger = logging.getLogger(__name__)

T = TypeVar("T")


class Talk(Protocol):
    """One end of a protocol on a serial line. Times are seconds of the port's clock."""

    def opened(self, now: float) -> None:
        """The port is open."""

    def received(self, data: bytes, now: float) -> None:
        """Bytes came in."""

    def due(self, now: float) -> None:
        """Do what is due by `now`."""

    def deadline(self) -> float | None:
        """When `due` should be called next, None: not before something comes in."""

    def outgoing(self) -> list[bytes]:
        """Return the bytes to write; each is returned once."""

    def lost(self, why: str, now: float, advice: str = CABLE) -> None:
        """The port failed, or could not be opened (again); ``advice`` for the table."""


class SerialPort:
    """Keeps a talk connected from `start` to `close`, through every unplugging."""

    def __init__(
        self, find: Callable[[], str], talk: Talk, *, name: str, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`find` returns the path to open; it is asked again for every attempt and raises OSError."""
        self._find = find
        self._talk = talk
        self._clock = clock
        self._device: Any = None
        self._reported = ""
        self._where = name
        self._stopped = threading.Event()
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_write, False)
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread; reports come through the talk."""
        self._thread.start()

    def wake(self) -> None:
        """Have `due` and `outgoing` called soon; from any thread."""
        with contextlib.suppress(BlockingIOError):
            os.write(self._wake_write, b".")

    def close(self) -> None:
        """Close the port and end the thread; may be called twice.

        A thread that is still connecting ends by itself when it is done, and reports nothing.
        """
        if self._stopped.is_set():
            return
        self._stopped.set()
        self.wake()
        if self._thread.is_alive():
            self._thread.join(PATIENCE)
        if not self._thread.is_alive():
            self._drop()  # a port that was opened without the thread
            os.close(self._wake_read)
            os.close(self._wake_write)

    def step(self, *, ready: bool) -> float | None:
        """Open the port if needed, read if `ready`, write and do what is due; any fault closes it.

        Return when to be called next though nothing comes in and nobody wakes it; None: not before.
        """
        try:
            if self._device is None:
                self._device = self._open()
                if self._stopped.is_set():
                    return None
                self._talk.opened(self._clock())
            elif ready:
                self._talk.received(self._device.read(4096), self._clock())
            self._talk.due(self._clock())
            for data in self._talk.outgoing():
                self._device.write(data)
            return self._talk.deadline()
        except FAULTS as error:
            if self._stopped.is_set():
                return None
            return self._failed(*port_names.plainly(error, self._where), again=self._device is not None)
        except Exception:
            # A fault of the program must not silence the keys for good, nor spin.
            _logger.exception("%s: fault", self._thread.name)
            return self._failed("fault of the program, see the log", "Restart the box.", again=False)

    def _failed(self, why: str, advice: str, *, again: bool) -> float:
        """Close the port and report why; return when to try again, with `again` at once."""
        self._drop()
        if why != self._reported or again:
            _logger.warning("%s: %s", self._thread.name, why)
        self._reported = why
        self._talk.lost(why, self._clock(), advice)
        return self._clock() + (0.0 if again else RETRY)

    def _drop(self) -> None:
        device, self._device = self._device, None
        if device is not None:
            port_names.release(device)
            with contextlib.suppress(*FAULTS):
                device.close()

    def _run(self) -> None:
        ready = False
        while not self._stopped.is_set():
            at = self.step(ready=ready)
            if not self._stopped.is_set():
                ready = self._wait(self._device, None if at is None else max(0.0, at - self._clock()))
        self._drop()

    def _open(self) -> Any:
        where = self._where = self._find()
        device = serial.Serial(where, baudrate=BAUD, timeout=0, write_timeout=WRITE_TIMEOUT, exclusive=True)
        try:
            port_names.claim(device, where)
        except OSError:
            device.close()
            raise
        return device

    def _wait(self, device: Any, timeout: float | None) -> bool:
        """Wait for bytes, `wake` or the time; say whether there are bytes."""
        readers = [self._wake_read] if device is None else [device, self._wake_read]
        ready, _, _ = select.select(readers, [], [], timeout)
        if self._wake_read in ready:
            os.read(self._wake_read, 64)
        return device in ready


def guarded(take: Callable[[T], None]) -> Callable[[T], None]:
    """Return `take` for use on the port's thread: exceptions are logged, and the next events are still handled."""

    def take_safely(event: T) -> None:
        try:
            take(event)
        except Exception:
            _logger.exception("%s was not handled", event)

    return take_safely
