"""What the hall said of this table, in a file beside the journal: a box that starts without the hall goes on with it.

It has the numbers of the players, no names: those of a card could not be erased for certain.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from referee.clock.round import RoundNews
from referee.errors import Malformed
from referee.files import bounded, durable
from referee.hall.uplink import messages
from referee.session import ms

FILE: Final = "table.json"
EVERY: Final = 30.0
"""How often it is noted how much is left of the round, s: so much a power cut can add to it, and the time in the dark
where the clock on the wall stood still."""
STALE: Final = 12 * 3600.0
"""After so long, s, it is another day, and nothing of it holds."""
_BOOT: Final = Path("/proc/sys/kernel/random/boot_id")

T = TypeVar("T", messages.Seating, messages.Clock)
_logger = logging.getLogger(__name__)


def boot() -> str:
    """Return what tells one start of the machine from another, "" where nothing does."""
    try:
        return bounded.text(_BOOT).strip()
    except OSError:
        return ""


class Recalled(NamedTuple):
    """What a box knew. ``seating``: without names; None: it did not know."""

    seating: messages.Seating | None = None
    clock: RoundNews | None = None


@dataclass(slots=True)
class TableMemory:
    """See the module. It belongs to the thread of the uplink, and raises nothing: a table does not wait for it.

    ``event``  that the box was paired with; what was said in another one is forgotten
    ``clock``  monotonic time, s; ``wall``: the time of day, s since 1970; ``boot``: see `boot`
    """

    folder: Path
    event: str
    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    boot: str = field(default_factory=boot)
    _seating: messages.Seating | None = None
    _clock: tuple[messages.Clock, float] | None = None
    _about: bool = False
    _noted: float = 0.0

    def hear_seating(self, seating: messages.Seating) -> None:
        """Remember where the box stands."""
        players = tuple((number, f"No. {number}", side) for number, _, side in seating.players)
        self._seating = replace(seating, players=players)
        self._note()

    def hear_clock(self, clock: messages.Clock, at: float) -> None:
        """Remember how the clock of the round stood. ``at``: when it was said, monotonic, s."""
        self._clock, self._about = ((clock, at) if clock.round else None), False
        self._note()

    def look(self) -> None:
        """Note how much is left of the round, now and then. To be called several times a second."""
        if self._clock is not None and self._clock[0].runs and self.clock() - self._noted >= EVERY:
            self._note()

    def recall(self) -> Recalled:
        """Return what the box knew when it was switched off, and what is left of the round now."""
        try:
            return self._read()
        except FileNotFoundError:
            pass
        except (OSError, ValueError, TypeError, KeyError, RecursionError, Malformed) as fault:
            _logger.warning("%s cannot be read, so this table waits for the hall: %s", self.folder / FILE, fault)
        return Recalled()

    def _read(self) -> Recalled:
        value = json.loads(bounded.text(self.folder / FILE))
        dark, stood = self._dark(value["boot"], float(value["at"]), float(value["wall"]))
        if value["event"] != self.event or not 0 <= dark <= STALE:
            return Recalled()
        seating, clock = _said(value["seating"], messages.Seating), _said(value["clock"], messages.Clock)
        now, about = self.clock(), bool(value["about"]) or stood
        self._seating, self._noted = seating, now
        if clock is None:
            return Recalled(seating)
        left = clock.left - ms(dark) * clock.runs
        self._clock, self._about = (replace(clock, left=left), now), about
        return Recalled(
            seating,
            RoundNews(clock.number, clock.round, left, clock.runs, clock.then, ms(now), about, clock.left <= 0),
        )

    def _dark(self, boot: str, at: float, wall: float) -> tuple[float, bool]:
        """Return how long the box was off, s, and whether that is only what the clock on the wall says.

        That clock stands still in the dark where nothing sets it, so the time is too short rather than too long.
        """
        if boot and boot == self.boot:
            return max(0.0, self.clock() - at), False
        return max(0.0, self.wall() - wall), True

    def _note(self) -> None:
        now = self.clock()
        clock = ""
        if self._clock is not None:
            said, at = self._clock
            clock = messages.write(replace(said, left=said.left - ms(now - at) * said.runs))
        seating = messages.write(self._seating) if self._seating is not None else ""
        value = {"event": self.event, "boot": self.boot, "at": now, "wall": self.wall(), "about": self._about}
        try:
            durable.replace(self.folder / FILE, json.dumps(value | {"seating": seating, "clock": clock}, indent=1))
        except OSError as fault:
            _logger.warning("%s cannot be saved: %s", self.folder / FILE, fault.strerror)
        self._noted = now


def _said(text: str, kind: type[T]) -> T | None:
    message = messages.read(text, kind) if text else None
    return message if isinstance(message, kind) else None
