"""Mock pins with wires on them: PWM, contacts that bounce, an encoder that turns in true quadrature."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from gpiozero.pins.mock import MockFactory, MockPin, MockPWMPin

if TYPE_CHECKING:
    from hardware.simulated.virtual import VirtualTime

KEPT_STATES = 64
"""States a pin of a box remembers; gpiozero's own mock remembers all of them, for ever."""

MOST_BOUNCES = 9

_PULLED = {"up": True, "down": False}


class SimulatedPin(MockPWMPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin that is an output with or without PWM, or an input with what is connected to it.

    ``outside``   what drives the pin: True to 3.3 V, False to ground, None: nothing
    ``resistor``  outside the Pi, "up" or "down", which is stronger than the Pi's own; None: there is none
    ``charges_in``  seconds after which a capacitor drives it high, once it is an input; None: there is none
    ``on_change`` is called with each new state.

    With a virtual time `bounce` is what it is with lgpio: a level is reported once the pin has been still for so
    long, and only if it is not the one reported last (xDebWatEvt in lgPthAlerts.c). Without one it is ignored.
    """

    def __init__(self, factory: Any, info: Any) -> None:
        self.states: Any = ()
        self.outside: bool | None = None
        self.resistor: str | None = None
        self.charges_in: float | None = None
        self.on_change: Callable[[Any], object] | None = None
        self._moves = 0
        self._reported: Any = None
        super().__init__(factory, info)
        if factory.history is not None:
            factory.history.append((factory.time.now, str(self), float(self._state)))

    def clear_states(self) -> None:
        """Forget all states but the present one."""
        super().clear_states()
        recent: deque[Any] = deque(self.states, maxlen=self.factory.kept_states)
        self.states = recent

    @property
    def resting(self) -> bool | None:
        """The level that the resistors give it, None without any: it floats."""
        return _PULLED.get(self.resistor or self._pull)

    def connect(self, level: bool | None) -> None:  # noqa: FBT001
        """Drive the pin from outside, or drive it no more."""
        self.outside = level
        self._feel()

    def _feel(self) -> None:
        level = self.resting if self.outside is None else self.outside
        if self._function == "input" and level is not None:
            (self.drive_high if level else self.drive_low)()

    def _set_function(self, value: str) -> None:
        super()._set_function(value)
        if value == "input" and self.charges_in is not None and self.factory.time is not None:
            self.factory.time.after(self.charges_in, self._be_charged)

    def _be_charged(self) -> None:
        if self._function == "input":
            self.drive_high()

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.outside is not None or self.resistor is not None:
            self._feel()

    def _set_frequency(self, value: float | None) -> None:
        if (value, self._frequency) != (None, None):  # the end of no PWM changes nothing
            super()._set_frequency(value)

    def _change_state(self, value: float) -> bool:
        # Without PWM there are two levels; gpiozero's own MockPWMPin takes any.
        value = bool(value) if self._frequency is None else value
        changed = bool(super()._change_state(value))
        self._moves += changed
        if changed and self.factory.time is not None:
            self._last_change = self.factory.time.now  # of which gpiozero tells whoever waits for an edge
        if changed and self.factory.history is not None:
            self.factory.history.append((self.factory.time.now, str(self), float(value)))
        if changed and self.on_change is not None:
            self.on_change(value)
        return changed

    def _enable_event_detect(self) -> None:
        self._reported = self._state

    def _call_when_changed(self) -> None:
        time = self.factory.time
        if time is None or not self._bounce:
            super()._call_when_changed()
        else:
            time.after(self._bounce, partial(self._be_still, self._moves))

    def _be_still(self, moves: int) -> None:
        if moves != self._moves or self._when_changed is None:
            return
        if self._edges != "both" or self._state != self._reported:
            self._reported = self._state
            super()._call_when_changed()


class SimulatedPins(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """A pin factory of simulated pins, on the header of a Raspberry Pi 3B, each with so many states."""

    def __init__(
        self,
        *,
        pin_class: type[MockPin] = SimulatedPin,
        kept_states: int | None = KEPT_STATES,
        time: VirtualTime | None = None,
    ) -> None:
        self.kept_states = kept_states
        self.time = time
        self.history: list[tuple[float, str, float]] | None = None if time is None else []
        super().__init__(revision="a02082", pin_class=pin_class)

    def pin(self, name: int | str, pin_class: type[MockPin] | None = None, **how: Any) -> Any:
        """Return a pin, of the class asked for; of any, if it is there already and none is asked for."""
        if pin_class is None:
            for _, info in self.board_info.find_pin(name):
                if info in self.pins:
                    return self.pins[info]
        return super().pin(name, pin_class, **how)

    def output(self, number: int, *, level: bool) -> None:
        """Drive a pin as RPi.GPIO does."""
        pin = self.pin(number)
        pin.function = "output"
        pin.state = bool(level)


def factory() -> Any:
    """Return the pins of a box."""
    return SimulatedPins()


class Contact:
    """A switch from a pin to ground. With a source of randomness it bounces whenever it moves."""

    def __init__(self, pin: Any, chance: random.Random | None = None) -> None:
        self._pin = pin
        self._chance = chance
        self._unplugged = False

    def set(self, *, closed: bool) -> None:
        """Close or open the switch; a switch held down before the pins are opened is felt when they are."""
        if self._unplugged or self._closed == closed:
            return
        self._drive(closed=closed)
        for _ in range(self._chance.randint(0, MOST_BOUNCES) if self._chance else 0):
            self._drive(closed=not closed)
            self._drive(closed=closed)

    def unplug(self) -> None:
        """Take its wire off: whatever it does, the pin is open."""
        self.set(closed=False)
        self._unplugged = True

    def flick(self) -> None:
        """Change the pin as noise does, once, without the switch."""
        self._drive(closed=not self._closed)

    @property
    def _closed(self) -> bool:
        return self._pin.outside is False

    def _drive(self, *, closed: bool) -> None:
        self._pin.connect(False if closed else None)


class Encoder:
    """Two contacts that close one after the other, A before B when turned clockwise."""

    _QUARTERS = ((False, False), (True, False), (True, True), (False, True))

    def __init__(self, a: Contact, b: Contact, *, detents_per_cycle: int = 1, rests_closed: bool = False) -> None:
        """`rests_closed`: both contacts are closed where it rests, as in every second detent of some encoders."""
        self._contacts = (a, b)
        self._quarters_per_detent = 4 // detents_per_cycle
        self._position = 2 if rests_closed else 0
        self._set()

    def turn(self, steps: int) -> None:
        """Turn by whole detents, clockwise if positive."""
        for _ in range(abs(steps) * self._quarters_per_detent):
            self._position = (self._position + (1 if steps > 0 else -1)) % 4
            self._set()

    def _set(self) -> None:
        for contact, closed in zip(self._contacts, self._QUARTERS[self._position], strict=True):
            contact.set(closed=closed)
