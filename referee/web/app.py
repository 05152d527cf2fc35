"""The panel as an ASGI application: its files, and one WebSocket a browser."""

from __future__ import annotations

import asyncio
import contextlib
import re
import time
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from html import escape, unescape
from itertools import groupby
from operator import attrgetter
from typing import Final
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from referee.errors import Malformed, RefereeError, Refused
from referee.files import qr
from referee.web import assets
from referee.web.browsers import RATE, Browser, Browsers, TooManyBrowsersError
from referee.web.guard import BOX, Identity, OriginCheck, identify
from referee.web.hub import Hub, Message, Ping, Row, parse
from referee.web.limits import Connections
from referee.web.pairing import Pairing, pair
from referee.web.passes import Passes

LISTINGS: Final = ("evenings", "rules")
GAME: Final = re.compile("[0-9]{1,9}", re.ASCII)
TITLE: Final = re.compile(b"<title>([^<]*)</title>")
POLICY_VIOLATION: Final = 1008
TRY_AGAIN_LATER: Final = 1013
WATCH: Final = "/watch"
"""Where the big screen listens: a room sees what no judge alone may see, whoever opened it."""
NOT_LET_IN: Final = 4401
"""A code for private use (RFC 6455, 7.4.2): the page then starts the pairing."""


def create_app(
    hub: Hub,
    *,
    allowed_hosts: Collection[str],
    passes: Passes,
    connections: Connections | None = None,
    join_address: Callable[[], str] = str,
    clock: Callable[[], float] = time.monotonic,
) -> Starlette:
    """The panel of one box.

    ``allowed_hosts`` lists the accepted values of Host, with the port as a browser sends it
    (``127.0.0.1:8000``, ``[::1]:8000``); Origin must be ``http://`` and one of them. ``passes``: who was let in.
    ``connections``: those of the server; the WebSockets of connected browsers are exempt from its limits.
    ``join_address``: returns what a phone opens to come here, "" where none can.
    """
    who, pairing = partial(identify, passes), Pairing(hub, passes, clock)
    serving: list[asyncio.AbstractEventLoop] = []

    def hand_over(call: Callable[[], None]) -> None:
        # The box may still publish while the server stops; the event loop may be closed by then.
        with contextlib.suppress(RuntimeError):
            serving[-1].call_soon_threadsafe(call)

    browsers = Browsers(hub, hand_over)
    files = assets.load("referee.web", "panel")
    outside = files.pop("pair.html")
    lists = files.pop("lists.html").body.decode()
    pages = {"/": files.pop("index.html"), "/tv": files.pop("tv.html"), "/ask": outside}

    async def page(request: Request) -> Response:
        inside = pages[request.url.path]
        answer = await (inside if who(request).role() else outside)(request)
        answer.headers.add_vary_header("Cookie")
        return answer

    async def join_code(request: Request) -> Response:
        address = join_address() if who(request).role() else ""
        if not address:
            return Response(status_code=404)
        image = qr.svg(address.upper(), "Address of the panel")
        return Response(image, media_type="image/svg+xml", headers={"cache-control": "no-cache"})

    async def let_in(request: Request) -> Response:
        return await pair(request, who(request), pairing)

    async def panel(socket: WebSocket) -> None:
        serving[:] = [asyncio.get_running_loop()]
        greeting = {"type": "join", "address": join_address()}
        identity = who(socket)
        identity = identity if socket.url.path == "/ws" else identity.watching()
        await _serve(socket, browsers, identity, connections or Connections(), greeting, clock)

    app = Starlette(
        routes=[
            *(Route(path, page, methods=["GET"]) for path in pages),
            *(Route(f"/{name}", asset.__call__, methods=["GET"]) for name, asset in files.items()),
            Route("/join.svg", join_code, methods=["GET"]),
            Route("/report.html", _report(hub, who), methods=["GET"]),
            *(Route(f"/{name}", _listing(hub, who, lists), methods=["GET"]) for name in LISTINGS),
            Route("/{code:int}", outside.__call__, methods=["GET"]),
            Route("/pair", let_in, methods=["POST"]),
            *(WebSocketRoute(path, panel) for path in ("/ws", WATCH)),
        ],
        middleware=[Middleware(OriginCheck, allowed_hosts=tuple(allowed_hosts))],
    )
    app.router.redirect_slashes = False  # a fixed list of paths, nothing else
    return app


def _report(hub: Hub, who: Callable[[Request], Identity]) -> Callable[[Request], Response]:
    def report(request: Request) -> Response:
        if not who(request).role():
            return Response(status_code=404)
        try:
            asked = request.query_params.get("game", "0")
            game = int(asked) if GAME.fullmatch(asked) else 0
            page = hub.report(game, anonymous="anonymous" in request.query_params)
        except RefereeError as error:
            return PlainTextResponse(f"{error}\n", status_code=503)
        if page is None:
            return PlainTextResponse("No game has ended yet.\n", status_code=404)
        kept = {"cache-control": "no-store"}
        if not page:
            return PlainTextResponse("Writing the report; it comes as a download.\n", 202, kept | {"refresh": "1"})
        return HTMLResponse(page, 200, kept | {"content-disposition": f"attachment; {_file(page)}"})

    return report


def _file(page: bytes) -> str:
    """Return the name of the file that a report is saved in, its title: game and day (RFC 6266)."""
    title = TITLE.search(page)
    return f"filename*=UTF-8''{quote(unescape(title[1].decode()) if title else 'report', safe='')}.html"


def _listing(hub: Hub, who: Callable[[Request], Identity], shell: str) -> Callable[[Request], Response]:
    def listing(request: Request) -> Response:
        if not who(request).role():
            return Response(status_code=404)
        name = request.url.path[1:]
        try:
            rows = hub.listing(name)
        except RefereeError as error:
            return PlainTextResponse(f"{error}\n", status_code=503)
        return HTMLResponse(
            shell.replace("{title}", name.capitalize()).replace("{rows}", "".join(_tables(rows))),
            headers={"cache-control": "no-store"},
        )

    return listing


def _tables(rows: Iterable[Row]) -> Iterator[str]:
    """Yield a table for each group of rows."""
    for group, each in groupby(rows, key=attrgetter("group")):
        yield f"<section><h2>{escape(group)}</h2><table>"
        for row in each:
            link = f'<td><a href="report.html?game={row.report}">Report</a></td>' if row.report else ""
            yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row.cells)}{link}</tr>"
        yield "</table></section>"


async def _serve(
    socket: WebSocket,
    browsers: Browsers,
    identity: Identity,
    connections: Connections,
    greeting: Message,
    clock: Callable[[], float],
) -> None:
    try:
        await socket.accept()
    except WebSocketDisconnect:  # it is gone already
        return
    role = identity.role()
    if not role:
        await _close(socket, NOT_LET_IN, "not let in")
        return
    pending = asyncio.Event()
    try:
        browser = browsers.connect(pending.set, identity)
    except TooManyBrowsersError as error:
        await _close(socket, TRY_AGAIN_LATER, str(error))
        return
    client = ("", 0) if socket.client is None else (socket.client.host, socket.client.port)
    connections.exempt(client)
    browser.send(greeting)
    if identity is not BOX:
        browser.send({"type": "role", "role": role})
    writer = asyncio.create_task(_write(socket, browser, pending))
    try:
        await _read(socket, browser, browsers, clock, partial(connections.heard, client))
    finally:
        browsers.disconnect(browser)
        writer.cancel()
        # RuntimeError: it had something to send when uvicorn had closed the connection for a broken message.
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError):
            await writer


async def _close(socket: WebSocket, code: int, reason: str) -> None:
    """Close a connection, which the browser, uvicorn or the other task may have closed before."""
    with contextlib.suppress(RuntimeError, WebSocketDisconnect):
        await socket.close(code, reason)


async def _write(socket: WebSocket, browser: Browser, pending: asyncio.Event) -> None:
    """Send what waits in one piece: while a send blocks, newer state replaces older state in the outbox."""
    while True:
        await pending.wait()
        pending.clear()
        packets = browser.outbox.take()
        if not browser.identity.role():
            await _close(socket, NOT_LET_IN, "not let in")
            return
        await socket.send_text(f"[{','.join(packet.text for packet in packets)}]")


async def _read(
    socket: WebSocket,
    browser: Browser,
    browsers: Browsers,
    clock: Callable[[], float],
    heard: Callable[[], None],
) -> None:
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        heard()
        if not browser.visitor.pace.allows(clock()):
            await _close(socket, POLICY_VIOLATION, f"expected at most {RATE:.0f} messages a second")
            return
        if not browser.identity.role():
            await _close(socket, NOT_LET_IN, "not let in")
            return
        try:
            _handle(message.get("text"), browser, browsers, clock())
        except Refused as error:
            browser.send({"type": "error", "text": error.text})


def _handle(text: str | None, browser: Browser, browsers: Browsers, now: float) -> None:
    if text is None:
        raise Malformed("expected a text message")
    message = parse(text)
    if isinstance(message, Ping):
        browsers.refresh()
        browser.send({"type": "pong"})
    else:
        browsers.act(browser, message, now)
