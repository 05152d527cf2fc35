"""GoDice, as messages and directions describe them; nothing of a roll is advertised, so they are connected to.

A die tells in which direction its shell lies, as three signed bytes; the shell of a D6 has its faces on the axes.
"""

from __future__ import annotations

from typing import Final

from hardware.dice.talk import DieTalk

NAMES: Final = "GoDice_"
"""What the advertised names begin with."""

SERVICE: Final = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
WRITE: Final = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
NOTIFY: Final = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"

RADIUS: Final = 64
"""Length of the direction of a face."""

_AXES: Final = {1: (-1, 0, 0), 2: (0, 0, 1), 3: (0, 1, 0), 4: (0, -1, 0), 5: (0, 0, -1), 6: (1, 0, 0)}
_ROLLING, _STABLE, _BATTERY = b"R", b"S", b"Bat"
_COCKED, _STILL = b"TS", (b"FS", b"MS")
_ASK_BATTERY: Final = b"\x03"
_LIGHT, _DARK = bytes((0x08, *(255,) * 6)), bytes((0x08, *(0,) * 6))


def face_of(x: int, y: int, z: int) -> tuple[int | None, int]:
    """Return the face nearest to a direction, and 1000·cos of the angle between; (None, 0) for no direction.

    >>> face_of(-64, 0, 0), face_of(3, -60, 20)
    ((1, 1000), (4, 947))
    """
    length = (x * x + y * y + z * z) ** 0.5
    if length < RADIUS / 2:
        return None, 0
    face = max(_AXES, key=lambda each: sum(a * b for a, b in zip(_AXES[each], (x, y, z), strict=True)))
    along = sum(a * b for a, b in zip(_AXES[face], (x, y, z), strict=True))
    return face, int(1000 * along / length)


LEVEL: Final = 900
"""Least 1000·cos of the angle at which a die lies level."""


class GoDiceTalk(DieTalk):
    """One GoDice die in the shell of a D6."""

    def opened(self, now: float) -> list[bytes]:
        """Ask for its battery; what it shows it tells when it next moves."""
        del now
        self._rolling_since = None
        return [_ASK_BATTERY]

    def received(self, data: bytes, now: float) -> list[bytes]:
        """Take a message."""
        if data == _ROLLING:
            self._rolls(now)
        elif data[:3] == _BATTERY and len(data) == 4:
            self._battery(data[3], now)
        elif data[:2] == _COCKED and len(data) == 5:
            if self._rolling_since is not None:
                self._doubt("cocked", None, now)
        elif data[:2] in _STILL and len(data) == 5:
            self._still(data[2:], now)
        elif data[:1] == _STABLE and len(data) == 4:
            self._stable(data[1:], now)
        return []

    def blink(self) -> list[bytes]:
        """Three white flashes."""
        return [_LIGHT, _DARK] * 3

    def _stable(self, direction: bytes, now: float) -> None:
        face, certainty = face_of(*_signed(direction))
        if self._rolling_since is None:
            self._still(direction, now)
        elif face is None:
            self._doubt("unread", None, now)
        elif certainty < LEVEL:
            self._doubt("tilted", face, now, certainty)
        else:
            self._thrown(face, now, certainty)

    def _still(self, direction: bytes, now: float) -> None:
        """It lies still, and that is no throw: a roll that has ended so was none."""
        face, _ = face_of(*_signed(direction))
        self._rolling_since = None
        if face is not None:
            self._lies(face, now)


def _signed(direction: bytes) -> tuple[int, int, int]:
    x, y, z = (byte - 256 if byte > 127 else byte for byte in direction)
    return x, y, z
