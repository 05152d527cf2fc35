"""Pages for A4: pairings, slips with room for two signatures, standings. The browser prints them."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from referee.hall.desk import Desk
from referee.hall.pages.render import Pages
from referee.hall.pages.tables import seats_by_name, slips_of, table_of, whole
from referee.tournament import Round

NOTHING = PlainTextResponse("There is nothing to print yet.\n", status_code=404)


def routes(desk: Desk, pages: Pages) -> list[Route]:
    """Return the paths of what is printed."""

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
        return shown("print_pairings.html", round=round_, slips=slips, seats=seats_by_name(round_, desk.names))

    async def slips(request: Request) -> Response:
        round_ = chosen(request)
        if round_ is None:
            return NOTHING
        played = [slip for slip in slips_of(desk.event, round_, desk.names) if not slip.pairing.bye]
        return shown("print_slips.html", round=round_, slips=played)

    async def standings(request: Request) -> Response:
        wanted = whole(request.query_params.get("stage", "")) or len(desk.event.stages)
        if not 1 <= wanted <= len(desk.event.stages):
            return NOTHING
        return shown("print_standings.html", **table_of(desk, desk.event.stages[wanted - 1]))

    return [
        Route("/print/pairings", pairings, methods=["GET"]),
        Route("/print/slips", slips, methods=["GET"]),
        Route("/print/standings", standings, methods=["GET"]),
    ]
