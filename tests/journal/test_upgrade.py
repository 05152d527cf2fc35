"""Journals of earlier versions: read as before, upgraded in place, and unchangeable from then on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from referee import games
from referee.errors import JournalDamaged
from referee.journal import Journal, schema
from referee.journal.export import export, read, replay
from referee.journal.proof import verify
from referee.session import Session, resume
from tests.journal import old
from tests.journal.disk import Disk
from tests.journal.links import anew, iter_lines, proved
from tests.journal.power import TAILS, Medium, write
from tests.journal.tampering import tampered
from tests.session.skirmish import BOOK


@pytest.mark.parametrize("version", [1, 2])
def test_a_journal_of_an_earlier_version_is_read_verified_and_exported_as_before(
    memory: Path, version: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = memory / "journal.db"
    old.write(path, version=version)
    before = path.read_bytes()
    with Journal(path, write=False) as journal:
        (proof,) = verify(journal)
        assert (proof.links, bool(proof.seals)) == ({}, version == 2)
        lines = [line.encode("ascii") for line in export(journal, 1)]
    assert path.read_bytes() == before
    lines_of_old = old.GAME.read_bytes().splitlines()
    assert lines[1 : len(proof.hashes) + 1] == lines_of_old[1 : len(proof.hashes) + 1]
    again = replay(read(iter_lines(lines)), games.load)
    assert again.n == len(proof.hashes)
    assert proved(path, *(["--key", proof.keys[0]] if version == 2 else [])) == 0
    out = capsys.readouterr().out
    assert "The games are not linked to each other" in out
    assert ("not sealed: begun before there was a key" in out) == (version == 1)


@pytest.mark.parametrize("version", [1, 2])
def test_it_is_upgraded_in_place_goes_on_and_its_games_cannot_be_changed_from_then_on(
    memory: Path, version: int
) -> None:
    path = memory / "journal.db"
    old.write(path, version=version)
    book = games.load("riddle-of-the-ring")
    with Journal(path) as journal:
        assert journal.version == schema.VERSION
        entries = journal.entries(1)
        Session(BOOK, journal=journal)
        session = resume(book, journal, 1)
        session.pause()
        one, two = verify(journal)
        assert journal.entries(1)[: len(entries)] == entries
    assert (one.before_links, two.before_links) == (True, False)
    assert (two.links[0]["games"], set(one.links)) == (1, {len(entries)})
    whole = path.read_bytes()
    if version == 2:
        tampered(path, "DELETE FROM seals WHERE game = 1 AND seq = 0")
        with (
            Journal(path, write=False) as journal,
            pytest.raises(JournalDamaged, match="game 1, seal of entry 0: is missing"),
        ):
            verify(journal)
        path.write_bytes(whole)
    anew(path, 1, linked=True, signer=None)
    with Journal(path, write=False) as journal, pytest.raises(JournalDamaged):
        verify(journal)
    if version == 2:
        path.write_bytes(whole)
        tampered(path, f"DELETE FROM seals WHERE game = 1 AND seq < {len(entries)}")
        with (
            Journal(path, write=False) as journal,
            pytest.raises(JournalDamaged, match=r"link 1: not all .* of 1 game begun"),
        ):
            verify(journal)


def test_a_power_cut_during_the_upgrade_leaves_the_old_journal_or_the_new_one(memory: Path) -> None:
    folder, chance, versions = memory / "box", random.Random(3), set()
    path = folder / "journal.db"
    old.write(path)
    files = {file.name: file.read_bytes() for file in folder.iterdir()}
    with Disk(folder) as disk:
        Journal(path).close()
        ops = list(disk.ops)
    medium = Medium.holding(files, chance)
    for op in ops:
        for tail in TAILS:
            write(folder, medium.after_cut(tail))
            with Journal(path, write=False) as journal:
                versions.add(journal.version)
                assert len(verify(journal)) == 1
            with Journal(path) as journal:
                assert journal.version == schema.VERSION
                assert len(verify(journal)) == 1
        medium.do(op)
    assert versions == {2, 3}


# -- what later versions may add


def test_a_game_from_before_the_links_is_taken_up_twice(memory: Path) -> None:
    path = memory / "journal.db"
    old.write(path)
    book = games.load("riddle-of-the-ring")
    with Journal(path) as journal:
        for switch in ("pause", "unpause"):
            getattr(resume(book, journal, 1), switch)()
            Session(BOOK, journal=journal).leave()
        proof = verify(journal)[0]
        assert len(proof.links) == 2
