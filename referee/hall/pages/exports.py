"""What can be fetched of an event: its record as a file that proves itself, its results as CSV and JSON, reports.

And what is printed on A4: pairings, slips with room for two signatures, standings, what to do without this computer.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from referee.errors import NotNow
from referee.hall.desk import Desk, Names
from referee.hall.pages.forms import whole
from referee.hall.pages.players import filed
from referee.hall.pages.render import FRESH, Look, Pages
from referee.hall.pages.tables import round_title, seats_by_name, slips_of, table_of, whole_event
from referee.hall.reports import Reports
from referee.hall.wishes import sides_of
from referee.tournament import Event
from referee.tournament.scoring import score as score_of
from referee.tournament.words import in_words

VERSION: Final = 1  # of the names of the columns and members; it grows where one changes its meaning or goes
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")
"""What a cell begins with that a spreadsheet would compute; an apostrophe keeps it text."""
_PLAIN: Final = re.compile(r"-?[0-9.]+(, -?[0-9.]+)*")  # numbers, which begin like a formula where they are below 0
POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy (W3C CSP level 3) of a report, which has its style and its pictures within it."""
NO_REPORT: Final = "No such game is known, or its match is not over"


def as_csv(rows: Iterable[Mapping[str, Any]]) -> str:
    """Return lines as a spreadsheet reads them."""
    listed = list(rows)
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, tuple(dict.fromkeys(key for row in listed for key in row)))
    writer.writeheader()
    writer.writerows({key: _cell(value) for key, value in row.items()} for row in listed)
    return f"\ufeff{text.getvalue()}"  # by which a spreadsheet knows UTF-8


def _cell(value: Any) -> Any:
    formula = isinstance(value, str) and value.startswith(FORMULA) and not _PLAIN.fullmatch(value)
    return f"'{value}" if formula else value


def _results(event: Event, names: Names) -> Iterator[dict[str, Any]]:
    published = [each for each in event.rounds if each.state != "draft"]
    for each, pairing in [(round_, pairing) for round_ in published for pairing in round_.pairings]:
        stage, result = event.stages[each.stage - 1], pairing.result
        sides = sides_of(event, pairing, assigned=stage.sides == "assigned")
        scores = score_of(pairing, stage, event.settings.points)
        for seat, player in enumerate(pairing.players, 1):
            score = scores.get(player)
            two = result is not None and len(pairing.players) == 2
            yield {
                "round": each.number,
                "stage": each.stage,
                "table": pairing.table or "",
                "seat": seat,
                **_person(event, names, player),
                "side": sides.get(player, ""),
                "outcome": "bye" if pairing.bye else result.outcome if result else "",
                "result": in_words(result, pairing, names.player) if result else "",
                "winner": int(result.winner(pairing.players) == player) if result and two else "",
                "match_points": score.points if score else "",
                "game_points": score.game_points if score else "",
            }


def _standings(desk: Desk) -> Iterator[dict[str, Any]]:
    """Yield one line for each player of each stage, with the value of each tie-breaker; then of the whole event."""
    event, names = desk.event, desk.names
    for stage in event.stages:
        table = table_of(desk, stage)
        for row, shown in table["rows"]:
            values = dict(zip(table["criteria"], shown, strict=True))
            yield {"stage": stage.number, "place": row.place or "", **_person(event, names, row.player), **values}
    for row in whole_event(desk, event.stages[-1]) if event.stages else ():
        yield {"stage": "all", "place": row.place or "", **_person(event, names, row.player)}


def _person(event: Event, names: Names, number: int) -> dict[str, Any]:
    return {"player": number, "name": names.player(number), "rating": event.players[number].rating or ""}


def files(desk: Desk) -> list[Route]:
    """Return the paths of the files of an event."""

    def both() -> str:
        results, standings = list(_results(desk.event, desk.names)), list(_standings(desk))
        value = {"version": VERSION, "event": desk.names.event, "results": results, "standings": standings}
        return json.dumps(value, ensure_ascii=False, indent=1) + "\n"

    made: dict[str, tuple[str, Callable[[], str]]] = {
        "event.jsonl": ("application/jsonl", lambda: "".join(f"{line}\n" for line in desk.ledger.lines())),
        "results.csv": ("text/csv; charset=utf-8", lambda: as_csv(_results(desk.event, desk.names))),
        "standings.csv": ("text/csv; charset=utf-8", lambda: as_csv(_standings(desk))),
        "results.json": ("application/json", both),
    }

    def served(request: Request) -> Response:
        name = request.url.path[1:]
        kind, make = made[name]
        headers = FRESH | {"content-disposition": f'attachment; filename="{name}"'}
        return Response(make(), media_type=kind, headers=headers)

    return [Route(f"/{name}", served, methods=["GET"]) for name in made]


def report(pages: Pages, reports: Reports | None) -> Route:
    """Return where one report is read; ``reports``: None where no box can connect."""

    async def read(request: Request) -> Response:
        round_, table, game = (whole(request.query_params.get(name, "")) for name in ("round", "table", "game"))
        found = reports.find(round_, table, game) if reports is not None else None
        if reports is None or found is None:
            return PlainTextResponse(f"{NO_REPORT}.\n", status_code=404)
        try:
            page = await reports.read(found)
        except NotNow as fault:
            told = f"There is no report of this game: {fault.text}."
            text = pages.render("report.html", sentence=told, back=f"/table?round={round_}&table={table}")
            return HTMLResponse(text, 404, FRESH)
        return HTMLResponse(page, headers=FRESH | {"content-security-policy": POLICY})

    return Route("/report", read, methods=["GET"])


def print_round(look: Look) -> dict[str, Any]:
    """Pairings or slips of a round, the last one unless another is asked for."""
    event, names = look.desk.event, look.desk.names
    number = whole(look.fields.get("round", "")) or len(event.rounds)
    if not 1 <= number <= len(event.rounds):
        raise HTTPException(404)
    round_ = event.rounds[number - 1]
    return {
        "round": round_,
        "title": round_title(event, round_),
        "slips": slips_of(event, round_, names),
        "seats": seats_by_name(event, round_, names),
    }


def print_standings(look: Look) -> dict[str, Any]:
    """The standings of a stage, the last one unless another is asked for, and of the whole event."""
    stages = look.desk.event.stages
    wanted = whole(look.fields.get("stage", "")) or len(stages)
    if not 1 <= wanted <= len(stages):
        raise HTTPException(404)
    return {"final": whole_event(look.desk, stages[-1]), **table_of(look.desk, stages[wanted - 1])}


def print_paper(look: Look) -> dict[str, Any]:
    """What to do without this computer, and the list of players."""
    return {"listed": sorted(look.desk.event.players, key=lambda number: filed(look.desk.names.player(number)))}
