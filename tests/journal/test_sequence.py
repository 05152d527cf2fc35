"""A journal is read as one sequence, and one that was set back is filled again from a copy, exactly as it was."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from referee.errors import JournalDamaged
from referee.journal import Journal, seal
from referee.journal.chain import Chained, walk
from referee.journal.proof import check_seals, verify
from referee.journal.sequence import Place, Run
from referee.session import Session
from tests.journal.links import linked
from tests.session.skirmish import BOOK


@pytest.fixture
def path(memory: Path) -> Path:
    """A journal of three games; the first was taken up again after the second, and has two runs."""
    return linked(memory / "box" / "journal.db", others=1)


def runs(journal: Journal) -> list[Run]:
    """Return every run in the order in which it was written."""
    found, run = [], journal.following(0, -1)
    while run is not None:
        found.append(run)
        run = journal.following(run.game, run.last)
    return found


def read(journal: Journal, run: Run) -> tuple[list[Chained], list[seal.Seal]]:
    """Return what a run holds, checked without the rest of its game but the hash before it."""
    before = [each["hash"] for each in journal.records(run.game, run.first - 1, run.first - 1)]
    records = journal.records(run.game, run.first, run.last)
    walked = list(walk(run.game, records, (run.first - 1, before[0] if before else "")))
    seals = [each for each in journal.seals(run.game) if run.first <= each.seq <= run.last]
    check_seals(run.game, walked, seals, linked=True)
    return walked, seals


def back(path: Path, to: Path, run_count: int) -> None:
    """Copy the first runs of a journal into a new one, with the key of its box."""
    to.parent.mkdir()
    for name in (seal.PRIVATE, seal.PUBLIC):
        shutil.copy(path.parent / name, to.parent / name)
    with Journal(path, write=False) as whole, Journal(to) as copy:
        for run in runs(whole)[:run_count]:
            copy.refill(run.game, *read(whole, run))


def test_the_runs_are_all_entries_in_the_order_in_which_they_were_written(path: Path) -> None:
    with Journal(path, write=False) as journal:
        order = runs(journal)
        assert [run.game for run in order] == [1, 2, 1, 3]
        links = [next(journal.records(run.game, run.first))["link"]["link"] for run in order]
        assert links == [1, 2, 3, 4]
        assert sum(run.last - run.first + 1 for run in order) == sum(game.entries for game in journal.games())
        assert journal.end() == Place(3, *journal.head(3))


def test_what_is_left_of_a_run_follows_an_entry_in_its_middle(path: Path) -> None:
    with Journal(path, write=False) as journal:
        game, first, last = runs(journal)[0]
        assert journal.following(game, first) == (game, first + 1, last)
        assert journal.following(3, journal.head(3)[0]) is None


def test_an_entry_is_found_with_the_link_before_it_and_another_hash_is_not(path: Path) -> None:
    with Journal(path, write=False) as journal:
        for link, run in enumerate(runs(journal), 1):
            (record,) = journal.records(run.game, run.last, run.last)
            assert journal.order(Place(run.game, run.last, record["hash"])) == link
            assert journal.order(Place(run.game, run.last, "0" * 64)) is None


@pytest.mark.parametrize("before", range(4))
def test_a_journal_that_was_set_back_is_filled_again_as_it_was(path: Path, memory: Path, before: int) -> None:
    copy_path = memory / "restored" / "journal.db"
    back(path, copy_path, before)
    with Journal(path, write=False) as whole, Journal(copy_path) as copy:
        for run in runs(whole)[before:]:
            copy.refill(run.game, *read(whole, run))
        for game in whole.games():
            assert list(copy.records(game.game)) == list(whole.records(game.game))
            assert copy.seals(game.game) == whole.seals(game.game)
        assert copy.games() == whole.games()
        verify(copy, seal.known(path.parent))
        Session(BOOK, journal=copy).leave()  # and the box plays on
        verify(copy, seal.known(path.parent))


@pytest.mark.parametrize("place", [0, 2, 3])
def test_only_what_follows_the_end_of_a_journal_fills_it(path: Path, memory: Path, place: int) -> None:
    copy_path = memory / "restored" / "journal.db"
    back(path, copy_path, 1)
    with Journal(path, write=False) as whole, Journal(copy_path) as copy:
        with pytest.raises(JournalDamaged, match="does not follow"):
            copy.refill(runs(whole)[place].game, *read(whole, runs(whole)[place]))
        assert [game.game for game in copy.games()] == [1]
        assert copy.end() == Place(1, *copy.head(1))
        verify(copy)


def test_a_copy_of_another_hash_or_under_a_number_that_is_taken_fills_nothing(path: Path, memory: Path) -> None:
    copy_path = memory / "restored" / "journal.db"
    back(path, copy_path, 3)
    with Journal(path, write=False) as whole, Journal(copy_path) as copy:
        walked, seals = read(whole, runs(whole)[3])
        end = copy.end()
        with pytest.raises(JournalDamaged, match="game 3, entry 0: does not follow entry -1"):
            copy.refill(3, [*walked[:-1], walked[-1]._replace(hash="0" * 64)], seals)
        with pytest.raises(JournalDamaged, match="game 2: cannot be listed"):
            copy.refill(2, walked, seals)
        start = replace(walked[0].entry, answer=[BOOK.id])
        with pytest.raises(JournalDamaged, match="game 3: cannot be listed"):
            copy.refill(3, [walked[0]._replace(entry=start), *walked[1:]], seals)
        assert copy.end() == end
        assert [game.game for game in copy.games()] == [1, 2]
        copy.refill(3, walked, seals)


def test_the_middle_of_a_run_needs_its_seals(path: Path) -> None:
    with Journal(path, write=False) as journal:
        walked, seals = read(journal, runs(journal)[2])
        with pytest.raises(JournalDamaged, match="is missing"):
            check_seals(1, walked[1:], [], linked=True)
        with pytest.raises(JournalDamaged, match="no such entry"):
            check_seals(1, walked[1:], seals, linked=True)


def test_a_statement_is_no_seal_and_a_seal_no_statement(path: Path) -> None:
    signer = seal.signer(path.parent)
    stated = seal.Statement("hello", ("one", "2"))
    assert stated.signed(signer.public, signer.sign(stated))
    assert not seal.Statement("hello", ("one2",)).signed(signer.public, signer.sign(stated))
    # What would be signed for a seal, asked for as a statement: another text, and no seal comes of it.
    label, *lines = seal.message(1, 2, "ab").decode().splitlines()
    assert not seal.holds(seal.Seal(2, signer.public, signer.sign(seal.Statement(label, tuple(lines)))), 1, "ab")
    for line in ("two\nlines", "é", "\x1b"):
        with pytest.raises(ValueError, match="printable ASCII"):
            signer.sign(seal.Statement("hello", (line,)))
