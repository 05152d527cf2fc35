"""Pages for A4: pairings, slips with room for two signatures, standings, and how to go on without this computer."""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from referee.hall.desk import Desk
from referee.hall.pages.render import Pages
from referee.hall.pages.roster import filed
from referee.hall.pages.tables import seats_by_name, slips_of, table_of, whole
from referee.tournament import Round, final_standings

NOTHING = PlainTextResponse("There is nothing to print yet.\n", status_code=404)
ROUNDS: Final = 5
"""Columns of the list for points, while nobody has said how many rounds there are."""
STEPS: Final = (
    ("choose the game", "note points and tie-breakers on the wall"),
    ("enter the players", "write a list, with numbers from 1"),
    ("check in", "tick the list"),
    ("open a stage", "announce the format and the number of rounds"),
    ("draft", "draw lots; in later rounds pair those with equal points who have not met"),
    ("change", "change the list before it is on the wall"),
    ("publish", "the pairings are on the wall, a slip is on each table"),
    ("start", "note the time on the wall"),
    ("key in slips", "both players sign; keep every slip until the event has ended"),
    ("more time", "note it on the slip"),
    ("pause", "call it out, and note both times on the wall"),
    ("time is called", "call it out"),
    ("who is missing", "note at that time who is not there"),
    ("adjudicate", "judges note their decision on the slip"),
    ("slips from boxes", "fill in the slip of the table"),
    ("challenge", "tell a judge"),
    ("correct", "change the slip, with a judge's initials"),
    ("end the round", "count the slips: one for each table"),
    ("standings", "add the points to the list, and put it on the wall after each round"),
    ("late, dropped, back", "add to the list or strike out, with the round; numbers go on from the last one"),
    ("calls, penalties", "judges note table, time, ruling and penalty on the slip"),
    ("cut", "the first of the list go on"),
    ("bids", "noted on the slip"),
    ("take back", "collect the printed pairings"),
    ("prize-giving", "read the places from the list"),
    ("end", "keep or destroy the lists: they have the names"),
)
"""How to go on without this computer: the last column of the table in docs/hall.md."""


def routes(desk: Desk, pages: Pages, public: str) -> list[Route]:
    """Return the paths of what is printed. ``public``: where phones read."""

    def shown(template: str, **values: Any) -> Response:
        text = pages.render(template, event=desk.event, **values)
        return HTMLResponse(text, headers={"cache-control": "no-store"})

    def chosen(request: Request) -> Round | None:
        number = whole(request.query_params.get("round", "")) or len(desk.event.rounds)
        return desk.event.rounds[number - 1] if 1 <= number <= len(desk.event.rounds) else None

    async def pairings(request: Request) -> Response:
        round_ = chosen(request)
        if round_ is None:
            return NOTHING
        slips = slips_of(desk.event, round_, desk.names)
        seats = seats_by_name(desk.event, round_, desk.names)
        return shown("print_pairings.html", round=round_, slips=slips, seats=seats, public=public)

    async def slips(request: Request) -> Response:
        round_ = chosen(request)
        if round_ is None:
            return NOTHING
        played = [slip for slip in slips_of(desk.event, round_, desk.names) if not slip.pairing.bye]
        return shown("print_slips.html", round=round_, stage=desk.event.stages[round_.stage - 1], slips=played)

    async def standings(request: Request) -> Response:
        wanted = whole(request.query_params.get("stage", "")) or len(desk.event.stages)
        if not 1 <= wanted <= len(desk.event.stages):
            return NOTHING
        final = final_standings(desk.event) if len(desk.event.stages) > 1 else ()
        return shown("print_standings.html", final=final, **table_of(desk, desk.event.stages[wanted - 1]))

    async def without(_request: Request) -> Response:
        event = desk.event
        listed = sorted(event.players, key=lambda number: filed(desk.names.player(number)))
        rounds = event.stage.rounds if event.stages else 0
        return shown("print_paper.html", steps=STEPS, listed=listed, rounds=rounds or ROUNDS)

    return [
        Route("/print/paper", without, methods=["GET"]),
        Route("/print/pairings", pairings, methods=["GET"]),
        Route("/print/slips", slips, methods=["GET"]),
        Route("/print/standings", standings, methods=["GET"]),
    ]
