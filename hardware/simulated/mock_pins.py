"""Mock pins for anybody's program that uses gpiozero: hands on its inputs, eyes on its outputs, and virtual time.

docs/testing.md shows how to use them; in pytest they are the fixture `pins`.
"""

from __future__ import annotations

import random
import runpy
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from threading import Semaphore, Thread
from typing import TYPE_CHECKING, Literal, Self

from gpiozero import Device, DistanceSensor
from gpiozero.mixins import SharedMixin
from gpiozero.pins.mock import MockSPIDevice

from hardware.errors import BadWiring
from hardware.simulated.pins import SimulatedPin, SimulatedPins
from hardware.simulated.virtual import VirtualTime

if TYPE_CHECKING:
    from hardware.simulated.buses import Buses

SOUND = 343.26
"""Metres a second, as gpiozero's DistanceSensor reckons."""

BURST = 0.00045
"""Seconds from the trigger of an HC-SR04 to the beginning of its echo."""

QUARTER = 0.005
"""Seconds a hand takes for a quarter of an encoder's cycle."""

BUSES = frozenset({"luma.core", "serial", "smbus2", "spidev"})
"""Libraries of buses: a program that has imported one is not to meet the real bus."""

MOST_BOUNCES = 5

BARS = "▁▂▃▄▅▆▇█"
SEVERAL = "╳"


class MockPins:
    """The header of a Raspberry Pi without one: gpiozero's default pins, and the time, while this context lasts.

    ``pins[17]`` is a pin by the name gpiozero gives it; ``buses`` are I2C, SPI and serial lines with what is on them.
    Bounce, loose contacts and noise come from the ``seed``.
    """

    def __init__(self, seed: int = 0) -> None:
        self.time = VirtualTime()
        self.factory = SimulatedPins(kept_states=None, time=self.time)
        self.chance = random.Random(seed)  # noqa: S311
        self._buses: Buses | None = None
        self._lines: dict[SimulatedPin, Line] = {}

    def __enter__(self) -> Self:
        self.time.__enter__()
        self._before = Device.pin_factory, DistanceSensor.ECHO_LOCK
        # A bare lock that is held while its owner waits would stop the virtual time.
        Device.pin_factory, DistanceSensor.ECHO_LOCK = self.factory, Semaphore()
        if not BUSES.isdisjoint(sys.modules):
            _ = self.buses
        return self

    def __exit__(self, *_: object) -> None:
        self.time.__exit__()
        if self._buses is not None:
            self._buses.remove()
        Device.pin_factory, DistanceSensor.ECHO_LOCK = self._before
        self.factory.reset()
        SharedMixin._instances.clear()  # noqa: SLF001 - SPI of a device that is still alive is that of no other test

    def __getitem__(self, name: int | str) -> Line:
        pin = self.factory.pin(name)
        return self._lines.setdefault(pin, Line(self, pin))

    @property
    def buses(self) -> Buses:
        """smbus2, spidev, pyserial and luma's displays without a Raspberry Pi, from when this is first looked at."""
        if self._buses is None:
            from hardware.simulated.buses import Buses  # noqa: PLC0415 - who uses no bus does not pay for it

            self._buses = Buses()
            self._buses.install(lambda number, level: self.factory.output(number, level=level))
            self._buses.install_serial()
        return self._buses

    @property
    def now(self) -> float:
        """Seconds since the beginning."""
        return round(self.time.now, 6)

    def wait(self, seconds: float) -> None:
        """Let so many seconds pass, with all that happens in them. `time.sleep` does the same."""
        self.time.wait(seconds)

    def after(self, seconds: float, act: Callable[[], object]) -> None:
        """Have something done after so many seconds, while the test waits."""
        self.time.after(seconds, act)

    def run(self, program: str | Path | Callable[[], object]) -> Thread:
        """Begin a script, as `python script.py` does, or a function, beside the test; it is ended with the test.

        What it raises is raised in the test, where that waits next.
        """
        act = program if callable(program) else partial(runpy.run_path, str(program), run_name="__main__")
        return self.time.start(act)

    def encoder(self, a: int | str, b: int | str, *, detents_per_cycle: int = 1) -> Knob:
        """Connect a rotary encoder to two pins."""
        return Knob(self, self[a], self[b], detents_per_cycle)

    def echo(self, trigger: int | str, echo: int | str, metres: float | None = None) -> Echo:
        """Connect an ultrasonic sensor to two pins."""
        return Echo(self.after, self.factory.pin(trigger), self.factory.pin(echo), metres)

    def mcp3008(self, *, clock: int = 11, mosi: int = 10, miso: int = 9, select: int = 8) -> Mcp3008:
        """Connect an analogue-to-digital converter, before anything else uses these pins; `values` are its inputs."""
        return Mcp3008(clock, mosi, miso, select, pin_factory=self.factory)

    def capacitor(self, name: int | str, seconds: float) -> None:
        """Connect a capacitor that charges in so many seconds, as of a light sensor."""
        self.factory.pin(name).charges_in = seconds

    def timeline(self, *names: int | str, width: int = 60) -> str:
        """Return what these pins did, or all that did anything, as a text with a line for each."""
        wanted = {str(self.factory.pin(name)) for name in names}
        history = [each for each in self.factory.history or () if not wanted or each[1] in wanted]
        return timeline(history, self.now, width)


class Line:
    """One pin of the header, for hands and eyes."""

    def __init__(self, pins: MockPins, pin: SimulatedPin) -> None:
        self._pins = pins
        self._pin = pin
        self._to: bool | None = None
        self._bounce = 0.0
        self._flickers = 0.0
        self._stuck = False
        self._down = False
        self._moves = 0

    # -- how it is wired

    def wire(self, to: Literal["ground", "3v3"] | None = None, *, pull: Literal["up", "down"] | None = None) -> Self:
        """Say what the circuit has: where a closed contact leads, and a resistor outside the Pi."""
        self._to = {"ground": False, "3v3": True}[to] if to else None
        self._pin.resistor = pull
        self._pin.connect(self._pin.outside)
        return self

    def bounces(self, milliseconds: float) -> Self:
        """Let its contact bounce for so long, each time it closes or opens from now on."""
        self._bounce = milliseconds / 1000
        return self

    def loose(self, per_second: float) -> Self:
        """Let its contact open and close by itself so often while it is pressed; 0: no more."""
        self._flickers = per_second
        return self

    def stick(self) -> Self:
        """Let its contact stay as it is, whatever a hand does, until `free`."""
        self._stuck = True
        return self

    def free(self) -> Self:
        """Let its contact follow the hand again."""
        self._stuck = False
        self._contact(closed=self._down)
        return self

    # -- hands

    def press(self) -> None:
        """Close its contact, and keep it closed. Raises BadWiring if nothing says where it leads."""
        self._closed_level()
        self._move(closed=True)

    def release(self) -> None:
        """Open its contact."""
        self._move(closed=False)

    def hold(self, seconds: float = 0.1) -> None:
        """Press for so long; the time passes."""
        self.press()
        self._pins.wait(seconds)
        self.release()

    def drive(self, level: bool | None) -> None:  # noqa: FBT001
        """Drive it as the output of another part would, high or low; None: no more."""
        self._pin.connect(level)
        self._pins.time.settle()

    def pick_up_noise(self, per_second: float, seconds: float) -> None:
        """Let it change so often by itself, if it floats: with a resistor, in the Pi or outside, it is quiet."""
        end = self._pins.now + seconds
        while (pause := self._pins.chance.expovariate(per_second)) < end - self._pins.now:
            self._pins.wait(pause)
            if self._pin.resting is None and self._pin.outside is None and self._pin.function == "input":
                (self._pin.drive_low if self._pin.state else self._pin.drive_high)()
        self._pins.wait(end - self._pins.now)

    # -- eyes

    @property
    def level(self) -> bool:
        """Whether it is high; an output with PWM, whether it is on at all."""
        return bool(self._pin.state)

    @property
    def duty(self) -> float:
        """For how much of the time it is high, 0 to 1."""
        return float(self._pin.state)

    @property
    def frequency(self) -> float | None:
        """Of its PWM, in Hz; None without."""
        return None if self._pin.frequency is None else float(self._pin.frequency)

    @property
    def history(self) -> list[tuple[float, float]]:
        """Each duty it has had, with the time from which on."""
        history = self._pins.factory.history or ()
        return [(round(at, 6), state) for at, name, state in history if name == str(self._pin)]

    # -- the contact

    def _closed_level(self) -> bool:
        if self._to is not None:
            return self._to
        if self._pin.function == "output":
            raise BadWiring(f"{self._pin} is an output: expected the pin of a button")
        if self._pin.resting is None:
            raise BadWiring(
                f"{self._pin} floats: expected a pull-up or pull-down of the device that opens it, or "
                "pins[...].wire(...) to say how it is wired"
            )
        return not self._pin.resting

    def _move(self, *, closed: bool) -> None:
        if self._down == closed:
            return
        self._down = closed
        self._moves += 1
        if not self._stuck:
            self._contact(closed=closed)
            for _ in range(self._pins.chance.randint(2, MOST_BOUNCES) if self._bounce else 0):
                self._pins.after(self._bounce * self._pins.chance.random(), partial(self._bounce_once, closed=closed))
            if closed and self._flickers:
                self._flicker()
        self._pins.time.settle()

    def _bounce_once(self, *, closed: bool) -> None:
        if self._down == closed and not self._stuck:
            self._contact(closed=not closed)
            self._contact(closed=closed)

    def _flicker(self) -> None:
        pause = self._pins.chance.expovariate(self._flickers or 1.0)
        self._pins.after(pause, partial(self._flicker_once, self._moves))

    def _flicker_once(self, moves: int) -> None:
        if moves != self._moves or self._stuck:
            return  # it was released, or pressed again since
        self._contact(closed=self._pin.outside is None or not self._flickers)
        if self._flickers:
            self._flicker()

    def _contact(self, *, closed: bool) -> None:
        self._pin.connect(self._closed_level() if closed else None)


class Knob:
    """A rotary encoder on two lines, A first when turned clockwise."""

    def __init__(self, pins: MockPins, a: Line, b: Line, detents_per_cycle: int) -> None:
        self._pins = pins
        self._lines = (a, b)
        self._quarters = 4 // detents_per_cycle
        self._position = 0

    def turn(self, detents: int) -> None:
        """Turn by so many detents, clockwise if positive; the time passes."""
        for _ in range(abs(detents) * self._quarters):
            self._position = (self._position + (1 if detents > 0 else -1)) % 4
            for line, closed in zip(self._lines, (self._position in (1, 2), self._position in (2, 3)), strict=True):
                (line.press if closed else line.release)()
            self._pins.wait(QUARTER)


class Echo:
    """An ultrasonic sensor like the HC-SR04 before something at so many metres, None: at nothing."""

    def __init__(
        self,
        after: Callable[[float, Callable[[], object]], object],
        trigger: SimulatedPin,
        echo: SimulatedPin,
        metres: float | None,
    ) -> None:
        """``after`` has something done after so many seconds."""
        self.metres = metres
        self._after = after
        self._echo = echo
        trigger.on_change = self._triggered
        echo.connect(False)

    def _triggered(self, state: float) -> None:
        if state and self.metres is not None:
            self._after(BURST, partial(self._rise, 2 * self.metres / SOUND))

    def _rise(self, seconds: float) -> None:
        self._echo.connect(True)
        self._after(seconds, partial(self._echo.connect, False))


class Mcp3008(MockSPIDevice):  # type: ignore[misc]  # gpiozero has no types
    """An analogue-to-digital converter of 10 bits; ``values`` are what its channels are at, 0 to 1 of its supply."""

    def __init__(self, *lines: int, pin_factory: SimulatedPins) -> None:
        self.values = [0.0] * 8
        super().__init__(*lines, pin_factory=pin_factory)

    def on_bit(self) -> None:
        """Answer the channel's number: start bit, single-ended, three bits (MCP3004/3008 datasheet, figure 5-1)."""
        asked = self.rx_buf[self.rx_buf.index(1) :] if 1 in self.rx_buf else []
        if len(asked) == 5:
            channel = asked[2] << 2 | asked[3] << 1 | asked[4]
            self.tx_word(round(self.values[channel] * 1023), 12)  # a clock to sample and a null bit come first


def timeline(history: Sequence[tuple[float, str, float]], end: float, width: int) -> str:
    """Draw states from 0 to 1, each with its time and its pin: a line for each pin, a letter for each stretch.

    A letter is the state at the end of its stretch, its height the duty; ╳: it went up and down in it.

    >>> print(timeline([(0, "GPIO17", 0), (1, "GPIO17", 1), (2, "GPIO17", 0.5)], 4.0, 8))
            0 s  4 s
    GPIO17  ▁▁██▅▅▅▅
    """
    names = sorted({name for _, name, _ in history}, key=lambda name: (len(name), name))
    margin = max(map(len, names), default=0) + 2
    last = f"{end:.4g} s"
    scale = f"0 s{last:>{max(width - 3, len(last) + 1)}}"
    lines = [" " * margin + scale]
    for name in names:
        states = [(at, state) for at, other, state in history if other == name]
        lines.append(f"{name:<{margin}}" + "".join(_letter(states, end, width, place) for place in range(width)))
    return "\n".join(lines)


def _letter(states: Sequence[tuple[float, float]], end: float, width: int, place: int) -> str:
    first, last = (end * (place + i) / width for i in range(2))
    before = [state for at, state in states if at < first][-1:]
    within = before + [state for at, state in states if first <= at < last or at == last == end]
    if within not in (sorted(within), sorted(within, reverse=True)):
        return SEVERAL
    return BARS[round((within[-1] if within else 0.0) * (len(BARS) - 1))]
