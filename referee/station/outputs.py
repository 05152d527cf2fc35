"""Lamps and buzzer: only changes are sent, and one that fails is logged and never blocks."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from hardware.errors import HardwareError
from hardware.ports import LampState
from referee.console.sounds import RHYTHMS
from referee.station.peripherals import Lit

if TYPE_CHECKING:
    from hardware.box import Box

_logger = logging.getLogger(__name__)

STATES: Final[Mapping[str, LampState]] = {"off": "off", "on": "on", "blink": "blink"}


class Outputs:
    """The lamps of a box and of the devices beside it, and its buzzer."""

    def __init__(self, box: Box, sounds: tuple[str, ...]) -> None:
        """``sounds``: names of those that are played."""
        self._buzzer = box.buzzer
        self._lamps: list[Lit] = [box.lamps]
        self._wanted = sounds
        self._shown: dict[str, str] = {}

    def add(self, lamps: Lit) -> None:
        """Add more lamps; they get the current states at once."""
        self._lamps.append(lamps)
        self._shown.clear()

    def show(self, states: Mapping[str, str]) -> None:
        """Set the seats' lamps to these states; lamps that are not named are off."""
        if states == self._shown:
            return
        for key in self._shown.keys() | states.keys():
            state = states.get(key, "off")
            if self._shown.get(key) != state:
                self._switch(key, STATES[state])
        self._shown = dict(states)

    def play(self, name: str) -> bool:
        """Play a sound, if it is enabled; return whether it is."""
        if name not in self._wanted:
            return False
        with self._faults("buzzer"):
            self._buzzer.play(RHYTHMS[name])
        return True

    def _switch(self, key: str, state: LampState) -> None:
        for lamps in self._lamps:
            if key in lamps.names:
                with self._faults("lamp"):
                    lamps.set(key, state)

    @contextlib.contextmanager
    def _faults(self, part: str) -> Iterator[None]:
        try:
            yield
        except HardwareError:
            _logger.exception("the %s does not work", part)
