"""The drive protocol: whatever comes in, a prompt or the end goes out, and nothing refused has changed anything."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.drive import Driver, drive
from referee.errors import JournalError
from referee.rulebook import Book, Game, Procedure, Roll
from referee.session import Entry, Session
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


def test_a_count_is_a_number_a_pick_a_list_a_roll_faces_or_their_sum() -> None:
    driver = ready("shoot", "near", 2, 12, "rest", [5])
    reminder, prompt = exchange(driver, {"answer": ["arm"]})
    assert reminder == {"type": "reminder", "rule": "SK-5", "text": "Rest 5 minutes"}
    assert prompt["ask"] == "turn.menu"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ({"answer": "rest"}, "SK-X1"),
        ({"answer": "fly", "override": True}, "SK-X2"),
        ({"answer": "sideways"}, "no-such-option"),
        ({"answer": "shoot", "n": 3}, "late"),
        ({"answer": "shoot", "seat": "south"}, "SK-X8"),
        ({"answer": ["shoot"]}, "malformed"),
        ({"answer": 1}, "malformed"),
        ({"answer": True}, "malformed"),
        ({"answer": None}, "malformed"),
        ({"answer": 1.5}, "malformed"),
        ({"answer": {}}, "malformed"),
        ({"answer": [["shoot"]]}, "malformed"),
        ({"answer": "shoot", "n": "1"}, "malformed"),
        ({"answer": "shoot", "n": True}, "malformed"),
        ({"answer": "shoot", "n": None}, "malformed"),
        ({"answer": "shoot", "seat": 1}, "malformed"),
        ({"answer": "shoot", "override": 1}, "malformed"),
        ({"answer": "rest", "override": True, "reroll": True}, "malformed"),
        ({"answer": "shoot", "override": True}, "not-barred"),
        ({"answer": "shoot", "reroll": True}, "nothing-stands"),
        ({"answer": "shoot", "colour": "red"}, "malformed"),
        ({"answer": "shoot", "undo": 1}, "malformed"),
        ({}, "malformed"),
        ({"wish": 1}, "malformed"),
        ({"undo": 1}, "nothing-to-undo"),
        ({"undo": 0}, "malformed"),
        ({"undo": True}, "malformed"),
        ({"undo": 1, "seat": "north"}, "malformed"),
        ({"bundle": "none"}, "no-such-bundle"),
        ({"bundle": 3}, "malformed"),
        ({"bundle": "bad"}, "SK-X3"),
        ({"correct": {}}, "malformed"),
        ({"correct": []}, "malformed"),
        ({"correct": {"hits.north": 9}}, "correction"),
        ({"correct": {"hits.north": True}}, "correction"),
        ({"correct": {"__class__": "x"}}, "correction"),
        ({"correct": {"hits.north": [1]}}, "malformed"),
        ({"concede": "west"}, "no-such-seat"),
        ({"concede": ["north"]}, "malformed"),
        ({"odds": 1}, "malformed"),
        ({"state": False}, "malformed"),
        ({"pause": "yes"}, "malformed"),
        ({"pause": False}, "not-paused"),
        (b"\xff", "malformed"),
        (b"", "malformed"),
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
        (b'{"correct":7}', "correct: expected an object of fields and values, got a whole number"),
        (b'{"odds":false}', "odds: expected true, got false"),
        (b'{"concede":true}', "concede: expected an id, got true"),
        (b'{"undo":0}', "undo: expected the number of steps to undo, 1 or more, got 0"),
        (b'{"undo":"1"}', "undo: expected the number of steps to undo, 1 or more, got text"),
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


def test_journal_that_fails_is_told_and_the_answer_does_not_count() -> None:
    class Full:
        def begin(self, book: str, start: Entry) -> int:
            return 1

        def append(self, game: int, entries: Sequence[Entry]) -> None:
            raise JournalError("the disk is full")

    driver = Driver(Session(BOOK, journal=Full()))
    refused, prompt = exchange(driver, {"answer": "shoot"})
    assert (refused["code"], prompt["n"]) == ("journal", 1)
    assert "does not count" in refused["text"]


def test_fault_of_a_rulebook_is_told() -> None:
    def faulty(state: Any) -> Any:
        yield from ()
        asked = BOOK.play
        assert asked is not None
        running = asked(state)
        yield next(running)
        yield next(running)
        raise ZeroDivisionError

    driver = Driver(Session(replace(BOOK, play=faulty)))
    refused, prompt = exchange(driver, {"answer": "shoot"})
    assert (refused["code"], prompt["n"]) == ("broken-rulebook", 1)


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(st.characters(), max_size=8),
        st.sampled_from(["shoot", "near", "rest", "back", "north", "both-near", "hits.north", "arm"]),
        st.integers(-1, 12),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=6,
)
NAMES = [
    "answer",
    "undo",
    "odds",
    "state",
    "correct",
    "concede",
    "bundle",
    "n",
    "seat",
    "override",
    "reroll",
    "pause",
]
SENSE = st.sampled_from(
    [{"answer": a} for a in ("shoot", "near", 0, [1, 2], [6, 6], 9, "pass", "back", [3], ["arm"])]
    + [{"undo": 1}, {"bundle": "both-near"}, {"correct": {"hits.north": 1}}]
)
LINES = st.one_of(
    st.binary(max_size=60),
    st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=3).map(lambda d: json.dumps(d).encode()),
    SENSE.map(lambda d: json.dumps(d).encode()),
)


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


SUDDEN = {"mode": "sudden-death", "periods": [{"time": 60_000, "moves": 0}], "extra": 0}


class Ticking:
    """A clock that stands where it is set."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_clocks_stand_beside_the_prompt_and_flags_before_it() -> None:
    time = Ticking()
    driver = Driver(Session(BOOK), clock=time)
    assert "clock" not in driver.greet()[-1]
    (prompt,) = exchange(driver, {"clock": SUDDEN})
    assert prompt["clock"] == {
        "runs": "north",
        "seats": [{"seat": "north", "ms": 60_000}, {"seat": "south", "ms": 60_000}],
    }
    time.now += 25
    (prompt,) = exchange(driver, {"answer": "pass"})
    assert prompt["clock"]["runs"] == "south"
    time.now += 61
    flag, prompt = exchange(driver, {"answer": "sideways"})[1:]
    assert flag == {"type": "flag", "seat": "south", "stage": 0, "fell": True}
    assert prompt["clock"] == {
        "runs": "south",
        "seats": [{"seat": "north", "ms": 35_000}, {"seat": "south", "ms": -1000, "down": True}],
        "first": "south",
    }
    (prompt,) = exchange(driver, {"clock": False})
    assert "clock" not in prompt


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        (True, "malformed", "expected a time control, or false, got true"),
        (None, "malformed", "expected a time control, or false, got null"),
        ({}, "malformed", "expected a time control: mode, periods and extra"),
        (SUDDEN | {"mode": "blitz"}, "malformed", "mode: expected one of sudden-death"),
        (SUDDEN | {"periods": [60]}, "malformed", "periods: expected objects with time and moves"),
        (SUDDEN | {"extra": 1}, "malformed", "extra: expected 0 s for sudden-death"),
        (False, "no-clock", "No clock is set for this game"),
    ],
)
def test_a_clock_that_cannot_be_set_says_what_was_expected(value: Any, code: str, text: str) -> None:
    driver = ready()
    refused, prompt = exchange(driver, {"clock": value})
    assert (refused["code"], "clock" in prompt) == (code, False)
    assert text in refused["text"]


@pytest.mark.parametrize("form", [{"hits": 2}, 2, [6, 1, 6]])
def test_a_tally_is_told_by_its_name_by_its_number_or_by_faces(form: Any) -> None:
    """E8: the form that the documents promise was refused as malformed."""

    def play(_: Game) -> Procedure[None]:
        yield Roll("dice", "Roll", 3, tally="hits")

    driver = Driver(Session(Book("q", "Q", "1", lambda settings: Game(), rulings={"r": play}), ruling="r"))
    assert exchange(driver, {"answer": {"kills": 2}})[0]["code"] == "malformed"
    assert exchange(driver, {"answer": {"hits": 4}})[0]["code"] == "bad-dice"
    assert exchange(driver, {"answer": form})[-1]["type"] == "over"
