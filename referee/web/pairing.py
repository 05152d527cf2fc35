"""How a browser of the network gets in: it types the code on the glass, then somebody at the box says what it may do.

One browser at a time. The code lives two minutes and bears three tries; whatever ends otherwise than by being let in
shuts the door for a while, twice as long each time. No address is counted: in a network they cost nothing.
"""

from __future__ import annotations

import hmac
import logging
import math
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from referee.errors import RefereeError
from referee.web.hub import Hub, Visit
from referee.web.passes import ROLES, Passes, pass_id

_logger = logging.getLogger(__name__)

LIFE: Final = 120.0
"""Seconds a code lives, and then again for the answer at the box."""
TRIES: Final = 3
DIGITS: Final = 6
FIRST_LOCK: Final = 15.0
LONGEST_LOCK: Final = 3600.0
"""Seconds the door is shut after the first failure, and at most; after as long again in peace it is forgotten."""


class TurnedAwayError(RefereeError):
    """Not now, or not so. ``status``: of HTTP; ``seconds``: when to try again, 0 if that is no matter of time."""

    def __init__(self, status: int, text: str, seconds: float = 0.0) -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.seconds = math.ceil(seconds)


class Step(NamedTuple):
    """Where a pairing stands: ``state`` is ``code``, ``role`` or ``in``; ``token`` once, when it is let in."""

    state: str
    token: str = ""


@dataclass
class _Guest:
    secret: str
    who: str
    code: str
    until: float
    state: str = "code"
    role: str = ""
    wrong: int = 0
    heard_from: float = 0.0


def six_digits() -> str:
    """Return a code."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"


class Pairing:
    """The door of one box. The browsers' side calls from the web server's thread, the box answers from its own."""

    def __init__(
        self,
        hub: Hub,
        passes: Passes,
        clock: Callable[[], float] = time.monotonic,
        code: Callable[[], str] = six_digits,
    ) -> None:
        self._hub = hub
        self._passes = passes
        self._clock = clock
        self._code = code
        self._lock = threading.RLock()
        self._guest: _Guest | None = None
        self._failures = 0
        self._opens = -math.inf

    def ask(self, who: str, secret: str = "") -> tuple[str, str]:
        """Put a code on the glass for the browser at ``who``.

        Returns the secret it is known by until it is let in, and where it stands: a browser that asks again goes on.
        Raises `TurnedAwayError` while another browser asks or the door is shut.
        """
        with self._lock:
            now = self._now()
            if self._guest is not None:
                if _same(secret, self._guest.secret):
                    return secret, self._guest.state
                raise TurnedAwayError(409, "Another browser is asking right now.", self._guest.until - now)
            if now < self._opens:
                raise TurnedAwayError(429, "No codes are given for a while.", self._opens - now)
            self._guest = _Guest(secrets.token_urlsafe(24), who, self._code(), now + LIFE)
            self._show(self._guest)
            return self._guest.secret, "code"

    def is_asking(self, secret: str) -> bool:
        """Whether the secret is that of the browser that is asking, or did until its time was up."""
        with self._lock:
            return self._guest is not None and _same(secret, self._guest.secret)

    def enter(self, secret: str, code: str) -> Step:
        """Try a code. Raises `TurnedAwayError` if it is wrong, too soon after a wrong one, or nobody asked."""
        with self._lock:
            now = self._now()
            guest = self._known(secret)
            if guest.state != "code":
                return Step(guest.state)
            if now < guest.heard_from:
                raise TurnedAwayError(429, "Too soon after a wrong code.", guest.heard_from - now)
            if not _same(code, guest.code):
                self._wrong(guest, now)
            guest.state, guest.until = "role", now + LIFE
            self._show(guest)
            return Step("role")

    def wait(self, secret: str) -> Step:
        """Ask how it stands; lets the browser in when the box has said what it may do. Raises `TurnedAwayError`."""
        with self._lock:
            self._now()
            guest = self._known(secret)
            if guest.state != "in":
                return Step(guest.state)
            token = self._passes.issue(guest.role, guest.who)
            self._guest, self._failures = None, 0
            _logger.warning(
                "the browser at %s was let in to the panel: %s, pass %s", guest.who, guest.role, pass_id(token)
            )
            return Step("in", token)

    def _answered(self, guest: _Guest, role: str) -> None:
        """The box says what the guest may do, or "" for nothing; an answer about one that has gone is too late."""
        with self._lock:
            now = self._now()
            if self._guest is not guest:
                return
            if guest.state == "role" and role in ROLES:
                guest.state, guest.role, guest.until = "in", role, now + LIFE
            else:
                self._fail(now)

    def _wrong(self, guest: _Guest, now: float) -> None:
        guest.wrong += 1
        if guest.wrong >= TRIES:
            self._fail(now)
            raise TurnedAwayError(403, "Too many wrong codes.", self._opens - now)
        guest.heard_from = now + 2.0**guest.wrong
        raise TurnedAwayError(403, "Wrong code.", guest.heard_from - now)

    def _known(self, secret: str) -> _Guest:
        if self._guest is None or not _same(secret, self._guest.secret):
            raise TurnedAwayError(410, "That code has expired. Ask for a new one.")
        return self._guest

    def _now(self) -> float:
        now = self._clock()
        if self._guest is not None and now >= self._guest.until:
            self._fail(self._guest.until)
        if now >= self._opens + LONGEST_LOCK:
            self._failures = 0
        return now

    def _fail(self, at: float) -> None:
        if self._guest is not None:
            _logger.warning("the browser at %s was not let in to the panel", self._guest.who)
        self._guest = None
        self._opens = at + min(LONGEST_LOCK, FIRST_LOCK * 2.0 ** min(self._failures, 30))
        self._failures += 1
        self._hub.visit(None)

    def _show(self, guest: _Guest) -> None:
        code = guest.code if guest.state == "code" else ""
        self._hub.visit(Visit(guest.who, code, guest.until, partial(self._answered, guest)))


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode())
