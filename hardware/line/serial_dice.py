"""Dice of other makers on a serial line: one face a line (docs/wire.md), told as presses of the die keys."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable

from hardware.errors import DeviceClosed, UnknownLine
from hardware.events import DIE_KEYS, Edge
from hardware.line.presence import Connected, Disconnected, Presence, State
from hardware.line.serial_port import BAUD, SerialPort, finder, guarded
from hardware.ports import Sink

LONGEST_LINE = 16
"""Longest line in bytes; longer ones are ignored."""

APART = 0.100
"""Seconds between two faces that arrived together: the same key sooner again would count as a double press."""

DOWN_FOR = 0.030

_FACES = {str(face).encode(): key for face, key in enumerate(DIE_KEYS, 1)}
_logger = logging.getLogger(__name__)


class DiceTalk:
    """Lines in, edges of die keys out; such dice are only listened to."""

    def __init__(self, sink: Sink, report: Callable[[Presence], None]) -> None:
        self.state: State = "unknown"
        self.down = ""
        self._sink = sink
        self._report = report
        self._buffer = b""
        self._faces: deque[str] = deque()
        self._next = 0.0
        self._up_at = 0.0

    def opened(self, now: float) -> None:
        """Such dice are connected if their port is open."""
        self._buffer = b""
        self.state = "connected"
        self._report(Connected("", now))

    def received(self, data: bytes, now: float) -> None:
        """Take bytes in pieces of any size."""
        *lines, rest = (self._buffer + data).split(b"\n")
        # Of a line that has grown too long a byte too many is kept, so that its end does not pass for a face.
        self._buffer = rest[: LONGEST_LINE + 1]
        for line in lines:
            key = _FACES.get(line.strip(b" \t\r")) if len(line) <= LONGEST_LINE else None
            if key is None:
                _logger.warning("the dice sent %r: expected one face from 1 to 6", line[: LONGEST_LINE + 1])
            else:
                self._faces.append(key)
        self.due(now)

    def due(self, now: float) -> None:
        """Tell the faces one after another."""
        if self.down and now >= self._up_at:
            key, self.down = self.down, ""
            self._sink(Edge(key, level=False, at=now))
        if self._faces and not self.down and now >= self._next:
            self.down = self._faces.popleft()
            self._up_at, self._next = now + DOWN_FOR, now + APART
            self._sink(Edge(self.down, level=True, at=now))

    def deadline(self) -> float | None:
        """When the next face is due."""
        if self.down:
            return self._up_at
        return self._next if self._faces else None

    def outgoing(self) -> list[bytes]:
        """Nothing is sent to such dice."""
        return []

    def lost(self, why: str, now: float) -> None:
        """The port failed: what was thrown before still counts, half a line does not."""
        self._buffer = b""
        while self.down or self._faces:
            self.due(max(now, self.deadline() or now))
        if self.state != "gone":
            self.state = "gone"
            self._report(Disconnected(why, now))


class SerialDice:
    """Inputs, as `hardware.ports` has them, whose die keys are thrown. Raises BadPort.

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
        self._find = finder(port)
        self._report = report
        self._baud = baud
        self._clock = clock
        self._line = line
        self._talk: DiceTalk | None = None
        self._port: SerialPort | None = None

    @property
    def state(self) -> State:
        """Whether the port is open; unknown before the first attempt."""
        return "unknown" if self._talk is None else self._talk.state

    def open(self, sink: Sink) -> None:
        """Begin to listen."""
        if self._port is not None:
            raise DeviceClosed("the dice are open already: close them first")
        self._talk = DiceTalk(guarded(sink), guarded(self._report))
        self._port = self._line(self._find, self._talk, baud=self._baud, name="serial dice", clock=self._clock)
        self._port.start()

    def level(self, line: str) -> bool:
        """Whether a face is being told as this die key. Raises UnknownLine."""
        if line not in DIE_KEYS:
            raise UnknownLine(f'the dice have no line "{line}"')
        return self._talk is not None and self._talk.down == line

    def close(self) -> None:
        """Stop listening; may be called twice."""
        if self._port is not None:
            self._port.close()
            self._port = None
