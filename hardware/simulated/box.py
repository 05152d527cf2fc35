"""The box without hardware: mock pins and a simulated controller under the production drivers."""

import random
import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from PIL import Image

from hardware.box import Box, display_on
from hardware.errors import UnknownLine
from hardware.gpio import GpioInputs, GpioOutputs
from hardware.keys.quadrature import ENCODER_LINES
from hardware.pins import Pins, load
from hardware.simulated.bus import simulated_display
from hardware.simulated.pins import Contact, Encoder, factory


class SimulatedBox:
    """A box with fingers: whatever a player can do to the real one, and see or hear of it.

    `box` is what the referee is given; the methods here are the player's hands, eyes and ears. With
    `bounce` every contact bounces whenever it moves, from the given seed; with `rests_closed` the encoder's contacts
    are closed where it rests. `controller` is the simulated
    display on its bus: it counts, fails on request, and calls back after each transfer. The hooks are called on the
    thread that caused the change and should return at once.
    """

    def __init__(
        self,
        *,
        bounce: bool = False,
        seed: int = 0,
        rests_closed: bool = False,
        pins: Pins | None = None,
        clock: Callable[[], float] = time.monotonic,
        on_glass: Callable[[], None] | None = None,
        on_lamp: Callable[[str, bool], None] | None = None,
        on_buzzer: Callable[[bool], None] | None = None,
    ) -> None:
        self.pins = pins or load()
        self._fingers = threading.RLock()
        self._factory = factory()
        chance = random.Random(seed) if bounce else None  # noqa: S311
        self.controller, wire = simulated_display(self.pins.display, self._factory, seed=seed, on_change=on_glass)
        inputs = GpioInputs(self.pins, self._factory, clock=clock)
        outputs = GpioOutputs(self.pins, self._factory, clock=clock)
        display = display_on(wire, self.pins.display)
        self.box = Box(inputs, display, outputs, outputs, afterwards=self._factory.close)
        self._contacts = {key: Contact(self._pin(pin), chance) for key, pin in self.pins.keys.items()}
        self._knob = a, b = [Contact(self._pin(pin), chance) for pin in self.pins.encoder]
        self._encoder = Encoder(a, b, detents_per_cycle=self.pins.detents_per_cycle, rests_closed=rests_closed)
        self._lamp_pins = {name: self._pin(pin) for name, pin in self.pins.lamps.items()}
        self._buzzer_pin = self._pin(self.pins.buzzer)
        for name, pin in self._lamp_pins.items():
            pin.on_change = None if on_lamp is None else partial(on_lamp, name)
        self._buzzer_pin.on_change = on_buzzer

    def press(self, key: str) -> None:
        """Push a key down and keep it there. Raises UnknownLine."""
        self._move(key, closed=True)

    def release(self, key: str) -> None:
        """Let a key up. Raises UnknownLine."""
        self._move(key, closed=False)

    def tap(self, key: str) -> None:
        """Press and release a key at once. Raises UnknownLine."""
        with self._fingers:
            self.press(key)
            self.release(key)

    def turn(self, steps: int) -> None:
        """Turn the encoder by whole detents, clockwise if positive."""
        with self._fingers:
            self._encoder.turn(steps)

    def unplug(self, line: str) -> None:
        """Take the wire off a contact of the encoder: "encoder-a" or "encoder-b"."""
        self._knob[ENCODER_LINES.index(line)].unplug()

    def flick(self, line: str) -> None:
        """Let noise change a line of the encoder, "encoder-a" or "encoder-b", and leave it so."""
        self._knob[ENCODER_LINES.index(line)].flick()

    def lamps(self) -> dict[str, bool]:
        """Which lamps are lit at this moment; a blinking one is lit half of the time."""
        return {name: bool(pin.state) for name, pin in self._lamp_pins.items()}

    def close(self) -> None:
        """Close the box; the controller and the pins can still be looked at."""
        self.box.close()

    @property
    def sounding(self) -> bool:
        """Whether the buzzer sounds at this moment."""
        return bool(self._buzzer_pin.state)

    def glass(self) -> Image.Image:
        """The picture on the glass, with the module mounted as in the pin map."""
        seen = self.controller.glass()
        return seen.transpose(Image.Transpose.ROTATE_180) if self.pins.display.upside_down else seen

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that can be pressed: those of the pin map."""
        return tuple(self._contacts)

    @property
    def bytes_sent(self) -> int:
        """Bytes that crossed the display bus so far, addresses and control bytes included."""
        return self.controller.bytes_sent

    def _move(self, key: str, *, closed: bool) -> None:
        if key not in self._contacts:
            raise UnknownLine(f'there is no key "{key}": expected one of {", ".join(self._contacts)}')
        with self._fingers:
            self._contacts[key].set(closed=closed)

    def _pin(self, number: int) -> Any:
        return self._factory.pin(f"GPIO{number}")
