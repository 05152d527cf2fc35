"""The rulebook in the package's docstring is complete: it is taken out as it stands, and played to its end."""

from __future__ import annotations

import importlib
import sys
import textwrap
from pathlib import Path

import pytest

import referee.rulebook
from referee.rulebook import Book
from referee.session import Session
from referee.testing.conformance import conformance


@pytest.fixture
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Book:
    text = referee.rulebook.__doc__
    assert text is not None
    source = textwrap.dedent(text.partition("::\n")[2])
    assert len([line for line in source.splitlines() if line.strip()]) < 50, "short enough to be read at once"
    (tmp_path / "the_duel.py").write_text(source, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "the_duel", raising=False)
    book = importlib.import_module("the_duel").BOOK
    assert isinstance(book, Book)
    return book


def test_it_plays_to_three_hits(duel: Book) -> None:
    session = Session(duel)
    for _ in range(3):
        session.answer("north")
        assert [(c.id, str(c.chance)) for c in session.odds() or ()] == [("hit", "1/3"), ("miss", "2/3")]
        assert session.answer([5]).events
    assert session.over is not None
    assert session.over.winners == ("north",)
    session.undo()
    assert session.prompt is not None
    assert session.prompt.stands == (5,)


def test_its_single_ruling_and_its_way_back(duel: Book) -> None:
    single = Session(duel, ruling="shot")
    single.answer("south")
    single.answer([1])
    assert single.over is not None
    whole = Session(duel)
    whole.answer("south")
    whole.answer("back")
    assert whole.prompt is not None
    assert whole.prompt.ask == "shot.who"


def test_it_keeps_what_every_rulebook_must(duel: Book) -> None:
    assert conformance(duel).compared
