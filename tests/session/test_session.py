"""What a table relies on: the right question, nothing lost by a refusal, and a way back from everything."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from referee import games
from referee.errors import BrokenRulebook, JournalError, Malformed, NotNow, Refused
from referee.rulebook import Choose, Options, Procedure, Ruling, section, unbarred
from referee.session import Entry, Prompt, Session, Submission, resume
from tests.session.skirmish import BOOK, Skirmish, shot


def facts(session: Session) -> tuple[Any, ...]:
    """Everything a refusal must leave alone."""
    return session.n, session.prompt, session.state(), session.entries, session.log(), session.undoable


def standing(session: Session) -> Prompt:
    assert session.prompt is not None
    return session.prompt


def hit(session: Session, faces: Any = (6, 6)) -> Any:
    for answer in ("shoot", "near", 0):
        session.answer(answer)
    return session.answer(list(faces) if isinstance(faces, tuple) else faces)


class Shelf:
    """A recorder in memory; ``fails`` makes the next stroke fail."""

    def __init__(self) -> None:
        self.recorded: list[Entry] = []
        self.fails = False
        self.calls = 0

    def begin(self, book: str, start: Entry) -> int:
        self.append(1, [start])
        return 1

    def append(self, game: int, entries: Sequence[Entry]) -> None:
        self.calls += 1
        if self.fails:
            raise JournalError("the disk is full")
        self.recorded += entries

    def entries(self, game: int) -> list[Entry]:
        return list(self.recorded)


def test_numbers_grow_only_with_what_is_accepted() -> None:
    session = Session(BOOK)
    assert standing(session).n == session.n == 1
    session.answer(Submission("shoot", n=1))
    assert standing(session).n == 2
    with pytest.raises(Malformed):
        session.answer("sideways")
    assert standing(session).n == 2
    session.undo()
    assert (standing(session).n, standing(session).ask) == (3, "turn.menu")
    session.bundle("both-near")
    assert standing(session).n == 6


Deed = Callable[[Session], object]
REFUSED: list[tuple[str, Deed, str]] = [
    ("unknown option", lambda s: s.answer("sideways"), "no-such-option"),
    ("wrong type", lambda s: s.answer(3), "malformed"),
    ("barred", lambda s: s.answer("rest"), "SK-X1"),
    ("firm override", lambda s: s.answer(Submission("fly", mode="override")), "SK-X2"),
    ("override of an open option", lambda s: s.answer(Submission("shoot", mode="override")), "not-barred"),
    ("re-roll without dice", lambda s: s.answer(Submission("shoot", mode="reroll")), "nothing-stands"),
    ("late", lambda s: s.answer(Submission("shoot", n=s.n - 1)), "late"),
    ("other seat", lambda s: s.answer(Submission("shoot", seat="south")), "SK-X8"),
    ("unknown bundle", lambda s: s.bundle("good"), "no-such-bundle"),
    ("bundle of another seat", lambda s: s.bundle(Submission("both-near", seat="south")), "SK-X8"),
    (
        "bundle that answers for another seat",
        lambda s: s.sequence(Submission(("pass", "shoot"), seat="north")),
        "SK-X8",
    ),
    ("bundle refused inside", lambda s: s.bundle("bad"), "SK-X3"),
    ("empty sequence", lambda s: s.sequence(()), "malformed"),
    ("too many undone", lambda s: s.undo(99), "nothing-to-undo"),
    ("undo of nothing", lambda s: s.undo(0), "malformed"),
    ("field out of range", lambda s: s.correct("hits.north", 9), "correction"),
    ("second field out of range", lambda s: s.correct_all({"hits.north": 1, "hits.south": 9}), "correction"),
    ("no field", lambda s: s.correct_all({}), "correction"),
    ("concession of nobody", lambda s: s.concede("west"), "no-such-seat"),
    ("late concession", lambda s: s.concede("north", n=99), "late"),
    ("not paused", lambda s: s.unpause(), "not-paused"),
]


@pytest.mark.parametrize(("deed", "code"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED])
def test_refusal_leaves_everything_alone(deed: Deed, code: str) -> None:
    shelf = Shelf()
    session = Session(BOOK, journal=shelf)
    session.answer("pass")
    session.answer("pass")
    before, calls = facts(session), shelf.calls
    with pytest.raises(Refused) as refused:
        deed(session)
    assert refused.value.code == code
    assert facts(session) == before
    assert shelf.calls == calls


def test_refused_bundle_names_the_answer_that_failed() -> None:
    with pytest.raises(NotNow, match=r"answer 3 of 3 \(shot\.bonus\): At most 2"):
        Session(BOOK).bundle("bad")


def test_one_undo_takes_back_a_whole_bundle() -> None:
    session = Session(BOOK)
    outcome = session.bundle(Submission("both-near", source="keys"))
    assert [(e.seq, e.ask, e.answer, e.group) for e in outcome.entries] == [
        (1, "turn.menu", "shoot", 1),
        (2, "shot.range", "near", 1),
        (3, "shot.bonus", 0, 1),
    ]
    assert session.undo().entries[0].answer == [1, 2, 3]
    assert standing(session).ask == "turn.menu"
    assert [line.undone for line in session.log()] == [False, True, True, True, False]


def test_undone_dice_stand_until_the_judge_says_otherwise() -> None:
    session = Session(BOOK)
    hit(session, (6, 5))
    session.undo()
    assert standing(session).stands == (6, 5)
    for other in ([5, 6], [1, 1], 5):
        before = facts(session)
        with pytest.raises(NotNow, match="6 5 was rolled") as refused:
            session.answer(other)
        assert refused.value.code == "thrown"
        assert facts(session) == before
    session.answer([6, 5])
    session.undo()
    assert session.answer(Submission([1, 1], mode="reroll")).entries[0].mode == "reroll"
    session.undo()
    assert standing(session).stands == (1, 1)


def test_a_total_stands_as_a_total() -> None:
    session = Session(BOOK)
    hit(session, 9)
    session.undo()
    assert standing(session).stands == (9,)
    with pytest.raises(NotNow, match="a total of 9 was rolled"):
        session.answer([6, 3])
    session.answer(9)
    session.undo()
    assert session.answer(9).entries[0].answer == 9


def test_judge_corrects_and_the_same_question_is_read_again() -> None:
    session = Session(BOOK)
    assert "rest" not in [o.id for o in standing(session).options]
    outcome = session.correct("hits.north", 2)
    assert outcome.entries[0].answer == {"path": "hits.north", "value": 2, "was": 0}
    assert "rest" in [o.id for o in standing(session).options]
    assert (standing(session).n, standing(session).ask) == (2, "turn.menu")
    session.undo()
    assert session.game.read("hits.north") == 0
    session.correct_all({"hits.north": 1, "hits.south": 2})
    session.undo()
    assert session.state()["hits"] == {"north": 0, "south": 0}


def test_pause_refuses_answers_but_lets_the_judge_work() -> None:
    session = Session(BOOK)
    session.pause()
    before = facts(session)
    deeds: list[Deed] = [
        lambda s: s.answer("pass"),
        lambda s: s.bundle("both-near"),
        lambda s: s.concede("north"),
        lambda s: s.pause(),
    ]
    for deed in deeds:
        with pytest.raises(NotNow) as refused:
            deed(session)
        assert refused.value.code == "paused"
    assert facts(session) == before
    session.correct("hits.north", 1)
    session.undo()
    session.unpause()
    session.answer("pass")
    assert [e.kind for e in session.entries] == ["start", "pause", "correct", "void", "unpause", "answer"]


def test_after_the_end_only_undo_is_left() -> None:
    session = Session(BOOK, {"limit": 2})
    hit(session)
    session.answer("pass")
    last = hit(session)
    assert session.prompt is None
    assert last.over is not None
    assert last.over.winners == ("north",)
    deeds: list[Deed] = [
        lambda s: s.answer("shoot"),
        lambda s: s.bundle("both-near"),
        lambda s: s.correct("hits.north", 1),
        lambda s: s.concede("north"),
        lambda s: s.pause(),
        lambda s: s.unpause(),
        lambda s: s.leave(),
    ]
    before = facts(session)
    for deed in deeds:
        with pytest.raises(NotNow) as refused:
            deed(session)
        assert refused.value.code == "SK-X9"
    assert facts(session) == before
    assert session.undo().over is None
    assert standing(session).stands == (6, 6)


def test_concession_ends_the_game_and_can_be_taken_back() -> None:
    session = Session(BOOK)
    outcome = session.concede("south")
    assert outcome.over is not None
    assert outcome.entries[0].result == {"over": {"reason": "conceded", "winners": ["north"]}}
    session.undo()
    assert standing(session).ask == "turn.menu"
    assert session.log()[-1].text == "Undone: South concedes"


DEEDS: list[Deed] = [
    lambda s: s.answer("shoot"),
    lambda s: s.bundle("both-near"),
    lambda s: s.correct("hits.north", 1),
    lambda s: s.correct_throw([1, 1], right="table"),
    lambda s: s.concede("north"),
    lambda s: s.undo(),
    lambda s: s.undo(3),
    lambda s: s.pause(),
]


@pytest.mark.parametrize("deed", DEEDS)
def test_what_cannot_be_written_did_not_happen(deed: Deed) -> None:
    shelf = Shelf()
    session = Session(BOOK, journal=shelf)
    session.answer("pass")
    hit(session)
    before = facts(session)
    shelf.fails = True
    with pytest.raises(JournalError, match="the disk is full"):
        deed(session)
    assert facts(session) == before
    assert not session.paused
    shelf.fails = False
    deed(session)
    assert session.n > before[0]
    assert tuple(shelf.recorded) == session.entries
    assert resume(BOOK, shelf, 1).prompt == session.prompt


def test_undo_goes_back_from_one_single_ruling_to_the_one_before() -> None:
    shelf = Shelf()
    session = Session(BOOK, None, "shot", repeat=True, journal=shelf)
    assert session.again() == ()
    first = session.prompt
    for answer in ("near", 0):
        session.answer(answer)
    outcome = session.answer([6, 6])
    assert [e.result for e in outcome.events if isinstance(e, Ruling)] == ["hit"]
    assert outcome.over is None
    assert standing(session).ask == "shot.range"
    assert session.again() == ("near", 0)
    session.answer("far")
    assert session.again() == ()
    assert session.last_answer("shot.range", "north") == "far"
    session.undo(2)
    assert (standing(session).ask, standing(session).stands) == ("shot.dice", (6, 6))
    session.undo(2)
    assert first is not None
    assert standing(session) == first._replace(n=session.n)
    answers: list[Any] = ["far", 1, [6, 6], "near", 2]
    for answer in answers:
        session.answer(answer)
    assert standing(session).stands is None, "the dice of one ruling do not stand for the next"
    again = resume(BOOK, shelf, 1)
    assert (again.prompt, again.entries) == (session.prompt, session.entries)


def test_a_next_ruling_that_cannot_begin_changes_nothing() -> None:
    begun: list[int] = []

    @section("SK-2", title="Shot")
    def procedure(game: Skirmish) -> Procedure[None]:
        begun.append(len(begun))
        if len(begun) == 2:
            raise LookupError("out of cards")
        return (yield from shot(game))

    session = Session(replace(BOOK, rulings={"shot": procedure}), None, "shot", repeat=True)
    for answer in ("near", 0):
        session.answer(answer)
    before = session.n, session.prompt, session.entries
    with pytest.raises(BrokenRulebook, match="out of cards"):
        session.answer([6, 6])
    assert (session.n, session.prompt, session.entries) == before
    session.answer([6, 6])
    assert standing(session).ask == "shot.range"


def test_log_speaks_as_people_do() -> None:
    session = Session(BOOK, {"limit": 2}, wall=lambda: 1000.0)
    hit(session, (6, 6))
    session.answer(Submission("rest", source="keys", at=5.5))
    session.answer([4])
    session.answer(["arm", "leg"])
    lines = [(line.seat, line.kind, line.text) for line in session.log()]
    assert lines == [
        ("", "start", "Skirmish, edition 1: Limit 2, Fog off"),
        ("north", "answer", "What now? Shoot"),
        ("north", "answer", "How far? Near"),
        ("north", "answer", "Bonus: 0 points"),
        ("north", "answer", "Roll: 6 6"),
        ("north", "ruling", "Hit"),
        ("south", "answer", "What now? Rest"),
        ("south", "answer", "One die: 4"),
        ("south", "answer", "Which wounds? Arm, Leg"),
        ("south", "reminder", "Rest 4 minutes"),
    ]
    ruling = session.log()[5]
    assert (ruling.why, ruling.rules) == (("12 against 7",), ("SK-2", "SK-3"))
    assert [line.rules for line in session.log()[:3]] == [(), ("SK-1",), ("SK-2",)]
    assert (session.log()[6].source, session.log()[6].at, session.log()[6].wall) == ("keys", 5.5, 1000.0)
    assert [session.log(newest) for newest in (0, 3, 99)] == [[], session.log()[-3:], session.log()]


def test_last_answers_and_dice_count_only_what_stands() -> None:
    session = Session(BOOK)
    session.bundle("both-near")
    session.answer(Submission([6, 2], source="tray"))
    session.answer("pass")
    session.answer("shoot")
    session.answer("far")
    assert session.last_answer("shot.range", "north") == "far"
    session.undo()
    assert session.last_answer("shot.range", "north") == "near"
    assert session.last_answer("shot.range") == "near"
    assert session.last_answer("shot.range", "south") is None
    session.answer("near")
    session.answer(0)
    session.answer(Submission([2, 2], source="keys"))
    assert session.dice() == (0, 3, 0, 0, 0, 1)
    session.undo()
    assert session.dice() == (0, 1, 0, 0, 0, 1)


def test_fault_in_a_rulebook_is_told_and_changes_nothing() -> None:
    def faulty(game: Any) -> Any:
        choice = yield Choose("a", "A?", Options([("on", "On"), ("off", "Off"), ("later", "Later")]))
        if choice == "off":
            raise ZeroDivisionError("no such luck")

        def bar(option: str) -> None:
            raise KeyError(option)

        yield Choose("b", "B?", Options([("on", "On")]), bar if choice == "later" else unbarred)

    shelf = Shelf()
    session = Session(replace(BOOK, play=faulty), journal=shelf)
    before = facts(session)
    for answer in ("off", "later"):
        with pytest.raises(BrokenRulebook, match=rf"skirmish: .*\({__file__}:\d+\)"):
            session.answer(answer)
        assert facts(session) == before
        assert len(shelf.recorded) == 1
    session.answer("on")
    assert standing(session).ask == "b"


def test_a_correction_that_ends_the_game_can_be_taken_back() -> None:
    session = Session(games.load("battle-of-the-ring"))
    outcome = session.correct_all({"ring_owner": "sauron", "ring_hex": "barad-dur"})
    assert (session.prompt, [event.result for event in outcome.events if isinstance(event, Ruling)]) == (
        None,
        ["victory"],
    )
    assert [entry.result for entry in outcome.entries[:-1]] == [None]
    assert outcome.entries[-1].result["over"] == {"reason": "ring-in-barad-dur", "winners": ["sauron"]}
    assert session.undo().over is None
    assert standing(session).ask == "setup.sauron"
