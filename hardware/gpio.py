"""Keys, encoder, lamps and buzzer on the pins of a Raspberry Pi, through gpiozero.

The pin factory is always given: gpiozero's own search may settle for one that works differently. lgpio runs
all callbacks of the process on one thread that dies of the first exception, so ours only hand a raw edge on
and let nothing escape. Bounce is removed later, by `hardware.keys.debounce`: `bounce_time` means something else
in every factory. The encoder is decoded here by `hardware.keys.quadrature` instead of gpiozero's RotaryEncoder,
which calls back into unguarded code, assumes that both contacts start open, and fires four handlers a step.
"""

import logging
import re
import time
from collections.abc import Callable, Iterable, Sequence
from threading import Condition, Thread
from typing import Any

from gpiozero import LED, InputDevice
from gpiozero.exc import PinInvalidPin

from hardware.errors import BadPattern, BoxNotFound, DeviceClosed, PinsBusy, UnknownLine, WrongChip
from hardware.events import Edge, InputEvent
from hardware.keys.quadrature import ENCODER_LINES, Knob
from hardware.pins import Pins
from hardware.ports import LAMP_STATES, LampState, Sink

BLINK = 0.25
"""Seconds a blinking lamp is lit, and dark: 2 Hz is noticed, and safe for people with epilepsy (WCAG 2.3.1)."""

BUZZER = "buzzer"
MAX_PATTERN_MS = 10_000
"""Longest single sound or pause of a buzzer pattern."""

Switch = tuple[str, bool]
"""An output and its new level."""

LATEST = 2.0
"""Seconds after which a reported edge is not believed to have been so long ago."""

_BUSY, _NO_SUCH_LINE = re.compile(r"\bbusy\b|\bin use\b"), re.compile(r"\bbad GPIO number\b")
"""What lgpio and gpiozero call a pin that somebody else has, and one that the chip does not have."""

_logger = logging.getLogger(__name__)


def claim(line: str, pin: int, device: Callable[..., Any], **how: Any) -> Any:
    """Return a device on a pin. Raises BoxNotFound, or a leaf of it that says what is in the way."""
    try:
        return device(pin, **how)
    except Exception as error:
        # Each pin factory has its own errors, and lgpio's have no base but Exception.
        where = f"GPIO {pin} ({line})"
        if _BUSY.search(str(error)):
            raise PinsBusy(f"{where} is used by another program or a driver of the kernel: {error}") from error
        if isinstance(error, PinInvalidPin) or _NO_SUCH_LINE.search(str(error)):
            raise WrongChip(f"the GPIO chip has no {where}: {error}") from error
        raise BoxNotFound(f"{where} cannot be used: {error}") from error


class GpioInputs:
    """All keys and the encoder: contacts to ground, pulled up by the Pi, opened and closed together."""

    def __init__(
        self, pins: Pins, pin_factory: Any, *, clock: Callable[[], float] = time.monotonic, stamped: bool = False
    ) -> None:
        """`stamped`: believe the times the pin factory reports, the kernel's, rather than looking at `clock`."""
        self._pins = pins
        self._stamped = stamped
        self._factory = pin_factory
        self._clock = clock
        self._sink: Sink | None = None
        self._devices: dict[str, Any] = {}
        self._callbacks: list[Callable[[Any, Any], None]] = []  # gpiozero keeps only weak references to them
        self._knob = Knob(a=False, b=False, detents_per_cycle=pins.detents_per_cycle)

    def open(self, sink: Sink) -> None:
        """Claim all lines and report to `sink` from now on; keys that are down at once.

        Raises BoxNotFound for a line it cannot have; no line stays claimed then.
        """
        if self._devices:
            raise DeviceClosed("the inputs are open already: close them first")
        lines = {**self._pins.keys, **dict(zip(ENCODER_LINES, self._pins.encoder, strict=True))}
        try:
            for line, pin in lines.items():
                self._devices[line] = claim(line, pin, InputDevice, pull_up=True, pin_factory=self._factory)
            self._listen(sink)
        except BaseException:
            self.close()
            raise

    def level(self, line: str) -> bool:
        """Whether the contact of a key, of "encoder-a" or of "encoder-b" is closed. Raises UnknownLine."""
        if line not in self._pins.keys and line not in ENCODER_LINES:
            raise UnknownLine(f'there is no input line "{line}"')
        if line not in self._devices:
            raise DeviceClosed("the inputs are not open")
        return bool(self._devices[line].is_active)

    def close(self) -> None:
        """Stop reporting and give back all lines; may be called twice."""
        self._sink = None
        devices, self._devices = self._devices, {}
        # First silence all, then close: closing one device while another listens loses its events.
        for device in devices.values():
            device.pin.when_changed = None
        for device in devices.values():
            device.close()

    def _listen(self, sink: Sink) -> None:
        a, b = (self.level(line) for line in ENCODER_LINES)
        self._knob = Knob(a=a, b=b, detents_per_cycle=self._pins.detents_per_cycle)
        self._sink = sink
        self._callbacks.clear()
        for line, device in self._devices.items():
            callback = self._encoder(line) if line in ENCODER_LINES else self._key(line)
            self._callbacks.append(callback)
            device.pin.bounce = None
            device.pin.edges = "both"
            device.pin.when_changed = callback
        for key in self._pins.keys:
            if self.level(key):
                self._report(Edge(key, level=True, at=self._clock()))

    def _key(self, key: str) -> Callable[[Any, Any], None]:
        def changed(ticks: Any, state: Any) -> None:
            self._report(Edge(key, level=not state, at=self._time(ticks)))

        return changed

    def _encoder(self, line: str) -> Callable[[Any, Any], None]:
        contact = ENCODER_LINES.index(line)

        def changed(ticks: Any, state: Any) -> None:
            for event in self._knob.feed(contact=contact, level=not state, at=self._time(ticks)):
                self._report(event)

        return changed

    def _time(self, ticks: Any) -> float:
        """Return the time of an edge, from the kernel if possible: a busy process reads edges late."""
        now = self._clock()
        # Before Linux 5.7 the kernel stamped with the wall clock.
        return float(ticks) if self._stamped and 0 <= now - ticks <= LATEST else now

    def _report(self, event: InputEvent) -> None:
        sink = self._sink
        if sink is None:
            return
        try:
            sink(event)
        except Exception:
            # An exception would end the thread that serves every input of the process.
            _logger.exception("%s was not handled", event)


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


class GpioOutputs:
    """Lamps and buzzer: both ports in one, because one thread switches all these pins by a timetable.

    While they are all steady it is not woken at all. One that fails is logged and keeps no other from switching.
    """

    def __init__(self, pins: Pins, pin_factory: Any, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Claim all lines. Raises BoxNotFound for a line it cannot have; no line stays claimed then."""
        self._clock = clock
        self._devices: dict[str, Any] = {}
        try:
            for name, pin in {**pins.lamps, BUZZER: pins.buzzer}.items():
                self._devices[name] = claim(name, pin, LED, pin_factory=pin_factory)
        except BaseException:
            self._release()
            raise
        self._timetable = Timetable(pins.lamps)
        self._changed = Condition()
        self._closed = False
        self._thread = Thread(target=self._run, name="lamps-and-buzzer", daemon=True)
        self._thread.start()

    @property
    def names(self) -> tuple[str, ...]:
        """The lamps this box has."""
        return self._timetable.lamps

    def set(self, name: str, state: LampState) -> None:
        """Switch a lamp. Raises UnknownLine, BadPattern or DeviceClosed."""
        with self._changed:
            self._check_open()
            self._timetable.set_lamp(name, state, self._clock())
            self._changed.notify()

    def play(self, pattern: Sequence[int]) -> None:
        """Sound milliseconds on, off, on, ... in place of the present pattern; () is silence.

        Raises BadPattern or DeviceClosed.
        """
        with self._changed:
            self._check_open()
            self._timetable.play(pattern, self._clock())
            self._changed.notify()

    def close(self) -> None:
        """Switch everything off and give the pins back; may be called twice."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join()
        for name in self._devices:
            self._switch(name, level=False)
        self._release()

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
            self._devices[name].value = level
        except Exception:
            # This thread serves every output: one that fails must not silence the rest.
            _logger.exception("%s could not be switched", name)

    def _release(self) -> None:
        devices, self._devices = self._devices, {}
        for device in devices.values():
            device.close()
