"""Dice of other makers on a serial line: one face a line, with the die's name where it has one (docs/wire.md)."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable

from hardware.errors import BadPort, DeviceClosed
from hardware.events import Face
from hardware.line.presence import Connected, Disconnected, Presence
from hardware.line.serial_port import BAUD, SerialPort, finder, guarded

LONGEST_LINE = 16
"""Longest line in bytes; longer ones are ignored."""

_LINE = re.compile(rb"[ \t]*([1-6])(?:[ \t]+([0-9A-Za-z_-]{1,8}))?[ \t\r]*")
_logger = logging.getLogger(__name__)


class DiceTalk:
    """Lines in, faces out; such dice are only listened to."""

    def __init__(self, sink: Callable[[Face], None], report: Callable[[Presence], None]) -> None:
        self._sink = sink
        self._report = report
        self._buffer = b""
        self._gone = False

    def opened(self, now: float) -> None:
        """Such dice are connected if their port is open."""
        self._gone = False
        self._report(Connected("", now))

    def received(self, data: bytes, now: float) -> None:
        """Take bytes in pieces of any size."""
        *lines, rest = (self._buffer + data).split(b"\n")
        # Of a line that has grown too long a byte too many is kept, so that its end does not pass for a face.
        self._buffer = rest[: LONGEST_LINE + 1]
        for line in lines:
            match = _LINE.fullmatch(line) if len(line) <= LONGEST_LINE else None
            if match is None:
                _logger.warning("the dice sent %r: expected one face from 1 to 6", line[:LONGEST_LINE])
            else:
                self._sink(Face(int(match[1]), (match[2] or b"").decode("ascii"), now))

    def due(self, now: float) -> None:
        """Nothing is ever due."""

    def deadline(self) -> float | None:
        """Nothing is ever due."""
        return None

    def outgoing(self) -> list[bytes]:
        """Nothing is sent to such dice."""
        return []

    def lost(self, why: str, now: float) -> None:
        """The port failed: half a line does not count."""
        self._buffer = b""
        if not self._gone:
            self._gone = True
            self._report(Disconnected(why, now))


class SerialDice:
    """Dice, as `hardware.ports` has them. Raises BadPort.

    `port` is a device path or a URL; `report` is called on the port's thread, as is the sink.
    """

    def __init__(
        self,
        port: str,
        report: Callable[[Presence], None],
        *,
        baud: int = BAUD,
        clock: Callable[[], float] = time.monotonic,
        line: Callable[..., SerialPort] = SerialPort,
    ) -> None:
        if port == "auto":  # that finds the input board
            raise BadPort('such dice cannot be found by themselves: expected a device path or a URL, got "auto"')
        self._find = finder(port)
        self._report = report
        self._baud = baud
        self._clock = clock
        self._line = line
        self._talk: DiceTalk | None = None
        self._port: SerialPort | None = None

    def open(self, sink: Callable[[Face], None]) -> None:
        """Begin to listen."""
        if self._port is not None:
            raise DeviceClosed("the dice are open already: close them first")
        self._talk = DiceTalk(guarded(sink), guarded(self._report))
        self._port = self._line(self._find, self._talk, baud=self._baud, name="serial dice", clock=self._clock)
        self._port.start()

    def close(self) -> None:
        """Stop listening; may be called twice."""
        if self._port is not None:
            self._port.close()
            self._port = None
