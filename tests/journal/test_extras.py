"""What an entry has besides, and chains beside the games: kept, chained and exported."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest

from referee.errors import JournalDamaged
from referee.journal import Journal
from referee.journal.export import Export, export, read, replay
from referee.journal.file import NOTES
from referee.journal.notes import Notes
from referee.journal.proof import verify
from referee.session import Entry, Session, resume
from referee.session.chain import canonical, digest
from tests.journal.reader import DESCRIPTION, check
from tests.journal.tampering import tampered
from tests.session.skirmish import BOOK

LATER = {
    "faces": [{"source": "keys"}, {"source": "tray", "die": "A7", "certainty": 940, "glow": True}],
    "picture": "9f" * 32,
    "clock": {"north": 61000},
    "player": 7,
    "event": "spring",
    "weather": ["rain", None, {"wind": -3}],
}


def read_back(lines: list[str]) -> Export:
    return read(BytesIO("\n".join(lines).encode("ascii")))


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
        lines = list(export(journal, 1))
    exported = read_back(lines)
    assert exported.entries[-1] == later
    assert check(lines) == exported.head
    assert replay(exported, lambda _: BOOK).entries[-1] == later
    spoilt = [line.replace('"glow":true', '"glow":false') for line in lines]
    with pytest.raises(JournalDamaged, match="entry 4: was changed"):
        read_back(spoilt)


@pytest.mark.parametrize("extra", ["[]", "3", '{"certainty":0.94}', '{"player":9007199254740992}', '{"faces":[{}]}'])
def test_an_extra_that_readers_could_write_differently_is_refused(memory: Path, extra: str) -> None:
    written_later(memory / "journal.db")
    tampered(memory / "with.db", f"UPDATE entries SET extra = '{extra}' WHERE seq = 4")
    with (
        Journal(memory / "with.db", write=False) as journal,
        pytest.raises(JournalDamaged, match=r"entry 4: .*extra"),
    ):
        verify(journal)


def test_notes_beside_a_game_are_kept_exported_and_verified(memory: Path) -> None:
    with Journal(memory / "journal.db") as journal:
        Session(BOOK, journal=journal)
        Notes(journal, 1).add({"clock": {"north": 61000}})
        assert len(verify(journal)) == 2
        lines = list(export(journal, 2))
        exported = read_back(lines)
        assert exported.entries[1].extra["clock"] == {"north": 61000}
        assert check(lines) == exported.head


def test_notes_begin_as_a_game_does_and_never_go_on(memory: Path) -> None:
    with Journal(memory / "journal.db") as journal:
        game = Session(BOOK, journal=journal)
        Notes(journal, 1).add({"clock": {"north": 61000}}, seat="", source="keys", at=61.25)
        notes = journal.games()[-1]
        start, note = journal.entries(notes.game)
        assert start.answer == {"book": NOTES, "settings": {}, "ruling": None, "repeat": False, "beside": 1}
        assert note.at == 61.25
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
