"""What the fixtures ``drive`` and ``conformance`` do (docs/testing.md)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from referee.rulebook import Book
    from referee.testing.conformance import Report

Send = Callable[..., list[dict[str, Any]]]
"""Sends a message, given as keywords, and returns the replies; without keywords it returns the greeting."""

Drive = Callable[..., Send]
"""The fixture ``drive``: a game's id, a single ruling and switches to what sends messages to it."""

Conformance = Callable[..., "Report"]
"""The fixture ``conformance``: a book or a game's id to the report."""


def begin(game: str, ruling: str | None = None, **switches: Any) -> Send:
    """Begin a game by its id, with its switches; the function returned sends a message and returns the replies."""
    from referee.drive import Driver
    from referee.games import load
    from referee.session import Session

    driver = Driver(Session(load(game), switches, ruling))

    def send(**message: Any) -> list[dict[str, Any]]:
        return driver.take(json.dumps(message).encode()) if message else driver.greet()

    return send


def tried(book: Book | str, *more: Any, **named: Any) -> Report:
    """Try a book, or the one of a game's id. Raises NotConforming."""
    from referee.games import load
    from referee.testing.conformance import conformance as trial

    return trial(load(book) if isinstance(book, str) else book, *more, **named)
