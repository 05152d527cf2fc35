"""The connected browsers of one box: messages go out to all, gestures come in from those with the right role."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

from referee.errors import RefereeError, Refused
from referee.web.guard import Identity
from referee.web.hub import (
    SEAT_KEYS,
    Gesture,
    Hub,
    Message,
    PanelClick,
    PanelHold,
    PanelName,
    PanelRelease,
    PanelTap,
    PanelTurn,
    PanelVoice,
)
from referee.web.limits import Pace
from referee.web.outbox import Outbox, Packet

MAX_BROWSERS: Final = 16
"""Connections from the network, in total."""
MAX_OF_PASS: Final = 4
MAX_OF_BOX: Final = 8
"""Connections with one pass, and from the box itself; these have limits of their own."""
RATE: Final = 60.0
BURST: Final = 120
"""Messages a second, and at once, of one visitor over all its connections; no player comes near that."""
NAMES_RATE: Final = 0.5
NAMES_BURST: Final = 16
"""The same for names of players: the box writes each to its card, and its keys wait meanwhile."""


class TooManyBrowsersError(RefereeError, RuntimeError):
    """The limit of connected browsers is reached."""


class _Hold(NamedTuple):
    browser: Browser
    key: str
    source: str


class Visitor:
    """What the connections of one visitor share: their rate limits, and the one key they hold."""

    def __init__(self) -> None:
        self.pace: Final = Pace(RATE, BURST)
        self.names: Final = Pace(NAMES_RATE, NAMES_BURST)
        self.hold: _Hold | None = None


class Browser:
    """One connected browser: its identity, its visitor and its outbox."""

    def __init__(self, number: int, wake: Callable[[], None], identity: Identity, visitor: Visitor) -> None:
        self.number: Final = number
        self.identity: Final = identity
        self.judge: Final = identity.role() == "judge"  # a pass can be revoked, but its role never changes
        self.visitor: Final = visitor
        self.outbox: Final = Outbox()
        self.speaks = False
        self._wake = wake

    def send(self, message: Message) -> None:
        """Queue a message for this browser alone."""
        self.offer([Packet(message)])

    def offer(self, packets: Iterable[Packet]) -> None:
        """Queue packets; never blocks."""
        for packet in packets:
            self.outbox.put(packet)
        self._wake()


def _at_once(call: Callable[[], None]) -> None:
    call()


class Browsers:
    """The browsers of one hub. Subscribes to the hub only while a browser is connected.

    All methods belong to the web server's thread; only `_publish` is called from the box's. It hands messages over
    and leaves it to the server's thread to give them to each browser: many watchers must not cost the box much.
    """

    def __init__(self, hub: Hub, hand_over: Callable[[Callable[[], None]], None] = _at_once) -> None:
        """``hand_over`` has something called on the server's thread; from any thread."""
        self._hub = hub
        self._hand_over = hand_over
        self._published: deque[tuple[list[Packet], bool]] = deque()
        self._handed_over = False
        self._connected: tuple[Browser, ...] = ()
        self._numbers = itertools.count(1)
        self._visitors: dict[str, Visitor] = {}  # no more than passes were ever given
        self._stop_listening: tuple[Callable[[], None], ...] = ()

    def connect(self, wake: Callable[[], None], identity: Identity) -> Browser:
        """Let a browser in and queue the snapshot for it; ``wake`` is called on new messages.

        Raises `TooManyBrowsersError` if the box, its pass or the network has too many connections.
        """
        self._check_limits(identity)
        self._distribute()  # what was published before is not for a fresh browser
        browser = Browser(next(self._numbers), wake, identity, self._visitors.setdefault(identity.name, Visitor()))
        # Subscribe before the snapshot is taken: what is published in between is given out after it.
        self._connected = (*self._connected, browser)
        if not self._stop_listening:
            judges, others = partial(self._publish, judge=True), partial(self._publish, judge=False)
            self._stop_listening = self._hub.subscribe(judges), self._hub.subscribe(others, judge=False)
        browser.offer(map(Packet, self._hub.snapshot(judge=browser.judge)))
        return browser

    def _check_limits(self, identity: Identity) -> None:
        own = sum(browser.identity.name == identity.name for browser in self._connected)
        network = sum(not browser.identity.at_the_box for browser in self._connected)
        if own >= (MAX_OF_BOX if identity.at_the_box else MAX_OF_PASS):
            raise TooManyBrowsersError(f"{own} pages of this browser are connected already")
        if not identity.at_the_box and network >= MAX_BROWSERS:
            raise TooManyBrowsersError(f"{MAX_BROWSERS} browsers are connected already")

    def disconnect(self, browser: Browser) -> None:
        """Remove a browser and end the hold it began."""
        self._connected = tuple(other for other in self._connected if other is not browser)
        if not self._connected:
            for stop in self._stop_listening:
                stop()
            self._stop_listening = ()
        hold = browser.visitor.hold
        if hold is not None and hold.browser is browser:
            self._release(browser.visitor, hold)
        self._voice(browser, speaks=False)

    def _voice(self, browser: Browser, *, speaks: bool) -> None:
        """Let a browser keep the glass while it reads it aloud; one that only watches just listens."""
        role = browser.identity.role()
        if browser.speaks != speaks and (not speaks or role == "judge" or role in SEAT_KEYS):
            browser.speaks = speaks
            self._hub.voice(f"browser {browser.number}", speaks=speaks)

    def refresh(self) -> None:
        """Let the hub look for what has changed beside it."""
        self._hub.refresh()

    def act(self, browser: Browser, gesture: Gesture | PanelVoice | PanelName, now: float) -> None:
        """Pass a gesture on. Raises `Refused` if this browser may not make it now, or holds a key already."""
        visitor = browser.visitor
        if isinstance(gesture, PanelVoice):
            self._voice(browser, speaks=gesture.speaks)
        elif isinstance(gesture, PanelName):
            self._name(browser, gesture, now)
        elif isinstance(gesture, PanelRelease):
            if visitor.hold is not None and visitor.hold[:2] == (browser, gesture.key):
                self._release(visitor, visitor.hold)
        else:
            source = browser.identity.source(self._allow(browser, gesture))
            if isinstance(gesture, PanelHold):
                if visitor.hold is not None:
                    raise Refused("hold", "Another key is already held")
                visitor.hold = _Hold(browser, gesture.key, source)
            self._hub.act(gesture, source)

    def _name(self, browser: Browser, message: PanelName, now: float) -> None:
        """Take who plays a seat, from a judge or from that seat. Raises `Refused`."""
        if browser.identity.role() not in ("judge", message.key):
            raise Refused("role", "Only a judge can name another seat's player")
        if message.key not in self._hub.lamps().states:
            raise Refused("names", "This game has no such seat")
        if not browser.visitor.names.allows(now):
            raise Refused("rate", "Too many names at once. Wait a few seconds")
        self._hub.name(message.key, message.name)

    def _release(self, visitor: Visitor, hold: _Hold) -> None:
        visitor.hold = None
        self._hub.act(PanelRelease(hold.key), hold.source)

    def _allow(self, browser: Browser, gesture: PanelClick | PanelHold | PanelTurn | PanelTap) -> str:
        """Return the role that lets a browser make a gesture now. Raises `Refused`."""
        role = browser.identity.role()
        if role == "judge":
            return role
        if role not in SEAT_KEYS:
            raise Refused("role", "This browser can only watch")
        if isinstance(gesture, PanelHold) or (isinstance(gesture, PanelTap) and gesture.held):
            raise Refused("role", "Only a judge can hold a key")
        lamps = self._hub.lamps()
        if lamps.judges:
            raise Refused("role", "Only a judge can answer this")
        key = gesture.key if isinstance(gesture, PanelClick) else ""
        lamp = lamps.states.get(role, "off")
        if key in SEAT_KEYS and key != role:
            raise Refused("role", "That is another player's button")
        if key == role and lamp != "blink":
            raise Refused("role", "Your button counts while its lamp blinks")
        if lamp == "off":
            raise Refused("role", "It is not your turn")
        return role

    def _publish(self, messages: Sequence[Message], *, judge: bool) -> None:
        self._published.append(([Packet(message) for message in messages], judge))
        if not self._handed_over:
            self._handed_over = True
            self._hand_over(self._distribute)

    def _distribute(self) -> None:
        self._handed_over = False  # first: what is published from here on is handed over again
        while self._published:
            packets, judge = self._published.popleft()
            for browser in self._connected:
                if browser.judge is judge:
                    browser.offer(packets)
