"""The pages by which an event is run: at the desk all of them, on the loopback; on a tablet those of its role."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from referee.errors import JournalError, Malformed, Refused, StationError
from referee.hall.boxes import Boxes
from referee.hall.desk import Desk
from referee.hall.pages import files, loaded, paper, seen, views
from referee.hall.pages import reports as report_pages
from referee.hall.pages.actions import Actions, Sender, floor, players, rounds, setup
from referee.hall.pages.actions import boxes as box_actions
from referee.hall.pages.actions import staff as staff_actions
from referee.hall.pages.floor import TableViews
from referee.hall.pages.forms import Form, read_form
from referee.hall.pages.login import Login
from referee.hall.pages.news import News
from referee.hall.pages.render import FormView, Pages, refused
from referee.hall.served import NOTHING, Served
from referee.hall.staff.access import Access, Holder
from referee.hall.staff.gate import Door, Gate, refused_outside
from referee.hall.staff.port import StaffPort
from referee.hall.staff.roles import may_do, may_open
from referee.web.guard import OriginCheck

REFUSED: Final = 422
FORBIDDEN: Final = 403
CANNOT_WRITE: Final = 503


class NotAllowed(Refused):
    """An act that is not for the role of whoever sent it."""


View = Callable[[Desk, Mapping[str, str]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Room:
    """A page: where it is, what it is called ("": it is not listed), what it shows, what its forms do.

    ``prepare``    what has to be awaited before it can be shown
    ``no_drafts``  what it shows those who do not draw rounds, None: the same
    """

    path: str
    label: str
    template: str
    view: View
    actions: Actions = field(default_factory=dict)
    prepare: Callable[[Mapping[str, str]], Awaitable[None]] | None = None
    no_drafts: View | None = None


class Organiser:
    """The pages of one desk, for whoever the gate let through."""

    def __init__(
        self, desk: Desk, *, public: str, example: bool, seed: Callable[[], int], served: Served = NOTHING
    ) -> None:
        """``public``: where the public pages are; ``example``: the event is none; ``seed``: draws for lots."""
        boxes, reports, backup, staff = served
        self._desk = desk
        self._seed = seed
        self._notices: dict[str, str] = {}
        self._once = seen.Once[tuple[str, str] | None]()
        self._boxes = boxes
        self._backup = backup
        self._reviews = reviews = views.Reviews()
        tables = TableViews(desk, boxes, reports)
        self.rooms = (
            Room("/", "Desk", "home.html", lambda desk, fields: tables.timed(desk, views.home(desk, fields))),
            Room("/setup", "Setup", "setup.html", views.setup, setup.ACTIONS),
            Room("/players", "Players", "players.html", views.players, players.ACTIONS),
            Room(
                "/round",
                "Rounds",
                "round.html",
                lambda desk, fields: tables.timed(desk, views.round_page(desk, fields, reviews)),
                rounds.ACTIONS,
                no_drafts=lambda desk, fields: tables.timed(
                    desk, views.round_page(desk, fields, reviews, drafts=False)
                ),
            ),
            Room("/board", "Board", "board.html", tables.board),
            Room("/table", "", "table.html", tables.table, box_actions.AT_TABLE, tables.prepare),
            Room("/standings", "Standings", "standings.html", views.standings_page, setup.CUT),
            Room("/floor", "Floor", "floor.html", views.floor, floor.ACTIONS),
            Room("/record", "Record", "record.html", partial(views.record, reports=reports), setup.END),
            *([] if boxes is None else [_boxes_room(boxes)]),
            *([] if staff is None else [_staff_room(staff)]),
        )
        self.pages = Pages(desk.names)
        self._everywhere = {
            "public": public,
            "example": example,
            "pairs_of": lambda words: [(word, word) for word in words],
        }

    def endpoint(self, room: Room) -> Callable[[Request], Any]:
        """Return what serves a room."""

        async def serve(request: Request) -> Response:
            holder: Holder = request.scope["holder"]
            if request.method != "POST":
                await self._reviews.prepare(self._desk.event)
                if room.prepare is not None:
                    await room.prepare(request.query_params)
                notice = self._notices.pop(holder.id, "")
                return self._page(room, holder, request.query_params, FormView(""), notice=notice)
            form = Form({})
            try:
                form = await read_form(request)
                done = await self._once.do(holder.id + room.path, form, partial(self._do, room, form, holder))
            except NotAllowed as fault:
                return self._page(room, holder, form.fields, refused(form.fields, fault), status=FORBIDDEN)
            except Refused as fault:
                return self._page(room, holder, form.fields, refused(form.fields, fault), status=REFUSED)
            except (JournalError, StationError) as fault:
                return self._page(room, holder, form.fields, refused(form.fields, fault), status=CANNOT_WRITE)
            if done is None:
                return refused_outside(request.scope)
            where, notice = done
            if notice:
                self._notices[holder.id] = notice
            return RedirectResponse(where, status_code=303)

        return serve

    async def forbidden(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a page that is not for the role of whoever asks (ASGI 3): with one that leads back."""
        holder: Holder = scope["holder"]
        view = partial(views.forbidden, who=holder.who)
        answer = self._page(Room("", "", "forbidden.html", view), holder, {}, FormView(""), status=FORBIDDEN)
        await answer(scope, receive, send)

    async def _do(self, room: Room, form: Form, holder: Holder) -> tuple[str, str] | None:
        """Do what a form asks for; return where it leads and what is said, None if the pass was taken back."""
        do = form.fields.get("do", "")
        action = room.actions.get(do)
        if action is None:
            raise Malformed("expected a form of this page; load it again")
        if not may_do(holder.role, room.path, do):
            raise NotAllowed("role", f"{holder.who.capitalize()} may not do this. Ask an organiser")
        before = await seen.shown(self._desk, form)
        seen.check(before, self._desk.event, room.path, form)
        # Drawing a round takes a while; what happens meanwhile is seen when it and its acts are checked.
        asked = await asyncio.to_thread(action, Sender(self._desk, form, self._seed, holder.who, holder.role))
        if not holder.valid():
            return None
        seen.check(before, self._desk.event, room.path, form)
        if asked.acts or asked.names:
            check = partial(seen.check, before, path=room.path, form=form)
            await asyncio.wrap_future(self._desk.submit(asked.acts, asked.names, check))
            self._desk.done()
        return asked.then or room.path, asked.notice

    def _page(
        self,
        room: Room,
        holder: Holder,
        fields: Mapping[str, str],
        refusal: FormView,
        *,
        notice: str = "",
        status: int = 200,
    ) -> Response:
        role = holder.role
        view = room.view if room.no_drafts is None or may_do(role, "/round", "draft") else room.no_drafts
        views_of = view(self._desk, fields)
        rooms = [(each.path, each.label) for each in self.rooms if each.label and may_open(role, each.path)]
        shown: dict[str, Any] = {
            "rooms": rooms,
            "home": rooms[0][0],
            "role": role,
            "who": holder.who,
            "may": {do for do in room.actions if may_do(role, room.path, do)},
            "here": room.path,
            "event": self._desk.event,
            "notice": notice,
            "warning": (self._boxes.warning() if self._boxes else "") or self._desk.clock_warning,
            "backup": self._backup,
            "doubt": bool(self._desk.ledger.doubts()),
            "step": views.STEPS[views.next_step(self._desk)],
            "number": len(self._desk.acts),
            "refusal": refusal,
            "seen": partial(seen.mark, self._desk),
            "form_of": FormsOf(refusal),
        }
        text = self.pages.render(room.template, **self._everywhere, **shown, **views_of, lost="")
        if refusal.refusal and not shown["form_of"].found:  # the form is not on the page any more
            text = self.pages.render(room.template, **self._everywhere, **shown, **views_of, lost=refusal.refusal)
        return HTMLResponse(text, status_code=status, headers={"cache-control": "no-store"})


def _boxes_room(boxes: Boxes) -> Room:
    def view(desk: Desk, fields: Mapping[str, str]) -> dict[str, Any]:
        del fields
        return boxes.view() | {
            "address": boxes.address,
            "table_of": {box: at for at, box in desk.event.boxes.items()},
        }

    return Room("/boxes", "Boxes", "boxes.html", view, box_actions.actions(boxes))


def _staff_room(staff: StaffPort) -> Room:
    def view(desk: Desk, fields: Mapping[str, str]) -> dict[str, Any]:
        del desk, fields
        return staff.view()

    return Room("/staff", "Staff", "staff.html", view, staff_actions.actions(staff))


class FormsOf:
    """The forms of a page; the one that was refused is as it was sent."""

    def __init__(self, refusal: FormView) -> None:
        self._refusal = refusal
        self.found = False

    def __call__(self, do: str, key: object = "") -> FormView:
        """Return a form of the page."""
        if self._refusal.refusal and (do, str(key)) == (self._refusal.do, self._refusal.key):
            self.found = True
            return self._refusal
        return FormView(do, str(key))


async def cannot_read(_request: Request, fault: Exception) -> Response:
    """Say what is wrong with the record, where a file cannot be made of it."""
    return PlainTextResponse(f"{fault}\n", status_code=CANNOT_WRITE)


def organiser_app(
    desk: Desk,
    news: News,
    *,
    access: Access,
    allowed_hosts: Collection[str],
    public: str,
    door: Door,
    example: bool = False,
    seed: Callable[[], int] = lambda: secrets.randbelow(2**31),
    served: Served = NOTHING,
    board_news: News | None = None,
) -> Starlette:
    """Return the pages as an ASGI application, for whoever comes through a door of `referee.hall.staff.gate`.

    ``board_news``: tells what changes at the tables besides; None where nothing does.
    """
    organiser = Organiser(desk, public=public, example=example, seed=seed, served=served)
    app = Starlette(
        routes=[
            *(
                Route(room.path, organiser.endpoint(room), methods=["GET", "POST"] if room.actions else ["GET"])
                for room in organiser.rooms
            ),
            *Login(organiser.pages, access, door).routes(),
            *paper.routes(desk, organiser.pages, public),
            *files.routes(desk),
            *report_pages.routes(organiser.pages, served.reports),
            *report_pages.all_of_them(organiser.pages, served.reports),
            Route("/news", news.__call__, methods=["GET"]),
            Route("/board/news", (board_news or news).__call__, methods=["GET"]),
            *loaded.routes(),
        ],
        middleware=[
            Middleware(
                OriginCheck,
                allowed_hosts=tuple(allowed_hosts),
                forms=True,
                scheme="https" if door.secure else "http",
            ),
            Middleware(Gate, access=access, door=door, forbidden=organiser.forbidden),
        ],
        exception_handlers={JournalError: cannot_read, StationError: cannot_read},
    )
    app.router.redirect_slashes = False  # a fixed list of paths, nothing else
    return app
