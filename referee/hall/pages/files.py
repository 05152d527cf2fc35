"""What can be fetched of an event: its record as a file that proves itself, its results as CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from referee.hall.desk import Desk
from referee.hall.names import Names
from referee.hall.wishes import sides_of
from referee.tournament import Event, Pairing, Round, final_standings, standings
from referee.tournament.scoring import Score
from referee.tournament.scoring import score as score_of
from referee.tournament.words import in_words

VERSION: Final = 1
"""Of the names of the columns and members; it grows where one changes its meaning or goes."""
COLUMNS: Final = (
    *("round", "stage", "table", "seat", "player", "name", "club", "rating", "side", "outcome", "result", "winner"),
    *("match_points", "game_points"),
)
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet would compute; an apostrophe keeps it text."""


def results_csv(event: Event, names: Names) -> str:
    """Return one line for each player of each match."""
    return _csv(COLUMNS, _rows(event, names))


def standings_csv(event: Event, names: Names) -> str:
    """Return one line for each player of each stage, with the value of each tie-breaker."""
    rows = [
        {
            "stage": stage.number,
            "place": row.place or "",
            **_person(event, names, row.player),
            **{name: ", ".join(map(_decimal, value)) for name, value in row.values.items()},
        }
        for stage in event.stages
        for row in standings(event, stage)
    ]
    heads = dict.fromkeys(key for row in rows for key in row)
    return _csv(tuple(heads) or ("stage",), rows)


def _decimal(value: Fraction) -> str:
    """Return a value as a spreadsheet takes it: 7/12 would be a date there."""
    return str(value) if value.denominator == 1 else f"{float(value):.4f}"


def _csv(columns: tuple[str, ...], rows: Iterable[Mapping[str, Any]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, columns, extrasaction="ignore")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: _cell(value) for key, value in row.items() if key != "rating" or value})
    return f"\ufeff{text.getvalue()}"  # by which a spreadsheet knows UTF-8


def _person(event: Event, names: Names, number: int) -> dict[str, Any]:
    player = event.players[number]
    return {"player": number, "name": names.player(number), "club": names.club(player.club), "rating": player.rating}


def _stages(event: Event) -> list[dict[str, Any]]:
    """Return the standings of each stage; values are text, a fraction as 7/12, several with commas between them."""
    return [
        {
            "stage": stage.number,
            "format": stage.format,
            "match": stage.match,
            "standings": [
                {
                    "place": row.place,
                    "player": row.player,
                    "values": {name: ",".join(map(str, value)) for name, value in row.values.items()},
                }
                for row in standings(event, stage)
            ],
        }
        for stage in event.stages
    ]


def results_json(event: Event, names: Names) -> str:
    """Return players, rounds and standings as one JSON object."""
    players = [_person(event, names, each.number) | {"state": each.state} for each in event.players.values()]
    rounds = [
        {
            "round": each.number,
            "stage": each.stage,
            "tables": [
                {
                    "table": one.table,
                    "players": one.players,
                    "sides": list(_sides(event, each, one).values()),
                    "result": asdict(one.result) if one.result else None,
                    "match_points": [_scores(event, each, one)[player].points for player in one.players]
                    if one.result or one.bye
                    else [],
                }
                for one in each.pairings
            ],
        }
        for each in event.rounds
        if each.state != "draft"
    ]
    places = [{"place": row.place, "player": row.player} for row in final_standings(event)]
    value = {
        "version": VERSION,
        "event": names.event,
        "players": players,
        "rounds": rounds,
        "stages": _stages(event),
        "standings": places,
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def _rows(event: Event, names: Names) -> Iterator[dict[str, Any]]:
    for each in event.rounds:
        for pairing in each.pairings if each.state != "draft" else ():
            result = pairing.result
            for seat, player in enumerate(pairing.players, 1):
                score = _scores(event, each, pairing).get(player)
                two = result is not None and len(pairing.players) == 2
                yield {
                    "round": each.number,
                    "stage": each.stage,
                    "table": pairing.table or "",
                    "seat": seat,
                    **_person(event, names, player),
                    "side": _sides(event, each, pairing).get(player, ""),
                    "outcome": "bye" if pairing.bye else result.outcome if result else "",
                    "result": in_words(result, pairing, names.player) if result else "",
                    "winner": int(result.winner(pairing.players) == player) if two and result else "",
                    "match_points": score.points if score else "",
                    "game_points": score.game_points if score else "",
                }


def _sides(event: Event, round_: Round, pairing: Pairing) -> Mapping[int, str]:
    """Return what each played in the first game; nothing where that is not known."""
    return sides_of(event, pairing, assigned=event.stages[round_.stage - 1].sides == "assigned")


def _scores(event: Event, round_: Round, pairing: Pairing) -> dict[int, Score]:
    return score_of(pairing, event.stages[round_.stage - 1], event.settings.points)


_PLAIN: Final = re.compile(r"-?[0-9.]+(, -?[0-9.]+)*")
"""Numbers, which begin like a formula where they are below 0."""


def _cell(value: Any) -> Any:
    return (
        f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) and not _PLAIN.fullmatch(value) else value
    )


def routes(desk: Desk) -> list[Route]:
    """Return the paths of the files."""

    def served(name: str, media_type: str, body: str) -> Response:
        headers = {"content-disposition": f'attachment; filename="{name}"', "cache-control": "no-store"}
        return Response(body, media_type=media_type, headers=headers)

    async def jsonl(_request: Request) -> Response:
        lines = "".join(f"{line}\n" for line in desk.ledger.lines())
        return served("event.jsonl", "application/jsonl", lines)

    async def as_csv(_request: Request) -> Response:
        return served("results.csv", "text/csv; charset=utf-8", results_csv(desk.event, desk.names))

    async def places(_request: Request) -> Response:
        return served("standings.csv", "text/csv; charset=utf-8", standings_csv(desk.event, desk.names))

    async def as_json(_request: Request) -> Response:
        return served("results.json", "application/json", results_json(desk.event, desk.names))

    return [
        Route("/event.jsonl", jsonl, methods=["GET"]),
        Route("/results.csv", as_csv, methods=["GET"]),
        Route("/standings.csv", places, methods=["GET"]),
        Route("/results.json", as_json, methods=["GET"]),
    ]
