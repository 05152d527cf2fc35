"""Pixels dice, from the firmware of 2024 on and the one before (GameWithPixels/DiceFirmware 4daf005).

Their firmware reports "rolled" for a nudge as well, and never a leaning D6; so only "rolling" and then "rolled" is a
throw, and after it the die is asked once how level it lies.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final

from hardware.dice.talk import DieTalk
from hardware.events import DiceEvent, Disturbed

SERVICE: Final = "a6b90001-7a5a-43f2-a962-350c8edc9b5b"
NOTIFY: Final = "a6b90002-7a5a-43f2-a962-350c8edc9b5b"
WRITE: Final = "a6b90003-7a5a-43f2-a962-350c8edc9b5b"
LEGACY_SERVICE: Final = "6e400001-b5a3-f393-e0a9-e50e24dcca9e"
LEGACY_NOTIFY: Final = LEGACY_SERVICE
LEGACY_WRITE: Final = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
INFORMATION: Final = "0000180a-0000-1000-8000-00805f9b34fb"
COMPANY: Final = 0x0D39

ROLLED, HANDLING, ROLLING, CROOKED = range(1, 5)
"""Roll states; 0 is unknown, and 5 lies on a face without having rolled."""

LEVEL: Final = 940
"""Least 1000·cos of the angle at which a die lies level; below it lies tilted."""

PATIENCE: Final = 0.4
"""Seconds to wait for the answer how level it lies; without one the face is unsure."""

PERMUTED_UNTIL: Final = 1_704_150_000
"""Firmware built until then, s since 1970, numbers the faces of a D6 in another order."""

_PERMUTED: Final = (1, 5, 4, 3, 2, 6)
_ROLL_STATE, _TELEMETRY, _BATTERY = 0x03, 0x04, 0x22
_ASK_STATE, _ASK_TELEMETRY, _ASK_BATTERY = b"\x17", b"\x1a\x01\x00\x00", b"\x21"
_D6: Final = (2, 8)
_CHARGING: Final = (2, 3)


def face_of(index: int, built: int) -> int | None:
    """Return the face that a D6 calls by this index; None if it has no such face."""
    if not 0 <= index < 6:
        return None
    return _PERMUTED[index] if 0 < built <= PERMUTED_UNTIL else index + 1


def advertised(manufacturer: dict[int, bytes], service: dict[str, bytes]) -> int | None:
    """Return when the firmware of the D6 that advertises this was built, s since 1970, 0: unknown; None: it is none.

    The service data comes with an active scan only.
    """
    data, info = manufacturer.get(COMPANY, b""), service.get(INFORMATION, b"")
    if len(data) < 5 or data[1] >> 4 not in _D6:
        return None
    return int.from_bytes(info[4:8], "little") if len(info) >= 8 else 0


class PixelsTalk(DieTalk):
    """One Pixels die."""

    def __init__(self, sink: Callable[[DiceEvent], None], *, built: int = 0) -> None:
        """``built``: when its firmware was built, as it advertises."""
        super().__init__(sink)
        self._built = built
        self._asked: tuple[int, float] | None = None

    def opened(self, now: float) -> list[bytes]:
        """Ask what it shows, and for its battery."""
        del now
        self._asked = self._rolling_since = None
        return [_ASK_STATE, _ASK_BATTERY]

    def received(self, data: bytes, now: float) -> list[bytes]:
        """Take a message."""
        self.due(now)
        if len(data) >= 3 and data[0] == _ROLL_STATE:
            return self._state(data[1], face_of(data[2], self._built), now)
        if len(data) >= 17 and data[0] == _TELEMETRY:
            (certainty,) = struct.unpack_from("<i", data, 7)
            self._level(max(0, min(1000, certainty)), face_of(data[16], self._built), now)
        elif len(data) >= 3 and data[0] == _BATTERY:
            self._battery(data[1], now, charging=data[2] in _CHARGING)
        return []

    def blink(self) -> list[bytes]:
        """Three white flashes of all faces in two seconds."""
        return [struct.pack("<BBHIIBB", 0x1D, 3, 2000, 0xFFFFFF, 0xFFFFFFFF, 128, 1)]

    def deadline(self) -> float | None:
        """When the answer how level it lies is late."""
        return None if self._asked is None else self._asked[1] + PATIENCE

    def due(self, now: float) -> None:
        """Do without the answer."""
        if self._asked is not None and now >= self._asked[1] + PATIENCE:
            face, self._asked = self._asked[0], None
            self._doubt("unsure", face, now)

    def lost(self, now: float) -> None:
        """What has rolled and did not answer any more is unsure."""
        if self._asked is not None:
            face, self._asked = self._asked[0], None
            self._doubt("unsure", face, now)
        super().lost(now)

    def _state(self, state: int, face: int | None, now: float) -> list[bytes]:
        if self._asked is not None and (state in (HANDLING, ROLLING) or face != self._asked[0]):
            self._asked = None  # it was picked up, or tips over, before anybody knew
            self._doubt("unsure", None, now)
        if state == ROLLING:
            self._rolls(now)
        elif state == HANDLING:
            if self._rolling_since is None and self._face is not None:
                self._face = None
                self._sink(Disturbed("", now))
        elif state == CROOKED:
            self._asked = None
            if self._rolling_since is not None:
                self._doubt("cocked", None, now)
        elif face is None:
            if state == ROLLED and self._rolling_since is not None:
                self._doubt("unread", None, now)
        elif self._asked is None:
            if state == ROLLED and self._rolling_since is not None:
                self._asked = face, now
                return [_ASK_TELEMETRY]
            if self._rolling_since is None:
                self._lies(face, now)
        return []

    def _level(self, certainty: int, face: int | None, now: float) -> None:
        if self._asked is None:
            return
        rolled, self._asked = self._asked[0], None
        if face != rolled:
            self._doubt("unsure", face, now, certainty)
        elif certainty < LEVEL:
            self._doubt("tilted", rolled, now, certainty)
        else:
            self._thrown(rolled, now, certainty)
