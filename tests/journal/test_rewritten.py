"""A journal written anew, cut or set back: what shows, by what it shows, and that what cannot show is said."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from referee.journal import Journal, seal
from referee.journal.export import export
from referee.journal.proof import verify
from referee.session import Session
from tests.journal.links import anew, heads, proved, without, written_as_before
from tests.session.skirmish import BOOK
from tests.tools.test_verify_export import READER


def test_a_game_written_anew_shows(path: Path, memory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = memory / "whole.db"
    shutil.copy(path, whole)
    anew(path, 3, linked=True, signer=None)
    assert proved(path) == 1
    assert "game 3, seal of entry 0: is missing" in capsys.readouterr().err
    shutil.copy(whole, path)
    anew(path, 4, linked=False, signer=None)
    assert proved(path) == 1
    assert "game 4: has no link, though games are linked since before it" in capsys.readouterr().err
    shutil.copy(whole, path)
    anew(path, 3, linked=True, signer=seal.signer(path.parent))
    assert proved(path) == 1, "even with the key"
    assert "game 4, entry 0: follows another entry 1 of game 3 than the one here" in capsys.readouterr().err
    shutil.copy(whole, path)
    with Journal(path, write=False) as journal:
        earlier = verify(journal)[2].hashes[0]
    anew(path, 4, linked=True, signer=seal.signer(path.parent), follows={"seq": 0, "hash": earlier})
    assert proved(path) == 1, "as if game 3 had ended earlier"
    assert "game 4, entry 0: follows entry 0 of game 3, not entry 1 of game 3" in capsys.readouterr().err
    shutil.copy(whole, path)
    anew(path, 4, linked=True, signer=seal.signer(path.parent), follows={"game": 9})
    assert proved(path) == 1, "as if it were of another journal"
    assert "game 4, entry 0: follows entry 1 of game 9, which was taken out" in capsys.readouterr().err


def test_a_game_cut_from_the_end_shows_by_a_noted_head_and_else_is_said(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    *_, third, fourth = heads(path)
    without(path, "game = 4")
    assert proved(path) == 0
    out = capsys.readouterr().out
    assert "All games are one sequence of 4 links, none missing, up to entry 1 of game 3." in out
    assert f"The head of the journal: {third}" in out
    assert "This does not show whether more was written after that end and cut off" in out
    assert proved(path, "--head", third) == 0
    assert f"{third} is entry 1 of game 3: it, and all that was written before it, is as it was" in (
        capsys.readouterr().out
    )
    assert proved(path, "--head", third, "--head", fourth[:12]) == 1
    assert "no entry has the hash" in capsys.readouterr().err


def test_a_journal_that_was_set_back_and_played_on_shows_by_a_noted_head_or_an_export(
    path: Path, memory: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Both are sealed by the box itself; nothing inside either can show it."""
    back = memory / "back"
    shutil.copytree(path.parent, back)
    exports = []
    for journal_path, moves in ((path, ("pass",)), (back / "journal.db", ("shoot",))):
        with Journal(journal_path) as journal:
            session = Session(BOOK, journal=journal)
            for move in moves:
                session.answer(move)
            session.leave()
            file = memory / f"{moves[0]}.jsonl"
            file.write_text("".join(f"{line}\n" for line in export(journal, 5)), encoding="ascii")
            exports.append(str(file))
    noted, other = heads(path)[-1], heads(back / "journal.db")[-1]
    assert proved(back / "journal.db") == 0
    assert "the journal was set back to\nan earlier state and played on" in capsys.readouterr().out
    assert proved(back / "journal.db", "--head", noted) == 1
    assert proved(back / "journal.db", "--head", other) == 0
    capsys.readouterr()
    assert [READER["main"]([file]) for file in exports] == [0, 0]
    assert READER["main"](exports) == 1
    assert "there are two; the journal was set back, or written anew" in capsys.readouterr().err


def test_exports_of_one_box_are_compared(path: Path, memory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = []
    for number in (1, 2, 3, 4):
        with Journal(path, write=False) as journal:
            files.append(memory / f"{number}.jsonl")
            files[-1].write_text("".join(f"{line}\n" for line in export(journal, number)), encoding="ascii")
    assert READER["main"](list(map(str, files))) == 0
    assert "entry 5 is link 3 of the journal, after entry 1 of game 2" in capsys.readouterr().out
    anew(path, 3, linked=True, signer=seal.signer(path.parent))
    with Journal(path, write=False) as journal:
        files[2].write_text("".join(f"{line}\n" for line in export(journal, 3)), encoding="ascii")
    assert READER["main"](list(map(str, files))) == 1
    assert "game 4, entry 0: follows entry 1 of game 3, not this one" in capsys.readouterr().err


def test_a_journal_without_the_public_keys_of_its_box_is_not_taken_on_trust(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (key,) = seal.known(path.parent)
    (path.parent / seal.PUBLIC).unlink()
    assert proved(path) == 1
    assert "its games are sealed, but referee.pub is missing" in capsys.readouterr().err
    assert proved(path, "--key", key) == 0
    assert proved(path, "--key", "0" * 64) == 1


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_journal_written_anew_as_an_earlier_unsealed_one_is_told_as_unsealed_and_refused_with_the_key(
    path: Path, version: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing in such a journal contradicts it; whoever asks is told, and the key or a noted head shows it."""
    (key,) = seal.known(path.parent)
    noted = heads(path)[-1]
    new = written_as_before(path, version)
    assert proved(path) == 0
    listing = ""
    for game, (entries, head) in enumerate(zip((7, 2, 2, 2), new, strict=True), 1):
        listing += f"game {game}: {entries} entries verified, head {head}\n"
        listing += (
            "    not sealed: begun before there was a key, or written anew without; nothing shows who wrote it\n"
        )
    assert capsys.readouterr().out == listing + (
        "4 games verified: in each, no entry was changed, inserted or removed from the middle.\n"
        "The games are not linked to each other: they were written before there were links.\n"
        "Up to its last seal, each sealed game was written by the holder of that key.\n"
        "This does not show whether more was written after that end and cut off, nor whether the journal was set back"
        " to\nan earlier state and played on: compare its head with one noted elsewhere (--head). Nor does it show"
        " who has\nthe key: compare that with one noted elsewhere, too (--key).\n"
        "No game is sealed, though this box has a key: a journal written anew as one of an earlier version"
        " looks like\nthis. --key refuses it.\n"
    )
    assert proved(path, "--key", key) == 1
    assert capsys.readouterr().err == f"referee: {path}: game 1: is not sealed\n"
    assert proved(path, "--head", noted) == 1
    assert "no entry has the hash" in capsys.readouterr().err


# -- journals of earlier versions
