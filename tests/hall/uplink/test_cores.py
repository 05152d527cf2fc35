"""What box and hall do with each other's messages: logins, refusals, twins, journals that were set back."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from referee.errors import JournalError
from referee.hall.uplink.intake import Intake
from referee.hall.uplink.messages import Entries, Ping, Pong, read
from referee.hall.uplink.outbox import JournalOutbox
from referee.journal import Journal, seal
from referee.journal.proof import verify
from referee.session import Session
from tests.hall.uplink import transcript
from tests.hall.uplink.memory import MemoryJournal, signer
from tests.hall.uplink.pair import KEY, Hall, box, go_on, talk
from tests.session.skirmish import BOOK


def test_the_conversations_of_the_document_are_what_both_sides_say(store: str, memory: Path) -> None:
    text = transcript.DOCUMENT.read_text(encoding="utf-8")
    assert transcript.written(text, transcript.conversations(memory)) == text


def test_the_journal_of_a_station_arrives_as_it_is_and_fills_a_copy_that_was_set_back(
    store: str, memory: Path
) -> None:
    path, copy = memory / "box" / "journal.db", memory / "old" / "journal.db"
    hall = Hall(memory / "intake.db")
    with Journal(path) as journal:
        first = Session(BOOK, journal=journal)
        first.bundle("both-near")
        key = seal.signer(path.parent)
        hall.side.intake.admit(key.public)
        copy.parent.mkdir()
        for name in (seal.PRIVATE, seal.PUBLIC, "journal.db", "journal.db-wal"):
            shutil.copy(path.parent / name, copy.parent / name)
        first.answer([1, 2])
        Session(BOOK, journal=journal).leave()
        first.answer("pass")
        with Journal(path, write=False) as reader:
            side = box(JournalOutbox(reader), key)
            talk(hall, 1, side)
            assert side.durable == journal.end()
            first.answer("shoot")  # and what is played from now on
            go_on(hall, 1, side)
            assert side.durable == journal.end()
        hall.side.closed(1)
        with Journal(copy) as restored:
            side = box(JournalOutbox(restored), key, "2")
            talk(hall, 2, side)
            assert side.may_play(hall.now)
            assert side.durable == restored.end() == journal.end()
            verify(restored, [key.public])
            (end,) = hall.side.intake.ends(key.public)
            for game in journal.games():
                assert list(restored.records(game.game)) == list(journal.records(game.game))
                assert restored.seals(game.game) == journal.seals(game.game)
            for tail in hall.side.intake.games(end):
                assert hall.side.intake.records(tail) == list(journal.records(tail.game))
                assert hall.side.intake.seal(key.public, tail) == next(iter(journal.seals(tail.game)[::-1]), None)
    assert [news.kind for news in hall.news if news.kind not in ("on", "off", "entries")] == ["set-back"]
    hall.side.intake.close()


# -- logins ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"version": 2}, "version"),
        ({"certificate": "d" * 64}, "signature"),
        ({"signature": "0" * 128}, "signature"),
        ({"key": signer(2).public}, "signature"),
    ],
)
def test_a_login_that_does_not_hold_is_refused(hall: Hall, changed: dict[str, Any], code: str) -> None:
    (answer,) = hall.log_in(1, KEY, **changed)
    assert (answer["type"], answer["code"]) == ("goodbye", code)
    assert hall.news == []


def test_a_login_is_worth_nothing_in_another_connection(hall: Hall) -> None:
    side = box(MemoryJournal(KEY), KEY)
    logins: list[str] = []
    talk(hall, 1, side, each=logins.append)
    hall.side.closed(1)
    hall.open(2)
    assert [answer["code"] for answer in hall.hear(2, logins[0])] == ["signature"]


def test_only_boxes_that_are_paired_are_let_in_and_no_more_once_they_are_dismissed(hall: Hall) -> None:
    assert hall.log_in(1, signer(2))[0]["code"] == "unknown"
    assert hall.log_in(2, KEY)[0]["type"] == "heads"
    hall.side.closed(2)
    hall.side.intake.admit(KEY.public, allowed=False)
    assert hall.log_in(3, KEY)[0]["code"] == "unknown"
    hall.side.intake.admit(KEY.public)
    assert hall.log_in(4, KEY)[0]["type"] == "heads"


def test_a_box_refuses_the_hall_of_another_event_and_sends_it_nothing(hall: Hall, journal: MemoryJournal) -> None:
    hall.side.identity = hall.side.identity._replace(event="f" * 64)
    side = box(journal, KEY)
    words: list[str] = []
    talk(hall, 1, side, each=words.append)
    assert words == []
    assert side.over
    assert side.refused is not None
    assert side.refused.code == "event"


# -- twins -----------------------------------------------------------------------------------------------------------


def test_a_copied_key_that_is_alive_twice_is_refused_and_told(hall: Hall) -> None:
    hall.log_in(1, KEY, "1")
    assert hall.log_in(2, KEY, "2") == []
    assert [read(word, Ping) for word in hall.words(1)] == [Ping()]
    hall.now = 1.9
    assert hall.hear(1, Pong()) == []
    (answer, closed) = hall.words(2)
    assert '"code":"twin"' in answer
    assert closed == ""
    assert [news.kind for news in hall.news] == ["on", "twin"]
    assert [incident[1] for incident in hall.side.intake.incidents()] == ["twin"]
    assert hall.hear(1, Ping()) == [{"type": "pong"}]


def test_a_half_open_connection_is_replaced_after_two_seconds(hall: Hall) -> None:
    hall.log_in(1, KEY, "1")
    assert hall.log_in(2, KEY, "2") == []
    hall.now = 1.9
    hall.side.tick(hall.now)
    assert hall.words(2) == []
    hall.now = 2.0
    hall.side.tick(hall.now)
    assert '"type":"heads"' in hall.words(2)[0]
    assert '"code":"replaced"' in hall.words(1)[1]
    assert hall.side.intake.incidents() == []


def test_another_connection_of_the_same_start_takes_the_place_at_once(hall: Hall) -> None:
    hall.log_in(1, KEY, "1")
    assert hall.log_in(2, KEY, "1")[0]["type"] == "heads"
    assert '"code":"replaced"' in hall.words(1)[0]


def test_a_third_with_the_key_has_to_come_again(hall: Hall) -> None:
    hall.log_in(1, KEY, "1")
    hall.log_in(2, KEY, "2")
    assert hall.log_in(3, KEY, "3")[0]["code"] == "busy"


def test_a_hall_gives_up_who_is_silent_and_a_box_a_hall_that_hangs(hall: Hall, journal: MemoryJournal) -> None:
    side = box(journal, KEY)
    talk(hall, 1, side)
    hall.side.tick(8.1)
    assert '"code":"silent"' in hall.words(1)[0]
    assert side.tick(8.1) == []
    assert side.over
    assert [news.kind for news in hall.news][-1] == "off"


# -- what differs ----------------------------------------------------------------------------------------------------


def test_a_box_that_played_on_from_an_old_copy_makes_a_fork_and_both_ways_stay(
    hall: Hall, journal: MemoryJournal
) -> None:
    talk(hall, 1, box(journal, KEY))
    hall.side.closed(1)
    before = hall.rows()
    other = journal.copy(2)
    other.write(1, "answer", "another")
    side = box(other, KEY, "2")
    talk(hall, 2, side)
    assert side.durable == other.end()
    assert [news.kind for news in hall.news if news.kind in ("fork", "anew", "set-back")] == ["fork"]
    assert set(before) < set(hall.rows())
    ends = hall.side.intake.ends(KEY.public)
    assert [hall.side.intake.records(tail) for tail in hall.side.intake.games(ends[0])] == [
        [each.record for each in other.log]
    ]
    assert [len(hall.side.intake.records(tail)) for tail in hall.side.intake.games(ends[1])] == [3, 1]
    hall.side.closed(2)
    talk(hall, 3, box(journal, KEY, "3"))  # the first way is known, and no news
    assert len(hall.side.intake.incidents()) == 1


def test_a_journal_begun_anew_is_told_and_is_no_fork(hall: Hall, journal: MemoryJournal) -> None:
    talk(hall, 1, box(journal, KEY))
    hall.side.closed(1)
    anew = MemoryJournal(KEY)
    anew.write(0, "start", {"book": "skirmish", "ruling": None, "settings": {"lot": 2}})
    side = box(anew, KEY, "2")
    talk(hall, 2, side)
    assert side.durable == anew.end()
    assert [kind for _, kind, _ in hall.side.intake.incidents()] == ["anew"]
    assert [end.at for end in hall.side.intake.ends(KEY.public)] == [1, 4]


def test_a_journal_that_is_empty_again_is_filled_before_anybody_plays(hall: Hall, journal: MemoryJournal) -> None:
    talk(hall, 1, box(journal, KEY))
    hall.side.closed(1)
    empty = MemoryJournal(KEY)
    side = box(empty, KEY, "2")
    assert not side.may_play(hall.now)
    talk(hall, 2, side)
    assert side.may_play(hall.now)
    assert empty.log == journal.log


def test_a_station_waits_five_seconds_for_a_hall_that_does_not_answer_and_then_takes_nothing_back(
    hall: Hall, journal: MemoryJournal
) -> None:
    talk(hall, 1, box(journal, KEY))
    hall.side.closed(1)
    old = journal.copy(2)
    side = box(old, KEY, "2")
    assert not side.may_play(4.9)
    assert side.may_play(5.0)
    hall.now = 5.0
    talk(hall, 2, side)
    assert old.log == journal.log[:2]
    assert [kind for _, kind, _ in hall.side.intake.incidents()] == ["set-back"]


def test_of_two_branches_nothing_is_given_back_until_a_judge_has_chosen(hall: Hall, journal: MemoryJournal) -> None:
    talk(hall, 1, box(journal, KEY))
    hall.side.closed(1)
    other = journal.copy(2)
    other.write(1, "answer", "another")
    talk(hall, 2, box(other, KEY, "2"))
    hall.side.closed(2)
    old = journal.copy(2)
    side = box(old, KEY, "3")
    talk(hall, 3, side)
    assert side.may_play(hall.now)
    assert len(old.log) == 2
    assert [kind for _, kind, _ in hall.side.intake.incidents()] == ["fork", "set-back"]


def test_a_journal_that_cannot_be_read_ends_the_connection_and_says_why(hall: Hall, journal: MemoryJournal) -> None:
    side = box(journal, KEY)
    talk(hall, 1, side)

    class Unreadable(MemoryJournal):
        def after(self, place: object) -> Entries | None:
            raise JournalError("journal.db: disk I/O error")

    side.outbox = Unreadable(KEY)
    assert side.tick(1.0) == []
    assert side.over
    assert side.refused is not None
    assert side.refused.expected == "journal.db: disk I/O error"


def test_what_was_received_is_never_changed(hall: Hall, journal: MemoryJournal) -> None:
    talk(hall, 1, box(journal, KEY))
    for table in ("boxes", "admissions", "branches", "entries", "seals"):
        column = {"seals": "signature", "entries": "record", "boxes": "key"}.get(table, "box")
        for sql in (f"DELETE FROM {table}", f"UPDATE {table} SET {column} = {column}"):
            with pytest.raises(Exception, match="never changed"):
                hall.side.intake._tables.rows(sql)
            hall.side.intake.rollback()


@pytest.mark.once
def test_another_database_is_not_taken_for_an_intake(memory: Path) -> None:
    with Journal(memory / "journal.db"):
        pass
    with pytest.raises(JournalError, match="not what a hall received"):
        Intake(memory / "journal.db")


def test_a_box_waits_longer_each_time_until_the_hall_has_answered(hall: Hall, journal: MemoryJournal) -> None:
    side = box(journal, KEY)
    pauses = [side.pause(1.0) for _ in range(4)]
    assert pauses == sorted(pauses)
    assert pauses[0] < pauses[-1] <= side.times.retry
    talk(hall, 1, side)
    assert side.pause(1.0) == pauses[0]
