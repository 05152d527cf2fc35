"""The pages by which an event is run: at the desk all of them, on the loopback; on a tablet those of its role.

The way in is a one-time link at the desk, a one-time code on a tablet.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from referee.errors import JournalError, Malformed, Refused, StationError
from referee.hall.desk import Desk
from referee.hall.ledger import State
from referee.hall.pages import board, exports, overview, players, rounds, setup
from referee.hall.pages.forms import SEEN, Form, Forms, Sender, check_seen, known_acts, read_form, seen_mark
from referee.hall.pages.overview import next_step
from referee.hall.pages.render import FRESH, FormsOf, FormView, Look, News, Pages, Served, loaded, refused
from referee.hall.staff import (
    ALL,
    JUDGES,
    LIFE,
    LOGIN,
    NOBODY,
    ORGANISERS,
    ROLES,
    Access,
    CodeRefused,
    Gate,
    Holder,
    WayIn,
    refused_outside,
)
from referee.web.guard import OriginCheck

MAX_BODY: Final = 1024  # bytes of a form with a code
CLEAR: Final = '"cache", "storage"'  # what a browser forgets when somebody logs out (Clear-Site-Data, W3C)
HOMES: Final = {"judge": "/judges", "scorekeeper": "/round"}  # where a role begins that does not begin at the desk


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
        return self._entered(request, lambda earlier: self._access.follow(link, earlier)) if link else self._shown()

    async def by_code(self, request: Request) -> Response:
        """Let a tablet in."""
        if request.method != "POST":
            return self._shown()
        try:
            code = (await read_form(request, MAX_BODY)).text("code")
        except Malformed as fault:
            return self._shown(fault.text, 422)
        address = request.client.host if request.client is not None else ""
        return self._entered(request, lambda earlier: self._access.let_in(code, address, earlier))

    async def leave(self, request: Request) -> Response:
        """Let a tablet out."""
        holder: Holder = request.scope["holder"]
        self._access.revoke(holder.id)
        answer = RedirectResponse(LOGIN, status_code=303, headers={"clear-site-data": CLEAR})
        self._door.set(answer, "", 0)
        return answer

    def _entered(self, request: Request, enter: Callable[[str], str]) -> Response:
        try:
            token = enter(request.cookies.get(self._door.cookie, ""))
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


CANNOT_WRITE: Final = 503
FORBIDDEN: Final = "role"  # code of the refusal of what is not for somebody's role
BESIDE: Final = {
    **dict.fromkeys(("/news", "/logout", "/report"), ALL),
    "/board/news": JUDGES,
    **dict.fromkeys(("/event.jsonl", "/results.csv", "/results.json", "/standings.csv"), ORGANISERS),
}
"""For which roles a path is that is no page of `rooms`."""


@dataclass(frozen=True, slots=True)
class Room:
    """A page: where it is, what it is called ("": it is not listed), what it shows, what its forms do.

    ``roles``    for whom it is, besides the desk
    ``prepare``  returns what has to be awaited before it can be shown
    """

    path: str
    label: str
    template: str
    view: Callable[[Look], dict[str, Any]]
    roles: frozenset[str]
    forms: Forms = field(default_factory=dict)
    prepare: Callable[[Look], Awaitable[Mapping[str, Any]]] | None = None


def rooms_of(served: Served) -> tuple[Room, ...]:
    """Return the pages of a hall."""
    listed = [
        Room("/", "Desk", "home.html", overview.home, ORGANISERS),
        Room("/setup", "Setup", "setup.html", setup.view, ORGANISERS, setup.FORMS),
        Room("/players", "Players", "players.html", players.view, ORGANISERS, players.FORMS),
        Room("/round", "Rounds", "round.html", rounds.view, ALL, rounds.FORMS),
        Room("/board", "Tables", "board.html", board.board, JUDGES),
        Room("/table", "", "table.html", board.table, JUDGES, prepare=board.log),
        Room("/standings", "Standings", "standings.html", overview.standings, ALL, overview.CUT),
        Room("/judges", "Judges", "judges.html", board.judges, JUDGES, board.FORMS),
        Room("/record", "Record", "record.html", overview.record, ORGANISERS, overview.END),
        Room("/print/pairings", "", "print_pairings.html", exports.print_round, ORGANISERS),
        Room("/print/slips", "", "print_slips.html", exports.print_round, ORGANISERS),
        Room("/print/standings", "", "print_standings.html", exports.print_standings, ORGANISERS),
        Room("/print/paper", "", "print_paper.html", exports.print_paper, ORGANISERS),
    ]
    boxes, staff = served.boxes, served.staff
    if boxes is not None:
        view = boxes.view
        listed.append(Room("/boxes", "Boxes", "boxes.html", lambda _: view(), NOBODY, setup.boxes_forms(boxes)))
    if staff is not None:
        shown = {"staff": staff, "roles": ROLES}
        listed.append(Room("/staff", "Staff", "staff.html", lambda _: shown, NOBODY, setup.staff_forms(staff)))
    return tuple(listed)


class Organiser:
    """The pages of one desk, for whoever the gate let through."""

    def __init__(self, desk: Desk, served: Served, *, public: str, example: bool, seed: Callable[[], int]) -> None:
        """``public``: where the public pages are; ``example``: the event is none; ``seed``: draws for lots."""
        self._desk, self._served, self._seed = desk, served, seed
        self._notices: dict[str, str] = {}
        self._done: dict[str, tuple[str, str]] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self.rooms = rooms_of(served)
        self.pages = Pages(desk.names)
        self._everywhere = {"public": public, "example": example}

    def endpoint(self, room: Room) -> Callable[[Request], Any]:
        """Return what serves a room."""

        async def serve(request: Request) -> Response:
            holder: Holder = request.scope["holder"]
            if request.method != "POST":
                notice = self._notices.pop(holder.id, "")
                return await self._page(room, holder, request.query_params, notice=notice)
            form = Form({})
            try:
                form = await read_form(request)
                where = await self._once(room, form, holder)
            except (Refused, JournalError, StationError) as fault:
                status = CANNOT_WRITE if not isinstance(fault, Refused) else 403 if fault.code == FORBIDDEN else 422
                return await self._page(room, holder, form.fields, refused(form.fields, fault), status=status)
            return RedirectResponse(where, status_code=303) if where else refused_outside(request.scope)

        return serve

    async def _once(self, room: Room, form: Form, holder: Holder) -> str:
        """Do what a form asks for once, however often it comes, from a double click for example.

        Return where it leads, "" if the pass was taken back; a form that was refused may come again.
        """
        key = hashlib.sha256(repr((room.path, sorted(form.fields.items()))).encode()).hexdigest()
        async with self._locks.setdefault(holder.id, asyncio.Lock()):
            last, where = self._done.get(holder.id, ("", ""))
            if last != key or SEEN not in form.fields:
                where = await self._do(room, form, holder)
                self._done[holder.id] = (key, where)
            return where

    async def _do(self, room: Room, form: Form, holder: Holder) -> str:
        does = room.forms.get(form.fields.get("do", ""))
        if does is None:
            raise Malformed("This form is not of this page. Load it again")
        if not holder.may(does.roles):
            raise Refused(FORBIDDEN, f"{holder.who.capitalize()} may not do this. Ask an organiser")
        if form.text("confirm").casefold() != does.confirm:
            raise Malformed(f"confirm: type “{does.confirm}”; it cannot be taken back")
        known = known_acts(self._desk, form)

        def check(state: State) -> None:
            check_seen(does, form, [act for _, act in state.acts[known:]], state.event)

        check(self._desk.ledger.state)
        # Drawing a round takes a while; what happens meanwhile is seen when its acts are checked.
        asked = await asyncio.to_thread(does.ask, Sender(self._desk, form, holder, self._seed))
        if not holder.valid():
            return ""
        if asked.acts or asked.names:
            await asyncio.wrap_future(self._desk.submit(asked.acts, asked.names, check))
            self._desk.done()
        if asked.notice:
            self._notices[holder.id] = asked.notice
        return asked.then or room.path

    async def _page(
        self,
        room: Room,
        holder: Holder,
        fields: Mapping[str, str],
        refusal: FormView = FormView(""),  # noqa: B008 - it is a value
        *,
        notice: str = "",
        status: int = 200,
    ) -> Response:
        look = Look(self._desk, fields, self._served, holder.may(ORGANISERS))
        prepared = await room.prepare(look) if room.prepare is not None and status == 200 else {}
        shown = partial(self._shown, room, holder, look, {"notice": notice, "refusal": refusal, **prepared})
        return HTMLResponse(await run_in_threadpool(shown), status, FRESH)

    def _shown(self, room: Room, holder: Holder, look: Look, more: Mapping[str, Any]) -> str:
        desk, boxes = self._desk, self._served.boxes
        rooms = [(each.path, each.label) for each in self.rooms if each.label and holder.may(each.roles)]
        forms = FormsOf(more["refusal"])
        shown: dict[str, Any] = {
            **self._everywhere,
            "rooms": rooms,
            "home": rooms[0][0],
            "role": holder.role,
            "who": holder.who,
            "may": {do for do, does in room.forms.items() if holder.may(does.roles)},
            "here": room.path,
            "event": desk.event,
            "warning": (boxes.warning() if boxes else "") or desk.clock_warning,
            "backup": self._served.backup,
            "doubt": bool(desk.ledger.doubts),
            "step": next_step(desk),
            "number": len(desk.acts),
            "lost": "",
            "seen": partial(seen_mark, desk),
            "form_of": forms,
            **room.view(look),
            **more,
        }
        text = self.pages.render(room.template, **shown)
        if more["refusal"].refusal and not forms.found:  # the form is not on the page any more
            text = self.pages.render(room.template, **shown | {"lost": more["refusal"].refusal})
        return text


def organiser_app(
    desk: Desk,
    news: News,
    *,
    access: Access,
    allowed_hosts: Collection[str],
    public: str,
    door: WayIn,
    example: bool = False,
    seed: Callable[[], int] = lambda: secrets.randbelow(2**31),
    served: Served = Served(),  # noqa: B008 - it is a value
    board_news: News | None = None,
) -> Starlette:
    """Return the pages as an ASGI application. ``board_news``: of what changes at the tables besides the acts."""
    organiser = Organiser(desk, served, public=public, example=example, seed=seed)
    pages = {room.path: room.roles for room in organiser.rooms} | BESIDE
    app = Starlette(
        routes=[
            *(
                Route(room.path, organiser.endpoint(room), methods=["GET", "POST"] if room.forms else ["GET"])
                for room in organiser.rooms
            ),
            *Login(organiser.pages, access, door).routes(),
            *exports.files(desk),
            exports.report(organiser.pages, served.reports),
            Route("/news", news.__call__, methods=["GET"]),
            Route("/board/news", (board_news or news).__call__, methods=["GET"]),
            *loaded(),
        ],
        middleware=[
            Middleware(
                OriginCheck, allowed_hosts=tuple(allowed_hosts), forms=True, scheme="https" if door.secure else "http"
            ),
            Middleware(Gate, access=access, door=door, pages=pages),
        ],
        exception_handlers={
            404: lambda _request, _fault: PlainTextResponse("There is no such page.\n", 404, FRESH),
            **dict.fromkeys(
                (JournalError, StationError), lambda _request, fault: PlainTextResponse(f"{fault}\n", CANNOT_WRITE)
            ),
        },
    )
    app.router.redirect_slashes = False  # a fixed list of paths, nothing else
    return app
