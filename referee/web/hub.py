"""What the panel needs of a box: a picture of now, news of every change, and somewhere to send presses.

A browser is sent lists of messages, over ``/ws`` or, as one that only watches, over ``/watch``. What one list tells
is true at the same moment. The messages, by ``type``; those of state replace the one before, and but for the log come
whole each time. Texts may be empty where nothing is to be said:

``glass``  ``width``, ``height`` in pixels; ``bits``: base64 of the rows from the top, 1 bit a pixel, leftmost pixel
    in the highest bit, each row filled up to a byte; ``on``: false when the display is off.
``lamps``  ``seats``: list of ``key`` (``seat-1``), ``name``, ``player`` (who plays it), ``state`` (``on``, ``off``,
    ``blink``); ``judges``: whether what is on the glass is for judges alone.
``sound``  ``name``; ``pattern``: milliseconds on, off, on, ... Not state: a fresh browser hears none.
``table``  ``title``; ``where``: list of steps, outermost first; ``turn``: the seat whose turn it is, with who plays
    it; ``n``: number of the pending question, 0 without a game; ``prompt``: None while something else is told
    first, or ``n``, ``kind``, ``seat``, ``text``, ``options`` (``id``, ``text``), ``barred`` (``id``, ``code``,
    ``text``, the reason; optional ``name`` in place of the id); ``screen``: number of the screen on the glass;
    ``card``: what it asks or tells (``kind`` of the view, ``title``, ``text``; ``seat``: who is asked, and
    ``whose``: whose button is waited for, both with who plays there; ``dice``: the faces keyed in so far, None for
    each to come, of so many ``sides``; ``buttons``: ``id``, ``text``, ``key`` (what does the same at the box, two
    of them with " or " between, keys one after another with a blank), ``note``, ``why_not`` (why it cannot be had
    now), ``chosen``, ``held`` (only judges may press it); ``lit``: id of the button that the encoder is at);
    ``ways``: what can be pressed beside those by ``tap`` (``id``: ``undo``, ``menu``, ``shelf``; ``held``);
    ``report``: whether ``/report.html`` can be had; ``ruling``: the last one that counts, or None (``headline``,
    ``faces``, ``total``, ``need``, ``to_do``, ``changed``, ``why``: lines, ``rules``: ids); ``over``: why the game
    is over, a sentence; ``spoken``: all that is on the glass; ``aloud``: what a voice says of it; ``pools``
    (``id``, ``name``, ``side``, ``value``, ``cap`` or None); ``odds`` (``id``, ``text``, ``chance``: exact
    fraction, empty if too long to read, ``share``: 0.0 to 1.0); ``odds_of``: ``roll``, or ``outcome`` where they
    tell how it will all come out; ``assumes``: what those take for granted; ``dice``: ``faces``, six counts;
    ``sim``: whether the box is simulated.
``log``  ``since``: number of the entry from which on these lines take the place of those told before, 0 (or left
    out): of all. ``entries``, oldest first, at most 200: ``seq``, ``seat``, ``text``, ``why`` (lines), ``rules``
    (ids), ``kind`` (``ruling``, ``answer``, ``undo``, ``correct``, ``override``, ``start``, ``over``), ``undone``,
    ``dice`` (where faces came from, "" if all were keyed in at the box), ``place`` (list of steps before it).
``clock``  Where there are seat clocks, when something about them changes; meanwhile the browser counts itself.
    ``seats``, in their order round the table, empty once the clocks are taken away: ``key``, ``name``, ``ms`` that
    its clock shows, ``runs``, ``free``: ms that still pass before it runs, ``down``: whether its flag is;
    ``shared``: among how many seats the time is shared that runs; ``up``: whether they count up; ``control`` in
    words; ``paused``; ``first``: whose flag fell first; ``ago``: ms for which it has been so.
``round``  At a table of an event, when something about its round changes: ``round``: its number, 0: its clock is
    taken away; ``ms`` until time is called; ``runs``; ``about``: the box was off, so there may be less left;
    ``ago``.

The server adds ``error`` (``text``), ``pong``, ``join`` (``address``: what a phone opens, empty where none can; its
QR code is ``/join.svg``) and, for a browser that was let in, ``role`` (``role``).

A browser sends gestures, not contacts, so nothing of it is debounced and no two of its messages can become a third:

``click``  ``key`` went down ``ms`` milliseconds ago, 0 to 299, and has come up, or need not come up to count.
``hold``  ``key``, ``select`` or ``back``, went down 300 ms ago and is still down. The box times the rest of the
    hold.
``release``  ``key``, which was held, came up.
``turn``  ``steps`` detents of the encoder, clockwise positive, at most 32 either way.
``tap``  ``button``, the id of one of the card's buttons, was pressed while screen number ``screen`` was shown;
    ``held``: whether it is one that takes a hold at the box.
``voice``  ``speaks``: whether the browser reads the glass aloud now. Meanwhile nothing on it gives way by itself.
``name``  ``key``, a seat's button, and ``name``: who plays it, at most 24 letters, "": nobody.
``ping``  asks for a ``pong``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, TypeAlias

from referee.errors import WHOLE, Malformed
from referee.files import outside

Message: TypeAlias = Mapping[str, Any]
"""One JSON object for the browser; ``type`` names it, and it is not changed once handed over."""

Listener: TypeAlias = Callable[[Sequence[Message]], None]

DIE_KEYS: Final = tuple(f"die-{face}" for face in range(1, 7))
SEAT_KEYS: Final = tuple(f"seat-{number}" for number in range(1, 9))
HELD_KEYS: Final = ("select", "back")
"""Keys whose hold means something."""
KEYS: Final = frozenset((*DIE_KEYS, *HELD_KEYS, *SEAT_KEYS))

CLICK_MS: Final = 300
"""A key that was down for fewer milliseconds was clicked; as long as this, its hold has begun."""

MAX_BUTTON: Final = 16
"""Letters of a button's id."""

MAX_STEPS: Final = 32
"""Detents in one message; a knob with 24 to the turn gives fewer between two frames."""


@dataclass(frozen=True, slots=True)
class PanelClick:
    """A short press of one of `KEYS`; ``ms``: milliseconds since the key went down, below `CLICK_MS`."""

    key: str
    ms: int


@dataclass(frozen=True, slots=True)
class PanelHold:
    """One of `HELD_KEYS` has been down for `CLICK_MS` and still is."""

    key: str


@dataclass(frozen=True, slots=True)
class PanelRelease:
    """A key that was held came up."""

    key: str


@dataclass(frozen=True, slots=True)
class PanelTurn:
    """The encoder turned by ``steps`` detents, clockwise positive, never 0, at most `MAX_STEPS` either way."""

    steps: int


@dataclass(frozen=True, slots=True)
class PanelTap:
    """A button of the card on the glass, ``button`` its id, was pressed while this screen was shown.

    ``held``: it is one that takes a hold at the box.
    """

    screen: int
    button: str
    held: bool


@dataclass(frozen=True, slots=True)
class PanelVoice:
    """The browser has begun to read the glass aloud, or is silent again. No gesture: it does nothing at the table."""

    speaks: bool


@dataclass(frozen=True, slots=True)
class PanelName:
    """Somebody typed who plays the seat with this button; "": nobody. No gesture: no rulebook hears of it."""

    key: str
    name: str


Gesture: TypeAlias = PanelClick | PanelHold | PanelRelease | PanelTurn | PanelTap

MAX_BYTES: Final = 4096
"""Longest message accepted, in bytes of UTF-8; the protocol's longest is below 64."""


@dataclass(frozen=True, slots=True)
class Ping:
    """The browser checks whether the connection is alive."""


def parse(text: str) -> Gesture | PanelVoice | PanelName | Ping:
    """Read one message.

    Raises `Malformed` for anything but the messages described above. Further members are ignored.
    """
    if len(text.encode()) > MAX_BYTES:
        raise Malformed(f"expected at most {MAX_BYTES} bytes")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed("expected one JSON object") from error
    message = _read(value)
    if message is None:
        raise Malformed("expected click, hold, release, turn, tap, voice, name or ping, with its members")
    return message


def _read(value: Any) -> Gesture | PanelVoice | PanelName | Ping | None:
    match value:
        case {"type": "click", "key": str(key), "ms": ms} if key in KEYS and _is_whole(ms, 0, CLICK_MS - 1):
            return PanelClick(key, ms)
        case {"type": "hold" | "release" as kind, "key": key} if key in HELD_KEYS:
            return PanelHold(key) if kind == "hold" else PanelRelease(key)
        case {"type": "turn", "steps": steps} if _is_whole(steps, -MAX_STEPS, MAX_STEPS) and steps:
            return PanelTurn(steps)
        case {"type": "tap", "screen": screen, "button": str(button), "held": bool(held)}:
            fits = _is_whole(screen, 0, WHOLE - 1) and 1 <= len(button) <= MAX_BUTTON
            return PanelTap(screen, button, held) if fits else None
        case {"type": "voice", "speaks": bool(speaks)}:
            return PanelVoice(speaks)
        case {"type": "name", "key": key, "name": name} if key in SEAT_KEYS:
            return PanelName(key, _typed(name))
        case {"type": "ping"}:
            return Ping()
    return None


def _is_whole(value: Any, low: int, high: int) -> bool:
    return type(value) is int and low <= value <= high  # bool is an int to Python, not to the protocol


def _typed(value: Any) -> str:
    try:
        return outside.name(value)
    except Malformed as error:
        raise Malformed(f"{error.text[:1].upper()}{error.text[1:]}") from error  # a person typed it


WISHES: Final = ("watch", "play", "judge")
"""What a browser can ask for: to see, a seat, or to judge."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A browser has typed the code on the glass, and the table is asked what it may do.

    ``who`` is its address. ``wish``, one of `WISHES`, is what it wants; the table decides. ``answer`` is called from
    any thread with one of `referee.web.passes.ROLES`, or "" when a key took the card away. After ``until``, in
    seconds of the monotonic clock, the card is gone by itself. ``watch_only``: it can be made nothing but one that
    watches.
    """

    who: str
    until: float
    answer: Callable[[str], None]
    wish: str = "watch"
    watch_only: bool = False


class Lamps(NamedTuple):
    """Who may press: seat key -> "off", "on" or "blink"; ``judges``: what is on the glass is for judges alone."""

    states: Mapping[str, str]
    judges: bool


class Row(NamedTuple):
    """A row of a page to be searched, under a heading; ``report``: the game whose report it offers, or 0."""

    group: str
    cells: tuple[str, ...]
    report: int = 0


class Hub(Protocol):
    """The box as the panel sees it.

    The hub changes its own state first and publishes afterwards, so that a snapshot may be newer than the
    last message published but never older. All methods return at once.
    """

    def snapshot(self, *, judge: bool = True) -> list[Message]:
        """The messages that bring a fresh browser, of a judge or of anybody else, up to now."""

    def subscribe(self, listener: Listener, *, judge: bool = True) -> Callable[[], None]:
        """Call ``listener`` with all later messages, from whatever thread has them; returns the way to stop.

        ``judge``: whether it gets what judges see; a visitor's code and card are for no other eyes.
        """

    def lamps(self) -> Lamps:
        """Who may press, as of the last picture."""

    def act(self, gesture: Gesture, source: str) -> None:
        """Take what somebody did at a browser; ``source`` names it in the journal. Called from the web's thread."""

    def voice(self, source: str, *, speaks: bool) -> None:
        """Take that a browser has begun to read the glass aloud, or is silent again. Called from the web's thread."""

    def listing(self, name: str) -> Sequence[Row]:
        """Return the rows of the page of that name: ``evenings`` or ``rules``. Called from any thread.

        Raises RefereeError if they cannot be read.
        """

    def report(self, game: int = 0, *, anonymous: bool = False) -> bytes | None:
        """Return the report of a game that is over, as HTML; empty while it is being written.

        ``game``: its number, 0 for the one on the table; ``anonymous``: without the names of players.
        None: there is no such game. Raises RefereeError if it could not be written.
        """

    def name(self, key: str, name: str) -> None:
        """Take who plays the seat with this button, "" for nobody. Called from the web's thread."""

    def refresh(self) -> None:
        """Publish names of players that a command has erased; at each ``ping``. Called from the web's thread."""

    def invitation(self) -> str:
        """Return the code on the glass that lets one browser in, "" for none. Called from the web's thread."""

    def visit(self, visit: Visit | None) -> None:
        """Put a visit on the glass in place of the one before; None: take that away. Called from any thread."""
