"""The organiser's pages: everything can be done here, so they are served on the loopback alone."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from referee.errors import JournalError, Malformed, Refused
from referee.hall.boxes import Boxes
from referee.hall.desk import Desk
from referee.hall.pages import files, paper, views
from referee.hall.pages.actions import Actions, Sender, floor, players, rounds, setup
from referee.hall.pages.actions import boxes as box_actions
from referee.hall.pages.floor import TableViews
from referee.hall.pages.forms import Form, read_form
from referee.hall.pages.news import News
from referee.hall.pages.render import FormView, Pages, refused
from referee.web import assets
from referee.web.guard import OriginCheck

REFUSED: Final = 422
CANNOT_WRITE: Final = 503

View = Callable[[Desk, Mapping[str, str]], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Room:
    """A page: where it is, what it is called ("": it is not listed), what it shows, what its forms do.

    ``prepare``: what has to be awaited before it can be shown.
    """

    path: str
    label: str
    template: str
    view: View
    actions: Actions = field(default_factory=dict)
    prepare: Callable[[Mapping[str, str]], Awaitable[None]] | None = None


class Organiser:
    """The organiser's pages of one desk."""

    def __init__(
        self, desk: Desk, *, public: str, example: bool, seed: Callable[[], int], boxes: Boxes | None = None
    ) -> None:
        """``public``: where the public pages are; ``example``: the event is none; ``seed``: draws for lots.

        ``boxes``: those of the event, None where none can connect.
        """
        self._desk = desk
        self._seed = seed
        self._told = ""
        self._reviews = reviews = views.Reviews()
        tables = TableViews(desk, boxes)
        self.rooms = (
            Room("/", "Desk", "home.html", views.home),
            Room("/setup", "Setup", "setup.html", views.setup, setup.ACTIONS),
            Room("/players", "Players", "players.html", views.players, players.ACTIONS),
            Room(
                "/round",
                "Rounds",
                "round.html",
                lambda desk, fields: views.round_page(desk, fields, reviews),
                rounds.ACTIONS,
            ),
            Room("/board", "Board", "board.html", tables.board),
            Room("/table", "", "table.html", tables.table, prepare=tables.prepare),
            Room("/standings", "Standings", "standings.html", views.standings_page, setup.CUT),
            Room("/floor", "Floor", "floor.html", views.floor, floor.ACTIONS),
            Room("/record", "Record", "record.html", views.record, setup.END),
            *([] if boxes is None else [_boxes_room(boxes)]),
        )
        self.pages = Pages(desk.names)
        self._everywhere = {
            "rooms": [(room.path, room.label) for room in self.rooms if room.label],
            "public": public,
            "example": example,
            "pairs_of": lambda words: [(word, word) for word in words],
        }

    def endpoint(self, room: Room) -> Callable[[Request], Any]:
        """Return what serves a room."""

        async def serve(request: Request) -> Response:
            if request.method != "POST":
                await self._reviews.prepare(self._desk.event)
                if room.prepare is not None:
                    await room.prepare(request.query_params)
                told, self._told = self._told, ""
                return self._page(room, request.query_params, FormView(""), told=told)
            form = Form({})
            try:
                form = await read_form(request)
                return await self._do(room, form)
            except Refused as fault:
                return self._page(room, form.fields, refused(form.fields, fault), status=REFUSED)
            except JournalError as fault:
                return self._page(room, form.fields, refused(form.fields, fault), status=CANNOT_WRITE)

        return serve

    async def _do(self, room: Room, form: Form) -> Response:
        action = room.actions.get(form.fields.get("do", ""))
        if action is None:
            raise Malformed("expected a form of this page; load it again")
        # Drawing a round takes a while; what happens meanwhile is seen when its acts are checked.
        asked = await asyncio.to_thread(action, Sender(self._desk, form, self._seed))
        self._desk.perform(*asked.acts, names=asked.names)
        self._told = asked.told
        return RedirectResponse(asked.then or room.path, status_code=303)

    def _page(
        self, room: Room, fields: Mapping[str, str], refusal: FormView, *, told: str = "", status: int = 200
    ) -> Response:
        views_of = room.view(self._desk, fields)
        shown: dict[str, Any] = {
            "here": room.path,
            "event": self._desk.event,
            "told": told,
            "step": views.STEPS[views.next_step(self._desk)],
            "number": len(self._desk.acts),
            "refusal": refusal,
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
    allowed_hosts: Collection[str],
    public: str,
    example: bool = False,
    seed: Callable[[], int] = lambda: secrets.randbelow(2**31),
    boxes: Boxes | None = None,
    board_news: News | None = None,
) -> Starlette:
    """Return the organiser's pages as an ASGI application, for the loopback.

    ``board_news``: tells what changes at the tables besides; None where nothing does.
    """
    organiser = Organiser(desk, public=public, example=example, seed=seed, boxes=boxes)
    app = Starlette(
        routes=[
            *(
                Route(room.path, organiser.endpoint(room), methods=["GET", "POST"] if room.actions else ["GET"])
                for room in organiser.rooms
            ),
            *paper.routes(desk, organiser.pages),
            *files.routes(desk),
            Route("/news", news.__call__, methods=["GET"]),
            Route("/board/news", (board_news or news).__call__, methods=["GET"]),
            *(
                Route(f"/files/{name}", asset.__call__, methods=["GET"])
                for name, asset in assets.load("referee.hall.pages", "files").items()
            ),
        ],
        middleware=[Middleware(OriginCheck, allowed_hosts=tuple(allowed_hosts), forms=True)],
        exception_handlers={JournalError: cannot_read},
    )
    app.router.redirect_slashes = False  # a fixed list of paths, nothing else
    return app
