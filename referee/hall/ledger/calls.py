"""The calls of a box as a web application: everything that box and hall say to each other.

See `referee.station.hall` for what each call says. A refusal is ``{"why": "..."}``: 400 for what no box says, 401 for
a token that does not hold, 413 for too much, 503 where it is to be said again later.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeVar

from sqlalchemy import Connection
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.errors import JournalError, Malformed, NotNow
from referee.hall.ledger.boxes import KEYS, Boxes
from referee.hall.ledger.games import Games
from referee.hall.ledger.ledger import InDoubt, Ledger
from referee.hall.ledger.store import Store
from referee.hall.ledger.wishes import Asked, Name, said, wishes
from referee.numbers import WHOLE
from referee.wish import KINDS

BODY: Final = 1 << 20
"""Bytes of a call at most."""
LONGEST: Final = 30.0
"""How long a poll is held at most, s."""
OTHERS: Final = 0.25
"""How often a hall looks for what another one of the same event has done, s."""
_HASH: Final = re.compile(r"[0-9a-f]{64}")

T = TypeVar("T")


class _Refusal(Exception):
    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.response = JSONResponse({"why": why}, status)


class _Call(NamedTuple):
    """``box``: who calls."""

    box: str
    request: Request


class Calls:
    """The calls over one store.

    ``app``  the application; `close` ends the long polls that wait, which `uvicorn` waits for
    """

    def __init__(
        self, store: Store, ledger: Ledger, now: Callable[[], int], name: Name, *, alone: bool = True
    ) -> None:
        """``now``: ms since 1970 UTC; ``alone``: whether no other process serves the event."""
        self.boxes = Boxes(store, now)
        self.games = Games(store)
        self._store, self._ledger, self._now, self._name, self._alone = store, ledger, now, name, alone
        self._mark = secrets.token_hex(8)
        """In each ETag, so that after a restart every box reads what this hall has."""
        self._wished: tuple[int, str, Mapping[str, Asked]] = (-1, "", {})
        self._changed = asyncio.Event()
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        ledger.listen(self._wake)
        self.app = Starlette(
            routes=[
                Route("/api/games/{game}/entries", self._of_box(self._put), methods=["PUT"]),
                Route("/api/games/{game}/entries", self._of_box(self._fetch), methods=["GET"]),
                Route("/api/table", self._of_box(self._table), methods=["GET"]),
                Route("/api/acts", self._of_box(self._act), methods=["POST"]),
                Route("/api/state", self._of_box(self._state), methods=["POST"]),
                Route("/api/boxes", self._guarded(self._join), methods=["POST"]),
            ],
            lifespan=self._lifespan,
        )

    def close(self) -> None:
        """Answer every long poll now; from any thread."""
        self._closed = True
        self._wake()

    @asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        self._loop = asyncio.get_running_loop()
        looking = None if self._alone else asyncio.create_task(self._look())
        yield
        if looking is not None:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(OTHERS)
            with suppress(JournalError):
                await asyncio.wrap_future(self._ledger.refresh())

    def _wake(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._awake)

    def _awake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    # -- what every call has in common ---------------------------------------------------------------------------

    def _of_box(self, answer: Callable[[_Call], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def answered(request: Request) -> Response:
            scheme, _, token = request.headers.get("authorization", "").partition(" ")
            box = await run_in_threadpool(self.boxes.known, token) if scheme == "Bearer" and token else ""
            if not box:
                raise _Refusal(401, "expected the token of a box of this event")
            for pair in filter(None, map(request.headers.get, ("referee-seen", "referee-doubted"))):
                written = await run_in_threadpool(self._ledger.compare, pair, box, self._now())
                if written is not None:
                    await asyncio.wrap_future(written)
            response = await answer(_Call(box, request))
            doubts = await run_in_threadpool(self._ledger.doubts)
            response.headers["Referee-Record"] = self._ledger.pair()
            response.headers["Referee-Doubt"] = "yes" if doubts else "no"
            return response

        return self._guarded(answered)

    def _guarded(self, answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def guarded(request: Request) -> Response:
            try:
                return await answer(request)
            except _Refusal as fault:
                return fault.response
            except Malformed as fault:
                return JSONResponse({"why": fault.text}, 400)
            except JournalError as fault:
                return JSONResponse({"why": f"Nothing can be kept: {fault}"}, 503)
            except ClientDisconnect:
                return Response(status_code=400)

        return guarded

    async def _body(self, request: Request) -> bytes:
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > BODY:
                raise _Refusal(413, f"expected at most {BODY} bytes")
        return body

    async def _object(self, request: Request) -> dict[str, Any]:
        try:
            value = json.loads(await self._body(request))
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise Malformed("expected a JSON object")
        return value

    async def _read(self, query: Callable[[Connection], T]) -> T:
        return await run_in_threadpool(self._store.read, query)

    # -- the calls -----------------------------------------------------------------------------------------------

    async def _put(self, call: _Call) -> Response:
        game, after = _game(call.request), _after(call.request)
        done = await asyncio.wrap_future(self.games.put(call.box, game, after, await self._body(call.request)))
        return JSONResponse({"last": done.have.last, "hash": done.have.hash}, 200 if done.fits else 409)

    async def _fetch(self, call: _Call) -> Response:
        game, after = _game(call.request), _after(call.request)
        return JSONResponse({"entries": await self._read(lambda db: self.games.page(db, call.box, game, after))})

    async def _act(self, call: _Call) -> Response:
        body = await self._object(call.request)
        note = body.get("id")
        if not isinstance(note, str) or not _HASH.fullmatch(note) or body.get("kind") not in KINDS:
            raise Malformed(f"id, kind: expected 64 lower-case hex digits, and one of {', '.join(KINDS)}")
        make = partial(said, box=call.box, note=note, now=self._now(), body=body)
        try:
            done = await asyncio.wrap_future(self._ledger.perform(note, make, keep=True))
        except InDoubt as fault:
            return JSONResponse({"why": fault.text}, 503)
        if done.refused:
            return JSONResponse({"done": False, "why": done.refused})
        return JSONResponse({"done": True, "revision": done.revision})

    async def _state(self, call: _Call) -> Response:
        await asyncio.wrap_future(self.boxes.shows(call.box, await self._object(call.request)))
        return Response(status_code=204)

    async def _join(self, request: Request) -> Response:
        code = (await self._object(request)).get("code")
        if not isinstance(code, str) or not re.fullmatch(f"[1-6]{{{KEYS}}}", code):
            raise Malformed(f"code: expected {KEYS} die keys")
        try:
            return JSONResponse({"token": await asyncio.wrap_future(self.boxes.add(code))})
        except NotNow as fault:
            return JSONResponse({"why": fault.text}, 403)

    async def _table(self, call: _Call) -> Response:
        until = asyncio.get_running_loop().time() + _wait(call.request)
        known = call.request.headers.get("if-none-match", "")
        while True:
            changed = self._changed
            asked = self._asked(call.box)
            tag = f'"{sha256(f"{self._mark} {asked!r}".encode()).hexdigest()[:16]}"'
            if tag != known:
                return await self._answer(call.box, asked, tag)
            left = until - asyncio.get_running_loop().time()
            if left <= 0 or self._closed:
                return Response(status_code=304, headers={"ETag": tag})
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await changed.wait()

    async def _answer(self, box: str, asked: Asked, tag: str) -> Response:
        def now(db: Connection) -> dict[str, Any]:
            game = self.boxes.shown(db, box).get("game")
            return asked.wish._replace(
                have=self.games.have(db, box, game) if isinstance(game, str) and _HASH.fullmatch(game) else None,
                total=self.games.total(db, box),
                time=asked.ends.time(self._now()) if asked.ends is not None else None,
            ).as_json()

        return JSONResponse(await self._read(now), headers={"ETag": tag})

    def _asked(self, box: str) -> Asked:
        """Return what is wished of a box; all are reckoned once an act."""
        state = self._ledger.state
        if self._wished[:2] != state[:2]:
            self._wished = (*state[:2], wishes(state, self._name))
        return self._wished[2].get(box, Asked())


def _game(request: Request) -> str:
    game = request.path_params["game"]
    if not _HASH.fullmatch(game):
        raise Malformed("game: expected the hash of its first entry, 64 lower-case hex digits")
    return str(game)


def _after(request: Request) -> int:
    after = request.query_params.get("after", "")
    if not re.fullmatch(r"-1|[0-9]{1,15}", after) or int(after) >= WHOLE:
        raise Malformed("after: expected the number of an entry, or -1")
    return int(after)


def _wait(request: Request) -> float:
    wait = request.query_params.get("wait", "0")
    if not re.fullmatch(r"[0-9]{1,3}", wait):
        raise Malformed("wait: expected whole seconds")
    return min(float(wait), LONGEST)
