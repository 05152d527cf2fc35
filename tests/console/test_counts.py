"""F4: a number that is asked for says what it counts, with a head or without."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.rulebook import Book, Count, Game, Procedure
from referee.station.virtual.bench import Bench
from referee.testing.conformance import NotConforming, conformance


def book(text: str, head: str = "") -> Book:
    def play(_: Game) -> Procedure[None]:
        while True:
            yield Count("count", text, 0, 9, head=head, unit="of 9")

    return Book("count", "Count", "1", lambda settings: Game(), play)


def shown(journal: Path, each: Book) -> str:
    with Bench(journal) as bench:
        bench.console.table.begin(each, {}, None)
        bench.settle()
        assert bench.misfits == []
        return bench.text


def test_a_count_without_a_head_shows_its_text(tmp_path: Path) -> None:
    assert "How many orcs?" in shown(tmp_path / "a.db", book("How many orcs?"))
    assert "of 9" in shown(tmp_path / "b.db", book("How many orcs?", head="Orcs"))


def test_conformance_reports_a_text_that_does_not_fit() -> None:
    conformance(book("How many orcs?"), 20)
    with pytest.raises(NotConforming, match=r"texts fit the glass: .*How many orcs are left"):
        conformance(book("How many orcs are left in the mountains?"), 20)
