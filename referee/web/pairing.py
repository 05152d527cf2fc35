"""Pairing of a browser on the network: it enters the code on the glass, then somebody at the box chooses its role.

One browser at a time. The code is valid for two minutes and three tries. Every failed attempt blocks pairing for a
while, twice as long each time. The limit is not per address, because an attacker in a network can have many.
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
from referee.web.passes import ROLES, WATCH, Passes, pass_id

_logger = logging.getLogger(__name__)

LIFE: Final = 120.0
"""Seconds a code is valid; the box then has as long to answer."""
TRIES: Final = 3
DIGITS: Final = 6
FIRST_LOCK: Final = 15.0
LONGEST_LOCK: Final = 3600.0
"""Seconds pairing is blocked after the first failure, and at most; reset after that long without a failure."""


class PairingRefusedError(RefereeError):
    """A step that is refused. ``status``: of HTTP; ``seconds``: when to try again, 0 if waiting does not help."""

    def __init__(self, status: int, text: str, seconds: float = 0.0) -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.seconds = math.ceil(seconds)


class Step(NamedTuple):
    """State of a pairing: ``state`` is ``code``, ``role`` or ``in``; ``token`` is given once, with ``in``."""

    state: str
    token: str = ""


@dataclass
class _Visitor:
    secret: str
    who: str
    code: str
    wish: str
    until: float
    state: str = "code"
    role: str = ""
    wrong: int = 0
    next_try: float = 0.0


def six_digits() -> str:
    """Return a random code."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"


class Pairing:
    """Pairing with one box. The methods are called on the web server's thread, the box's answer comes on its own."""

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
        self._visitor: _Visitor | None = None
        self._failures = 0
        self._blocked_until = -math.inf

    def ask(self, who: str, secret: str = "", wish: str = "watch") -> tuple[str, str]:
        """Put a code on the glass for the browser at ``who``; ``wish``: what it would like to be.

        Returns the secret that identifies it until it is let in, and its state; asking again continues the pairing,
        with another wish as long as no code was entered.
        Raises `PairingRefusedError` while another browser asks, or while pairing is blocked.
        """
        with self._lock:
            now = self._now()
            if self._passes.watch_only and wish != WATCH:
                raise PairingRefusedError(
                    403, "This box belongs to an event: a browser can watch it, and nothing else."
                )
            if self._visitor is not None:
                if _same(secret, self._visitor.secret):
                    self._change(self._visitor, wish)
                    return secret, self._visitor.state
                raise PairingRefusedError(409, "Another browser is pairing right now.", self._visitor.until - now)
            if now < self._blocked_until:
                raise PairingRefusedError(429, "Pairing is blocked for a while.", self._blocked_until - now)
            self._visitor = _Visitor(secrets.token_urlsafe(24), who, self._code(), wish, now + LIFE)
            self._show(self._visitor)
            return self._visitor.secret, "code"

    def _change(self, visitor: _Visitor, wish: str) -> None:
        if visitor.state == "code" and visitor.wish != wish:
            visitor.wish = wish
            self._show(visitor)

    def is_asking(self, secret: str) -> bool:
        """Whether the secret is that of the browser that asks, even if its time is up."""
        with self._lock:
            return self._visitor is not None and _same(secret, self._visitor.secret)

    def enter(self, secret: str, code: str) -> Step:
        """Try a code. Raises `PairingRefusedError` if it is wrong, too soon after a wrong one, or nobody asked."""
        with self._lock:
            now = self._now()
            visitor = self._find(secret)
            if visitor.state != "code":
                return Step(visitor.state)
            if now < visitor.next_try:
                raise PairingRefusedError(429, "Too soon after a wrong code.", visitor.next_try - now)
            if not _same(code, visitor.code):
                self._wrong(visitor, now)
            visitor.state, visitor.until = "role", now + LIFE
            self._show(visitor)
            return Step("role")

    def wait(self, secret: str, replaces: str = "") -> Step:
        """Poll; lets the browser in once the box has chosen its role. Raises `PairingRefusedError`.

        ``replaces``: id of the pass that it has had until now, which is taken back.
        """
        with self._lock:
            self._now()
            visitor = self._find(secret)
            if visitor.state != "in":
                return Step(visitor.state)
            token = self._passes.issue(visitor.role, visitor.who)
            if replaces:
                self._passes.revoke(replaces)
            self._visitor, self._failures = None, 0
            _logger.warning(
                "the browser at %s was let in to the panel: %s, pass %s", visitor.who, visitor.role, pass_id(token)
            )
            return Step("in", token)

    def _answered(self, visitor: _Visitor, role: str) -> None:
        """The box chose a role, or "" to refuse; an answer about a visitor that has gone is ignored."""
        with self._lock:
            now = self._now()
            if self._visitor is not visitor:
                return
            if visitor.state == "role" and role in ((WATCH,) if self._passes.watch_only else ROLES):
                visitor.state, visitor.role, visitor.until = "in", role, now + LIFE
            else:
                self._fail(now)

    def _wrong(self, visitor: _Visitor, now: float) -> None:
        visitor.wrong += 1
        if visitor.wrong >= TRIES:
            self._fail(now)
            raise PairingRefusedError(403, "Too many wrong codes.", self._blocked_until - now)
        visitor.next_try = now + 2.0**visitor.wrong
        raise PairingRefusedError(403, "Wrong code.", visitor.next_try - now)

    def _find(self, secret: str) -> _Visitor:
        if self._visitor is None or not _same(secret, self._visitor.secret):
            raise PairingRefusedError(410, "That code has expired. Ask for a new one.")
        return self._visitor

    def _now(self) -> float:
        now = self._clock()
        if self._visitor is not None and now >= self._visitor.until:
            self._fail(self._visitor.until)
        if now >= self._blocked_until + LONGEST_LOCK:
            self._failures = 0
        return now

    def _fail(self, at: float) -> None:
        if self._visitor is not None:
            _logger.warning("the browser at %s was not let in to the panel", self._visitor.who)
        self._visitor = None
        self._blocked_until = at + min(LONGEST_LOCK, FIRST_LOCK * 2.0 ** min(self._failures, 30))
        self._failures += 1
        self._hub.visit(None)

    def _show(self, visitor: _Visitor) -> None:
        code = visitor.code if visitor.state == "code" else ""
        answer, watch_only = partial(self._answered, visitor), self._passes.watch_only
        self._hub.visit(Visit(visitor.who, code, visitor.until, answer, visitor.wish, watch_only=watch_only))


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode())
