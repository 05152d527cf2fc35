"""Fixtures for pytest, on by themselves once the package is installed (docs/testing.md).

``box``          a simulated box on virtual time: press, turn, read the glass, the lamps and the sounds
``drive``        plays a rulebook over the drive protocol: ``drive("the-ford")(answer=[6, 3])``
``conformance``  tries a rulebook with random tables; raises with all that it breaks

Every run of pytest imports this module, so it imports nothing before a fixture is used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from referee.rulebook import Book
    from referee.station.virtual.bench import Bench
    from referee.testing.conformance import Report

Send = Callable[..., list[dict[str, Any]]]
"""Sends a message, given as keywords, and returns the replies; without keywords it returns the greeting."""

Drive = Callable[..., Send]
"""The fixture ``drive``: a game's id, a single ruling and switches to what sends messages to it."""

Conformance = Callable[..., "Report"]
"""The fixture ``conformance``: a book or a game's id to the report."""


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Bench]:
    """A simulated box with the shelf on its glass; its journal lies in ``tmp_path``."""
    from referee.station.virtual.bench import Bench

    with Bench(tmp_path / "journal.db") as bench:
        yield bench


@pytest.fixture
def drive() -> Drive:
    """Begin a game by its id, with its switches; the function returned sends a message and returns the replies."""
    return begin


@pytest.fixture
def conformance() -> Conformance:
    """Try a book, or the one of a game's id. Raises NotConforming."""
    return tried


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
