"""Every game of a journal is judged again, and each verdict says why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from referee.errors import UnknownGame
from referee.journal import Journal
from referee.journal.check import check
from referee.rulebook import Book
from referee.session import Session
from tests.session import skirmish
from tests.session.skirmish import BOOK


def missing(name: str) -> Book:
    raise UnknownGame(name)


def hard(_: str) -> Book:
    """Another rule: what was a shot at close range now needs more."""
    return replace(BOOK, edition="2", play=lambda game: skirmish.shot(game))  # noqa: PLW0108 - another procedure


@pytest.fixture
def path(memory: Path) -> Path:
    path = memory / "journal.db"
    with Journal(path) as journal:
        for _ in range(2):
            session = Session(BOOK, journal=journal)
            session.answer("pass")
            session.answer("pass")
    return path


@pytest.mark.parametrize(
    ("load", "outcome", "text", "today"),
    [
        (lambda _: BOOK, "same", "", BOOK.edition),
        (missing, "unknown", BOOK.id, ""),
        (hard, "diverged", "entry 1 (turn.menu), judged by edition 1 and now by 2, was accepted", "2"),
        (lambda _: replace(BOOK, edition="2"), "other edition", "it was begun under edition 1", "2"),
        (lambda _: replace(BOOK, id="chess"), "damaged", "not of 'chess'", BOOK.edition),
    ],
)
def test_the_verdict_names_what_came_of_it(
    path: Path, load: Callable[[str], Book], outcome: str, text: str, today: str
) -> None:
    with Journal(path, write=False) as journal:
        verdicts = list(check(journal, load))
    assert [verdict.game.game for verdict in verdicts] == [1, 2]
    assert {(verdict.outcome, verdict.today) for verdict in verdicts} == {(outcome, today)}
    assert all(text in verdict.text for verdict in verdicts)
    assert bool(verdicts[0].text) == (outcome != "same")
