"""The reports of games that are over, for everybody, and all of them in one file, for whoever runs the event."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import io
import re
import sys
import zipfile
from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Route

from referee.hall.pages.render import Pages
from referee.hall.pages.tables import whole
from referee.hall.reports import Reports

AGAIN: Final = 2
"""Seconds after which a page that waits for a report looks again."""
LATER: Final = 30
"""The same, where too many wait."""
BEING_MADE: Final = "It is being made. This page shows it by itself"
BUSY: Final = "Many reports are being made right now. This page tries again by itself"
_STYLE: Final = re.compile(r"<style>(.*?)</style>", re.DOTALL)


def routes(pages: Pages, reports: Reports | None) -> list[Route]:
    """Return where one report is read; ``reports``: None where no box can connect."""

    async def report(request: Request) -> Response:
        round_, table, game = (whole(request.query_params.get(name, "")) for name in ("round", "table", "game"))
        found = reports.find(round_, table, game) if reports is not None else None
        if reports is None or found is None:
            return PlainTextResponse("No such game is known, or its match is not over.\n", status_code=404)
        made = reports.read(found)
        if made.page:
            return HTMLResponse(made.page, headers={"content-security-policy": policy(made.page), **_FRESH})
        back = f"/table?round={round_}&table={table}"
        if made.why:
            return _told(pages, 404, f"There is no report of this game: {made.why}.", back)
        if made.busy:
            return _told(pages, 503, f"{BUSY}.", back, LATER)
        return _told(pages, 202, f"{BEING_MADE}.", back, AGAIN)

    return [Route("/report", report, methods=["GET"])]


def all_of_them(pages: Pages, reports: Reports | None) -> list[Route]:
    """Return where all reports of an event are fetched."""

    async def every(_request: Request) -> Response:
        games = reports.every() if reports is not None else []
        if reports is None or not games:
            return PlainTextResponse("No match with a game of a box is over.\n", status_code=404)
        texts, waiting = {}, 0
        for each in games:
            made = reports.read(each, sys.maxsize)
            waiting += not (made.page or made.why)
            texts[each.file] = made.page or f"There is no report of this game: {made.why}.\n"
        if waiting:
            sentence = f"{len(games) - waiting} of {len(games)} reports are made. They follow by themselves."
            return _told(pages, 202, sentence, "/record", AGAIN)
        headers = {"content-disposition": 'attachment; filename="reports.zip"', **_FRESH}
        return Response(await asyncio.to_thread(_packed, texts), media_type="application/zip", headers=headers)

    return [Route("/reports.zip", every, methods=["GET"])]


_FRESH: Final = {"cache-control": "no-store"}


def policy(page: str) -> str:
    """Return a Content-Security-Policy (W3C CSP level 3) for a report: the style that is in it, and nothing else."""
    styles = [hashlib.sha256(each.encode()).digest() for each in _STYLE.findall(page)]
    allowed = " ".join(f"'sha256-{base64.b64encode(each).decode()}'" for each in styles)
    return f"default-src 'none'; style-src {allowed}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


def _told(pages: Pages, status: int, sentence: str, back: str, again: int = 0) -> Response:
    headers = {**_FRESH, **({"refresh": str(again), "retry-after": str(again)} if again else {})}
    return HTMLResponse(pages.render("report.html", sentence=sentence, back=back), status, headers)


def _packed(texts: Mapping[str, str]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in texts.items():
            packed.writestr(name if text.startswith("<") else f"{name.removesuffix('.html')}.txt", text)
    return file.getvalue()
