"""Mock pins with fingers on them: contacts that bounce, an encoder that turns in true quadrature."""

import random
from collections import deque
from collections.abc import Callable
from typing import Any

from gpiozero.pins.mock import MockFactory, MockPin

KEPT_STATES = 64
"""States a pin remembers; gpiozero's own mock remembers all of them, for ever."""

MOST_BOUNCES = 9


class SimulatedPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A mock pin with a limited history that notifies a listener when an output changes."""

    def __init__(self, factory: Any, info: Any) -> None:
        self.states: Any = ()
        self.grounded = False
        self.on_change: Callable[[bool], None] | None = None
        super().__init__(factory, info)

    def clear_states(self) -> None:
        """Forget all states but the present one."""
        super().clear_states()
        recent: deque[Any] = deque(self.states, maxlen=KEPT_STATES)
        self.states = recent

    def _set_pull(self, value: str) -> None:
        super()._set_pull(value)
        if self.grounded:
            self.drive_low()

    def _change_state(self, value: bool) -> bool:  # noqa: FBT001 - gpiozero calls it so
        changed = bool(super()._change_state(value))
        if changed and self.on_change is not None:
            self.on_change(value)
        return changed


class Contact:
    """A switch from a pin to ground. With a source of randomness it bounces whenever it moves."""

    def __init__(self, pin: Any, chance: random.Random | None = None) -> None:
        self._pin = pin
        self._chance = chance
        self._unplugged = False

    def set(self, *, closed: bool) -> None:
        """Close or open the switch; a switch held down before the pins are opened is felt when they are."""
        if self._unplugged or self._pin.grounded == closed:
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
        self._drive(closed=not self._pin.grounded)

    def _drive(self, *, closed: bool) -> None:
        self._pin.grounded = closed
        if closed:
            self._pin.drive_low()
        elif self._pin.pull == "up":
            self._pin.drive_high()


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


def factory() -> Any:
    """Return a pin factory of simulated pins, on the header of a Raspberry Pi 3B."""
    return MockFactory(revision="a02082", pin_class=SimulatedPin)
