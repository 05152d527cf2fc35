"""When lamps and buzzer change: pure."""

from collections.abc import Iterable, Sequence

from hardware.errors import BadPattern, UnknownLine
from hardware.ports import LAMP_STATES, LampState

BLINK = 0.25
"""Seconds a blinking lamp is lit, and dark: 2 Hz is noticed, and safe for people with epilepsy (WCAG 2.3.1)."""

BUZZER = "buzzer"
MAX_PATTERN_MS = 10_000
"""Longest single sound or pause of a buzzer pattern."""

Switch = tuple[str, bool]
"""An output and its new level."""


class Timetable:
    """What every output does next. All blinking lamps blink together. Times are seconds."""

    def __init__(self, lamps: Iterable[str]) -> None:
        self._lamps: dict[str, LampState] = dict.fromkeys(lamps, "off")
        self._levels: dict[str, bool] = dict.fromkeys((*self._lamps, BUZZER), False)
        self._phase = False
        self._phase_ends: float | None = None
        self._segments: list[float] = []
        self._segment_ends: float | None = None
        self._sounding = False

    @property
    def lamps(self) -> tuple[str, ...]:
        """The lamps there are."""
        return tuple(self._lamps)

    def set_lamp(self, name: str, state: LampState, now: float) -> None:
        """Change a lamp from `now` on. Raises UnknownLine or BadPattern."""
        if name not in self._lamps:
            raise UnknownLine(f'there is no lamp "{name}": expected one of {", ".join(self._lamps)}')
        if state not in LAMP_STATES:
            raise BadPattern(f'lamp state is "{state}": expected one of {", ".join(LAMP_STATES)}')
        self._lamps[name] = state
        if "blink" not in self._lamps.values():
            self._phase_ends = None
        elif self._phase_ends is None:
            self._phase, self._phase_ends = True, now + BLINK

    def play(self, pattern: Sequence[int], now: float) -> None:
        """Begin a pattern of milliseconds on, off, on, ...; an empty one is silence. Raises BadPattern."""
        for length in pattern:
            if type(length) is not int or not 0 < length <= MAX_PATTERN_MS:
                raise BadPattern(f"pattern has {length!r}: expected 1 to {MAX_PATTERN_MS} ms")
        self._segments = [length / 1000 for length in pattern]
        self._sounding = False
        self._segment_ends = now if pattern else None

    def due(self, now: float) -> list[Switch]:
        """Return the outputs that change by `now`.

        A late call shortens nothing: the rhythm goes on from `now`, so that it can still be recognised.
        """
        if self._phase_ends is not None and now >= self._phase_ends:
            self._phase, self._phase_ends = not self._phase, now + BLINK
        if self._segment_ends is not None and now >= self._segment_ends:
            self._sounding = bool(self._segments) and not self._sounding
            self._segment_ends = now + self._segments.pop(0) if self._segments else None
        wanted = {name: state == "on" or (state == "blink" and self._phase) for name, state in self._lamps.items()}
        wanted[BUZZER] = self._sounding
        changes = [(name, level) for name, level in wanted.items() if level != self._levels[name]]
        self._levels = wanted
        return changes

    def deadline(self) -> float | None:
        """When `due` changes something next, or None while every output is steady."""
        return min((at for at in (self._phase_ends, self._segment_ends) if at is not None), default=None)
