"""Lamps, buzzer, and the devices beside the box, which can be unplugged: what is lost of them is told."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, TypeAlias

from hardware.errors import HardwareError
from hardware.events import Battery, DiceEvent, InputEvent
from hardware.keys.debounce import Keys
from hardware.line.presence import Connected, Disconnected, Gap, Presence, Unreadable
from hardware.ports import DiceSource, Inputs, Lamps, LampState
from referee.console.sounds import RHYTHMS

if TYPE_CHECKING:
    from hardware.box import Box

AFTERWARDS = 1.0
"""Seconds after its return within which a device reports what was lost meanwhile."""

SHORT = 40
"""Letters of an advice that leaves room on one screen for that nothing is lost."""

LOW = 10
"""Per cent of a battery from which on down the table is told."""

Device: TypeAlias = Inputs | DiceSource
"""A device with keys, or dice; one that has lamps as well is a `hardware.ports.Lamps` too."""


Report: TypeAlias = InputEvent | DiceEvent | Presence
"""What a device tells."""


class Peripheral:
    """One device; its contacts are debounced separately from those of the box, even if they have the same names."""

    def __init__(
        self,
        name: str,
        make: Callable[[Callable[[Presence], None]], Device],
        take: Callable[[Peripheral, Report], None],
        *,
        source: str,
    ) -> None:
        """`make` is given where the device reports to; `take` takes what it tells; ``source`` is for the journal."""
        self.name = name
        self.source = source
        self._take = take
        self._lost: set[str] = set()
        self._back_at = float("-inf")
        self._low: set[str] = set()
        self.device = make(self.tell)
        self.lamps = self.device if isinstance(self.device, Lamps) else None
        keyed = self.device if isinstance(self.device, Inputs) else None
        self.keys = Keys(keyed.level if keyed is not None else None)
        self._lose, self._entered = ("throws", "Dice thrown") if keyed is None else ("edges", "Keys pressed")

    def tell(self, report: Report) -> None:
        """Take a report of the device; on any thread."""
        self._take(self, report)

    def words(self, report: Presence | Battery) -> str:
        """Return a line for the log."""
        name = self._who(report)
        if isinstance(report, Disconnected):
            return f"{name} does not answer: {report.why}"
        if isinstance(report, Connected):
            return f"{name} answers" + (f", firmware {report.firmware}" if report.firmware else "")
        if isinstance(report, Battery):
            return f"{name}: battery {report.percent} %" + ", charging" * report.charging
        if isinstance(report, Unreadable):
            return f"{name} sent {report.what!r}: {report.why}"
        return f"{name}: {'some' if report.missed is None else f'at most {report.missed}'} {self._lose} lost"

    def say(self, report: Presence | Battery) -> tuple[str, str] | None:
        """Return title and text of a notice, or None if none is needed."""
        name = self._who(report)
        if isinstance(report, Disconnected):
            again = name in self._lost
            self._lost.add(name)
            rest = " No answer is lost." if len(report.advice) <= SHORT else ""
            return None if again else self._titled("lost", report.die, report.advice + rest)
        if isinstance(report, Connected):
            back = name in self._lost
            self._lost.discard(name)
            if back:
                self._back_at = report.at
            return self._titled("back", report.die, f"{self._entered} meanwhile do not count.") if back else None
        if isinstance(report, Battery):
            low, before = report.percent <= LOW and not report.charging, name in self._low
            (self._low.add if low else self._low.discard)(name)
            return ("Battery low", f"{name}: {report.percent} %. Charge it.") if low and not before else None
        if isinstance(report, Unreadable):
            return "Not understood", f"{name}: {report.why}. Check before continuing."
        assert isinstance(report, Gap)
        # After an absence the table is told so anyway.
        announced = report.missed is None or report.at < self._back_at + AFTERWARDS
        title = "Presses lost" if self._lose == "edges" else "Throw lost"
        return None if announced else (title, f"{name}: check before continuing.")

    def _titled(self, what: str, die: str, text: str) -> tuple[str, str]:
        """Return a notice about the device, or about a die of it, whose name may be too long for a title."""
        return (f"Die {what}", f"{die}: {text}") if die else (f"{self.name} {what}", text)

    def _who(self, report: Presence | Battery) -> str:
        """Return who a report is about: the device, or one die of it."""
        die = getattr(report, "die", "")
        return f"Die {die}" if die else self.name


_logger = logging.getLogger(__name__)

STATES: Final[Mapping[str, LampState]] = {"off": "off", "on": "on", "blink": "blink"}


class Outputs:
    """The lamps of a box and of the devices beside it, and its buzzer."""

    def __init__(self, box: Box, sounds: tuple[str, ...]) -> None:
        """``sounds``: names of those that are played."""
        self._buzzer = box.buzzer
        self._lamps: list[Lamps] = [box.lamps]
        self._wanted = sounds
        self._shown: dict[str, str] = {}

    def add(self, lamps: Lamps) -> None:
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
                for lamps in self._lamps:
                    if key in lamps.names:
                        with self._faults("lamp"):
                            lamps.set(key, STATES[state])
        self._shown = dict(states)

    def play(self, name: str) -> bool:
        """Play a sound, if it is enabled; return whether it is."""
        if name not in self._wanted:
            return False
        with self._faults("buzzer"):
            self._buzzer.play(RHYTHMS[name])
        return True

    @contextlib.contextmanager
    def _faults(self, part: str) -> Iterator[None]:
        try:
            yield
        except HardwareError:
            _logger.exception("the %s does not work", part)
