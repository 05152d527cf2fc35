"""Pairing over HTTP: ``POST /pair`` with one small JSON object, answered with another.

``{"do":"code","code":"123456","wish":"watch"}`` tries the code on the glass, and ``{"do":"wait"}`` polls. The answer
has ``state`` (``role``: the table is asked, ``in``: let in, ``out``: refused) and, for ``out``, ``text`` and
``seconds`` to wait. Secrets that last are in cookies only, never in a URL.

Who was let in to watch asks for more in the same way: the pass it has proves nothing to the table, since anybody may
have read it off the network.
"""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from referee.errors import Malformed, StationError
from referee.web.hub import WISHES
from referee.web.identity import COOKIE, Authenticator, literal
from referee.web.pace import Pace, Paces
from referee.web.pairing import DIGITS, LIFE, Pairing, PairingRefusedError

VISIT: Final = "referee-visit"
MAX_BODY: Final = 256
RATE: Final = 5.0
BURST: Final = 20
"""Requests a second, and at once, of the browser that is pairing: its page polls each second."""
RATE_OF_ADDRESS: Final = 30.0
BURST_OF_ADDRESS: Final = 60
RATE_OF_ALL: Final = 60.0
BURST_OF_ALL: Final = 120
"""The same for all others: for one address, and for all together."""
ADDRESSES: Final = 256
"""Addresses whose rates are tracked."""
REMEMBER: Final = 30 * 24 * 3600
"""Seconds after which a browser forgets its token."""

_CODE = re.compile(rf"[0-9]{{{DIGITS}}}")
_logger = logging.getLogger(__name__)


class PairEndpoint:
    """Answers ``POST /pair``."""

    def __init__(
        self, authenticator: Authenticator, pairing: Pairing, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._authenticator = authenticator
        self._pairing = pairing
        self._clock = clock
        self._asking = Pace(RATE, BURST)
        self._of_address = Paces(RATE_OF_ADDRESS, BURST_OF_ADDRESS, ADDRESSES)
        self._of_all = Pace(RATE_OF_ALL, BURST_OF_ALL)

    async def __call__(self, request: Request) -> Response:
        """Take one step of a pairing; a refused step changes only the limits."""
        try:
            body = await _body(request)
            if not self._within(request, self._clock()):
                raise PairingRefusedError(429, "Too many requests at once.", 1)
            return self._step(request, parse(body))
        except Malformed as error:
            return _answer(400, state="out", text=error.text, seconds=0)
        except PairingRefusedError as error:
            return _answer(error.status, state="out", text=error.text, seconds=error.seconds)
        except ClientDisconnect:
            return _answer(400, state="out", text="The request was incomplete", seconds=0)  # nobody reads it
        except StationError as error:
            _logger.error("a browser could not be let in: %s", error)
            return _answer(503, state="out", text="The box cannot save the pass; its log says why", seconds=0)

    def _within(self, request: Request, now: float) -> bool:
        if self._pairing.waits(request.cookies.get(VISIT, "")):
            return self._asking.allows(now)
        return self._of_address.allows(_who(request), now) and self._of_all.allows(now)

    def _step(self, request: Request, asked: Asked) -> Response:
        identity = self._authenticator.identify(request)
        role, secret = identity.role(), request.cookies.get(VISIT, "")
        if role and (role == "judge" or (asked.wish == "watch" if asked.do == "code" else not secret)):
            return _answer(200, state="in")
        if asked.do == "code":
            secret = self._pairing.enter(_who(request), asked.code, asked.wish)
            answer = _answer(200, state="role")
            _set_cookie(answer, VISIT, secret, int(2 * LIFE))
            return answer
        step = self._pairing.wait(secret, identity.name if role else "")
        answer = _answer(200, state=step.state)
        if step.token:
            _set_cookie(answer, COOKIE, step.token, REMEMBER)
            answer.delete_cookie(VISIT, httponly=True, samesite="strict")
        return answer


class Asked(NamedTuple):
    """One request: what to do, the code if there is one, and what the browser would like to be."""

    do: str
    code: str
    wish: str


def parse(body: bytes) -> Asked:
    """Read one request. Raises `Malformed`."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Malformed("expected one JSON object") from error
    do = value.get("do") if isinstance(value, dict) else None
    if do not in ("code", "wait"):
        raise Malformed('expected "do" to be code or wait')
    code = value.get("code", "")
    if do == "code" and not (isinstance(code, str) and _CODE.fullmatch(code)):
        raise Malformed(f'expected "code" to be {DIGITS} digits')
    wish = value.get("wish", "watch")
    if wish not in WISHES:
        raise Malformed(f'expected "wish" to be {", ".join(WISHES)}')
    return Asked(str(do), str(code), str(wish))


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
