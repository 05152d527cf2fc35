"""Losses: who is told what, and where a replacement comes from; an assault that an Elite pays for; rare refusals."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from referee.rulebook import whole

Make = Callable[..., Any]
Figures = tuple[int, int, int]


def test_questions_follow_what_the_judge_sets(war: Make) -> None:
    t = war((5, 0, 3), (5, 2, 0)).answer("none", "none")
    t.judge("armies.attacker.regulars", 3)
    assert (t.play.ask.dice, t.play.ask.foot) == (3, ("3 units", "Leader 3"))
    t.judge("by_hand.attacker", 4)
    assert t.play.ask.need == "4+"  # A-WR1
    t.answer((6, 1, 1), (1,) * 5)
    assert t.allowance() == 2
    t.judge("by_hand.attacker", 0)
    assert t.play.ask.need == "5+"
    t.judge("armies.attacker.leadership", 1)
    assert t.allowance() == 1
    t.answer((6,))
    assert (t.key, t.play.ask.head, t.play.ask.tag, t.play.ask.default) == ("casualty", "FP 2 hits", "R5 E2", "r7-e0")
    t.judge("armies.defender.elites", 0).judge("armies.defender.due", 1)
    assert (t.play.ask.head, t.play.ask.tag, t.bundles()) == ("FP 1 hit", "R5 E0", {})


def test_an_assault_nobody_can_go_on_with_ends_without_a_question(war: Make) -> None:
    t = war((5, 0, 0), (3, 0, 0), "siege").hit(0)
    assert (t.result, t.play.over is not None) == ("attacker-ceased", True)
    free = war((5, 0, 0), (3, 0, 0), "siege").answer("none", "none").judge("round_pays", False)
    assert free.hit(0).key == "round.cease"  # an Event card allowed more rounds


def test_what_a_judge_allows_an_assault_holds_for_that_battle(war: Make) -> None:
    t = war((5, 0, 0), (3, 0, 0), "siege", ruling=None).answer("none", "none").judge("round_pays", False)
    t.hit(0).answer("cease", "shadow", "siege", 5, 0, 0, 3, 0, 0).hit(0)
    assert (t.result, t.game.battle) == ("attacker-ceased", 3)


# -- an assault: what is proposed keeps it going, and what ends it says so


def labels(t: Any) -> dict[str, str]:
    return {each.id: each.text for each in (*t.play.ask.options(), *t.play.ask.offered())}


def test_one_select_does_not_end_an_assault(war: Make) -> None:
    """E1: the last Elite is spared, and going on is asked."""
    t = war((5, 1, 0), (5, 0, 0), "siege").hit(0, 1)
    assert t.play.ask.default == "r4-e1"
    t.send("r4-e1")
    assert (t.key, t.left("attacker")) == ("round.cease", (4, 1))


def test_what_ends_an_assault_says_so(war: Make) -> None:
    """E1: as an outcome and as a single loss, where another loss leaves it open."""
    t = war((5, 1, 0), (5, 0, 0), "siege").hit(0, 2)
    assert labels(t) == {
        "regular": "Remove a Regular",
        "reduce": "Reduce an Elite, which ends the assault",
        "remove": "Remove an Elite, which ends the assault",
        "r3-e1": "R3 E1 left",
        "r5-e0": "R5 E0 left, ends",
    }
    t.judge("armies.attacker.elites", 2)
    assert labels(t)["reduce"] == "Reduce an Elite"
    t.judge("armies.attacker.elites", 1).answer("reduce", "yes")
    assert (t.result, t.left("attacker")) == ("attacker-ceased", (5, 0))


@pytest.mark.parametrize(
    ("attacker", "hits", "settings"),
    [((1, 1, 0), 2, {}), ((5, 2, 0), 1, {}), ((5, 1, 0), 1, {"assault_pays": False})],
    ids=["nothing else", "two Elites", "free"],
)
def test_nothing_is_said_where_nothing_ends_by_it(
    war: Make, attacker: Figures, hits: int, settings: dict[str, bool]
) -> None:
    t = war(attacker, (5, 0, 0), "siege", **settings).hit(0, hits)
    assert not [text for text in labels(t).values() if "end" in text]


def test_an_outcome_by_one_loss_says_what_goes_and_what_stays(war: Make) -> None:
    t = war((2, 1, 0), (4, 0, 0)).hit(0, 1)
    assert {each.id: whole(each.text) for each in t.play.ask.offered()} == {
        "r3-e0": "Reduce an Elite: 3 Regulars left",
        "r1-e1": "Remove a Regular: 1 Regular and 1 Elite left",
    }


def test_a_defender_and_a_field_battle_keep_most_units(war: Make) -> None:
    assert war((5, 2, 0), (3, 1, 0), "siege").hit(1).play.ask.default == "r4-e0"
    assert war((5, 1, 0), (5, 0, 0)).hit(0, 1).play.ask.default == "r6-e0"


@pytest.mark.parametrize(
    ("attacker", "defender", "percent"), [((7, 3, 4), (3, 2, 2), 27), ((5, 5, 5), (5, 0, 0), 94)]
)
def test_the_outlook_of_an_assault_spares_the_elites(
    war: Make, attacker: Figures, defender: Figures, percent: int
) -> None:
    """E2: as an attacker does who wants to win."""
    t = war(attacker, defender, "siege")
    chances = {each.id: each.chance for each in t.play.outlook()}
    assert round(100 * chances["defender-eliminated"]) == percent


def test_the_default_follows_the_plan_of_the_outlook(war: Make) -> None:
    """E2: what is proposed changes no chance, every other loss costs some."""
    t = war((4, 3, 2), (3, 0, 0), "siege").answer("none", "none", (1,) * 5, (6, 6, 1)).answer((1, 1))
    before = won(t)
    bundles = [each.id for each in t.play.ask.offered()]
    here = len(t.play.moves)
    after = {}
    for bundle in bundles:
        after[bundle] = won(t.send(bundle))
        t.play.rewind(here)
    assert bundles[0] == t.play.ask.default
    assert after.pop(bundles[0]) == before
    assert all(chance < before for chance in after.values())


def won(t: Any) -> Fraction:
    return Fraction(next(each.chance for each in t.play.outlook() if each.id == "defender-eliminated"))


# -- refusals in rare positions, and the dice a card allows


def test_X15_comes_before_the_defender_is_asked(war: Make) -> None:
    t = war((2, 1, 0), (3, 0, 0), "siege").hit(0).judge("armies.attacker.elites", 0)
    assert t.play.seat == "shadow"
    assert t.refused("on") == "WR-X15"
    assert not t.bundles()
    t = war((2, 1, 0), (3, 0, 0), "siege").hit(0).answer("on")
    assert t.refused("no") == "WR-X15"
    assert t.answer("back").key == "round.cease"
    assert t.left("attacker") == (2, 1)


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
