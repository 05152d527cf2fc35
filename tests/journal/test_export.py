"""A game carried away in a file is read as it was written; what was changed in it is named."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from referee.errors import JournalDamaged, Malformed, Refused
from referee.journal import Journal
from referee.journal.check import verify
from referee.journal.export import FORMAT, Export, export, plain_log, read, replay
from referee.journal.file import NOTES
from referee.journal.notes import Notes
from referee.session import Entry, Session, resume
from referee.session.chain import canonical, digest
from tests.journal.reference import DESCRIPTION, check, put_away, some, tampered
from tests.session.skirmish import BOOK


@pytest.fixture
def written(memory: Path) -> list[dict[str, Any]]:
    """An export of a game that was put away: a start, a bundle, a throw, a pass."""
    with Journal(memory / "journal.db") as journal:
        put_away(journal, (5, 4))
        return [json.loads(line) for line in export(journal, 1)]


def read_lines(lines: list[str]) -> Export:
    return read(io.BytesIO("\n".join(lines).encode("ascii")))


def read_back(records: list[dict[str, Any]]) -> Export:
    return read_lines([canonical(record) for record in records])


CHANGES: dict[str, tuple[Callable[[list[dict[str, Any]]], object], type[Exception], str]] = {
    "a later format": (lambda r: r[0].update(format=FORMAT + 1), Malformed, "expected an export of format"),
    "no count": (lambda r: r[0].pop("entries"), Malformed, "how many entries follow"),
    "an entry less": (lambda r: r.pop(2), JournalDamaged, "entry 2"),
    "another count": (lambda r: r[0].update(entries=3), JournalDamaged, "game 1: 3 entries were written, 8 are here"),
    "another end": (lambda r: r[0].update(head="0" * 64), JournalDamaged, "names a different last entry"),
    "another edition": (
        lambda r: r[0].update(edition="9"),
        JournalDamaged,
        "the first line says of edition what entry 0",
    ),
    "a member more": (lambda r: r[3].update(note="x"), JournalDamaged, "game 1, entry 2: has unknown fields"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_was_changed_is_named(written: list[dict[str, Any]], change: str) -> None:
    spoil, error, message = CHANGES[change]
    spoil(written)
    with pytest.raises(error, match=message):
        read_back(written)


def test_a_line_that_is_no_object_is_named_by_its_number(written: list[dict[str, Any]]) -> None:
    text = [canonical(record) for record in written]
    text[2] = "[]"
    with pytest.raises(Malformed, match="line 3: "):
        read_lines(text)
    with pytest.raises(Malformed, match="line 1: "):
        read_lines([])


def test_a_game_that_cannot_be_judged_any_more_is_still_told(written: list[dict[str, Any]]) -> None:
    lines = list(plain_log(read_back(written).entries))
    assert lines[1] == '    1  north       turn.menu: "shoot"'
    assert lines[4].startswith("    4  north       shot.dice: [5,4]  ")
    assert lines[4].endswith("Hit")
    assert lines[-1] == "    7              leave: null"


def test_a_few_lines_without_this_project_check_an_export(written: list[dict[str, Any]]) -> None:
    lines = [canonical(record) for record in written]
    assert check(lines) == written[0]["head"]
    for spoilt, named in (
        ([line.replace("[5,4]", "[5,5]") for line in lines], "entry 4 was changed"),
        ([*lines[:3], *lines[4:]], "entry 3 was changed"),
        (lines[:-1], "the end is missing"),
    ):
        with pytest.raises(ValueError, match=named):
            check(spoilt)


def test_games_played_side_by_side_come_out_the_same(memory: Path) -> None:
    chance = random.Random(11)
    with Journal(memory / "journal.db") as journal:
        sessions = [Session(BOOK, journal=journal) for _ in range(3)]
        for _ in range(300):
            session = chance.choice(sessions)
            with suppress(Refused):
                if session.prompt is None:
                    session.undo()
                elif session.last_throw is not None and chance.random() < 0.3:
                    session.correct_throw([chance.randint(1, 6) for _ in range(2)], right="judge")
                else:
                    some(session, session.prompt, chance)(session)
        strokes = {(each.kind, each.mode) for session in sessions for each in session.entries}
        assert {("answer", "corrected"), ("answer", ""), ("correct", ""), ("void", "")} <= strokes
        assert len(verify(journal)) == 3
        for session in sessions:
            lines = list(export(journal, session.game_id or 0))
            assert check(lines) == journal.head(session.game_id or 0)[1]
            assert replay(read_lines(lines), lambda _: BOOK).state() == session.state()


# -- what an entry has besides

LATER = {
    "faces": [{"source": "keys"}, {"source": "tray", "die": "A7", "certainty": 940, "glow": True}],
    "picture": "9f" * 32,
    "clock": {"north": 61000},
    "player": 7,
    "event": "spring",
    "weather": ["rain", None, {"wind": -3}],
}


def written_later(path: Path) -> Entry:
    """Play a throw with all that a later version may write, and return its entry."""
    with Journal(path) as journal:
        session = Session(BOOK, journal=journal)
        session.bundle("both-near")
        session.answer([5, 4])
        *before, throw = session.entries
    later = throw._replace(extra=LATER)
    with Journal(path.with_name("with.db")) as other:
        game = other.begin(BOOK.id, before[0])
        other.append(game, [*before[1:], later])
    return later


def test_unknown_members_are_kept_exported_and_verified(memory: Path) -> None:
    later = written_later(memory / "journal.db")
    with Journal(memory / "with.db") as journal:
        assert journal.entries(1)[-1] == later
        session = resume(BOOK, journal, 1)
        assert session.entries[-1] == later
        assert session.log()[4].dice == "5 keyed, 4 tray A7 94 %"
        assert len(verify(journal)) == 1
        lines = list(export(journal, 1))
    exported = read_lines(lines)
    assert exported.entries[-1] == later
    assert check(lines) == exported.head
    assert replay(exported, lambda _: BOOK).entries[-1] == later
    spoilt = [line.replace('"glow":true', '"glow":false') for line in lines]
    with pytest.raises(JournalDamaged, match="entry 4: was changed"):
        read_lines(spoilt)


@pytest.mark.parametrize("extra", ["[]", "3", '{"certainty":0.94}', '{"player":9007199254740992}', '{"faces":[{}]}'])
def test_an_extra_that_can_be_written_in_two_ways_is_refused(memory: Path, extra: str) -> None:
    written_later(memory / "journal.db")
    tampered(memory / "with.db", f"UPDATE entries SET extra = '{extra}' WHERE seq = 4")
    with (
        Journal(memory / "with.db", write=False) as journal,
        pytest.raises(JournalDamaged, match=r"entry 4: .*extra"),
    ):
        verify(journal)


def test_notes_are_exported_and_verified_and_never_resumed(memory: Path) -> None:
    with Journal(memory / "journal.db") as journal:
        game = Session(BOOK, journal=journal)
        Notes(journal, 1).add({"clock": {"north": 61000}}, seat="", source="keys", at=61.25)
        assert len(verify(journal)) == 2
        lines = list(export(journal, 2))
        exported = read_lines(lines)
        assert check(lines) == exported.head
        start, note = exported.entries
        assert start.answer == {"book": NOTES, "settings": {}, "ruling": None, "repeat": False, "beside": 1}
        assert (note.at, note.extra["clock"]) == (61.25, {"north": 61000})
        assert [each.open for each in journal.games()] == [True, False]
        assert game.n == 1


VECTOR = (
    '{"answer":[5,4],"ask":"shot.dice","at":2.5,"by":"","edition":"1","extra":{"corrected":{"by":"table","was":[5,1]},'
    '"faces":[{"source":"keys"},{"die":"A7","source":"serial-dice"}]},"game":6,"group":8,"kind":"answer",'
    '"mode":"corrected","prev":"' + "cd" * 32 + '",'
    '"result":null,"rule":"SK-2","seat":"north","seq":9,"source":"keys","wall":1700000000.0}'
)


def test_the_vector_of_the_description() -> None:
    value = json.loads(VECTOR)
    entry = Entry.from_json(value)
    expected = sha256(VECTOR.encode("ascii")).hexdigest()
    assert digest(6, entry, value["prev"]) == expected
    assert canonical(value) == VECTOR
    assert VECTOR in DESCRIPTION
    assert expected in DESCRIPTION
