"""The drive protocol: whatever comes in, a prompt or the end goes out, and nothing refused has changed anything."""

from __future__ import annotations

import io
import json
from typing import Any
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee import games
from referee.drive import BESIDE, Driver, drive
from referee.errors import JournalError
from referee.session import Session, Submission
from tests.session.skirmish import BOOK


def exchange(driver: Driver, line: Any) -> list[dict[str, Any]]:
    """Send a line and return what comes back, through JSON as a client would see it."""
    raw = line if isinstance(line, (bytes, type(None))) else json.dumps(line).encode()
    replies: list[dict[str, Any]] = json.loads(json.dumps(driver.take(raw)))
    assert replies[-1]["type"] in ("prompt", "over")
    return replies


def ready(*answers: Any) -> Driver:
    driver = Driver(Session(BOOK), clock=lambda: 7.0)
    for answer in answers:
        assert exchange(driver, {"answer": answer})[0]["type"] != "refused"
    return driver


def test_an_answer_brings_its_rulings_and_the_next_prompt() -> None:
    driver = ready("shoot", "near", 0)
    assert exchange(driver, {"odds": True})[0] == {
        "type": "odds",
        "odds": [
            {"id": "hit", "text": "Hit", "chance": "21/36", "share": 0.583333},
            {"id": "miss", "text": "Miss", "chance": "15/36", "share": 0.416667},
        ],
    }
    ruling, prompt = exchange(driver, {"answer": [6, 3], "n": 4, "seat": "north"})
    assert ruling == {
        "type": "ruling",
        "result": "hit",
        "rules": ["SK-2", "SK-3"],
        "headline": "Hit",
        "why": ["9 against 7"],
        "data": {"total": 9, "need": 7, "before": 0, "after": 1},
        "changed": True,
    }
    assert (prompt["type"], prompt["n"], prompt["seat"]) == ("prompt", 5, "south")


def test_each_kind_of_question_takes_its_kind_of_answer() -> None:
    driver = ready("shoot", "near", 2, 12, "rest", [5])
    reminder, prompt = exchange(driver, {"answer": ["arm"]})
    assert reminder == {"type": "reminder", "rule": "SK-5", "text": "Rest 5 minutes"}
    assert prompt["ask"] == "turn.menu"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"answer": "rest"}, "SK-X1"),
        ({"answer": "shoot", "n": 3}, "late"),
        ({"answer": "shoot", "seat": "south"}, "SK-X8"),
        ({"answer": 1.5}, "malformed"),
        ({"answer": [["shoot"]]}, "malformed"),
        ({"answer": "shoot", "n": "1"}, "malformed"),
        ({"answer": "shoot", "seat": 1}, "malformed"),
        ({"answer": "shoot", "override": 1}, "malformed"),
        ({"answer": "rest", "override": True, "reroll": True}, "malformed"),
        ({"answer": "shoot", "colour": "red"}, "malformed"),
        ({}, "malformed"),
        ({"undo": 0}, "malformed"),
        ({"bundle": "bad"}, "SK-X3"),
        ({"correct": {}}, "malformed"),
        ({"correct": {"__class__": "x"}}, "correction"),
        ({"correct": {"hits.north": [1]}}, "malformed"),
        ({"odds": 1}, "malformed"),
        ({"pause": "yes"}, "malformed"),
        (b"\xff", "malformed"),
        (None, "too-long"),
    ],
)
def test_refused_line_brings_the_same_prompt_again(line: Any, code: str) -> None:
    driver = ready()
    prompt, state = driver.greet()[-1], driver.session.state()
    refused, again = exchange(driver, line)
    assert (refused["type"], refused["code"], refused["n"]) == ("refused", code, 1)
    assert refused["text"]
    assert again == json.loads(json.dumps(prompt))
    assert (driver.session.state(), driver.session.n) == (state, 1)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (b'{"correct":{}}', "correct: expected at least one field and its value, got an empty object"),
        (b'{"odds":false}', "odds: expected true, got false"),
        (b'{"undo":0}', "undo: expected the number of steps to undo, 1 or more, got 0"),
        (
            b'{"answer":"shoot","color":1}',
            '"color" cannot be combined with answer; expected faces, n, override, reroll, seat',
        ),
        (b'{"answer":"sho\tot"}', "at character 15 a control character is not escaped: write it as \\u0009"),
        (b'{"answer":"shoot"', "at character 18: expecting ',' delimiter"),
    ],
)
def test_a_refusal_says_what_was_expected_and_what_came(line: bytes, text: str) -> None:
    assert text in exchange(ready(), line)[0]["text"]


def test_queries_change_nothing_and_bring_the_prompt_again() -> None:
    driver = ready("shoot")
    state, prompt = exchange(driver, {"state": True, "n": 2})
    assert state["state"]["hits"] == {"north": 0, "south": 0}
    assert prompt["n"] == 2
    assert exchange(driver, {"odds": True})[0] == {"type": "odds", "odds": None, "text": "No roll is pending"}
    about = exchange(driver, {"about": True})[0]
    assert (about["protocol"], about["game"], about["settings"]) == (1, "skirmish", {"limit": 3, "fog": False})
    assert about["seats"][0] == {"id": "north", "text": "North"}


def test_everything_but_an_answer() -> None:
    driver = ready()
    assert exchange(driver, {"bundle": "both-near", "n": 1})[-1]["n"] == 4
    assert exchange(driver, {"undo": 1})[-1]["ask"] == "turn.menu"
    assert "rest" in [o["id"] for o in exchange(driver, {"correct": {"hits.north": 1}})[-1]["options"]]
    assert exchange(driver, {"undo": 1})[-1]["n"] == 7
    assert exchange(driver, {"answer": "rest", "override": True})[-1]["ask"] == "rest.die"
    assert exchange(driver, {"pause": True})[-1]["paused"] is True
    assert exchange(driver, {"answer": [3]})[0]["code"] == "paused"
    assert "paused" not in exchange(driver, {"pause": False})[-1]
    exchange(driver, {"answer": [3]})
    assert exchange(driver, {"undo": 1})[-1]["stands"] == [3]
    assert exchange(driver, {"answer": [4]})[0]["code"] == "thrown"
    assert exchange(driver, {"answer": [4], "reroll": True})[-1]["kind"] == "pick"


def test_after_the_end_undo_still_works() -> None:
    driver = ready()
    over = {"type": "over", "reason": "conceded", "winners": ["south"], "text": "North gave up"}
    assert exchange(driver, {"concede": "north"}) == [over]
    for line in ({"answer": "shoot"}, {"bundle": "both-near"}, {"correct": {"hits.north": 1}}, {"concede": "south"}):
        refused, again = exchange(driver, line)
        assert refused["code"] == "SK-X9"
        assert again == over
    assert exchange(driver, {"state": True})[0]["state"]["over"]["reason"] == "conceded"
    assert exchange(driver, {"undo": 1})[-1]["ask"] == "turn.menu"


def test_a_journal_that_fails_refuses_the_answer() -> None:
    full = Mock(begin=lambda book, start: 1, append=Mock(side_effect=JournalError("the disk is full")))
    driver = Driver(Session(BOOK, journal=full))
    refused, prompt = exchange(driver, {"answer": "shoot"})
    assert (refused["code"], prompt["n"]) == ("journal", 1)
    assert "does not count" in refused["text"]


WORDS = ["shoot", "near", "rest", "back", "north", "both-near", "hits.north", "arm"]
SIMPLE = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.sampled_from(WORDS)
VALUES = st.recursive(
    SIMPLE | st.integers(-1, 12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=6,
)
NAMES = [*BESIDE, "n", "seat", "override", "reroll"]
SENSE = st.sampled_from(
    [{"answer": a} for a in ("shoot", "near", 0, [1, 2], [6, 6], 9, "pass", "back", [3], ["arm"])]
    + [{"undo": 1}, {"bundle": "both-near"}, {"correct": {"hits.north": 1}}]
)
OBJECTS = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=3) | SENSE
LINES = st.binary(max_size=60) | OBJECTS.map(lambda each: json.dumps(each).encode())


@settings(max_examples=300, deadline=None)
@given(st.lists(LINES, max_size=12))
def test_no_input_ends_the_process_or_changes_what_it_should_not(sent: list[bytes]) -> None:
    driver = ready()
    for line in sent:
        session = driver.session
        before = session.n, session.prompt, session.state(), session.entries
        replies = exchange(driver, line.replace(b"\n", b" "))
        if replies[0]["type"] == "refused":
            assert (session.n, session.prompt, session.state(), session.entries) == before
            assert replies[0]["n"] == session.n
            assert all(ord(letter) < 0xD800 or ord(letter) > 0xDFFF for letter in replies[0]["text"])
        out = io.BytesIO()
        drive(Session(BOOK), io.BytesIO(line), out)
        assert out.getvalue().decode("utf-8").endswith("\n")


@pytest.fixture
def driver() -> Driver:
    session = Session(BOOK)
    session.bundle("both-near")
    return Driver(session, clock=lambda: 1.0)


def sent(driver: Driver, **message: Any) -> list[dict[str, Any]]:
    return driver.take(json.dumps(message).encode())


def test_a_tally_is_told_by_its_name_or_as_a_number() -> None:
    """E8: as docs/drive.md has it, for an answer and for a corrected throw."""
    session = Session(games.load("war-of-the-ring"), {}, "battle")
    session.sequence(Submission(["shadow", "field", 2, 0, 0, 2, 0, 0, "none", "none"]))
    war = Driver(session, clock=lambda: 1.0)
    assert sent(war, answer={"kills": 2})[0]["code"] == "malformed"
    assert sent(war, answer={"hits": 4})[0]["code"] == "WR-X01"
    (prompt,) = sent(war, answer={"hits": 2})
    assert (prompt["ask"], prompt["seat"]) == ("combat.roll", "free-peoples")
    assert war.session.entries[-1].answer == {"hits": 2}
    assert [message["type"] for message in sent(war, correct_throw={"hits": 2})] == ["prompt"]
    assert [message["type"] for message in sent(war, correct_throw=2)] == ["prompt"]
    assert sent(war, correct_throw={"hits": 1})[0]["corrected"] == {"was": {"hits": 2}, "by": "table"}


MIXED = [{"source": "keys"}, {"source": "dice-reader", "die": "A7"}]


def test_a_mixed_throw_is_told_with_its_faces(driver: Driver) -> None:
    throw, ruling, _ = sent(driver, answer=[5, 1], faces=MIXED)
    assert throw == {"type": "throw", "answer": [5, 1], "text": "5 keyed, 1 dice reader A7", "faces": MIXED}
    assert ruling["result"] == "miss"
    assert driver.session.entries[-1].extra == {"faces": MIXED}


def test_a_throw_is_corrected_by_whom_it_may_be(driver: Driver) -> None:
    sent(driver, answer=[5, 1], faces=MIXED)
    assert sent(driver, correct_throw=[5, 2])[0]["code"] == "judges-only"
    throw, ruling, prompt = sent(driver, correct_throw=[5, 2], judge=True)
    assert throw["corrected"] == {"was": [5, 1], "by": "judge"}
    assert throw["text"] == "5 keyed, 2 drive"
    assert (ruling["result"], prompt["type"]) == ("hit", "prompt")
    sent(driver, answer="pass")
    assert sent(driver, correct_throw=[5, 2])[0]["code"] == "no-throw"
