"""Nobody without a pass gets to a page, and nobody further than the role goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from referee.hall.staff.access import Access
from referee.hall.staff.roles import DESK, ROLES, may_open

LOGIN: Final = "/login"
FILES: Final = "/files/"
"""These need no pass: the way in, and the style of its page."""


@dataclass(frozen=True, slots=True)
class Door:
    """Where a gate stands. ``cookie``: its name; ``roles``: who is let in; ``secure``: whether it is https alone."""

    cookie: str
    roles: tuple[str, ...]
    secure: bool

    def set(self, answer: Response, token: str, seconds: int) -> None:
        """Let a browser keep its token; "" takes it away."""
        answer.set_cookie(
            self.cookie, token, max_age=seconds, path="/", secure=self.secure, httponly=True, samesite="strict"
        )


def at_desk(port: int) -> Door:
    """Return the desk's door. Cookies ignore ports, and two halls may run on one computer: each has its own name."""
    return Door(f"referee-desk-{port}", (DESK,), secure=False)


AT_STAFF: Final = Door("__Host-referee-staff", ROLES, secure=True)
"""The prefix binds a cookie to this host and to https (RFC 6265bis, 4.1.3.2): a page on plain http cannot set it."""


class Gate:
    """ASGI middleware; puts the `Holder` into the scope as ``holder``."""

    def __init__(self, app: ASGIApp, *, access: Access, door: Door, forbidden: ASGIApp) -> None:
        """``forbidden``: answers a holder whose role does not go that far."""
        self._app = app
        self._access = access
        self._door = door
        self._forbidden = forbidden

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request (ASGI 3)."""
        await self._chosen(scope)(scope, receive, send)

    def _chosen(self, scope: Scope) -> ASGIApp:
        if scope["type"] != "http" or scope["path"] == LOGIN or scope["path"].startswith(FILES):
            return self._app
        token = Request(scope).cookies.get(self._door.cookie, "")
        holder = self._access.holder(token, self._door.roles)
        if holder is None:
            return refused_outside(scope)
        if not may_open(holder.role, scope["path"]):
            scope["holder"] = holder
            return self._forbidden
        scope["holder"] = holder
        return self._app


def refused_outside(scope: Scope) -> Response:
    """Answer somebody without a pass: pages lead to the way in."""
    if scope["method"] == "GET" and scope["path"] != "/news":
        return RedirectResponse(LOGIN, status_code=303, headers={"cache-control": "no-store"})
    return PlainTextResponse(
        "This browser is not let in, or no longer.\n", status_code=403, headers={"cache-control": "no-store"}
    )
