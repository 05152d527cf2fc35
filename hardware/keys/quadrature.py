"""Two bouncing contacts of a rotary encoder in; whole detents, and what is wrong with the contacts, out. Pure.

The position within one cycle is the Gray code of the two contacts. A bounce of either contact goes one
quarter forth and one back, so it cancels by itself; only a completed way from rest to rest counts.
"""

from collections import deque

from hardware.events import Chatter, Turn
from hardware.keys.debounce import CALM

ENCODER_LINES = ("encoder-a", "encoder-b")
ENCODER = "encoder"
KNOB = (ENCODER, *ENCODER_LINES)
"""What a `Chatter` of the encoder names: which of them is a matter for who mends it."""

BOUNCE = 0.005
"""Seconds within which a contact that moves again is bouncing: EC11 encoders bounce for 3 ms, PEC11 for 5 at most."""

LONGEST_BOUNCE = 0.020

STRAYS, STRAYS_WITHIN = 10, 1.0
"""So many movements that lead nowhere within so many seconds are no hand; 50 edges of noise make 20."""

ALONE = 7
"""So often one contact moves while the other never does: the other's wire is off."""

_POSITION = {(False, False): 0, (True, False): 1, (True, True): 2, (False, True): 3}


class Quadrature:
    """Decodes contacts A and B; A closing first is clockwise.

    `detents_per_cycle` is 1, 2 or 4. The knob rests where it stands when it is switched on; with one contact closed,
    and fewer detents than 4, it stands between two of them, and belongs to the nearer one.
    """

    def __init__(self, *, a: bool = False, b: bool = False, detents_per_cycle: int = 1) -> None:
        self._levels = [a, b]
        self._step = 4 // detents_per_cycle
        at = _POSITION[a, b]
        self._rest = at if a == b else 0
        past = (at - self._rest) % self._step
        self._quarters = past - self._step if past > self._step / 2 else past

    @property
    def levels(self) -> tuple[bool, bool]:
        """Whether A and B are closed."""
        return self._levels[0], self._levels[1]

    def feed(self, *, contact: int, level: bool) -> int:
        """Take one edge of contact 0 (A) or 1 (B); return the detents completed by it: -1, 0 or 1."""
        before = _POSITION[self.levels]
        self._levels[contact] = level
        after = _POSITION[self.levels]
        if after == before:
            return 0
        self._quarters += 1 if (after - before) % 4 == 1 else -1
        if (after - self._rest) % self._step:
            return 0
        steps, self._quarters = int(self._quarters / self._step), 0
        return steps


class Knob:
    """An encoder that says when its contacts move as no hand moves them; it is then ignored until they have rested.

    A hand moves the contacts in turn, each once. Where one moves back before the other has moved, or bounces for too
    long, the movement led nowhere: that happens at every reversal, but not `STRAYS` times a second.
    """

    def __init__(self, *, a: bool, b: bool, detents_per_cycle: int) -> None:
        self._detents_per_cycle = detents_per_cycle
        self._muted = False
        self._last = float("-inf")
        self._rest(a=a, b=b)

    def feed(self, *, contact: int, level: bool, at: float) -> list[Turn | Chatter]:
        """Take one edge of contact 0 (A) or 1 (B), in order of time."""
        if self._muted and at - self._last >= CALM:
            a, b = self._decoder.levels
            self._rest(a=a, b=b)
        steps = self._decoder.feed(contact=contact, level=level)
        fault = None if self._muted else self._fault(contact, at)
        self._last = at
        if fault is not None:
            self._muted = True
            return [Chatter(fault, at)]
        return [Turn(steps, at)] if steps and not self._muted else []

    def _rest(self, *, a: bool, b: bool) -> None:
        self._decoder = Quadrature(a=a, b=b, detents_per_cycle=self._detents_per_cycle)
        self._contact = -1
        self._edges = self._alone = 0
        self._began = float("-inf")
        self._strays: deque[float] = deque(maxlen=STRAYS)
        self._muted = False

    def _fault(self, contact: int, at: float) -> str | None:
        """Return what makes contact by itself: the encoder, or the one of its lines that moves alone."""
        same = contact == self._contact
        bounces = same and at - self._last < BOUNCE
        if bounces and at - self._began < LONGEST_BOUNCE:
            self._edges += 1
            return None
        stray = same or (self._edges > 0 and self._edges % 2 == 0)
        self._alone = self._alone + 1 if same else 0
        self._edges = self._edges + 1 if bounces else 1
        self._contact, self._began = contact, at
        if not stray:
            return None
        self._strays.append(at)
        if self._alone >= ALONE:
            return ENCODER_LINES[contact]
        often = len(self._strays) == STRAYS and at - self._strays[0] < STRAYS_WITHIN
        return ENCODER if often else None
