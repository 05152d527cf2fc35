"""Public pages, for phones and televisions on the network: a projection of what is published, and nothing to send.

Only GET is answered, so nothing that comes here changes anything. A television shows few lines, so large that they
can be read at 10 m: on 65 inches, a capital letter is seen under 16 minutes of arc (ISO 9241-303) from there. Its
script turns to the next page once the hall answers, so that no television is left with the browser's own error.
"""

from __future__ import annotations

import gzip
import textwrap
import unicodedata
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from referee.hall.desk import Desk
from referee.hall.pages.exports import report
from referee.hall.pages.forms import whole
from referee.hall.pages.players import plain_letters
from referee.hall.pages.render import FRESH, News, Pages, Served, loaded
from referee.hall.pages.tables import Slip, round_ends, round_title, seats_by_name, slips_of, table_of, whole_event
from referee.hall.reports import Report, stands
from referee.hall.wishes import published
from referee.tournament import Pairing, Round, Stage, apart, final_standings
from referee.tournament.standings import LEFT
from referee.web.guard import OriginCheck

LINES: Final = 8
COLUMNS: Final = 2
LETTERS: Final = 14
"""Letters of a name in a line of a column; a longer one takes as many lines as it needs. `files/tv.css` has room."""
SECONDS: Final = 8  # how long a page stays
BESIDE: Final = 5  # letters of a value that is shown beside a name


@dataclass(frozen=True, slots=True)
class Screen:
    """One page of the television.

    ``kind``: title, pairings, clock, standings, table, or none: there is no such table; ``columns``: place or table,
    player, and a value or ""; ``pairing``, ``game``: of a table, as the board has it
    """

    kind: str
    title: str
    columns: tuple[tuple[tuple[str, int, str], ...], ...] = ()
    ends: int = 0
    paused: int = 0
    pairing: Pairing | None = None
    game: Mapping[str, Any] = field(default_factory=dict)


def screens(desk: Desk, round_: Round | None, stage: Stage | None) -> list[Screen]:
    """Return all pages in their order. ``round_``: the last that is public; ``stage``: whose standings are shown."""
    event, name = desk.event, desk.names.player
    pages: list[Screen] = []
    if round_ is not None and round_.state in ("published", "started"):
        title = round_title(event, round_)
        places = [
            (each.where, each.player, "") for each in seats_by_name(event, round_, desk.names) if each.where != LEFT
        ]
        pages += _paged("pairings", f"{title}: your table", places, name)
        ends = round_ends(event, round_)
        if ends:
            pages.append(Screen("clock", title, (), ends, round_.paused))
    if stage is not None and event.rounds_of(stage):
        table = table_of(desk, stage)
        values = all(len(shown[0]) <= BESIDE for _, shown in table["rows"])
        rows = [(str(row.place), row.player, shown[0] if values else "") for row, shown in table["rows"] if row.place]
        final = [(str(row.place), row.player, "") for row in whole_event(desk, stage) if row.place]
        pages += _paged("standings", f"Standings: {table['criteria'][0]}" if values else "Standings", rows, name)
        pages += _paged("standings", "The whole event", final, name)
    return pages or [Screen("title", desk.names.event)]


def featured(round_: Round | None, game: Callable[[int], Mapping[str, Any]], wanted: int = 0) -> list[Screen]:
    """Return the page of a table with its last ruling, if it has one. ``wanted``: the table, 0: the first of them."""
    if round_ is None:
        return []
    tables = {each.table: each for each in round_.pairings if each.table and wanted in (0, each.table)}
    for number, pairing in sorted(tables.items()) if round_.state == "started" else ():
        state = game(number)
        if state.get("ruling"):
            return [Screen("table", f"Table {number}", pairing=pairing, game=state)]
    return [Screen("none", f"Round {round_.number}, table {wanted}")] if wanted and not tables else []


def _paged(kind: str, title: str, rows: list[tuple[str, int, str]], name: Callable[[int], str]) -> list[Screen]:
    columns: list[list[tuple[str, int, str]]] = []
    left = 0
    for row in rows:
        lines = lines_of(name(row[1]))
        if lines > left:
            columns.append([])
            left = LINES
        columns[-1].append(row)
        left -= lines
    filled = [tuple(each) for each in columns]
    return [Screen(kind, title, tuple(filled[at : at + COLUMNS])) for at in range(0, len(filled), COLUMNS)]


def lines_of(name: str) -> int:
    """Return how many lines a name takes. A wide letter takes the place of two.

    >>> lines_of("Frodo"), lines_of("Maximilian Brandybuck"), lines_of("東京都千代田区")
    (1, 2, 1)
    """
    taken = "".join(each * (1 + (unicodedata.east_asian_width(each) in "WF")) for each in name)
    return min(max(1, len(textwrap.wrap(taken, LETTERS))), LINES)


Page: TypeAlias = Callable[[Request], Awaitable[Response]]
TOGETHER: Final = 250  # who asks for the same page within so many ms gets the same
MOST_MADE: Final = 64  # pages that are kept so long
GZIP: Final = 4  # how hard a page is compressed, of 9: three hundred phones share one access point
MAX_QUERY: Final = 60  # letters of a name that is looked for
NOBODY: Final = "Nobody plays at that table in a published round."
NO_PLAYER: Final = "Nobody with that number plays in a published round."


class Public:
    """The public pages of one desk."""

    def __init__(self, desk: Desk, served: Served, everywhere: Mapping[str, Any]) -> None:
        self._boxes, self._reports = served.boxes, served.reports
        self._desk, self._everywhere = desk, everywhere
        self.pages = Pages(desk.names)

    def shared(self, page: Page, *, live: bool = False) -> Page:
        """Return what serves a page that is made, and compressed, once for all who ask at about the same time.

        ``live``: it shows what boxes say.
        """
        made: dict[str, tuple[Response, bytes]] = {}
        then: object = None

        async def served(request: Request) -> Response:
            nonlocal then
            boxes, key = self._boxes, request.url.query
            said = boxes and (boxes.doubted, boxes.changes if live else 0)
            moment = self._desk.ledger.state, said, self._desk.now() // TOGETHER
            if then != moment:
                then = moment
                made.clear()
            if key not in made:
                answer = await page(request)
                if len(made) >= MOST_MADE:
                    return answer
                made[key] = answer, gzip.compress(answer.body, GZIP)
            answer, packed = made[key]
            if "gzip" in request.headers.get("accept-encoding", ""):
                return HTMLResponse(packed, answer.status_code, FRESH | {"content-encoding": "gzip"})
            return HTMLResponse(answer.body, answer.status_code, FRESH)

        return served

    async def pairings(self, request: Request) -> Response:
        """Where do I play? By name, or those who have what is looked for in their name."""
        desk, event, round_ = self._desk, self._desk.event, published(self._desk.event)
        if round_ is None:
            return self.shown("public_pairings.html", round=None)
        wanted = plain_letters(request.query_params.get("name", "")[:MAX_QUERY].strip())
        ends = desk.once("ends", lambda: round_ends(event, round_))
        everybody = desk.once("everybody", lambda: self._places(round_, "", ends))
        stage = event.stages[round_.stage - 1]
        return self.shown(
            "public_pairings.html",
            round=round_,
            title=round_title(event, round_),
            places=self._places(round_, wanted, ends) if wanted else everybody,
            wanted=wanted,
            ends=ends,
            winner=final_standings(event)[0].player if event.ended else 0,
            bids=stage.sides == "bid",
        )

    def _places(self, round_: Round, wanted: str, ends: int) -> Markup:
        """Return where those play who have ``wanted`` in their name, as a part of a page."""
        names = self._desk.names
        places = [
            place
            for place in seats_by_name(self._desk.event, round_, names)
            if wanted in plain_letters(names.player(place.player))
        ]
        slips = {slip.pairing.table: slip for slip in self._slips(round_)}
        return self.pages.part("public_places.html", places=places, ends=ends, slips=slips, paused=round_.paused)

    def _slips(self, round_: Round) -> tuple[Slip, ...]:
        desk = self._desk
        return desk.once(("slips", round_.number), lambda: slips_of(desk.event, round_, desk.names))

    def _reports_of(self, round_: Round, slip: Slip) -> Sequence[Report]:
        return self._reports.of(round_, slip.pairing) if self._reports is not None else ()

    def _stage(self) -> Stage | None:
        round_ = published(self._desk.event)
        return self._desk.event.stages[round_.stage - 1] if round_ is not None else None

    async def standings(self, request: Request) -> Response:
        """Who stands where in a stage, the last one unless another is asked for, and in the whole event."""
        desk, last = self._desk, self._stage()
        if last is None:
            return self.shown("public_standings.html", stage=None)
        stages = desk.event.stages[: last.number]
        wanted = whole(request.query_params.get("stage", ""))
        values = table_of(desk, stages[wanted - 1] if 1 <= wanted <= len(stages) else last)
        return self.shown("public_standings.html", stages=stages, final=whole_event(desk, last), **values)

    async def player(self, request: Request) -> Response:
        """The games of one player, the newest first, and where to play now."""
        desk, event, number = self._desk, self._desk.event, whole(request.query_params.get("number", ""))
        round_, stage = published(event), self._stage()
        matches = [
            {"round": each, "slip": slip, "reports": self._reports_of(each, slip)}
            for each in event.rounds
            if each.state != "draft"
            for slip in self._slips(each)
            if number in slip.pairing.players
        ]
        words = apart(event, round_).get(number, "") if round_ is not None else ""
        if round_ is None or stage is None or not (matches or words):
            return self.nobody(NO_PLAYER)
        rows = whole_event(desk, stage) or [row for row, _ in table_of(desk, stage)["rows"]]
        return self.shown(
            "public_player.html",
            player=number,
            round=round_,
            title=round_title(event, round_),
            matches=matches[::-1],
            slip=matches[-1]["slip"] if matches and matches[-1]["round"] is round_ else None,
            place=next((row.place for row in rows if row.player == number), 0),
            words=words,
        )

    async def table(self, request: Request) -> Response:
        """The match at a table of a round, or of the published one."""
        wanted, table = (whole(request.query_params.get(name, "")) for name in ("round", "table"))
        named = next((each for each in self._desk.event.rounds if each.number == wanted), None)
        round_ = named if "round" in request.query_params else published(self._desk.event)
        slips = self._slips(round_) if round_ is not None and round_.state != "draft" else ()
        slip = next((each for each in slips if each.pairing.table == table != 0), None)
        if slip is None or round_ is None:
            return self.nobody(NOBODY)
        over, reports = stands(slip.pairing), self._reports_of(round_, slip)
        plays = round_.state == "started" and slip.pairing.open
        game = self._game(table) if plays else {}
        return self.shown("public_table.html", round=round_, slip=slip, over=over, reports=reports, game=game)

    async def tv(self, request: Request) -> Response:
        """One page of the television, which names the next; or a table, again and again."""
        desk, query = self._desk, request.query_params
        round_, wanted = published(desk.event), whole(query.get("table", ""))
        pages = featured(round_, self._game, wanted)
        if not (wanted and pages):
            pages = [*desk.once("screens", lambda: screens(desk, round_, self._stage())), *pages]
        number = (max(1, whole(query.get("page", ""))) - 1) % len(pages) + 1
        values = {"screen": pages[number - 1], "number": number, "pages": len(pages), "seconds": SECONDS}
        following = f"/tv?page={number % len(pages) + 1}" + (f"&table={wanted}" if wanted else "")
        return self.shown("tv.html", **values, following=following, hold="hold" in query)

    def _game(self, table: int) -> Mapping[str, Any]:
        key = self._desk.event.boxes.get(table, "")
        return self._boxes.seen(key).board if self._boxes is not None and key else {}

    def nobody(self, text: str) -> Response:
        """Answer an address at which nothing is."""
        shown = self.shown("public_nobody.html", text=text)
        return HTMLResponse(shown.body, 404, FRESH)

    def shown(self, template: str, **values: Any) -> Response:
        """Return a page."""
        desk, doubt = self._desk, self._boxes is not None and self._boxes.doubted
        moment = {"now": desk.now(), "acts": len(desk.acts), "doubt": doubt}
        return HTMLResponse(
            self.pages.render(template, ended=desk.event.ended, **self._everywhere, **moment, **values), headers=FRESH
        )


def public_app(
    desk: Desk,
    news: News,
    *,
    allowed_hosts: Collection[str],
    example: bool = False,
    address: str = "",
    served: Served = Served(),  # noqa: B008 - it is a value
) -> Starlette:
    """Return the public pages as an ASGI application, for the network, where their ``address`` is."""
    public = Public(desk, served, {"example": example, "address": address})
    paths: dict[str, Callable[[Request], Any]] = {
        "/": public.shared(public.pairings),
        "/standings": public.shared(public.standings),
        "/player": public.shared(public.player),
        "/table": public.shared(public.table, live=True),
        "/tv": public.shared(public.tv, live=True),
        "/news": news.__call__,
    }
    if served.staff is not None:
        staff, der = served.staff.address, served.staff.certificate.der
        file = FRESH | {"content-disposition": 'attachment; filename="event-ca.crt"'}
        paths["/staff"] = lambda _request: public.shown("install.html", staff=staff)
        paths["/event-ca.crt"] = lambda _request: Response(der, 200, file, "application/x-x509-ca-cert")
    app = Starlette(
        routes=[
            *(Route(path, endpoint, methods=["GET"]) for path, endpoint in paths.items()),
            *loaded(),
            report(public.pages, served.reports),
        ],
        middleware=[Middleware(OriginCheck, allowed_hosts=tuple(allowed_hosts), forms=True)],
        exception_handlers={404: lambda _request, _fault: public.nobody("There is no such page.")},
    )
    app.router.redirect_slashes = False  # a fixed list of paths, nothing else
    return app
