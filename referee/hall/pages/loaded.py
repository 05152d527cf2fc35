"""What the hall's pages load: files of their own, and what they share with the panel."""

from __future__ import annotations

from typing import Final

from starlette.routing import Route

from referee.web import assets

OF_THE_PANEL: Final = ("choice.js", "clock_text.js", "theme.js")


def routes() -> list[Route]:
    """Return the paths of these files."""
    panel = assets.load("referee.web", "panel")
    files = assets.load("referee.hall.pages", "files") | {name: panel[name] for name in OF_THE_PANEL}
    return [Route(f"/files/{name}", asset.__call__, methods=["GET"]) for name, asset in files.items()]
