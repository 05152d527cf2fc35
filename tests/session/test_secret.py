"""F3: answers in secret, in any order; nobody is told one before all are in, and nothing of them is lost."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from referee.drive import Driver
from referee.errors import Late, Malformed, NotNow
from referee.journal import Journal
from referee.journal.export import export, plain_words, read
from referee.rulebook import BACK, YES_NO, Bundle, Choose, Count, Roll, Sealed
from referee.session import Session, Submission, judged_again, resume, withheld
from tests.session.bidding import BOOK, LUCKY

SECRET = 3
"""What North bids, which stands nowhere else: nobody has 3 of anything."""


def bidding(journal: Journal | None = None) -> Session:
    session = Session(BOOK, journal=journal)
    session.answer("bid")
    return session


def public(session: Session) -> str:
    """Return all that is shown of a game."""
    prompt = session.prompt.as_json() if session.prompt is not None else {}
    for each in (prompt, *prompt.get("sealed", ())):
        each.pop("n", None)
        each.pop("high", None)
    lines = [(line.text, line.why) for line in session.log()]
    told = session.state(), session.pools, session.odds(), session.outlook(), session.latest, session.last_ruling
    driven = Driver(session).take(b'{"state":true}')[0]
    remembered = [session.last_answer(f"bid.{seat}", each) for seat in ("north", "south") for each in (seat, None)]
    return json.dumps([prompt, lines, told, driven, remembered], default=repr)


def test_nothing_shows_an_answer_until_all_are_in(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        session = bidding(journal)
        before = public(session).replace('"in": false', "")
        session.answer(Submission(SECRET, seat="north"))
        assert str(SECRET) not in public(session).replace(before, "")
        assert session.log()[-1].text == "North has answered in secret"
        session.answer(Submission(5, seat="west"))
        assert str(SECRET) not in public(session)
        assert [line.text for line in session.log()][-1] == "West has answered in secret"
        outcome = session.answer(Submission(1, seat="south"))
        assert outcome.told == (("north", "bid.north", 3), ("south", "bid.south", 1), ("west", "bid.west", 5))
        assert [line.text for line in session.log()][-5:] == [
            "South has answered in secret",
            "How many coins? 3",
            "How many coins? 1",
            "How many coins? 5",
            "West has it",
        ]


def test_they_answer_in_any_order() -> None:
    session = bidding()
    for seat, waits in (("south", "north"), ("north", "west")):
        session.answer(Submission(1, seat=seat))
        prompt = session.prompt
        assert prompt is not None
        assert prompt.seat == waits
        assert {each.seat: each.answered for each in prompt.sealed}[seat]
    assert session.answer(2).told[2] == ("west", "bid.west", 2)  # who is named by nobody is the one that is asked


def test_a_seat_thinks_again_until_all_are_in() -> None:
    session = bidding()
    session.answer(Submission(1, seat="north"))
    session.answer(Submission(2, seat="north"))
    assert session.log()[-1].text == "North has changed the answer in secret"
    session.answer(Submission(0, seat="south"))
    session.undo(2)
    session.answer(Submission(0, seat="south"))
    outcome = session.answer(Submission(0, seat="west"))
    assert outcome.told[0] == ("north", "bid.north", 1)  # the second thought was undone


def test_undo_takes_back_one_answer_and_tells_nothing() -> None:
    session = bidding()
    session.answer(Submission(SECRET, seat="north"))
    session.answer(Submission(2, seat="south"))
    session.undo()
    prompt = session.prompt
    assert prompt is not None
    assert [each.answered for each in prompt.sealed] == [True, False, False]
    assert session.log()[-1].text == "Undone: South has answered in secret"
    session.undo()
    assert "How many coins?" not in str(session.log())
    session.undo()
    assert session.prompt is not None
    assert session.prompt.ask == "prize.go"


def test_a_correction_keeps_the_answers_that_still_fit() -> None:
    session = bidding()
    session.answer(Submission(5, seat="north"))
    session.answer(Submission(1, seat="south"))
    session.correct("coins.north", 2)
    prompt = session.prompt
    assert prompt is not None
    assert [(each.seat, each.answered, each.high) for each in prompt.sealed] == [
        ("north", False, 2),
        ("south", True, 5),
        ("west", False, 5),
    ]
    session.undo()
    assert session.prompt is not None
    assert session.prompt.sealed[0].answered
    assert session.answer(Submission(0, seat="west")).told[0] == ("north", "bid.north", 5)


def test_a_seat_that_gives_up_ends_the_questions_or_the_game() -> None:
    session = bidding()
    session.answer(Submission(1, seat="north"))
    outcome = session.concede("south")
    assert outcome.over is not None
    assert outcome.over.reason == "conceded"
    session = bidding()
    session.answer(Submission(1, seat="north"))
    session.undo(2)
    session.concede("south")
    session.answer("bid")
    session.answer(Submission(1, seat="north"))
    assert session.answer(Submission(2, seat="west")).told == (("north", "bid.north", 1), ("west", "bid.west", 2))


def test_stale_foreign_and_wrong_answers_change_nothing() -> None:
    session = bidding()
    n = session.n
    session.answer(Submission(1, seat="north", n=n))
    before = public(session), session.entries
    with pytest.raises(Late):
        session.answer(Submission(1, seat="south", n=n))
    with pytest.raises(NotNow, match="B-X2: North and South and West are asked"):
        session.answer(Submission(1, seat="east"))
    with pytest.raises(NotNow, match="B-X1"):
        session.answer(Submission(LUCKY, seat="south"))
    for wrong in (6, -1, "many", BACK, [1], None):
        with pytest.raises(Malformed):
            session.answer(Submission(wrong, seat="south"))
    with pytest.raises(NotNow, match="answer 1 of 2"):
        session.sequence([1, 2])
    assert (public(session), session.entries) == before
    assert session.answer(Submission(LUCKY, seat="south", mode="override")).entries[0].mode == "override"


def test_a_power_cut_loses_no_answer_and_tells_none(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal(path) as journal:
        session = bidding(journal)
        session.answer(Submission(2, seat="south"))
        session.answer(Submission(SECRET, seat="north"))
        was = session.prompt
    with Journal(path) as journal:
        again = resume(BOOK, journal, 1)
        assert again.prompt == was
        assert str(SECRET) not in public(again).replace("How many", "")
        assert again.answer(Submission(0, seat="west")).told[0] == ("north", "bid.north", SECRET)


def exported(journal: Journal) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export(journal, 1)]


def test_an_export_ends_before_the_first_secret(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        session = bidding(journal)
        plain = exported(journal)
        session.answer(Submission(SECRET, seat="north"))
        session.undo()
        session.answer(Submission(SECRET, seat="north"))
        assert exported(journal)[: len(plain)] == plain
        kept = read(io.BytesIO("\n".join(map(json.dumps, exported(journal))).encode()))
        assert judged_again(BOOK, kept.entries).n == 2
        session.answer(Submission(1, seat="south"))
        session.answer(Submission(1, seat="west"))
        whole = exported(journal)
        assert sum(line.get("answer") == SECRET for line in whole) == 2
        session.answer("bid")
        session.answer(Submission(2, seat="west"))
        assert [line for line in exported(journal)[1:] if line["type"] == "entry"][-1]["ask"] == "prize.go"


def test_a_game_that_is_over_or_left_keeps_no_secret(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        session = bidding(journal)
        session.answer(Submission(SECRET, seat="north"))
        assert withheld(session.entries) == 2
        session.leave()
        assert withheld(session.entries) is None
        assert sum(line.get("answer") == SECRET for line in exported(journal)) == 1


def test_a_log_that_cannot_be_judged_again_tells_no_secret() -> None:
    session = bidding()
    entry = session.answer(Submission(SECRET, seat="north")).entries[0]
    assert plain_words(entry) == 'bid.north: "in secret"'


def test_drive_names_who_is_in_and_tells_all_at_the_end() -> None:
    driver = Driver(bidding())
    (prompt,) = driver.greet()
    assert [(each["seat"], each["in"], each["ask"]) for each in prompt["sealed"]] == [
        ("north", False, "bid.north"),
        ("south", False, "bid.south"),
        ("west", False, "bid.west"),
    ]
    (prompt,) = driver.take(b'{"answer":1,"seat":"west"}')
    assert (prompt["seat"], [each["in"] for each in prompt["sealed"]]) == ("north", [False, False, True])
    driver.take(b'{"answer":3,"seat":"north"}')
    told, ruling, _ = driver.take(b'{"answer":0,"seat":"south"}')
    assert told == {
        "type": "told",
        "answers": [
            {"seat": "north", "ask": "bid.north", "answer": 3},
            {"seat": "south", "ask": "bid.south", "answer": 0},
            {"seat": "west", "ask": "bid.west", "answer": 1},
        ],
    }
    assert ruling["data"] == {"bids": {"north": 3, "south": 0, "west": 1}}


@pytest.mark.parametrize(
    "asks",
    [
        (),
        (Choose("q", "?", YES_NO),),
        (Choose("q", "?", YES_NO, seat="a"), Count("r", "?", 0, 1, seat="a")),
        (Roll("q", "?", 1, seat="a"),),
        (Choose("q", "?", YES_NO, seat="a", bundles=(Bundle("b", "B", ("yes",)),)),),
    ],
)
def test_what_cannot_be_asked_in_secret(asks: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="secret"):
        Sealed(*asks)
