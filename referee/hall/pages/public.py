"""Public pages, for phones and televisions on the network: a projection of what is published, and nothing to send.

Drafts, penalties, reasons and calls are not shown. Only GET is answered, so nothing that comes here changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from referee.hall.desk import Desk
from referee.hall.pages import loaded, tv
from referee.hall.pages import reports as report_pages
from referee.hall.pages.news import News
from referee.hall.pages.render import Pages
from referee.hall.pages.roster import plain_letters
from referee.hall.pages.tables import Slip, round_ends, seats_by_name, slips_of, table_of, whole, whole_event
from referee.hall.reports import Report, stands
from referee.hall.served import NOTHING, Served
from referee.hall.wishes import published
from referee.tournament import Round, Stage, apart
from referee.web.guard import OriginCheck

FRESH: Final = {"cache-control": "no-store"}
MAX_QUERY = 60
"""Letters of a name that is looked for."""


def public_stage(desk: Desk) -> Stage | None:
    """Return the stage of the last published round, None before it."""
    round_ = published(desk.event)
    return desk.event.stages[round_.stage - 1] if round_ is not None else None


@dataclass(frozen=True, slots=True)
class Match:
    """What a player plays in a round, or has played. ``seat``: from 0 on; ``reports``: of its games."""

    round: Round
    slip: Slip
    seat: int
    reports: Sequence[Report] = ()


class Public:
    """The public pages of one desk."""

    def __init__(self, desk: Desk, *, example: bool, served: Served) -> None:
        self._boxes, self._of, _, self._staff = served
        self._desk = desk
        self.pages = Pages(desk.names)
        self._example = example

    async def pairings(self, request: Request) -> Response:
        """Where do I play? By name, or those who have what is looked for in their name."""
        desk, round_ = self._desk, published(self._desk.event)
        if round_ is None:
            return self._shown("public_pairings.html", round=None)
        wanted = plain_letters(request.query_params.get("name", "")[:MAX_QUERY].strip())
        ends = desk.once("ends", lambda: round_ends(desk.event, round_))
        everybody = desk.once("everybody", lambda: self._places(round_, "", ends))
        places = self._places(round_, wanted, ends) if wanted else everybody
        slips = self._slips(round_)
        come = min((slip.come for slip in slips if slip.come), default=0)
        wait = desk.event.settings.no_show
        values = {"places": places, "wanted": wanted, "ends": ends, "come": come, "wait": wait}
        return self._shown("public_pairings.html", round=round_, **values)

    def _places(self, round_: Round, wanted: str, ends: int) -> Markup:
        """Return where those play who have ``wanted`` in their name, as a part of a page."""
        names = self._desk.names
        places = [
            place
            for place in seats_by_name(self._desk.event, round_, names)
            if wanted in plain_letters(names.player(place.player))
        ]
        slips = {slip.pairing.table: slip for slip in self._slips(round_)}
        return self.pages.part("public_places.html", places=places, ends=ends, slips=slips)

    async def standings(self, request: Request) -> Response:
        """Who stands where in a stage, the last one unless another is asked for, and in the whole event."""
        desk, last = self._desk, public_stage(self._desk)
        if last is None:
            return self._shown("public_standings.html", stage=None)
        stages = desk.event.stages[: last.number]
        wanted = whole(request.query_params.get("stage", ""))
        stage = stages[wanted - 1] if 1 <= wanted <= len(stages) else last
        values = table_of(desk, stage)
        return self._shown("public_standings.html", stages=stages, final=whole_event(desk, last), **values)

    async def player(self, request: Request) -> Response:
        """The games of one player, the newest first, and where to play now."""
        desk, number = self._desk, whole(request.query_params.get("number", ""))
        matches = [
            match for each in desk.event.rounds if each.state != "draft" for match in self._matches(each, number)
        ]
        round_ = published(desk.event)
        words = apart(desk.event, round_).get(number, "") if round_ is not None else ""
        if not matches and not words:
            return self._nobody("Nobody with that number plays in a published round.")
        stage = public_stage(desk)
        rows = [row for row, _ in table_of(desk, stage)["rows"]] if stage is not None else []
        rows += whole_event(desk, stage) if stage is not None else []
        place = next((row.place for row in rows if row.player == number and row.place), 0)
        now = matches[-1] if matches and matches[-1].round is round_ else None
        values = {"matches": matches[::-1], "current": now, "place": place, "words": words}
        return self._shown("public_player.html", player=number, round=round_, **values)

    def _matches(self, round_: Round, number: int) -> list[Match]:
        """Return what a player plays in a round: one match, or none."""
        return [
            Match(round_, slip, slip.pairing.players.index(number), self._reports(round_, slip))
            for slip in self._slips(round_)
            if number in slip.pairing.players
        ]

    def _reports(self, round_: Round, slip: Slip) -> Sequence[Report]:
        return self._of.of(round_, slip.pairing) if self._of is not None else ()

    def _slips(self, round_: Round) -> tuple[Slip, ...]:
        desk = self._desk
        return desk.once(("slips", round_.number), lambda: slips_of(desk.event, round_, desk.names))

    async def table(self, request: Request) -> Response:
        """The match at a table of a round, or of the published one."""
        wanted, table = (whole(request.query_params.get(name, "")) for name in ("round", "table"))
        event = self._desk.event
        named = next((each for each in event.rounds if each.number == wanted != 0), None)
        round_ = named if "round" in request.query_params else published(event)
        slips = self._slips(round_) if round_ is not None and round_.state != "draft" else ()
        slip = next((each for each in slips if each.pairing.table == table != 0), None)
        if slip is None:
            return self._nobody("Nobody plays at that table in a published round.")
        assert round_ is not None
        over = stands(slip.pairing)
        return self._shown(
            "public_table.html", round=round_, slip=slip, over=over, reports=self._reports(round_, slip)
        )

    async def tv(self, request: Request) -> Response:
        """One page of the television, which names the next; or a table, again and again."""
        desk, query = self._desk, request.query_params
        round_, wanted = published(desk.event), whole(query.get("table", ""))
        pages = tv.featured(round_, self._game, wanted) or tv.absent(round_, wanted)
        if not (wanted and pages):
            pages = [*desk.once("screens", lambda: tv.screens(desk, round_, public_stage(desk))), *pages]
        number = (max(1, whole(query.get("page", ""))) - 1) % len(pages) + 1
        seconds = min(whole(query.get("seconds", "")) or tv.SECONDS, tv.MAX_SECONDS)
        values = {"screen": pages[number - 1], "number": number, "pages": len(pages), "seconds": seconds}
        following = f"/tv?page={number % len(pages) + 1}" + "".join(
            f"&{name}={value}" for name, value in (("table", wanted), ("seconds", seconds)) if name in query
        )
        return self._shown("tv.html", **values, following=following, hold="hold" in query)

    def _game(self, table: int) -> Mapping[str, Any]:
        """Return how the game at a table stands, {} where nothing is known of it."""
        key = self._desk.event.boxes.get(table, "")
        return self._boxes.seen(key).board if self._boxes is not None and key else {}

    async def staff(self, _request: Request) -> Response:
        """How a tablet of the staff comes to trust the hall."""
        if self._staff is None:
            return PlainTextResponse("This hall has no port for tablets of its staff.\n", status_code=404)
        return self._shown("install.html", address=self._staff.address)

    async def authority(self, _request: Request) -> Response:
        """The certificate that it installs."""
        if self._staff is None:
            return PlainTextResponse("This hall has no certificate.\n", status_code=404)
        headers = {"cache-control": "no-store", "content-disposition": 'attachment; filename="event-ca.crt"'}
        return Response(self._staff.certificate.authority, media_type="application/x-x509-ca-cert", headers=headers)

    def _moment(self) -> dict[str, int]:
        """Return when a page was made, how much had been done, and whether that may be an old copy."""
        doubted = self._boxes is not None and self._boxes.doubted
        return {"now": self._desk.now(), "acts": len(self._desk.acts), "doubt": doubted}

    def _nobody(self, text: str) -> Response:
        """Return the page for what is not there: it leads to what is."""
        return HTMLResponse(self._text("public_nobody.html", text=text), 404, FRESH)

    def _shown(self, template: str, **values: Any) -> Response:
        return HTMLResponse(self._text(template, **values), headers=FRESH)

    def _text(self, template: str, **values: Any) -> str:
        return self.pages.render(template, example=self._example, **self._moment(), **values)


def public_app(
    desk: Desk,
    news: News,
    *,
    allowed_hosts: Collection[str],
    example: bool = False,
    served: Served = NOTHING,
) -> Starlette:
    """Return the public pages as an ASGI application, for the network."""
    public = Public(desk, example=example, served=served)
    paths: dict[str, Callable[[Request], Any]] = {
        "/": public.pairings,
        "/standings": public.standings,
        "/player": public.player,
        "/table": public.table,
        "/tv": public.tv,
        "/staff": public.staff,
        "/event-ca.crt": public.authority,
        "/news": news.__call__,
    }
    app = Starlette(
        routes=[
            *(Route(path, endpoint, methods=["GET"]) for path, endpoint in paths.items()),
            *loaded.routes(),
            *report_pages.routes(public.pages, served.reports),
        ],
        middleware=[Middleware(OriginCheck, allowed_hosts=tuple(allowed_hosts), forms=True)],
    )
    app.router.redirect_slashes = False  # a fixed list of paths, nothing else
    return app
