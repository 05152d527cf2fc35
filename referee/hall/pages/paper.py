"""Pages for A4: pairings, slips with room for two signatures, standings, and how to go on without this computer."""

from __future__ import annotations

from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from referee.hall.desk import Desk
from referee.hall.pages.render import FRESH, Pages
from referee.hall.pages.roster import filed
from referee.hall.pages.tables import round_title, seats_by_name, slips_of, table_of, whole, whole_event
from referee.tournament import Round

ROUNDS: Final = 5
"""Columns of the list for points, while nobody has said how many rounds there are."""


def routes(desk: Desk, pages: Pages, public: str) -> list[Route]:
    """Return the paths of what is printed. ``public``: where phones read."""

    def shown(template: str, **values: Any) -> Response:
        return HTMLResponse(pages.render(template, event=desk.event, public=public, **values), headers=FRESH)

    def chosen(request: Request) -> Round:
        number = whole(request.query_params.get("round", "")) or len(desk.event.rounds)
        if not 1 <= number <= len(desk.event.rounds):
            raise HTTPException(404)
        return desk.event.rounds[number - 1]

    async def of_round(request: Request) -> Response:
        event, round_ = desk.event, chosen(request)
        return shown(
            f"print_{request.url.path.rpartition('/')[2]}.html",
            round=round_,
            title=round_title(event, round_),
            slips=slips_of(event, round_, desk.names),
            seats=seats_by_name(event, round_, desk.names),
            bids=event.stages[round_.stage - 1].sides == "bid",
        )

    async def standings(request: Request) -> Response:
        stages = desk.event.stages
        wanted = whole(request.query_params.get("stage", "")) or len(stages)
        if not 1 <= wanted <= len(stages):
            raise HTTPException(404)
        return shown(
            "print_standings.html", final=whole_event(desk, stages[-1]), **table_of(desk, stages[wanted - 1])
        )

    async def without(_request: Request) -> Response:
        event = desk.event
        listed = sorted(event.players, key=lambda number: filed(desk.names.player(number)))
        rounds = event.stage.rounds if event.stages else 0
        return shown("print_paper.html", listed=listed, rounds=rounds or ROUNDS)

    return [
        Route("/print/paper", without, methods=["GET"]),
        Route("/print/pairings", of_round, methods=["GET"]),
        Route("/print/slips", of_round, methods=["GET"]),
        Route("/print/standings", standings, methods=["GET"]),
    ]
