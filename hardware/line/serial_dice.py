"""Dice of other makers on a serial line, in either of two kinds of lines (docs/dice.md).

A bare face a line, with the die's name where it has one; or numbered throws with certainty and a checksum. The dice
may restart and the port may be shared, and neither is told: what cannot come next on this line is in doubt.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import reduce
from operator import xor

from hardware.errors import BadPort, DeviceClosed
from hardware.events import DiceEvent, Disturbed, Doubt, Reading, Thrown
from hardware.line.port_names import finder
from hardware.line.presence import CABLE, Connected, Disconnected, Gap, Presence, Unreadable
from hardware.line.serial_port import BAUD, SerialPort, guarded

LONGEST_LINE = 120
"""Longest line in bytes."""

CERTAIN = 900
"""A face that its source is less sure of is in doubt, of 1000."""

THROWS = 10_000
"""Throws are numbered from 0 to one less than this, and then from 0 again."""

REPEAT = 1.0
"""Seconds within which the same line is the same throw: nobody picks dice up and throws them again so soon.

After as long a pause in the middle of a line its rest is not coming: the slowest line takes less.
"""

ROLLING = 10.0
"""Seconds after which dice that roll should have been told to lie still."""

_FACE = re.compile(rb"[ \t]*([1-6])(?:[ \t]+([0-9A-Za-z_-]{1,8}))?[ \t\r]*")
_CHECKED = re.compile(rb"[ \t]*([0-9]{1,4} [ -)+-~]+)\*([0-9A-Fa-f]{2})[ \t\r]*")
_DIE = re.compile(r"([0-9A-Za-z_-]{1,8})=(?:([1-6])/(1000|[0-9]{1,3})|\?)")
_NAME = re.compile(r"[0-9A-Za-z_-]{1,8}")
_WORDS = ("cocked", "unread")


def checksum(text: bytes) -> int:
    """Return the exclusive or of all bytes before the asterisk.

    >>> f"{checksum(b'17 A7=5/990 B2=4/1000'):02X}"
    '30'
    """
    return reduce(xor, text, 0)


class DiceTalk:
    """Lines in, throws out; such dice are only listened to."""

    def __init__(
        self,
        sink: Callable[[DiceEvent], None],
        report: Callable[[Presence], None],
        known: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """``known``: whether somebody has told this box that a die has this name."""
        self._sink = sink
        self._report = report
        self._known = known
        self._buffer = b""
        self._heard_at = 0.0
        self._gone = False
        self._rolling: dict[int, float] = {}  # throws that began and when, until they end
        self._last: tuple[int, list[str]] | None = None
        self._last_at = 0.0
        self._names = {""}  # heard since the line was last unreadable
        self._numbered = False
        self._noisy = False
        self._odd = False  # the next throw may not be the next one: it is in doubt
        self._told = False

    def opened(self, now: float) -> None:
        """Such dice are connected if their port is open; they may count anew, or send again what was taken."""
        self._gone = self._numbered = self._noisy = False
        self._odd = self._last is not None
        self._report(Connected("", now))

    def received(self, data: bytes, now: float) -> None:
        """Take bytes in pieces of any size."""
        self.due(now)
        self._heard_at = now
        *lines, rest = (self._buffer + data).split(b"\n")
        # Of a line that has grown too long a byte too many is kept, so that its end does not pass for a face.
        self._buffer = rest[: LONGEST_LINE + 1]
        for line in lines:
            if len(line) > LONGEST_LINE or not self._line(line, now):
                self._unreadable(line, now)

    def due(self, now: float) -> None:
        """Tell of half a line, and of dice that never lay still."""
        if self._buffer and now >= self._heard_at + REPEAT:
            half, self._buffer = self._buffer, b""
            self._unreadable(half, now)
        late = [number for number, since in self._rolling.items() if now >= since + ROLLING]
        if late:
            self._rolling = {number: since for number, since in self._rolling.items() if number not in late}
            self._odd = True
            self._report(Gap(len(late), now))

    def deadline(self) -> float | None:
        """When half a line is late, or a roll."""
        times = [since + ROLLING for since in self._rolling.values()]
        return min([*times, self._heard_at + REPEAT] if self._buffer else times, default=None)

    def outgoing(self) -> list[bytes]:
        """Nothing is sent to such dice."""
        return []

    def lost(self, why: str, now: float, advice: str = CABLE) -> None:
        """The port failed: half a line does not count, nor does what rolls."""
        self._buffer = b""
        self._rolling.clear()
        if not self._gone:
            self._gone = True
            self._report(Disconnected(why, now, advice))

    def _unreadable(self, line: bytes, now: float) -> None:
        """What comes next is in doubt, and so is a name that was not heard before; it is told once."""
        self._odd = self._noisy = True
        self._names = {""}
        if not self._told:
            self._told = True
            self._report(Unreadable(line[:LONGEST_LINE], now))

    def _line(self, line: bytes, now: float) -> bool:
        """Take a line; return whether it is one."""
        bare = None if self._numbered else _FACE.fullmatch(line)
        if bare is not None:
            self._tell("", (Reading(int(bare[1]), (bare[2] or b"").decode("ascii")),), now, now)
            return True
        match = _CHECKED.fullmatch(line)
        if match is None or int(match[2], 16) != checksum(match[1]):
            return False
        self._numbered = True
        number, *words = match[1].decode("ascii").split(" ")
        return self._throw(int(number), words, now)

    def _throw(self, number: int, words: list[str], now: float) -> bool:
        """Take what was said of a throw; return whether it says anything."""
        if words == ["rolling"]:
            self._rolls(number, now)
            return True
        if len(words) == 2 and words[0] == "moved" and _NAME.fullmatch(words[1]):
            self._sink(Disturbed(words[1], now))
            return True
        why = words[0] if words[0] in _WORDS else ""
        dice = [_DIE.fullmatch(word) for word in words[bool(why) :]]
        names = {die[1] for die in dice if die}
        if not dice or None in dice or len(names) != len(dice):
            return False
        if not self._repeated(number, words, now):
            self._count(number, now)
            self._last = number, words
            readings = tuple(_reading(*die.groups()) for die in dice if die)
            self._tell(why, readings, self._rolling.pop(number, now), now)
        self._last_at = now
        return True

    def _rolls(self, number: int, now: float) -> None:
        since = self._rolling.get(number)
        ended = self._last is not None and self._last[0] == number
        again = since is not None and now >= since + REPEAT
        self._odd = self._odd or ended or again
        if since is None or again:
            self._rolling[number] = now

    def _repeated(self, number: int, words: list[str], now: float) -> bool:
        """Return whether this is what was told last, sent once more."""
        same = self._last == (number, words) and now < self._last_at + REPEAT
        return same and not self._odd and number not in self._rolling

    def _count(self, number: int, now: float) -> None:
        """Report the throws that were left out. One that was sent late, or counts anew, is in doubt."""
        if self._last is None:
            return
        ahead = (number - self._last[0]) % THROWS
        if not 0 < ahead <= THROWS // 2:
            self._odd = True
        elif ahead > 1:
            left_out = range(self._last[0] + 1, self._last[0] + ahead)
            for each in left_out:
                self._rolling.pop(each % THROWS, None)
            self._report(Gap(len(left_out), now))

    def _tell(self, why: str, dice: tuple[Reading, ...], started: float, now: float) -> None:
        sure = tuple(die for die in dice if self._certain(die))
        if self._odd or (why and sure == dice):
            sure = ()
        self._odd = self._told = False
        self._names |= {die.die for die in dice}
        unsure = tuple(die for die in dice if die not in sure)
        if sure:
            self._sink(Thrown(sure, started, now))
        if unsure:
            unread = all(die.face is None for die in unsure)
            self._sink(Doubt(why or ("unread" if unread else "unsure"), unsure, started, now))

    def _certain(self, die: Reading) -> bool:
        """Return whether the face is certain, and the name cannot be the rest of a mutilated line."""
        if die.certainty is not None and die.certainty < CERTAIN:
            return False
        return die.die in self._names or (self._numbered and not self._noisy) or self._known(die.die)


def _reading(name: str, face: str | None, certainty: str | None) -> Reading:
    return Reading(int(face), name, int(certainty or 0)) if face else Reading(None, name, 0)


class SerialDice:
    """Dice, as `hardware.ports` has them. Raises BadPort.

    `port` is a device path or a URL; `report` is called on the port's thread, as are the sink and `known` (as
    `DiceTalk` has it).
    """

    def __init__(
        self,
        port: str,
        report: Callable[[Presence], None],
        *,
        baud: int = BAUD,
        known: Callable[[str], bool] = lambda _: False,
        clock: Callable[[], float] = time.monotonic,
        line: Callable[..., SerialPort] = SerialPort,
    ) -> None:
        if port == "auto":  # that finds the input board
            raise BadPort('such dice cannot be found by themselves: expected a device path or a URL, got "auto"')
        self._find = finder(port)
        self._report = report
        self._baud = baud
        self._known = known
        self._clock = clock
        self._line = line
        self._talk: DiceTalk | None = None
        self._port: SerialPort | None = None

    def open(self, sink: Callable[[DiceEvent], None]) -> None:
        """Begin to listen."""
        if self._port is not None:
            raise DeviceClosed("the dice are open already: close them first")
        self._talk = DiceTalk(guarded(sink), guarded(self._report), self._known)
        self._port = self._line(self._find, self._talk, baud=self._baud, name="serial dice", clock=self._clock)
        self._port.start()

    def close(self) -> None:
        """Stop listening; may be called twice."""
        if self._port is not None:
            self._port.close()
            self._port = None
