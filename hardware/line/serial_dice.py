"""Dice of other makers on a serial line, in either of two kinds of lines (docs/dice.md).

A bare face a line, with the die's name where it has one; or numbered throws with certainty and a checksum.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from functools import reduce
from operator import xor

from hardware.errors import BadPort, DeviceClosed
from hardware.events import DiceEvent, Disturbed, Doubt, Reading, Thrown
from hardware.line.presence import Connected, Disconnected, Gap, Presence
from hardware.line.serial_port import BAUD, SerialPort, finder, guarded

LONGEST_LINE = 120
"""Longest line in bytes; longer ones are ignored."""

CERTAIN = 900
"""A face that its source is less sure of is in doubt, of 1000."""

THROWS = 10_000
"""Throws are numbered from 0 to one less than this, and then from 0 again."""

_FACE = re.compile(rb"[ \t]*([1-6])(?:[ \t]+([0-9A-Za-z_-]{1,8}))?[ \t\r]*")
_CHECKED = re.compile(rb"[ \t]*([0-9]{1,4} [ -)+-~]+)\*([0-9A-Fa-f]{2})[ \t\r]*")
_DIE = re.compile(r"([0-9A-Za-z_-]{1,8})=(?:([1-6])/(1000|[0-9]{1,3})|\?)")
_NAME = re.compile(r"[0-9A-Za-z_-]{1,8}")
_WORDS = ("cocked", "unread")
_logger = logging.getLogger(__name__)


def checksum(text: bytes) -> int:
    """Return the exclusive or of all bytes before the asterisk.

    >>> f"{checksum(b'17 A7=5/990 B2=4/1000'):02X}"
    '30'
    """
    return reduce(xor, text, 0)


class DiceTalk:
    """Lines in, throws out; such dice are only listened to."""

    def __init__(self, sink: Callable[[DiceEvent], None], report: Callable[[Presence], None]) -> None:
        self._sink = sink
        self._report = report
        self._buffer = b""
        self._gone = False
        self._rolling: tuple[int, float] | None = None
        self._last: int | None = None

    def opened(self, now: float) -> None:
        """Such dice are connected if their port is open; they may have begun to count anew."""
        self._gone = False
        self._rolling = self._last = None
        self._report(Connected("", now))

    def received(self, data: bytes, now: float) -> None:
        """Take bytes in pieces of any size."""
        *lines, rest = (self._buffer + data).split(b"\n")
        # Of a line that has grown too long a byte too many is kept, so that its end does not pass for a face.
        self._buffer = rest[: LONGEST_LINE + 1]
        for line in lines:
            if len(line) > LONGEST_LINE or not self._line(line, now):
                _logger.warning("the dice sent %r: expected one face from 1 to 6, or a throw", line[:LONGEST_LINE])

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

    def _line(self, line: bytes, now: float) -> bool:
        """Take a line; return whether it is one."""
        bare = _FACE.fullmatch(line)
        if bare is not None:
            self._sink(Thrown((Reading(int(bare[1]), (bare[2] or b"").decode("ascii")),), now, now))
            return True
        match = _CHECKED.fullmatch(line)
        if match is None or int(match[2], 16) != checksum(match[1]):
            return False
        number, *words = match[1].decode("ascii").split(" ")
        return self._throw(int(number), words, now)

    def _throw(self, number: int, words: list[str], now: float) -> bool:
        """Take what was said of a throw; return whether it says anything."""
        if words == ["rolling"]:
            self._rolling = number, now
            return True
        if len(words) == 2 and words[0] == "moved" and _NAME.fullmatch(words[1]):
            self._sink(Disturbed(words[1], now))
            return True
        why = words.pop(0) if words[0] in _WORDS else ""
        dice = [_DIE.fullmatch(word) for word in words]
        names = {die[1] for die in dice if die}
        if not dice or None in dice or len(names) != len(dice):
            return False
        missed = 0 if self._last is None else (number - self._last - 1) % THROWS
        if missed == THROWS - 1:
            return True  # the same throw, sent once more
        self._last = number
        again = missed > THROWS // 2  # an earlier throw sent late, or dice that count anew: somebody has to say
        if missed and not again:
            self._report(Gap(missed, now))
        started = self._rolling[1] if self._rolling is not None and self._rolling[0] == number else now
        self._tell(why, tuple(_reading(*die.groups()) for die in dice if die), started, now, again=again)
        return True

    def _tell(self, why: str, dice: tuple[Reading, ...], started: float, now: float, *, again: bool) -> None:
        sure = tuple(die for die in dice if (die.certainty or 0) >= CERTAIN)
        if again or (why and sure == dice):
            sure = ()
        unsure = tuple(die for die in dice if die not in sure)
        if sure:
            self._sink(Thrown(sure, started, now))
        if unsure:
            unread = all(die.face is None for die in unsure)
            self._sink(Doubt(why or ("unread" if unread else "unsure"), unsure, started, now))


def _reading(name: str, face: str | None, certainty: str | None) -> Reading:
    return Reading(int(face), name, int(certainty or 0)) if face else Reading(None, name, 0)


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

    def open(self, sink: Callable[[DiceEvent], None]) -> None:
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
