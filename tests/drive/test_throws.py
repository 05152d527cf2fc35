"""Throws over the protocol: where the faces came from, and the last throw corrected."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee import games
from referee.drive import Driver
from referee.session import Session
from tests.session.skirmish import BOOK


@pytest.fixture
def driver() -> Driver:
    session = Session(BOOK)
    session.bundle("both-near")
    return Driver(session, clock=lambda: 1.0)


@pytest.fixture
def war() -> Driver:
    """Return a battle whose first Combat roll is asked."""
    session = Session(games.load("war-of-the-ring"), {}, "battle")
    for answer in ("shadow", "field", 2, 0, 0, 2, 0, 0, "none", "none"):
        session.answer(answer)
    return Driver(session, clock=lambda: 1.0)


def sent(driver: Driver, **message: Any) -> list[dict[str, Any]]:
    return driver.take(json.dumps(message).encode())


def test_a_tally_is_told_by_its_name_or_as_a_number(war: Driver) -> None:
    """E8: as docs/drive.md has it, for an answer and for a corrected throw."""
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
