"""Where each face came from, and the throw that was keyed wrong: corrected by whom, and shown as corrected."""

from __future__ import annotations

import pytest

from referee.errors import Diverged, JournalDamaged, NotNow, Refused
from referee.rulebook import Ruling
from referee.session import Entry, Origin, Session, Submission, Unused, judged_again
from tests.session.skirmish import BOOK

KEYS, BOX, TRAY = Origin("keys"), Origin("box-dice"), Origin("dice-reader", "A7")


def thrown(*origins: Origin, faces: tuple[int, int] = (5, 4), source: str = "keys") -> Session:
    """A game whose last throw is this one, from these sources."""
    session = Session(BOOK)
    session.bundle("both-near")
    session.answer(Submission(list(faces), origins=origins, source=source))
    return session


def last_lines(session: Session) -> list[tuple[str, str]]:
    return [(line.text, line.dice) for line in session.log() if line.seq >= 4 and line.kind != "ruling"]


class TestOrigins:
    def test_each_face_of_a_mixed_throw_has_its_source(self) -> None:
        session = thrown(KEYS, TRAY)
        assert session.entries[4].extra == {
            "faces": [{"source": "keys"}, {"source": "dice-reader", "die": "A7"}],
        }
        assert last_lines(session) == [("Roll: 5 4", "5 keyed, 4 dice reader A7")]
        assert session.dice() == (0, 0, 0, 1, 1, 0)
        again = judged_again(BOOK, session.entries)
        assert (again.log(), again.dice(), again.entries) == (session.log(), session.dice(), session.entries)
        assert again.last_throw == session.last_throw

    def test_readings_that_do_not_count_are_recorded(self) -> None:
        session = Session(BOOK)
        session.bundle("both-near")
        unused = (Unused(None, TRAY, "cocked"), Unused(3, TRAY, "tilted", 5))
        session.answer(Submission([5, 4], source="keys", unused=unused))
        assert last_lines(session) == [
            ("Roll: 5 4", "not ? dice reader A7 (cocked), 5 for 3 dice reader A7 (tilted)")
        ]
        again = judged_again(BOOK, session.entries)
        assert (again.log(), again.entries) == (session.log(), session.entries)

    def test_faces_that_stand_after_an_undo_keep_their_origin(self) -> None:
        session = thrown(KEYS, TRAY)
        session.undo()
        again = judged_again(BOOK, session.entries)
        for each in (session, again):
            each.answer(Submission([5, 4], source="keys"))
            assert last_lines(each)[-1] == ("Roll: 5 4", "5 keyed, 4 dice reader A7")


class TestCorrection:
    def test_a_table_corrects_what_it_keyed(self) -> None:
        session = thrown(faces=(5, 1))
        assert session.state()["hits"]["south"] == 0
        outcome = session.correct_throw(Submission([5, 2], n=5, source="keys", at=3.0), right="table")
        assert [event.result for event in outcome.events if isinstance(event, Ruling)] == ["hit"]
        assert session.state()["hits"]["south"] == 1
        void, answer = outcome.entries
        assert (void.kind, void.answer, void.group) == ("void", [4], 5)
        assert (answer.kind, answer.mode, answer.answer, answer.group) == ("answer", "corrected", [5, 2], 5)
        assert answer.extra == {"corrected": {"was": [5, 1], "by": "table"}}
        assert last_lines(session) == [
            ("Roll: 5 1", ""),
            ("The table corrects the throw: 1→2", ""),
            ("Roll: 5 2 (corrected)", ""),
        ]
        assert [line.undone for line in session.log() if line.seq >= 4 and line.kind != "ruling"] == [
            True,
            False,
            False,
        ]
        assert [line.kind for line in session.log()][-4:] == ["ruling", "correct", "answer", "ruling"]
        assert session.dice() == (0, 1, 0, 0, 1, 0)

    def test_a_corrected_throw_is_corrected_again_and_undone_as_one(self) -> None:
        session = thrown(faces=(5, 1))
        session.correct_throw([5, 2], right="table")
        session.correct_throw([6, 2], right="judge")
        assert session.last_throw is not None
        assert session.last_throw.answer == [6, 2]
        assert "The judge corrects the throw: 5→6" in [line.text for line in session.log()]
        session.undo()
        assert session.prompt is not None
        assert (session.prompt.ask, session.prompt.stands) == ("shot.dice", (6, 2))
        assert session.undoable == 1
        again = judged_again(BOOK, session.entries)
        assert (again.state(), again.log(), again.prompt) == (session.state(), session.log(), session.prompt)

    @pytest.mark.parametrize("wrong", [[7, 1], [1], "north", {"hits": 1}, 13, "back"])
    def test_what_no_dice_show_is_refused_and_changes_nothing(self, wrong: object) -> None:
        session = thrown()
        before = session.entries, session.prompt, session.state(), session.undoable, session.last_throw
        with pytest.raises(Refused):
            session.correct_throw(wrong, right="table")
        assert (session.entries, session.prompt, session.state(), session.undoable, session.last_throw) == before

    def test_what_was_undone_and_a_pause_are_no_answer(self) -> None:
        session = thrown(faces=(5, 1))
        session.answer("pass")
        session.undo()
        session.pause()
        session.unpause()
        session.leave()
        session.correct_throw(Submission([5, 2], n=session.n), right="table")
        assert session.state()["hits"]["south"] == 1
        session.undo()
        assert session.prompt is not None
        assert (session.prompt.ask, session.prompt.stands) == ("shot.dice", (5, 2))
        again = judged_again(BOOK, session.entries)
        assert (again.state(), again.log(), again.prompt) == (session.state(), session.log(), session.prompt)

    def test_faces_nobody_keyed_are_only_for_the_judge(self) -> None:
        session = thrown(KEYS, TRAY)
        session.correct_throw(Submission([6, 4], source="keys"), right="table")
        assert last_lines(session)[-1] == ("Roll: 6 4 (corrected)", "6 keyed, 4 dice reader A7")
        before = session.entries, session.state()
        for other in ([6, 5], 11):
            with pytest.raises(NotNow) as refused:
                session.correct_throw(other, right="table")
            assert refused.value.code == "judges-only"
        assert (session.entries, session.state()) == before
        session.correct_throw(Submission([6, 5], source="judge"), right="judge")
        assert last_lines(session)[-1] == ("Roll: 6 5 (corrected)", "6 keyed, 5 judge")
        session.correct_throw(Submission([6, 2], origins=(BOX, TRAY), source="judge"), right="judge")
        assert last_lines(session)[-1] == ("Roll: 6 2 (corrected)", "6 keyed, 2 dice reader A7")
        with pytest.raises(NotNow, match="Only the judge"):
            thrown(source="box-dice").correct_throw([1, 1], right="table")

    def test_after_the_end_of_the_game(self) -> None:
        session = Session(BOOK, {"limit": 2})
        session.correct("hits.south", 1)
        session.bundle("both-near")
        session.answer(Submission([6, 6], source="keys"))
        assert session.over is not None
        session.correct_throw(Submission([1, 1], source="keys"), right="table")
        assert session.prompt is not None
        assert judged_again(BOOK, session.entries).prompt == session.prompt

    def test_an_impossible_record_of_a_correction_is_refused(self) -> None:
        session = thrown(faces=(5, 1))
        session.correct_throw([5, 2], right="table")
        *rest, answer = session.entries

        def forged(**extra: object) -> list[Entry]:
            return [*rest, Entry.from_json(answer.as_json() | {"extra": extra})]

        with pytest.raises(JournalDamaged, match="entry 5"):
            judged_again(BOOK, forged(picture="0"))
        with pytest.raises(Diverged, match=r"had corrected .*\[4, 1\]"):
            judged_again(BOOK, forged(corrected={"was": [4, 1], "by": "table"}))
        with pytest.raises(Diverged, match="North is asked"):
            judged_again(BOOK, [*rest, answer._replace(by="south")])
