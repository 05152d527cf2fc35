"""Browsers at the panel on virtual time: limits, parsing and outboxes are those of the server."""

from __future__ import annotations

import json
import random

from referee.errors import Refused
from referee.station.panel import StationHub
from referee.web.browsers import Browser, Browsers, TooManyBrowsersError
from referee.web.hub import HELD_KEYS
from referee.web.identity import BOX
from referee.web.inbound import Ping, parse
from tests.reference import KEYS

MOST_MAIL = 11
"""Kinds of state, and the sounds kept: more never waits for one browser."""


class SimulatedBrowsers:
    """Browsers that watch, press, send garbage, never read or vanish. ``presses`` counts their presses."""

    def __init__(self, hub: StationHub, chance: random.Random) -> None:
        self.server = Browsers(hub)
        self.here: list[Browser] = []
        self.presses = 0
        self._chance = chance

    def act(self) -> str:
        """Do something; return what."""
        what = self._chance.choice(("come", "go", "press", "press", "garbage", "read")) if self.here else "come"
        if what == "come":
            try:
                self.here.append(self.server.connect(lambda: None, BOX))
            except TooManyBrowsersError:
                what = "full"
        elif what == "go":
            self.server.disconnect(self.here.pop(self._chance.randrange(len(self.here))))
        elif what == "press":
            self._press()
        elif what == "garbage":
            self._garbage()
        else:
            self._chance.choice(self.here).outbox.take()
        assert all(len(browser.outbox._waiting) <= MOST_MAIL for browser in self.here), "mail piles up"
        return what

    def _press(self) -> None:
        browser = self._chance.choice(self.here)
        if browser.visitor.hold is not None:
            self._say(browser.visitor.hold.browser, json.dumps({"type": "release", "key": browser.visitor.hold.key}))
        self.presses += 1
        if self._chance.random() < 0.2:
            self._say(browser, json.dumps({"type": "hold", "key": self._chance.choice(HELD_KEYS)}))
        else:
            key, ms = self._chance.choice(sorted(KEYS)), self._chance.randrange(300)
            self._say(browser, json.dumps({"type": "click", "key": key, "ms": ms}))

    def _garbage(self) -> None:
        browser = self._chance.choice(self.here)
        text = self._chance.choice(
            (
                self._chance.randbytes(self._chance.randrange(60)).decode("latin-1"),
                '{"type":"click","key":"die-7","ms":0}',
                '{"type":"turn","steps":1e9}',
                "[" * 5000,
                '{"type":"hold","key":["select"]}',
            )
        )
        try:
            self._say(browser, text)
        except Refused as refusal:
            browser.send({"type": "error", "text": refusal.text})
        else:
            raise AssertionError(f"taken: {text[:60]!r}")

    def _say(self, browser: Browser, text: str) -> None:
        message = parse(text)
        if not isinstance(message, Ping):
            self.server.act(browser, message)
