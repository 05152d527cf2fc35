"""Refusals in rare positions, and the dice a card allows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]
CODES = {f"WR-X{number:02d}" for number in range(1, 17)}


@pytest.mark.parametrize("dice", [(), (6,), (6, 6)])
def test_fewer_rerolls_are_fine(war: Make, dice: tuple[int, ...]) -> None:
    t = war((3, 0, 2)).answer("none", "none", (1, 1, 1), (1,) * 5, dice)
    assert t.rulings[0].data["attacker"]["hits"] == len(dice)


def test_X15_comes_before_the_defender_is_asked(war: Make) -> None:
    t = war((2, 1, 0), (3, 0, 0), "siege").hit(0).judge("armies.attacker.elites", 0)
    assert t.play.seat == "shadow"
    assert t.refused("on") == "WR-X15"
    assert not t.bundles()
    t = war((2, 1, 0), (3, 0, 0), "siege").hit(0).answer("on")
    assert t.refused("no") == "WR-X15"
    assert t.answer("back").key == "round.cease"
    assert t.left("attacker") == (2, 1)


def test_a_stronghold_takes_in_only_at_the_start_of_a_round(war: Make) -> None:
    t = war((3, 0, 0), (5, 0, 0), "stronghold").answer("fight")
    assert t.refused("siege") == "WR-X14"
    t.hit(0).answer("on")
    assert t.refused("siege") == "WR-X14"
    assert t.send("inside").result == "into-siege"


def test_more_than_five_dice_only_if_the_card_says_so(war: Make) -> None:
    t = war((5, 0, 0), (9, 0, 0)).cards(("attack-before",))
    assert t.refused(7) == "WR-X01"
    t.answer(7, override=True).answer(5, (6, 6, 1, 1, 1))
    assert t.play.ask.dice == 2
    t.answer((6, 1))
    assert t.left() == (6, 0)
    assert t.rulings[-1].data["faces"] == [6, 6, 1, 1, 1, 6, 1]


@pytest.mark.parametrize(
    ("set_up", "entry", "then"),
    [
        (lambda war: war((5, 0, 0), (2, 1, 0)).hit(2).answer("regular"), "remove", (1, 0)),
        (lambda war: war((5, 0, 0), (2, 1, 0)).hit(2), "stop", (2, 1)),
        (lambda war: war((5, 1, 0), (2, 1, 0), "siege").hit(0).judge("armies.attacker.elites", 0), "on", (2, 1)),
        (lambda war: war((5, 1, 0), (2, 1, 0), "siege").answer("none", "card"), "retreat", (2, 1)),
    ],
    ids=["X05", "X06", "X15", "X07"],
)
def test_the_card_says_otherwise(war: Make, set_up: Any, entry: str, then: tuple[int, int]) -> None:
    t = set_up(war)
    t.refused(entry)
    t.answer(entry, override=True)
    assert t.left() == then
