"""What a battle and a stop cost in presses, as conformance counts them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from referee.testing.pressing import presses

from referee.session.prompt import read_prompt

Make = Callable[..., Any]


def pressed(t: Any, *answers: Any) -> int:
    """Send these answers, or bundles by id, one by one; return how many presses that takes."""
    total = 0
    for answer in answers:
        prompt = read_prompt(t.play, 1, None)
        assert prompt is not None
        total += presses(prompt, answer)
        (t.send if answer in t.bundles() else t.answer)(answer)
    return total


@pytest.mark.parametrize(
    ("fought", "many"),
    [
        (("good-army", "surrender", "taken"), 1),
        (("good-army", "evil-army", "neutral-army", "surrender", "taken"), 2),
        (("good-army", "evil-army", "stop"), 1),
        (("good-army", "evil-army") * 5, 5),
    ],
)
def test_a_whole_battle_takes_one_and_two_a_round_and_one(table: Make, fought: tuple[str, ...], many: int) -> None:
    t = table().stop("br1")
    assert pressed(t, "battle", *fought) <= 1 + 2 * many + 1
    assert t.key == "turn.menu"


def test_a_battle_by_itself_takes_one_less(table: Make) -> None:
    fought = ("hobbit-rider", "good-army", "evil-army", "neutral-army", "surrender", "taken")
    assert pressed(table(ruling="battle"), *fought) == 6


def test_a_stop_beside_a_player_takes_two(table: Make) -> None:
    t = table().answer("move")
    (stop,) = (name for name, answers in t.bundles().items() if answers == ("finished", ["br1"], "done"))
    assert pressed(table(), "move", stop) == 2
