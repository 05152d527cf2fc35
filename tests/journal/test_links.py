"""The games of a journal are one sequence: what was taken out of it shows."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from referee.errors import JournalDamaged, Malformed, Refused
from referee.journal import Journal
from referee.journal.chain import walk
from referee.journal.export import export, read, replay
from referee.journal.proof import verify
from referee.session import Session, resume
from tests.journal.links import iter_lines, proved, without
from tests.journal.tampering import tampered
from tests.session.skirmish import BOOK
from tests.tools.test_verify_export import READER


def test_each_game_follows_what_was_written_before_it(path: Path) -> None:
    with Journal(path, write=False) as journal:
        one, two, three, four = verify(journal)
    assert {seq: (link["link"], link.get("game"), link.get("seq")) for seq, link in one.links.items()} == {
        0: (1, None, None),
        5: (3, 2, 1),
    }
    assert (two.links[0]["game"], two.links[0]["seq"], two.links[0]["hash"]) == (1, 4, one.hashes[4])
    assert (three.links[0]["game"], three.links[0]["hash"]) == (1, one.hashes[-1])
    assert (four.links[0]["link"], four.links[0]["hash"]) == (5, three.hashes[-1])
    assert [each.seq for each in one.seals][:2] == [0, 4]
    assert 5 in {each.seq for each in one.seals}, "what carries a link is sealed"


@pytest.mark.parametrize("stroke", ["bundle", "corrected throw", "two counters"])
def test_a_stroke_of_several_entries_can_be_the_first_after_another_game(memory: Path, stroke: str) -> None:
    """Its first entry carries the link and has its seal: the journal holds, and the game can be exported."""
    with Journal(memory / "journal.db") as journal:
        session = Session(BOOK, journal=journal)
        if stroke == "corrected throw":
            session.bundle("both-near")
            session.answer([5, 1])
        Session(BOOK, journal=journal)
        if stroke == "bundle":
            session.bundle("both-near")
        elif stroke == "corrected throw":
            session.correct_throw([5, 2], right="table")
        else:
            session.correct_all({"hits.north": 1, "hits.south": 1})
        one, two = verify(journal)
        (linked,) = set(one.links) - {0}
        assert linked in {each.seq for each in one.seals}
        assert session.n - 1 > linked
        session.undo()
        Session(BOOK, journal=journal).leave()
        assert len(verify(journal)) == 3
        lines = [line.encode("ascii") for line in export(journal, 1)]
        assert read(iter_lines(lines)).entries == session.entries
        assert READER["verify"](iter_lines(lines))
        assert two.game.game == 2


def stroke_of(session: Session, chance: random.Random) -> None:
    """Let something happen to a game: an answer, several, counters, a throw that is corrected, or an undo."""
    prompt = session.prompt
    if chance.random() < 0.2 and session.undoable:
        session.undo(chance.randint(1, min(3, session.undoable)))
    elif chance.random() < 0.3 and session.last_throw is not None:
        session.correct_throw([chance.randint(1, 6) for _ in range(2)], right="judge")
    elif prompt is None:
        session.undo()
    elif chance.random() < 0.1:
        session.correct_all({f"hits.{seat}": chance.randint(0, 1) for seat in session.seats()})
    elif prompt.bundles and chance.random() < 0.5:
        session.bundle(chance.choice(prompt.bundles).id)
    elif prompt.kind == "roll":
        session.answer(list(prompt.stands or [chance.randint(1, 6) for _ in range(prompt.dice)]))
    elif prompt.kind == "count":
        session.answer(prompt.low)
    else:
        session.answer(chance.choice(prompt.options).id)


def test_games_played_side_by_side_are_one_sequence_whatever_happens_in_them(memory: Path) -> None:
    chance = random.Random(11)
    with Journal(memory / "journal.db") as journal:
        sessions = [Session(BOOK, journal=journal) for _ in range(3)]
        for _ in range(300):
            with suppress(Refused):
                stroke_of(chance.choice(sessions), chance)
        strokes = {(each.kind, each.mode, each.group is None) for session in sessions for each in session.entries}
        assert {("answer", "corrected", False), ("answer", "", False), ("correct", "", False)} <= strokes
        assert sum(len(proof.links) for proof in verify(journal)) > 100
        for session in sessions:
            lines = [line.encode("ascii") for line in export(journal, session.game_id or 0)]
            assert replay(read(iter_lines(lines)), lambda _: BOOK).state() == session.state()
            assert READER["verify"](iter_lines(lines))


def test_a_game_taken_up_at_once_needs_no_link(path: Path) -> None:
    with Journal(path) as journal:
        session = Session(BOOK, journal=journal)
    with Journal(path) as journal:
        resume(BOOK, journal, session.game_id or 0).answer("pass")
        assert set(verify(journal)[-1].links) == {0}


ATTACKS: dict[str, tuple[Callable[[Path], None], str]] = {
    "a game out of the middle": (lambda path: without(path, "game = 3"), "game 3: is missing; there is a game 4"),
    "the first game": (lambda path: without(path, "game = 1"), "game 1: is missing"),
    "the end of a game": (
        lambda path: without(path, "game = 3 AND seq = 1"),
        "game 4, entry 0: follows entry 1 of game 3, which was taken out",
    ),
    "the end of a stretch and all after it": (
        lambda path: without(path, "game = 1 AND seq > 3"),
        "link 3, game 3, entry 0: is missing; link 4 is in its place",
    ),
    "the second stretch of a game": (lambda path: without(path, "game = 1 AND seq > 4"), "link 4 is in its place"),
    "the links": (lambda path: tampered(path, "DELETE FROM links"), "game 1, entry 0: was changed"),
    "a seal of today's version": (
        lambda path: tampered(path, "DELETE FROM seals WHERE game = 3"),
        "game 3, seal of entry 0: is missing",
    ),
}


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_was_taken_out_of_the_sequence_is_named(
    path: Path, attack: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil, complaint = ATTACKS[attack]
    assert proved(path) == 0
    spoil(path)
    with Journal(path, write=False) as journal, pytest.raises(JournalDamaged, match=complaint):
        verify(journal)
    capsys.readouterr()
    assert proved(path) == 1
    assert capsys.readouterr().out == "", "nothing is claimed of a journal that does not hold"


def test_the_last_seal_says_how_far_a_game_is_sealed(path: Path) -> None:
    with Journal(path, write=False) as journal:
        for proof in verify(journal):
            assert proof.sealed == max(each.seq for each in proof.seals) > 0


def test_a_seal_taken_from_the_start_of_a_game_is_missed(path: Path) -> None:
    tampered(path, "DELETE FROM seals WHERE game = 1 AND seq = 0")
    with Journal(path, write=False) as journal, pytest.raises(JournalDamaged, match="seal of entry 0: is missing"):
        verify(journal)


@pytest.mark.parametrize(
    "link",
    [
        [],
        {},
        {"link": True, "games": 1, "heads": ""},
        {"link": 0, "games": 1, "heads": ""},
        {"link": "1", "games": 1, "heads": ""},
        {"link": 1, "games": "1", "heads": ""},
        {"link": 1, "games": 1},
        {"link": 1, "games": 1, "heads": "", "note": 1},
        {"link": 2, "games": 1, "heads": ""},
        {"link": 2, "game": 1, "seq": 3, "hash": None},
        {"link": 3, "game": 1, "seq": 3.0, "hash": ""},
    ],
)
def test_a_link_that_is_none_is_refused(path: Path, link: object) -> None:
    with Journal(path, write=False) as journal:
        records = list(journal.records(1))
    records[0]["link"] = link
    with pytest.raises((JournalDamaged, Malformed), match="link: expected the number of the link"):
        list(walk(1, records))
