"""What can be fetched of an event: its record as a file that proves itself, its results as CSV and JSON, reports."""

from __future__ import annotations

import asyncio
import base64
import csv
import hashlib
import io
import json
import re
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict
from fractions import Fraction
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from referee.hall.desk import Desk, Names
from referee.hall.pages.render import FRESH, Pages
from referee.hall.pages.tables import whole
from referee.hall.reports import Reports
from referee.hall.wishes import sides_of
from referee.tournament import Event, final_standings, standings
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
_PLAIN: Final = re.compile(r"-?[0-9.]+(, -?[0-9.]+)*")
"""Numbers, which begin like a formula where they are below 0."""
_STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)
AGAIN: Final = 2
"""Seconds after which a page that waits for a report looks again."""
LATER: Final = 30
"""The same, where too many wait."""
NO_REPORT: Final = "No such game is known, or its match is not over"
NO_REPORTS: Final = "No match with a game of a box is over.\n"
BEING_MADE: Final = "It is being made. This page shows it by itself"
BUSY: Final = "Many reports are being made right now. This page tries again by itself"


def results_csv(event: Event, names: Names) -> str:
    """Return one line for each player of each match."""
    return _csv(COLUMNS, _rows(event, names))


def standings_csv(event: Event, names: Names) -> str:
    """Return one line for each player of each stage, with the value of each tie-breaker; then of the whole event."""
    rows: list[dict[str, Any]] = [
        {"stage": stage.number, "place": row.place or "", **_person(event, names, row.player)}
        | {name: ", ".join(map(_decimal, value)) for name, value in row.values.items()}
        for stage in event.stages
        for row in standings(event, stage)
    ]
    heads = dict.fromkeys(key for row in rows for key in row)
    if len(event.stages) > 1:
        final = final_standings(event)
        rows += [{"stage": "all", "place": row.place, **_person(event, names, row.player)} for row in final]
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


def _cell(value: Any) -> Any:
    formula = isinstance(value, str) and value.startswith(FORMULA) and not _PLAIN.fullmatch(value)
    return f"'{value}" if formula else value


def _person(event: Event, names: Names, number: int) -> dict[str, Any]:
    player = event.players[number]
    return {"player": number, "name": names.player(number), "club": names.club(player.club), "rating": player.rating}


def _matches(event: Event) -> Iterator[tuple[Any, ...]]:
    """Yield round, pairing, sides by player, and the score of each player, of all that is published."""
    for each in event.rounds:
        stage = event.stages[each.stage - 1]
        for pairing in each.pairings if each.state != "draft" else ():
            sides = sides_of(event, pairing, assigned=stage.sides == "assigned")
            yield each, pairing, sides, score_of(pairing, stage, event.settings.points)


def _rows(event: Event, names: Names) -> Iterator[dict[str, Any]]:
    for each, pairing, sides, scores in _matches(event):
        result = pairing.result
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
                "winner": int(result.winner(pairing.players) == player) if two else "",
                "match_points": score.points if score else "",
                "game_points": score.game_points if score else "",
            }


def results_json(event: Event, names: Names) -> str:
    """Return players, rounds and standings as one JSON object.

    Values of tie-breakers are text, a fraction as 7/12, several with commas between them.
    """
    rounds: dict[int, dict[str, Any]] = {}
    for each, pairing, sides, scores in _matches(event):
        table = {
            "table": pairing.table,
            "players": pairing.players,
            "sides": list(sides.values()),
            "result": asdict(pairing.result) if pairing.result else None,
            "match_points": [scores[player].points for player in pairing.players] if scores else [],
        }
        round_ = rounds.setdefault(each.number, {"round": each.number, "stage": each.stage, "tables": []})
        round_["tables"].append(table)
    stages = [
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
    value = {
        "version": VERSION,
        "event": names.event,
        "players": [_person(event, names, each.number) | {"state": each.state} for each in event.players.values()],
        "rounds": list(rounds.values()),
        "stages": stages,
        "standings": [{"place": row.place, "player": row.player} for row in final_standings(event)],
    }
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def files(desk: Desk) -> list[Route]:
    """Return the paths of the files of an event."""
    made: dict[str, tuple[str, Callable[[], str]]] = {
        "event.jsonl": ("application/jsonl", lambda: "".join(f"{line}\n" for line in desk.ledger.lines())),
        "results.csv": ("text/csv; charset=utf-8", lambda: results_csv(desk.event, desk.names)),
        "standings.csv": ("text/csv; charset=utf-8", lambda: standings_csv(desk.event, desk.names)),
        "results.json": ("application/json", lambda: results_json(desk.event, desk.names)),
    }

    def served(request: Request) -> Response:
        name = request.url.path[1:]
        kind, make = made[name]
        return Response(make(), media_type=kind, headers=FRESH | _named(name))

    return [Route(f"/{name}", served, methods=["GET"]) for name in made]


def _named(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


def report(pages: Pages, reports: Reports | None) -> Route:
    """Return where one report is read; ``reports``: None where no box can connect."""

    async def read(request: Request) -> Response:
        round_, table, game = (whole(request.query_params.get(name, "")) for name in ("round", "table", "game"))
        found = reports.find(round_, table, game) if reports is not None else None
        if reports is None or found is None:
            return PlainTextResponse(f"{NO_REPORT}.\n", status_code=404)
        made = reports.read(found)
        if made.page:
            return HTMLResponse(made.page, headers=FRESH | {"content-security-policy": policy(made.page)})
        back = f"/table?round={round_}&table={table}"
        if made.why:
            return _told(pages, 404, f"There is no report of this game: {made.why}.", back)
        return (
            _told(pages, 503, f"{BUSY}.", back, LATER)
            if made.busy
            else _told(pages, 202, f"{BEING_MADE}.", back, AGAIN)
        )

    return Route("/report", read, methods=["GET"])


def reports(pages: Pages, reports: Reports | None) -> list[Route]:
    """Return where one report is read, and where all of an event are fetched."""

    async def every(_request: Request) -> Response:
        games = reports.every() if reports is not None else []
        if reports is None or not games:
            return PlainTextResponse(NO_REPORTS, status_code=404)
        made = {each.file: reports.read(each, sys.maxsize) for each in games}
        waiting = sum(not (each.page or each.why) for each in made.values())
        if waiting:
            sentence = f"{len(games) - waiting} of {len(games)} reports are made. They follow by themselves."
            return _told(pages, 202, sentence, "/record", AGAIN)
        packed = await asyncio.to_thread(
            _packed, {name: each.page or f"{each.why}.\n" for name, each in made.items()}
        )
        return Response(packed, media_type="application/zip", headers=FRESH | _named("reports.zip"))

    return [report(pages, reports), Route("/reports.zip", every, methods=["GET"])]


def policy(page: str) -> str:
    """Return a Content-Security-Policy (W3C CSP level 3) for a report: the style that is in it, and nothing else."""
    styles = [hashlib.sha256(each.encode()).digest() for each in _STYLE.findall(page)]
    allowed = " ".join(f"'sha256-{base64.b64encode(each).decode()}'" for each in styles)
    return f"default-src 'none'; style-src {allowed}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def _told(pages: Pages, status: int, sentence: str, back: str, again: int = 0) -> Response:
    headers = FRESH | ({"refresh": str(again), "retry-after": str(again)} if again else {})
    return HTMLResponse(pages.render("report.html", sentence=sentence, back=back), status, headers)


def _packed(texts: Mapping[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in texts.items():
            packed.writestr(name if text.startswith("<") else f"{name.removesuffix('.html')}.txt", text)
    return file.getvalue()
