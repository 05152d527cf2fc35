"""The way in: at the desk by a one-time link, on a tablet by a one-time code; and the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from referee.errors import Malformed, StationError
from referee.hall.pages.forms import read_form
from referee.hall.pages.render import Pages
from referee.hall.staff.access import LIFE, Access, Holder
from referee.hall.staff.codes import CodeRefused
from referee.hall.staff.gate import AT_STAFF, LOGIN, Door
from referee.hall.staff.roles import may_open

MAX_BODY: Final = 1024
"""Bytes of a form with a code."""
CLEAR: Final = '"cache", "storage"'
"""What a browser forgets when somebody logs out (Clear-Site-Data, W3C)."""
HOMES: Final = ("/", "/floor", "/round")
"""Where each role begins: the first of these that it may look at."""


class Login:
    """The pages of a door."""

    def __init__(self, pages: Pages, access: Access, door: Door) -> None:
        self._pages = pages
        self._access = access
        self._door = door
        self._by_code = door is AT_STAFF

    def routes(self) -> list[Route]:
        """Return the paths."""
        if not self._by_code:
            return [Route(LOGIN, self.by_link, methods=["GET"])]
        return [
            Route(LOGIN, self.by_code, methods=["GET", "POST"]),
            Route("/logout", self.leave, methods=["POST"]),
        ]

    async def by_link(self, request: Request) -> Response:
        """Let a browser on the organiser's computer in."""
        link = request.query_params.get("link", "")
        if not link:
            return self._shown()
        return self._entered(lambda: self._access.follow(link, self._earlier(request)))

    async def by_code(self, request: Request) -> Response:
        """Let a tablet in."""
        if request.method != "POST":
            return self._shown()
        try:
            code = (await read_form(request, MAX_BODY)).text("code")
        except Malformed as fault:
            return self._shown(fault.text, 422)
        address = request.client.host if request.client is not None else ""
        return self._entered(lambda: self._access.let_in(code, address, self._earlier(request)))

    async def leave(self, request: Request) -> Response:
        """Let a tablet out."""
        holder: Holder = request.scope["holder"]
        self._access.revoke(holder.id)
        answer = RedirectResponse(LOGIN, status_code=303, headers={"clear-site-data": CLEAR})
        self._door.set(answer, "", 0)
        return answer

    def _earlier(self, request: Request) -> str:
        return request.cookies.get(self._door.cookie, "")

    def _entered(self, enter: Callable[[], str]) -> Response:
        try:
            token = enter()
        except CodeRefused as fault:
            return self._shown(fault.text, 429 if fault.seconds else 403, fault.seconds)
        except StationError as fault:
            return self._shown(str(fault), 503)
        holder = self._access.holder(token, self._door.roles)
        home = next((path for path in HOMES if holder is not None and may_open(holder.role, path)), LOGIN)
        answer = RedirectResponse(home, status_code=303, headers={"cache-control": "no-store"})
        self._door.set(answer, token, round(LIFE))
        return answer

    def _shown(self, refusal: str = "", status: int = 200, seconds: int = 0) -> Response:
        text = self._pages.render("login.html", refusal=refusal, by_code=self._by_code)
        headers = {"cache-control": "no-store"} | ({"retry-after": str(seconds)} if seconds else {})
        return HTMLResponse(text, status_code=status, headers=headers)
