"""The panel as an ASGI application: its files, and one WebSocket a browser."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection
from typing import Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from referee.errors import Malformed, Refused
from referee.web import assets
from referee.web.connections import Connections
from referee.web.gate import BOX, Badge, Gate
from referee.web.guard import OriginCheck
from referee.web.hub import Hub
from referee.web.inbound import Ping, parse
from referee.web.pairing import Pairing
from referee.web.passes import Passes
from referee.web.porch import Porch
from referee.web.room import RATE, Browser, Room, RoomFullError

POLICY_VIOLATION: Final = 1008
TRY_AGAIN_LATER: Final = 1013
NOT_LET_IN: Final = 4401
"""Of the codes for private use (RFC 6455, 7.4.2): the page asks to be let in."""


def create_app(
    hub: Hub,
    *,
    allowed_hosts: Collection[str],
    passes: Passes,
    connections: Connections | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Starlette:
    """The panel of one box.

    ``allowed_hosts`` lists the values of Host it answers to, with the port as a browser sends it
    (``127.0.0.1:8000``, ``[::1]:8000``); Origin must be ``http://`` and one of them. ``passes``: who was let in.
    ``connections``: those of the server; the lines of browsers that watch are to stay.
    """
    gate, pairing = Gate(passes), Pairing(hub, passes, clock)
    room = Room(hub)
    files = assets.load()
    inside, outside = files.pop("index.html"), files.pop("pair.html")

    async def page(request: Request) -> Response:
        answer = await (inside if gate.badge(request).role() else outside)(request)
        answer.headers["vary"] = "Cookie"
        return answer

    async def panel(socket: WebSocket) -> None:
        await _serve(socket, room, gate.badge(socket), connections or Connections(), clock)

    app = Starlette(
        routes=[
            Route("/", page, methods=["GET"]),
            *(Route(f"/{name}", asset.__call__, methods=["GET"]) for name, asset in files.items()),
            Route("/pair", Porch(gate, pairing, clock).__call__, methods=["POST"]),
            WebSocketRoute("/ws", panel),
        ],
        middleware=[Middleware(OriginCheck, allowed_hosts=tuple(allowed_hosts))],
    )
    app.router.redirect_slashes = False  # a fixed list of paths, and nothing beside it
    return app


async def _serve(
    socket: WebSocket, room: Room, badge: Badge, connections: Connections, clock: Callable[[], float]
) -> None:
    await socket.accept()
    role = badge.role()
    if not role:
        await _turn_away(socket)
        return
    loop = asyncio.get_running_loop()
    mail = asyncio.Event()

    def wake() -> None:
        # A box may still be talking while the server stops; a closed loop has nobody left to tell.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(mail.set)

    try:
        browser = room.enter(wake, badge)
    except RoomFullError as error:
        await socket.close(TRY_AGAIN_LATER, str(error))
        return
    if socket.client is not None:
        connections.stay((socket.client.host, socket.client.port))
    if badge is not BOX:
        browser.send({"type": "role", "role": role})
    writer = asyncio.create_task(_write(socket, browser, mail))
    try:
        await _read(socket, browser, room, clock)
    finally:
        room.leave(browser)
        writer.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect):
            await writer


async def _turn_away(socket: WebSocket) -> None:
    # The reader and the writer may both find it out.
    if socket.application_state is WebSocketState.CONNECTED:
        await socket.close(NOT_LET_IN, "not let in")


async def _write(socket: WebSocket, browser: Browser, mail: asyncio.Event) -> None:
    """Send what waits, one at a time: while one send blocks, newer state replaces what waits behind it."""
    while True:
        await mail.wait()
        mail.clear()
        while (packet := browser.outbox.take()) is not None:
            if not browser.badge.role():
                await _turn_away(socket)
                return
            await socket.send_text(packet.text)


async def _read(socket: WebSocket, browser: Browser, room: Room, clock: Callable[[], float]) -> None:
    patient = True
    while patient:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        if not browser.badge.role():
            await _turn_away(socket)
            return
        try:
            _obey(message.get("text"), browser, room, clock())
        except Refused as error:
            patient = browser.visitor.patience.allows(clock())
            browser.send({"type": "error", "text": error.text})
    await socket.close(POLICY_VIOLATION, "too many messages refused")


def _obey(text: str | None, browser: Browser, room: Room, now: float) -> None:
    within = browser.visitor.pace.allows(now)
    if text is None:
        raise Malformed("expected a text message")
    # Read before the pace is judged: the end of a hold must never be lost.
    message = parse(text)
    if not within and not room.ends(browser, message):
        raise Malformed(f"too fast: expected at most {RATE:.0f} messages a second from one browser")
    if isinstance(message, Ping):
        browser.send({"type": "pong"})
    else:
        room.act(browser, message)
