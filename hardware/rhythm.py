"""When lamps and buzzer change: the timetable is pure, one thread follows it and sleeps in between."""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

from hardware.errors import BadPattern, DeviceClosed, UnknownLine
from hardware.ports import LAMP_STATES, LampState

BLINK = 0.25
"""Seconds a blinking lamp is lit, and dark: 2 Hz is noticed, and safe for people with epilepsy (WCAG 2.3.1)."""

BUZZER = "buzzer"
MAX_PATTERN_MS = 10_000
"""Longest single sound or pause of a buzzer pattern."""

Switch = tuple[str, bool]
"""An output and its new level."""

_logger = logging.getLogger(__name__)


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


class Conductor:
    """The thread that switches outputs by a timetable. While they are all steady it is not woken at all.

    `outputs` maps every lamp, and "buzzer", to what switches it. An output that fails is logged and does
    not keep the others from switching.
    """

    def __init__(
        self,
        outputs: Mapping[str, Callable[[bool], None]],
        *,
        clock: Callable[[], float] = time.monotonic,
        condition: threading.Condition | None = None,
    ) -> None:
        self._outputs = outputs
        self._clock = clock
        self._changed = condition or threading.Condition()
        self._timetable = Timetable(name for name in outputs if name != BUZZER)
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="lamps-and-buzzer", daemon=True)
        self._thread.start()

    @property
    def lamps(self) -> tuple[str, ...]:
        """The lamps there are."""
        return self._timetable.lamps

    def set_lamp(self, name: str, state: LampState) -> None:
        """Switch a lamp. Raises UnknownLine, BadPattern or DeviceClosed."""
        with self._changed:
            self._check_open()
            self._timetable.set_lamp(name, state, self._clock())
            self._changed.notify()

    def play(self, pattern: Sequence[int]) -> None:
        """Sound a pattern in place of the present one. Raises BadPattern or DeviceClosed."""
        with self._changed:
            self._check_open()
            self._timetable.play(pattern, self._clock())
            self._changed.notify()

    def close(self) -> None:
        """End the thread and leave every output off; may be called twice."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()
        for name in self._outputs:
            self._switch(name, level=False)

    def _check_open(self) -> None:
        if self._closed:
            raise DeviceClosed("lamps and buzzer are closed")

    def _run(self) -> None:
        with self._changed:
            while not self._closed:
                for name, level in self._timetable.due(self._clock()):
                    self._switch(name, level=level)
                deadline = self._timetable.deadline()
                self._changed.wait(None if deadline is None else max(0.0, deadline - self._clock()))

    def _switch(self, name: str, *, level: bool) -> None:
        try:
            self._outputs[name](level)
        except Exception:
            # This thread serves every output: one that fails must not silence the rest.
            _logger.exception("%s could not be switched", name)
