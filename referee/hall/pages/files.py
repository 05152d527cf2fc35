"""What can be fetched of an event: its record as a file that proves itself, its results as CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.hall.desk import Desk
from referee.hall.names import Names
from referee.hall.results import in_words
from referee.journal.export import export
from referee.tournament import Event, final_standings
from referee.tournament.plain import to_json

COLUMNS: Final = ("round", "table", "seat", "player", "name", "club", "outcome", "result", "winner", "points")
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet would compute; an apostrophe keeps it text."""


def event_file(desk: Desk) -> Iterator[str]:
    """Yield the lines of the event file. Raises JournalDamaged or JournalError."""
    return export(desk.record.journal, desk.record.chain)


def results_csv(event: Event, names: Names) -> str:
    """Return one line for each player of each match."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    for row in _rows(event, names):
        writer.writerow({key: _cell(value) for key, value in row.items()})
    return text.getvalue()


def results_json(event: Event, names: Names) -> str:
    """Return players, rounds and standings as one JSON object."""
    players = [
        {"player": each.number, "name": names.player(each.number), "club": names.club(each.club), "state": each.state}
        for each in event.players.values()
    ]
    rounds = [
        {
            "round": each.number,
            "stage": each.stage,
            "tables": [
                {"table": one.table, "players": one.players, "result": to_json(one.result)} for one in each.pairings
            ],
        }
        for each in event.rounds
        if each.state != "draft"
    ]
    places = [{"place": row.place, "player": row.player} for row in final_standings(event)]
    value = {"event": names.event, "players": players, "rounds": rounds, "standings": places}
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _rows(event: Event, names: Names) -> Iterator[dict[str, Any]]:
    for each in event.rounds:
        for pairing in each.pairings if each.state != "draft" else ():
            result = pairing.result
            for seat, player in enumerate(pairing.players, 1):
                points = [game.points[seat - 1] for game in result.games if game.points] if result else []
                two = result is not None and len(pairing.players) == 2
                yield {
                    "round": each.number,
                    "table": pairing.table or "",
                    "seat": seat,
                    "player": player,
                    "name": names.player(player),
                    "club": names.club(event.players[player].club),
                    "outcome": "bye" if pairing.bye else result.outcome if result else "",
                    "result": in_words(result, pairing, names.player) if result else "",
                    "winner": int(result.winner(pairing.players) == player) if two and result else "",
                    "points": sum(points) if points else "",
                }


def _cell(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def routes(desk: Desk) -> list[Route]:
    """Return the paths of the files."""

    def served(name: str, media_type: str, body: str) -> Response:
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Response(body, media_type=media_type, headers=headers)

    async def jsonl(_request: Request) -> Response:
        lines = "".join(f"{line}\n" for line in event_file(desk))
        return served("event.jsonl", "application/jsonl", lines)

    async def as_csv(_request: Request) -> Response:
        return served("results.csv", "text/csv; charset=utf-8", results_csv(desk.event, desk.names))

    async def as_json(_request: Request) -> Response:
        return served("results.json", "application/json", results_json(desk.event, desk.names))

    return [
        Route("/event.jsonl", jsonl, methods=["GET"]),
        Route("/results.csv", as_csv, methods=["GET"]),
        Route("/results.json", as_json, methods=["GET"]),
    ]
