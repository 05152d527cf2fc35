"""Browsers at the panel on virtual time: the room, the reading of messages and the mail are the server's own."""

from __future__ import annotations

import json
import random

from hardware.events import KEYS
from referee.errors import Refused
from referee.station.loop import Loop
from referee.station.panel import StationHub
from referee.web.gate import judge
from referee.web.hub import Key
from referee.web.inbound import Ping, parse
from referee.web.room import Browser, Room, RoomFullError

MOST_MAIL = 11
"""Kinds of state, and the sounds kept: more never waits for one browser."""


class Browsers:
    """Some that watch, press, send nonsense, never read, and go without a word. ``presses`` of theirs are counted."""

    def __init__(self, loop: Loop, chance: random.Random) -> None:
        loop.hub = hub = StationHub(loop.press, loop.turn, loop.visit)
        self.room = Room(hub, lambda: False)
        self.here: list[Browser] = []
        self.presses = 0
        self._chance = chance

    def act(self) -> str:
        """Do something; return what."""
        what = self._chance.choice(("come", "go", "press", "press", "garbage", "read")) if self.here else "come"
        if what == "come":
            try:
                self.here.append(self.room.enter(lambda: None, judge))
            except RoomFullError:
                what = "full"
        elif what == "go":
            self.room.leave(self.here.pop(self._chance.randrange(len(self.here))))
        elif what == "press":
            self._press()
        elif what == "garbage":
            self._garbage()
        else:
            while self._chance.choice(self.here).outbox.take() is not None:
                pass
        assert all(len(browser.outbox._waiting) <= MOST_MAIL for browser in self.here), "mail piles up"
        return what

    def _press(self) -> None:
        browser = self._chance.choice(self.here)
        key = self._chance.choice(sorted(KEYS))
        down = key not in browser.held
        self.presses += down
        self._say(browser, json.dumps({"type": "down" if down else "up", "key": key}))
        if down and self._chance.random() < 0.8:
            self._say(browser, json.dumps({"type": "up", "key": key}))

    def _garbage(self) -> None:
        browser = self._chance.choice(self.here)
        text = self._chance.choice(
            (
                self._chance.randbytes(self._chance.randrange(60)).decode("latin-1"),
                '{"type":"down","key":"die-7"}',
                '{"type":"turn","steps":1e9}',
                "[" * 5000,
                '{"type":"down","key":["select"]}',
            )
        )
        try:
            self._say(browser, text)
        except Refused as told:
            browser.send({"type": "error", "text": told.text})
        else:
            raise AssertionError(f"taken: {text[:60]!r}")

    def _say(self, browser: Browser, text: str) -> None:
        message = parse(text)
        if isinstance(message, Key):
            (self.room.press if message.down else self.room.release)(browser, message.key)
        elif not isinstance(message, Ping):
            self.room.turn(browser, message)
