"""Everybody who watches one box: news goes out to all, and a key is down while anybody holds it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.errors import RefereeError, Refused
from referee.web.gate import Badge
from referee.web.hub import SEAT_KEYS, Hub, Key, Message, Turn
from referee.web.outbox import Outbox, Packet

MAX_BROWSERS: Final = 16


class RoomFullError(RefereeError, RuntimeError):
    """As many browsers watch as the box will serve."""


class Browser:
    """One connected browser: what it may do, what it is still to be sent, and the keys it holds down."""

    def __init__(self, wake: Callable[[], None], badge: Badge) -> None:
        self.badge: Final = badge
        self.outbox: Final = Outbox()
        self.held: Final[set[str]] = set()
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

    def __init__(self, hub: Hub, judges_only: Callable[[], bool]) -> None:
        """``judges_only``: whether the question on the glass is one for judges alone."""
        self._hub = hub
        self._judges_only = judges_only
        self._browsers: tuple[Browser, ...] = ()
        self._stop_listening: Callable[[], None] | None = None

    def enter(self, wake: Callable[[], None], badge: Badge) -> Browser:
        """Let a browser in and queue the snapshot for it; ``wake`` is called, from any thread, on new mail.

        Raises `RoomFullError` beyond `MAX_BROWSERS`.
        """
        if len(self._browsers) >= MAX_BROWSERS:
            raise RoomFullError(f"{MAX_BROWSERS} browsers watch already")
        browser = Browser(wake, badge)
        # Listening before looking: nothing published in between can be missed.
        self._browsers = (*self._browsers, browser)
        if self._stop_listening is None:
            self._stop_listening = self._hub.subscribe(self._spread)
        browser.bring_up_to_date(self._hub.snapshot())
        return browser

    def leave(self, browser: Browser) -> None:
        """Let a browser go and release every key it still held."""
        self._browsers = tuple(other for other in self._browsers if other is not browser)
        if not self._browsers and self._stop_listening is not None:
            self._stop_listening()
            self._stop_listening = None
        for key in sorted(browser.held):
            self.release(browser, key)

    def press(self, browser: Browser, key: str) -> None:
        """A browser holds a key; the box hears of it unless somebody holds it already.

        Raises `Refused` if it may not. The menu behind a long Back is not a player's: his is always a short one.
        """
        role = self._allow(browser, key)
        held_before = key in browser.held or self._held_elsewhere(browser, key)
        if key == "back" and role != "judge":
            if not held_before:
                self._hub.act(Key(key, down=True))
                self._hub.act(Key(key, down=False))
            return
        if not held_before:
            self._hub.act(Key(key, down=True))
        browser.held.add(key)

    def release(self, browser: Browser, key: str) -> None:
        """A browser lets a key go; the box hears of it when nobody holds it any more."""
        if key not in browser.held:
            return
        browser.held.discard(key)
        if not self._held_elsewhere(browser, key):
            self._hub.act(Key(key, down=False))

    def turn(self, browser: Browser, turn: Turn) -> None:
        """Pass on a turn of the encoder. Raises `Refused` if this browser may not."""
        self._allow(browser, "turn")
        self._hub.act(turn)

    def _allow(self, browser: Browser, key: str) -> str:
        """Return the role that lets a browser press a key now. Raises `Refused`."""
        role = browser.badge()
        if role == "judge":
            return role
        if role not in SEAT_KEYS:
            raise Refused("role", "This browser only watches")
        if self._judges_only():
            raise Refused("role", "That is for the judge to say")
        if key in SEAT_KEYS and key != role:
            raise Refused("role", "That is another player's button")
        if key != role and not self._lit(role):
            raise Refused("role", "It is not your turn to press")
        return role

    def _lit(self, seat: str) -> bool:
        """Whether the lamp of a seat is lit or blinks: it is asked."""
        return any(
            each["key"] == seat and each["state"] != "off"
            for message in self._hub.snapshot()
            if message["type"] == "lamps"
            for each in message["seats"]
        )

    def _held_elsewhere(self, browser: Browser, key: str) -> bool:
        return any(key in other.held for other in self._browsers if other is not browser)

    def _spread(self, message: Message) -> None:
        packet = Packet(message)
        for browser in self._browsers:
            browser.offer(packet)
