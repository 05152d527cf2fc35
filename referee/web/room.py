"""Everybody who watches one box: news goes out to all, and gestures come in from those who may make them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, NamedTuple

from referee.errors import RefereeError, Refused
from referee.web.gate import BOX, Badge
from referee.web.hub import SEAT_KEYS, Gesture, Hub, Message, PanelClick, PanelHold, PanelRelease, PanelTurn
from referee.web.outbox import Outbox, Packet
from referee.web.pace import Pace

MAX_BROWSERS: Final = 16
"""Of the network, all together."""
MAX_OF_PASS: Final = 4
MAX_OF_BOX: Final = 8
"""Lines of one pass, and of the box itself: nobody else's count against those."""
RATE: Final = 60.0
BURST: Final = 120
"""Messages a second, and at once, of one visitor, over however many lines."""
REFUSED_RATE: Final = 5.0
REFUSED_BURST: Final = 500
"""Of them refused, before a line is cut: no hand does that."""


class RoomFullError(RefereeError, RuntimeError):
    """As many browsers watch as the box will serve."""


class _Held(NamedTuple):
    browser: Browser
    key: str
    source: str


class Visitor:
    """Who may have several browsers: how fast they may speak together, and the one key they hold."""

    def __init__(self) -> None:
        self.pace: Final = Pace(RATE, BURST)
        self.patience: Final = Pace(REFUSED_RATE, REFUSED_BURST)
        self.hold: _Held | None = None


class Browser:
    """One connected browser: whose it is, what it may do, and what it is still to be sent."""

    def __init__(self, wake: Callable[[], None], badge: Badge, visitor: Visitor) -> None:
        self.badge: Final = badge
        self.judge: Final = badge.role() == "judge"  # a pass is taken back, but never becomes another
        self.visitor: Final = visitor
        self.outbox: Final = Outbox()
        self._wake = wake

    def send(self, message: Message) -> None:
        """Queue a message for this browser alone."""
        self.offer(Packet(message))

    def offer(self, packet: Packet) -> None:
        """Queue a packet; never blocks, callable from any thread."""
        if self.outbox.put(packet):
            self._wake()

    def bring_up_to_date(self, snapshot: list[Message]) -> None:
        """Queue a snapshot; what the box has published meanwhile is newer and stays."""
        for message in snapshot:
            if self.outbox.fill(Packet(message)):
                self._wake()


class Room:
    """The browsers of one hub. The hub is listened to only while somebody watches.

    All methods belong to the web server's thread; only `_spread` is called from the box's.
    """

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._browsers: tuple[Browser, ...] = ()
        self._visitors: dict[str, Visitor] = {}  # no more than people have ever let in
        self._stop_listening: tuple[Callable[[], None], ...] = ()

    def enter(self, wake: Callable[[], None], badge: Badge) -> Browser:
        """Let a browser in and queue the snapshot for it; ``wake`` is called, from any thread, on new mail.

        Raises `RoomFullError` where the box, its pass or the network has as many lines as it may.
        """
        self._find_room(badge)
        browser = Browser(wake, badge, self._visitors.setdefault(badge.name, Visitor()))
        # Listening before looking: nothing published in between can be missed.
        self._browsers = (*self._browsers, browser)
        if not self._stop_listening:
            judges, others = partial(self._spread, judge=True), partial(self._spread, judge=False)
            self._stop_listening = self._hub.subscribe(judges), self._hub.subscribe(others, judge=False)
        browser.bring_up_to_date(self._hub.snapshot(judge=browser.judge))
        return browser

    def _find_room(self, badge: Badge) -> None:
        own = sum(browser.badge.name == badge.name for browser in self._browsers)
        network = sum(browser.badge is not BOX for browser in self._browsers)
        if own >= (MAX_OF_BOX if badge is BOX else MAX_OF_PASS):
            raise RoomFullError(f"{own} pages of this browser watch already")
        if badge is not BOX and network >= MAX_BROWSERS:
            raise RoomFullError(f"{MAX_BROWSERS} browsers are connected already")

    def leave(self, browser: Browser) -> None:
        """Let a browser go and end the hold it began."""
        self._browsers = tuple(other for other in self._browsers if other is not browser)
        if not self._browsers:
            for stop in self._stop_listening:
                stop()
            self._stop_listening = ()
        hold = browser.visitor.hold
        if hold is not None and hold.browser is browser:
            self._release(browser.visitor, hold)

    def act(self, browser: Browser, gesture: Gesture) -> None:
        """Pass a gesture on. Raises `Refused` if this browser may not make it, or holds a key already."""
        visitor = browser.visitor
        if isinstance(gesture, PanelRelease):
            if self.ends(browser, gesture):
                assert visitor.hold is not None
                self._release(visitor, visitor.hold)
            return
        source = browser.badge.source(self._allow(browser, gesture))
        if isinstance(gesture, PanelHold):
            if visitor.hold is not None:
                raise Refused("hold", "Another key is held already")
            visitor.hold = _Held(browser, gesture.key, source)
        self._hub.act(gesture, source)

    def ends(self, browser: Browser, message: object) -> bool:
        """Whether a message ends the hold that this browser began."""
        hold = browser.visitor.hold
        if hold is None or not isinstance(message, PanelRelease):
            return False
        return hold.browser is browser and hold.key == message.key

    def _release(self, visitor: Visitor, hold: _Held) -> None:
        visitor.hold = None
        self._hub.act(PanelRelease(hold.key), hold.source)

    def _allow(self, browser: Browser, gesture: PanelClick | PanelHold | PanelTurn) -> str:
        """Return the role that lets a browser make a gesture now. Raises `Refused`."""
        role = browser.badge.role()
        if role == "judge":
            return role
        if role not in SEAT_KEYS:
            raise Refused("role", "This browser only watches")
        if isinstance(gesture, PanelHold):
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

    def _spread(self, message: Message, *, judge: bool) -> None:
        packet = Packet(message)
        for browser in self._browsers:
            if browser.judge is judge:
                browser.offer(packet)
