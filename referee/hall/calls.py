"""The calls of a box as a web application: everything that box and hall say to each other (docs/hall.md)."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import Any, Final, TypeVar

from sqlalchemy import Connection
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from referee.errors import JournalError, Malformed, NotNow, Refused
from referee.hall.boxes import KEYS, SHOWN, Boxes, hashed
from referee.hall.desk import Desk
from referee.hall.ledger import InDoubt, State
from referee.hall.wishes import Asked, Early, Replacement, at_table, published, said, table_of, wishes
from referee.session.chain import ends
from referee.session.wish import KINDS, Continues, Seating, Wish
from referee.tournament.acts import Act

BODY: Final = 1 << 20  # bytes of a call at most
STRANGER: Final = 1024  # bytes of a call without a token
AT_ONCE: Final = 8  # calls of one box at a time
LONGEST: Final = 30.0  # how long a poll is held at most, s
_HASH: Final = re.compile(r"[0-9a-f]{64}")

T = TypeVar("T")
Answer = Callable[[str, Request], Awaitable[Response]]  # answers a call of a box


class Calls:
    """The calls at one desk, for its boxes. ``app``: the application."""

    def __init__(self, desk: Desk, boxes: Boxes, kept: Callable[[Request, str], None] = lambda *_: None) -> None:
        """``kept``: called with each request of a box, and that."""
        self._kept = kept
        self._busy: Counter[str] = Counter()
        self._desk, self._boxes, self._store, self._ledger = desk, boxes, desk.store, desk.ledger
        self._tokens, self._games = boxes.tokens, boxes.games
        self._mark = secrets.token_hex(8)  # in each ETag, so that after a restart every box reads what this hall has
        self._changed = asyncio.Event()
        self._closed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ledger.listeners.append(self._wake)
        self.app = Starlette(
            routes=[
                Route("/api/games/{game}/entries", self._of_box(self._put), methods=["PUT"]),
                Route("/api/games/{game}/entries", self._of_box(self._fetch), methods=["GET"]),
                Route("/api/table", self._of_box(self._table), methods=["GET"]),
                Route("/api/acts", self._of_box(self._act), methods=["POST"]),
                Route("/api/state", self._of_box(self._state), methods=["POST"]),
                Route("/api/boxes", self._join, methods=["POST"]),
            ],
            exception_handlers={
                HTTPException: lambda _request, fault: JSONResponse({"why": fault.detail}, fault.status_code),
                Malformed: lambda _request, fault: JSONResponse({"why": fault.text}, 400),
                JournalError: lambda _request, fault: JSONResponse({"why": f"Nothing can be kept: {fault}"}, 503),
                ClientDisconnect: lambda _request, _fault: Response(status_code=400),
            },
        )

    def close(self) -> None:
        """Answer every long poll now; from any thread."""
        self._closed = True
        self._wake()

    def _wake(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._awake)

    def _awake(self) -> None:
        changed, self._changed = self._changed, asyncio.Event()
        changed.set()

    def _of_box(self, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
        async def answered(request: Request) -> Response:
            scheme, _, token = request.headers.get("authorization", "").partition(" ")
            box = hashed(token) if scheme == "Bearer" and token else ""
            if box and box not in self._tokens.known:
                box = await run_in_threadpool(self._tokens.find, box)
            self._loop = asyncio.get_running_loop()
            if not box:
                raise HTTPException(401, "expected the token of a box of this event")
            if self._busy[box] >= AT_ONCE:
                raise HTTPException(429, f"expected at most {AT_ONCE} calls at once")
            self._kept(request, box)
            self._busy[box] += 1
            try:
                for pair in filter(None, map(request.headers.get, ("referee-seen", "referee-doubted"))):
                    if self._ledger.has(pair):
                        continue
                    written = await run_in_threadpool(self._ledger.compare, pair, box, self._desk.now())
                    if written is not None:
                        await asyncio.wrap_future(written)
                response = await answer(box, request)
            finally:
                self._busy[box] -= 1
            response.headers["Referee-Record"] = self._ledger.pair()
            if self._boxes.copied(box):
                response.headers["Referee-Copied"] = "yes"
            response.headers["Referee-Doubt"] = "yes" if self._ledger.doubts else "no"
            return response

        return answered

    async def _body(self, request: Request, most: int = BODY) -> bytes:
        body = bytearray()
        async for part in request.stream():
            body += part
            if len(body) > most:
                raise HTTPException(413, f"expected at most {most} bytes")
        return bytes(body)

    async def _object(self, request: Request, most: int = BODY) -> dict[str, Any]:
        try:
            value = json.loads(await self._body(request, most))
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict):
            raise Malformed("expected a JSON object")
        return value

    async def _read(self, query: Callable[[Connection], T]) -> T:
        return await run_in_threadpool(self._store.read, query)

    async def _put(self, box: str, request: Request) -> Response:
        game, after = _game(request), _after(request)
        follow, have = await asyncio.wrap_future(self._games.put(box, game, after, await self._body(request)))
        return JSONResponse({"last": have.last, "hash": have.hash}, 200 if follow else 409)

    async def _fetch(self, box: str, request: Request) -> Response:
        game, after, spare = _game(request), _after(request), self._asked(box).spare

        def page(db: Connection) -> Sequence[dict[str, Any]]:
            owner = box
            if spare is not None and not self._games.have(db, owner, game).hash:
                owner = spare.old  # whose game it goes on with
            return self._games.page(db, owner, game, after)

        return JSONResponse({"entries": await self._read(page)})

    async def _act(self, box: str, request: Request) -> Response:
        body = await self._object(request)
        note = body.get("id")
        if not isinstance(note, str) or not _HASH.fullmatch(note) or body.get("kind") not in KINDS:
            raise Malformed(f"id, kind: expected 64 lower-case hex digits, and one of {', '.join(KINDS)}")
        now, table = self._desk.now(), table_of(self._desk.event, box)
        who = f"table {table}" if table else f"box {box[:SHOWN]}"

        def make(state: State) -> Sequence[Act]:
            return said(state.event, box, note, now, body)

        def for_good(fault: Refused) -> bool:
            return not isinstance(fault, (Early, InDoubt))

        try:
            done = await asyncio.wrap_future(self._ledger.perform(note, make, keep=for_good, who=who, at=now))
        except InDoubt as fault:
            return JSONResponse({"why": fault.text}, 503)
        except Early as fault:
            self._boxes.wait(note, who, fault.text)
            return JSONResponse({"done": False, "later": True, "why": fault.text})
        self._boxes.wait(note)
        if done.refused:
            self._boxes.changed()
            return JSONResponse({"done": False, "why": done.refused})
        return JSONResponse({"done": True, "revision": done.revision})

    async def _state(self, box: str, request: Request) -> Response:
        kept = self._boxes.hear(box, await self._object(request))
        if kept is not None:
            await asyncio.wrap_future(kept)
        return Response(status_code=204)

    async def _join(self, request: Request) -> Response:
        code = (await self._object(request, STRANGER)).get("code")
        if not isinstance(code, str) or not re.fullmatch(f"[1-6]{{{KEYS}}}", code):
            raise Malformed(f"code: expected {KEYS} die keys")
        address = request.client.host if request.client is not None else ""
        try:
            return JSONResponse({"token": await asyncio.wrap_future(self._tokens.add(code, address))})
        except NotNow as fault:
            self._boxes.changed()
            return JSONResponse({"why": fault.text}, 403)

    async def _table(self, box: str, request: Request) -> Response:
        wait = _matched("[0-9]{1,3}", request.query_params.get("wait", "0"), "wait: expected whole seconds")
        until = asyncio.get_running_loop().time() + min(float(wait), LONGEST)
        known = request.headers.get("if-none-match", "")
        while True:
            changed = self._changed
            asked = self._asked(box)
            if asked.spare is not None:
                continues = await self._read(partial(self._continues, asked.spare))
                asked = asked._replace(wish=asked.wish._replace(continues=continues))
            tag = f'"{sha256(f"{self._mark} {asked!r}".encode()).hexdigest()[:16]}"'
            if tag != known:
                return await self._answer(box, asked, tag)
            left = until - asyncio.get_running_loop().time()
            if left <= 0 or self._closed:
                return Response(status_code=304, headers={"ETag": tag})
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await changed.wait()

    async def _answer(self, box: str, asked: Asked, tag: str) -> Response:
        game = self._boxes.shown(box).game

        def now(db: Connection) -> dict[str, Any]:
            return asked.wish._replace(
                have=self._games.have(db, box, game) if _HASH.fullmatch(game) else None,
                total=self._games.total(db, box),
                time=asked.ends.time(self._desk.now()) if asked.ends is not None else None,
            ).as_json()

        return JSONResponse(await self._read(now), headers={"ETag": tag})

    def _continues(self, spare: Replacement, db: Connection) -> Continues | None:
        """Return the game of its match that the box before a spare has not ended, None without one."""
        event = self._desk.event
        round_, pairing = published(event), at_table(event, spare.table)
        if round_ is None or pairing is None:
            return None
        match = (round_.number, tuple(sorted(pairing.players)))
        for game in self._games.played(db):
            if game.box == spare.old and (game.round, game.players) == match:
                have = self._games.have(db, game.box, game.game)
                last = self._games.page(db, game.box, game.game, have.last - 1)
                if last and not ends(last[-1]):
                    return Continues(spare.number, have, self._games.have(db, game.box, game.notes))
        return None

    def _asked(self, box: str) -> Asked:
        """Return what is wished of a box; all are reckoned once an act."""
        desk = self._desk
        asked = desk.once("wishes", lambda: wishes(desk.ledger.state, desk.names.player))
        round_ = published(desk.event)  # so that a box without a table hears of each round, too
        return asked.get(box) or Asked(Wish(Seating(round_.number if round_ is not None else 0, 0)))


def _matched(pattern: str | re.Pattern[str], text: str, expected: str) -> str:
    if not re.fullmatch(pattern, text):
        raise Malformed(expected)
    return text


def _game(request: Request) -> str:
    expected = "game: expected the hash of its first entry, 64 lower-case hex digits"
    return _matched(_HASH, request.path_params["game"], expected)


def _after(request: Request) -> int:
    after = request.query_params.get("after", "")
    return int(_matched(r"-1|[0-9]{1,15}", after, "after: expected the number of an entry, or -1"))
