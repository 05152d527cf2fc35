"""From bouncing contacts to presses, clicks and holds. Stateful, without clock or thread.

Each stage has the same three methods. `feed` takes one event and returns what follows from it at once;
`due` returns what has become certain by the time `now`; `deadline` is the next moment at which `due`
should be called, None if nothing is pending. Whoever owns the clock waits for exactly that long.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

from hardware.events import Chatter, Click, Edge, Event, Hold, InputEvent, KeyEvent, LongHold, Press, Release, Stuck

SETTLE = 0.006
"""A contact counts as open after so long without closing; good tact switches bounce for less than 5 ms."""

LOST = 0.100
"""Seconds to wait for the edge that explains a level; after that it was lost. A busy process reads edges late."""

RECHECK = 0.25
"""How often the level of a key that is down is compared with its edges."""

CLICK = 0.300
HOLD = 0.450
LONG_HOLD = 1.0
STUCK = 60.0

NEITHER = (CLICK + HOLD) / 2
"""Seconds after a press at which a release is neither a click nor a hold."""

CHATTER_EDGES = 300
"""So many edges in `CHATTER_WINDOW` seconds are no finger: six taps a second with 20 edges a movement make 240."""
CHATTER_WINDOW = 1.0

CALM = 2.0
"""Seconds of rest after which a line that chattered counts again."""


@dataclass(slots=True)
class _Contact:
    """One line: what was reported, what its edges say, and when to look at it again."""

    window_start: float
    edges: int = 0
    pressed_at: float | None = None
    opened_at: float | None = None
    released_at: float = -math.inf
    rebounding: bool = False
    check_at: float | None = None
    contradicted_at: float | None = None
    muted_at: float = -math.inf

    @property
    def down(self) -> bool:
        """Whether a press was reported, and its release not yet."""
        return self.pressed_at is not None


class Debouncer:
    """Raw edges in, one Press and one Release for each movement of the finger out.

    A closing contact acts at once, so a press costs no time and the shortest tap counts. An opening one
    must stay open for `SETTLE` seconds, so neither bounce nor a jolt of a held key is a second press.
    After an edge, and while a key is down, `read` is asked for the level, so that an edge the driver
    swallowed heals; an edge that is merely still on its way through the caller's queue is waited for. One
    that comes after its release was reported, but happened within `SETTLE` of it, is the bounce of that release.
    A line that chatters is not listened to until it has rested.
    """

    def __init__(self, read: Callable[[str], bool] | None = None) -> None:
        self._read = read
        self._contacts: dict[str, _Contact] = {}

    def feed(self, event: Edge) -> list[KeyEvent]:
        """Take one raw edge. Edges of one line come in order of time."""
        contact = self._contacts.setdefault(event.line, _Contact(event.at))
        if event.at - contact.muted_at < CALM:
            contact.muted_at = event.at
            return []
        contact.contradicted_at = None
        out: list[KeyEvent] = []
        if contact.opened_at is not None and event.at - contact.opened_at >= SETTLE:
            out.append(self._release(event.line, contact))
        if self._chatters(event, contact):
            return [*out, *self._mute(event, contact)]
        late = event.at - contact.released_at < SETTLE
        if event.level and not contact.down and not late:
            contact.pressed_at = event.at
            out.append(Press(event.line, event.at))
        if contact.down:
            contact.opened_at = None if event.level else event.at
        elif event.level:
            contact.rebounding = True
        elif contact.rebounding:
            contact.rebounding, contact.released_at = False, event.at
        contact.check_at = event.at + SETTLE
        return out

    def due(self, now: float) -> list[KeyEvent]:
        """Report the releases that are certain by `now`."""
        out: list[KeyEvent] = []
        for line, contact in self._contacts.items():
            if contact.check_at is not None and now >= contact.check_at:
                out += self._check(line, contact, now)
        return out

    def deadline(self) -> float | None:
        """When `due` has something to decide, or None."""
        return min((c.check_at for c in self._contacts.values() if c.check_at is not None), default=None)

    def _check(self, line: str, contact: _Contact, now: float) -> list[KeyEvent]:
        closed = contact.down and contact.opened_at is None
        level = closed if self._read is None else self._read(line)
        if level == closed:
            contact.contradicted_at = None
            contact.check_at = now + RECHECK if closed else None
            return [self._release(line, contact)] if contact.opened_at is not None else []
        contact.check_at = now + SETTLE
        if contact.contradicted_at is None:
            contact.contradicted_at = now
        if now - contact.contradicted_at < LOST:
            return []
        # No edge came to explain it: one was lost, and the level is the truth.
        if contact.down:
            contact.opened_at = None if level else now
            return []
        contact.pressed_at = now
        return [Press(line, now)]

    @staticmethod
    def _release(line: str, contact: _Contact) -> Release:
        assert contact.opened_at is not None
        assert contact.pressed_at is not None
        release = Release(line, contact.opened_at, contact.pressed_at)
        contact.released_at = contact.opened_at
        contact.pressed_at = contact.opened_at = None
        return release

    @staticmethod
    def _chatters(event: Edge, contact: _Contact) -> bool:
        if event.at - contact.window_start >= CHATTER_WINDOW:
            contact.window_start, contact.edges = event.at, 0
        contact.edges += 1
        return contact.edges >= CHATTER_EDGES

    @staticmethod
    def _mute(event: Edge, contact: _Contact) -> list[KeyEvent]:
        """Listen to it no more for now; if it was down it comes up, neither clicked nor held."""
        contact.muted_at = event.at
        contact.check_at = contact.opened_at = None
        out: list[KeyEvent] = []
        if contact.pressed_at is not None:
            up = max(event.at, contact.pressed_at + NEITHER)
            out.append(Release(event.line, up, contact.pressed_at))
            contact.pressed_at = None
        return [*out, Chatter(event.line, event.at)]


_Milestone = tuple[float, type[Hold] | type[LongHold] | None]


@dataclass(slots=True)
class _Down:
    """A key that is down, and the milestones it has not passed yet."""

    at: float
    milestones: list[_Milestone]


class Gestures:
    """Presses and releases in; clicks, holds and stuck keys out.

    Between 300 and 450 ms lies a dead zone: whoever lets go there meant neither, and nothing happens.
    """

    def __init__(self) -> None:
        self._down: dict[str, _Down] = {}

    def feed(self, event: KeyEvent) -> list[KeyEvent]:
        """Take a Press or a Release; anything else passes without effect."""
        if isinstance(event, Press):
            self._down[event.key] = _Down(event.at, [(HOLD, Hold), (LONG_HOLD, LongHold), (STUCK, None)])
            return []
        if not isinstance(event, Release):
            return []
        down = self._down.pop(event.key, None)
        out = [] if down is None else self._pass(event.key, down, event.at)
        if event.at - event.pressed_at < CLICK:
            out.append(Click(event.key, event.at, event.pressed_at))
        return out

    def due(self, now: float) -> list[KeyEvent]:
        """Report the holds that are complete by `now`."""
        out: list[KeyEvent] = []
        for key, down in self._down.items():
            out += self._pass(key, down, now)
        return out

    def deadline(self) -> float | None:
        """When the next hold completes, or None."""
        return min((d.at + d.milestones[0][0] for d in self._down.values() if d.milestones), default=None)

    @staticmethod
    def _pass(key: str, down: _Down, now: float) -> list[KeyEvent]:
        out: list[KeyEvent] = []
        while down.milestones and now >= down.at + down.milestones[0][0]:
            after, kind = down.milestones.pop(0)
            at = down.at + after
            out.append(Stuck(key, at) if kind is None else kind(key, at, down.at))
        return out


class Keys:
    """Both stages in a row: raw edges and turns in, every event in the order it became certain out."""

    def __init__(self, read: Callable[[str], bool] | None = None) -> None:
        self._debouncer = Debouncer(read)
        self._gestures = Gestures()

    def feed(self, event: InputEvent) -> list[Event]:
        """Take one event of the inputs; what the encoder reports passes through."""
        if not isinstance(event, Edge):
            return [event]
        return self._gesture(self._debouncer.feed(event))

    def due(self, now: float) -> list[Event]:
        """Report what has become certain by `now`."""
        return [*self._gesture(self._debouncer.due(now)), *self._gestures.due(now)]

    def deadline(self) -> float | None:
        """When `due` should be called next, or None."""
        pending = (self._debouncer.deadline(), self._gestures.deadline())
        return min((at for at in pending if at is not None), default=None)

    def _gesture(self, events: list[KeyEvent]) -> list[Event]:
        out: list[Event] = []
        for event in events:
            out.append(event)
            out += self._gestures.feed(event)
        return out
