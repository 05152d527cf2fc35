"""What a station that runs has to say about its start: it is on the glass until a key is pressed."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

from referee import games
from referee.console.console import Console
from referee.files import bounded
from referee.station.starting.obstacle import parted

_logger = logging.getLogger(__name__)

MOST: Final = 6
"""Mistakes in the text file of a card that are told at one start."""


def report_left_out(console: Console, now: float) -> None:
    """Say which rulebooks could not be loaded."""
    for each in games.left_out():
        _logger.error("rulebook not loaded: %s from %s: %s", *each)
        console.stage.fault("Not loaded", f"{each.game}: {each.why}", now, about=f"rulebook {each.game}")


def report_card(console: Console, problems: Path, now: float) -> None:
    """Say what is wrong with the text file of the card, the first mistake on top. ``problems``: one a line."""
    if not problems.is_file():
        return
    try:
        lines = bounded.text(problems).splitlines()
    except (OSError, ValueError) as error:
        lines = [f"{problems}: cannot be read: {bounded.why(error)}"]
    for line in reversed(lines[:MOST]):
        number, expected = parted(line)
        _logger.error("the text file of the card is not used: %s", line)
        console.stage.fault(f"Card, line {number}" if number else "Card", expected, now, about=f"card {line}")
