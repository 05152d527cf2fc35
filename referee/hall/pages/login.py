"""The way in: at the desk by a one-time link, on a tablet by a one-time code; and the way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from referee.errors import Malformed, StationError
from referee.hall.pages.forms import read_form
from referee.hall.pages.render import FRESH, Pages
from referee.hall.staff import LIFE, LOGIN, Access, CodeRefused, Holder, WayIn

MAX_BODY: Final = 1024
"""Bytes of a form with a code."""
CLEAR: Final = '"cache", "storage"'
"""What a browser forgets when somebody logs out (Clear-Site-Data, W3C)."""
HOMES: Final = {"judge": "/judges", "scorekeeper": "/round"}
"""Where a role begins that does not begin at the desk."""


class Login:
    """The pages of a door."""

    def __init__(self, pages: Pages, access: Access, door: WayIn) -> None:
        self._pages, self._access, self._door = pages, access, door

    def routes(self) -> list[Route]:
        """Return the paths."""
        if not self._door.secure:
            return [Route(LOGIN, self.by_link, methods=["GET"])]
        return [Route(LOGIN, self.by_code, methods=["GET", "POST"]), Route("/logout", self.leave, methods=["POST"])]

    async def by_link(self, request: Request) -> Response:
        """Let a browser on the organiser's computer in."""
        link = request.query_params.get("link", "")
        return self._entered(lambda: self._access.follow(link, self._earlier(request))) if link else self._shown()

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
        home = HOMES.get(holder.role, "/") if holder is not None else LOGIN
        answer = RedirectResponse(home, status_code=303, headers=FRESH)
        self._door.set(answer, token, round(LIFE))
        return answer

    def _shown(self, refusal: str = "", status: int = 200, seconds: int = 0) -> Response:
        text = self._pages.render("login.html", refusal=refusal, by_code=self._door.secure)
        return HTMLResponse(text, status, FRESH | ({"retry-after": str(seconds)} if seconds else {}))
