"""Pairing of a browser on the network: it types the code that somebody at the box has put on the glass.

Nothing that comes from the network puts anything on the glass: the table opens the page *Join* in the menu, and only
while that lies there a code is good, once. Whoever typed it waits until the table has said what it may do, with a
secret made at that moment: one that was planted in the browser before, or read off the network, is worth nothing.
Tries are limited, for each address and for all; what is over the limit is not compared with the code.

``POST /pair`` takes one small JSON object and answers with another. ``{"do":"code","code":"123456","wish":"watch"}``
tries the code on the glass, and ``{"do":"wait"}`` polls. The answer has ``state`` (``role``: the table is asked,
``in``: let in, ``out``: refused) and, for ``out``, ``text`` and ``seconds`` to wait. Secrets that last are in cookies
only, never in a URL. Who was let in to watch asks for more in the same way: the pass it has proves nothing to the
table, since anybody may have read it off the network.
"""

from __future__ import annotations

import hmac
import json
import logging
import math
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from referee.errors import Malformed, RefereeError, StationError
from referee.web.guard import COOKIE, Identity, literal
from referee.web.hub import WISHES, Hub, Visit
from referee.web.limits import Pace, Paces
from referee.web.passes import ROLES, WATCH, Passes, pass_id

LIFE: Final = 120.0
"""Seconds the table has to say what a browser may do, and the browser to fetch its pass."""
DIGITS: Final = 6
TRIES: Final = 5
"""Codes at once from one address; then one each `SLOWLY`."""
SLOWLY: Final = 10.0
"""Seconds after which one address may try one more code."""
TRIES_OF_ALL: Final = 20
"""Codes at once from all addresses together; then one a second: in an hour fewer than 4,000 of a million."""
ADDRESSES: Final = 256
"""Addresses whose tries are counted."""
VISIT: Final = "referee-visit"
MAX_BODY: Final = 256
REMEMBER: Final = 30 * 24 * 3600
"""Seconds after which a browser forgets its token."""
_CODE = re.compile(rf"[0-9]{{{DIGITS}}}")
_logger = logging.getLogger(__name__)


class PairingRefusedError(RefereeError):
    """A step that is refused. ``status``: of HTTP; ``seconds``: when to try again, 0 if waiting does not help."""

    def __init__(self, status: int, text: str, seconds: float = 0.0) -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.seconds = math.ceil(seconds)


@dataclass
class _Visitor:
    secret: str
    who: str
    wish: str
    until: float
    role: str = ""


class Pairing:
    """Pairing with one box. The methods are called on the web server's thread, the box's answer comes on its own."""

    def __init__(self, hub: Hub, passes: Passes, clock: Callable[[], float] = time.monotonic) -> None:
        self._hub = hub
        self._passes = passes
        self._clock = clock
        self._lock = threading.RLock()
        self._visitor: _Visitor | None = None
        self._used = ""
        self._tries = Paces(1 / SLOWLY, TRIES, ADDRESSES)
        self._tries_of_all = Pace(1.0, TRIES_OF_ALL)

    def enter(self, who: str, code: str, wish: str = WATCH) -> str:
        """Try a code for the browser at ``who``; return the secret that identifies it until it is let in.

        ``wish``: what it would like to be; the table decides. Raises `PairingRefusedError` where no code is on the
        glass, for a wrong one, after too many tries, right or wrong, and while another browser is let in.
        """
        with self._lock:
            now = self._now()
            if self._passes.watch_only and wish != WATCH:
                raise PairingRefusedError(
                    403, "This box belongs to an event: a browser can watch it, and nothing else."
                )
            if self._visitor is not None:
                raise PairingRefusedError(409, "Another browser is being let in.", self._visitor.until - now)
            good = self._hub.invitation()
            if not good or _same(good, self._used):
                raise PairingRefusedError(410, "The box shows no code. On the box, hold Back, then People, Join.")
            # The address first, so that one of them does not use up the tries of all; and both before the code is
            # looked at, or whoever guesses on would be told when he is right.
            if not (self._tries.allows(who, now) and self._tries_of_all.allows(now)):
                raise PairingRefusedError(429, "Too many codes were tried.", SLOWLY)
            if not _same(code, good):
                raise PairingRefusedError(403, "Wrong code.")
            self._used = good
            visitor = self._visitor = _Visitor(secrets.token_urlsafe(24), who, wish, now + LIFE)
            answer = partial(self._answered, visitor)
            self._hub.visit(Visit(who, visitor.until, answer, wish, watch_only=self._passes.watch_only))
            return visitor.secret

    def wait(self, secret: str, replaces: str = "") -> str:
        """Poll; return a token, once, when the box has chosen the browser's role, "" while it is asked.

        ``replaces``: id of the pass that it has had until now, which is taken back. Raises `PairingRefusedError`.
        """
        with self._lock:
            self._now()
            visitor = self._visitor
            if visitor is None or not _same(secret, visitor.secret):
                raise PairingRefusedError(410, "The table did not let this browser in.")
            if not visitor.role:
                return ""
            token = self._passes.issue(visitor.role, visitor.who)
            if replaces:
                self._passes.revoke(replaces)
            self._visitor = None
            _logger.warning(
                "the browser at %s was let in to the panel: %s, pass %s", visitor.who, visitor.role, pass_id(token)
            )
            return token

    def _answered(self, visitor: _Visitor, role: str) -> None:
        """The box chose a role, or "" to refuse; an answer about a visitor that has gone is ignored."""
        with self._lock:
            now = self._now()
            if self._visitor is not visitor:
                return
            if not visitor.role and role in ((WATCH,) if self._passes.watch_only else ROLES):
                visitor.role, visitor.until = role, now + LIFE
            else:
                self._turn_away()

    def _now(self) -> float:
        now = self._clock()
        if self._visitor is not None and now >= self._visitor.until:
            self._turn_away()
        return now

    def _turn_away(self) -> None:
        if self._visitor is not None:
            _logger.warning("the browser at %s was not let in to the panel", self._visitor.who)
        self._visitor = None
        self._hub.visit(None)


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode(errors="replace"))


async def pair(request: Request, identity: Identity, pairing: Pairing) -> Response:
    """Take one step of a pairing: answer ``POST /pair``."""
    try:
        return _step(request, identity, pairing, *parse(await _body(request)))
    except Malformed as error:
        return _answer(400, state="out", text=error.text, seconds=0)
    except PairingRefusedError as error:
        return _answer(error.status, state="out", text=error.text, seconds=error.seconds)
    except ClientDisconnect:
        return _answer(400, state="out", text="The request was incomplete", seconds=0)  # nobody reads it
    except StationError as error:
        _logger.error("a browser could not be let in: %s", error)
        return _answer(503, state="out", text="The box cannot save the pass; its log says why", seconds=0)


def _step(request: Request, identity: Identity, pairing: Pairing, do: str, code: str, wish: str) -> Response:
    role, secret = identity.role(), request.cookies.get(VISIT, "")
    if role and (role == "judge" or (wish == "watch" if do == "code" else not secret)):
        return _answer(200, state="in")
    if do == "code":
        secret = pairing.enter(_who(request), code, wish)
        answer = _answer(200, state="role")
        _set_cookie(answer, VISIT, secret, int(2 * LIFE))
        return answer
    token = pairing.wait(secret, identity.name if role else "")
    answer = _answer(200, state="in" if token else "role")
    if token:
        _set_cookie(answer, COOKIE, token, REMEMBER)
        answer.delete_cookie(VISIT, httponly=True, samesite="strict")
    return answer


def parse(body: bytes) -> tuple[str, str, str]:
    """Read one request: what to do, the code if there is one, what the browser wants to be. Raises `Malformed`."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Malformed("expected one JSON object") from error
    match value:
        case {"do": "wait"}:
            return "wait", "", WATCH
        case {"do": "code", "code": str(code), **more} if _CODE.fullmatch(code) and more.get("wish", WATCH) in WISHES:
            return "code", code, str(more.get("wish", WATCH))
    raise Malformed(f'expected "do", "code" of {DIGITS} digits, and "wish": {", ".join(WISHES)}')


async def _body(request: Request) -> bytes:
    # A form of another site cannot send this type without asking first.
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Malformed("expected application/json")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            raise Malformed(f"expected at most {MAX_BODY} bytes")
    return body


def _who(request: Request) -> str:
    return literal(request.client.host) if request.client is not None else "?"


def _answer(status: int, **content: Any) -> Response:
    headers = {"cache-control": "no-store"}
    if content.get("seconds"):
        headers["retry-after"] = str(content["seconds"])
    return JSONResponse(content, status, headers)


def _set_cookie(answer: Response, name: str, value: str, seconds: int) -> None:
    answer.set_cookie(name, value, max_age=seconds, httponly=True, samesite="strict")
