"""Sounds as rhythms: milliseconds on, off, on ... Pitch is never the signal.

The fault rhythm follows IEC 60601-1-8's medium priority (three equal pulses) and is repeated until it is seen.
"""

from __future__ import annotations

from typing import Final

RHYTHMS: Final[dict[str, tuple[int, ...]]] = {
    "key": (10,),
    "late": (10, 40, 10),
    "seat": (60, 90, 60),
    "none": (150,),
    "change": (60, 60, 60, 60, 200),
    "doubt": (150, 80, 10, 40, 10),
    "refusal": (200, 80, 200),
    "flag": (600, 200, 600),
    "fault": (150, 100, 150, 100, 150),
}
"""Milliseconds on, off, on ... of each sound of `referee.config.SOUNDS`."""

FAULT_EVERY: Final = 5.0
"""Seconds between two sounds of a fault or a flag until somebody presses a key."""
