"""What an entry has besides, and chains beside the games: kept, chained, exported, erasable where it names people."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from referee.errors import JournalDamaged
from referee.journal import Journal
from referee.journal.chain import canonical, digest
from referee.journal.export import export, read, replay
from referee.journal.file import NOTES
from referee.journal.notes import Notes
from referee.journal.proof import verify
from referee.session import Entry, Session, resume
from tests.journal.links import iter_lines
from tests.journal.tampering import tampered
from tests.session.skirmish import BOOK
from tests.tools.test_verify_export import READER

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
        later = replace(throw, extra=LATER)
        path.with_name("with.db").unlink(missing_ok=True)
        with Journal(path.with_name("with.db")) as other:
            game = other.begin(BOOK.id, before[0])
            other.append(game, [*before[1:], later])
    return later


def test_what_nobody_here_knows_is_kept_chained_exported_and_verified(memory: Path) -> None:
    later = written_later(memory / "journal.db")
    with Journal(memory / "with.db") as journal:
        assert journal.entries(1)[-1] == later
        session = resume(BOOK, journal, 1)
        assert session.entries[-1] == later
        assert session.log()[4].dice == "5 keyed, 4 tray A7 94 %"
        assert len(verify(journal)) == 1
        lines = [line.encode("ascii") for line in export(journal, 1)]
    exported = read(iter_lines(lines))
    assert exported.entries[-1] == later
    assert READER["verify"](iter_lines(lines))
    assert replay(exported, lambda _: BOOK).entries[-1] == later
    spoilt = [line.replace(b'"glow":true', b'"glow":false') for line in lines]
    with pytest.raises(JournalDamaged, match="entry 4: was changed"):
        read(iter_lines(spoilt))
    with pytest.raises(READER["Bad"], match="entry 4: was changed"):
        READER["verify"](iter_lines(spoilt))


@pytest.mark.parametrize("extra", ["{}", "3", '{"certainty":0.94}', '{"player":9007199254740992}', '{"faces":[{}]}'])
def test_an_extra_that_readers_could_write_differently_is_refused(memory: Path, extra: str) -> None:
    written_later(memory / "journal.db")
    tampered(memory / "with.db", f"UPDATE extras SET extra = '{extra}'")
    with (
        Journal(memory / "with.db", write=False) as journal,
        pytest.raises(JournalDamaged, match=r"entry 4: .*extra"),
    ):
        verify(journal)


def test_a_chain_beside_the_games_is_kept_exported_and_verified(path: Path) -> None:
    with Journal(path) as journal:
        chain = journal.begin("clock", Entry(0, "start", "1", answer={"book": "clock", "ruling": None}))
        journal.append(chain, [Entry(1, "note", "1", extra={"clock": {"north": 61000}, "of": [4, 1]})], seal=True)
        Session(BOOK, journal=journal)
        assert len(verify(journal)) == 6
        lines = [line.encode("ascii") for line in export(journal, chain)]
        exported = read(iter_lines(lines))
        assert exported.entries[1].extra["clock"] == {"north": 61000}
        assert READER["verify"](iter_lines(lines))


def test_notes_begin_as_a_game_does_and_are_none_that_could_go_on(path: Path) -> None:
    with Journal(path) as journal:
        game = Session(BOOK, journal=journal)
        Notes(journal, 5).add({"clock": {"north": 61000}}, seat="", source="keys", at=61.25)
        notes = journal.games()[-1]
        start, note = journal.entries(notes.game)
        assert start.answer == {"book": NOTES, "settings": {}, "ruling": None, "repeat": False, "beside": 5}
        assert note.at == 61.25
        assert [each.open for each in journal.games()] == [False, False, False, False, True, False]
        assert game.n == 1


def test_names_of_people_are_erased_without_a_trace_in_any_chain(memory: Path) -> None:
    path = memory / "journal.db"
    with Journal(path) as journal:
        Session(BOOK, journal=journal).leave()
        journal._db.execute("PRAGMA secure_delete = ON")
        journal._db.execute("INSERT INTO players VALUES (7, 'Beren Erchamion')")
        before = verify(journal), list(export(journal, 1))
        assert not any("Beren" in line for line in before[1])
        journal._db.execute("DELETE FROM players")
        journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert (verify(journal), list(export(journal, 1))) == before
    assert not any(b"Beren" in file.read_bytes() for file in memory.iterdir())


VECTOR = (
    '{"answer":[5,4],"ask":"shot.dice","at":2.5,"by":"","edition":"1","extra":{"corrected":{"by":"table","was":[5,1]},'
    '"faces":[{"source":"keys"},{"die":"A7","source":"serial-dice"}]},"game":6,"group":8,"kind":"answer",'
    '"link":{"game":5,"hash":"' + "ab" * 32 + '","link":9,"seq":40},"mode":"corrected","prev":"' + "cd" * 32 + '",'
    '"result":null,"rule":"SK-2","seat":"north","seq":9,"source":"keys","wall":1700000000.0}'
)


def test_the_vector_of_the_description() -> None:
    value = json.loads(VECTOR)
    entry = Entry.from_json(value)
    expected = "2c4f432b453a87b66ed9ae3648e2b7a393b79df139504e8a98f7a2979bfe7de9"
    assert sha256(VECTOR.encode("ascii")).hexdigest() == expected
    assert digest(6, entry, value["prev"], value["link"]) == expected
    assert canonical(value) == VECTOR
    description = (Path(__file__).parents[2] / "docs" / "journal.md").read_text(encoding="utf-8")
    assert VECTOR in description
    assert expected in description
