"""The report of a finished game for browsers: written beside the station, once, and anew when the game went on."""

from __future__ import annotations

import logging
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from referee import games
from referee.console.table import Table
from referee.errors import StationError
from referee.files.players import beside
from referee.journal import Journal
from referee.rulebook import Over
from referee.session import Session
from referee.station.evenings import evenings
from referee.station.news import over_news
from referee.station.panel import Reports
from referee.station.shelf import last_of, rule_rows
from referee.station.virtual.bench import Bench

PATIENCE = 60


def written(reports: Reports, finished: tuple[int, int]) -> bytes:
    """The report, once its writer is done."""
    assert reports.report(*finished) == b""
    assert reports._writer is not None
    reports._writer.join(PATIENCE)
    return reports.report(*finished)


def seen(bench: Bench) -> tuple[int, int] | None:
    """The game that is over, as browsers may ask for it."""
    return bench.hub.finished


def test_a_game_that_is_over_has_a_report(bench: Bench) -> None:
    bench.hub.subscribe(lambda message: None)
    bench.play("battle-of-the-ring")
    bench.settle()
    assert seen(bench) is None
    assert bench.hub.report() is None
    table = bench.console.table
    for seat in list(table.current.seats())[:-1]:
        table.concede(seat)
    bench.console.stage.number()
    bench.inbox.put(bench.hub.announce)
    bench.settle()
    assert table.current.over is not None
    finished = seen(bench)
    assert finished is not None
    reports = Reports(bench.journal.path)
    page = written(reports, finished)
    assert page.startswith(b"<!doctype html>")
    assert table.current.over.text.encode() in page
    assert reports.report(*finished) is page, "it is written once"
    beside(bench.journal.path).name(finished[0], "sauron", "Anna")
    assert b"Sauron (Anna)" in written(reports, finished), "another name is another report"
    assert reports.report(*finished, anonymous=True) is page
    beside(bench.journal.path).forget("Anna")
    assert reports.report(*finished) is page, "an erased name is given to nobody"
    (evening,) = reports.evenings()
    assert evening.cells[1] == "Battle of the Ring"
    assert evening.cells[3].endswith(" won")
    assert evening.report == finished[0]
    assert reports.evenings() is reports.evenings(), "worked out once for all who ask"
    beside(bench.journal.path).name(finished[0], "sauron", "Ben")
    assert [row.cells[0] for row in reports.evenings()][1:] == ["Ben"], "but anew with another name"
    beside(bench.journal.path).forget("Ben")
    assert len(reports.evenings()) == 1
    assert last_of(bench.journal.path, finished[0]) == finished
    assert last_of(bench.journal.path, 99) is None
    table.undo()
    bench.inbox.put(bench.hub.announce)
    bench.settle()
    assert seen(bench) is None


def test_a_report_that_cannot_be_written_can_be_asked_for_again(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    reports = Reports(tmp_path / "nothing.db")
    for _ in range(2):
        with caplog.at_level(logging.ERROR), pytest.raises(StationError, match="log says why"):
            written(reports, (1, 5))
    assert "nothing.db" in caplog.text


def test_players_have_their_wins_in_a_row_and_their_dice(tmp_path: Path) -> None:
    """What was taken back does not count, nor what nobody is named for."""
    winners = ("shadow", "shadow", "free-peoples", "shadow")
    with Journal(tmp_path / "evenings.db") as journal:
        for winner in winners:
            session = Session(games.load("war-of-the-ring"), {"dice_entry": "faces"}, journal=journal)
            for answer in ("shadow", "field", 2, 0, 0, 1, 0, 0, "none", "none", [1, 1]):
                session.answer(answer)
            session.undo()
            session.answer([1, 1])
            assert session.game_id is not None
            beside(journal.path).name(session.game_id, "shadow", "Anna")
            session.concede("shadow" if winner == "free-peoples" else "free-peoples")
        listed, (anna,) = evenings(journal)
    assert [each.winners for each in listed] == [("Anna",), ("Free Peoples",), ("Anna",), ("Anna",)]
    assert (anna.games, anna.won, anna.streak, anna.dice, anna.thrown) == (4, 3, 2, 8, 8)
    assert anna.wins == "won 3 of 4, 2 in a row"
    assert anna.luck == "8 with 8 dice, expected 28 ± 5"


def test_every_rule_and_every_table_can_be_looked_up() -> None:
    rows = rule_rows()
    for book in games.books():
        assert {row.cells for row in rows if row.group == book.title} == {*book.rules.items()}
        for name in book.tables:
            assert any(row.group == f"{book.title}: {name.replace('-', ' ')}" for row in rows)


def test_who_has_won_is_not_said_twice() -> None:
    over = Over("declared", "Pippin has won", ("pippin",))
    table = SimpleNamespace(session=True, current=SimpleNamespace(over=over), seat_name=str.title)
    assert over_news(cast("Table", table)) == "The table says so."
    table.current.over = Over("conceded", "Pippin wins: Frodo gave up", ("pippin",))
    assert over_news(cast("Table", table)) == "Frodo gave up."
