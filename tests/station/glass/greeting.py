"""Draws the greeting anew: ``python -m tests.station.glass.greeting``. Look at it before it is committed."""

from __future__ import annotations

from typing import Final

from referee.console.views import Idle
from referee.station.main import PICTURE
from tests.console.sheet import render

GREETING: Final = Idle("Referee", "Starting")

if __name__ == "__main__":
    render(GREETING).save(PICTURE)
