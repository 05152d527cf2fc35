"""What Combat cards can do beside modifiers and attacks, each at its moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]


def test_hits_are_cancelled_once_all_dice_are_thrown(war: Make) -> None:
    t = war((5, 0, 0), (5, 0, 0)).cards(None, ("cancel-hits",)).hit(3, 1)
    assert (t.key, t.play.seat, t.play.ask.unit) == ("card.cancel-hits", "free-peoples", "of 3")
    t.answer(2)
    assert (t.left("attacker"), t.left()) == ((4, 0), (4, 0))
    mine = t.rulings[0].data["attacker"]
    assert (mine["first_hits"], mine["cancelled_hits"], mine["hits"]) == (3, 2, 1)
    assert "Shadow: 2 hits cancelled by card" in t.rulings[0].why


def test_more_cancelled_than_hit_is_no_hit(war: Make) -> None:
    t = war((5, 0, 0), (5, 0, 0)).answer("none", "none").judge("armies.attacker.cancelled_hits", 4).hit(3)
    assert (t.attacker.hits, t.left()) == (0, (5, 0))


@pytest.mark.parametrize(("whose", "dice"), [("own-combat", (2, 4)), ("enemy-combat", (5, 2))])
def test_a_card_gives_another_number_of_combat_dice(war: Make, whose: str, dice: tuple[int, int]) -> None:
    t = war((5, 0, 0), (4, 0, 0)).cards(("dice", whose, 2))
    assert (t.play.ask.dice, t.play.ask.need) == (dice[0], "5+")
    t.answer((1,) * dice[0])
    assert (t.play.ask.dice, t.play.ask.need) == (dice[1], "5+")
    t.answer((1,) * dice[1]).answer("on", "stand", "none", "none")
    assert t.play.ask.dice == 5  # of that round only


def test_a_leader_is_removed_in_the_middle(war: Make) -> None:
    t = war((5, 0, 3), (5, 0, 2)).cards(("leader", "enemy-before"), ("leader", "enemy-after"))
    assert (t.key, t.play.seat, t.play.ask.unit) == ("card.leader", "shadow", "of 2")
    t.answer(1, (1,) * 5, (1,) * 5)
    assert t.allowance() == 3  # the attacker's goes after the casualties
    t.answer((1,) * 3)
    assert t.allowance() == 1
    t.answer((1,))
    assert (t.key, t.play.seat) == ("card.leader", "free-peoples")
    t.answer(2)
    assert (t.attacker.leadership, t.defender.leadership) == (1, 1)
    t.answer("on", "stand")
    assert (t.attacker.leadership, t.defender.leadership) == (1, 1)  # for good, not for the round


def test_a_card_costs_its_own_army_units(war: Make) -> None:
    t = war((3, 1, 0), (5, 0, 0)).cards(("losses", "own-before", "attack-before"))
    assert (t.key, t.play.ask.tag) == ("card.losses", "on Shadow")
    t.answer(2)
    assert (t.key, t.play.ask.head) == ("casualty", "Shadow 2 hits")
    t.answer("regular", "regular")
    assert (t.result, t.left("attacker"), t.key) == ("card-losses", (1, 1), "attack.dice")
    assert t.last().why == (
        "Shadow takes 2 hits: 2 Regulars lost; 1 Regular and 1 Elite left",
        "Shadow losses go back to reinforcements",
    )
    assert t.play.ask.default == 2


def test_losses_by_a_card_can_end_the_battle(war: Make) -> None:
    t = war((3, 0, 0), (1, 0, 0)).cards(("losses", "enemy-before", "attack-before")).answer(1)
    assert [ruling.result for ruling in t.rulings] == ["card-losses", "defender-eliminated"]
    assert t.play.over is not None


def test_initiative_is_asked_only_where_order_can_matter(war: Make) -> None:
    t = war((5, 0, 2)).cards(("forfeit", "attack-before", "modifier", "own-both", 1), ("retreat", "attack-after"))
    asked = []
    while t.key == "card.initiative":
        asked.append((t.play.seat, t.play.ask.unit))
        t.answer(3)
    assert asked == [("shadow", "Attack"), ("free-peoples", "Retreat")]
    apart = war((5, 0, 2)).cards(("forfeit", "attack-before"), ("modifier", "own-both", 1, "attack-after"))
    assert apart.key == "card.forfeit"


def test_a_figure_is_removed_before_or_after_a_retreat(war: Make) -> None:
    t = war((5, 0, 2), (5, 0, 2)).cards(("leader", "enemy-before"), ("retreat",))
    assert t.key == "card.initiative"
    assert t.answer(2, 1).key == "card.retreat"
    after = war((5, 0, 2), (5, 0, 2)).cards(("leader", "enemy-before"), ("retreat",)).answer(1, 2)
    assert after.key == "card.leader"
    assert war((5, 0, 2), (5, 0, 2)).cards(("leader", "enemy-before"), ("attack-after",)).key == "card.leader"


def test_modifiers_of_a_card_add_up_whatever_comes_between(war: Make) -> None:
    up, down = ("modifier", "own-combat", 5), ("modifier", "own-combat", -5)
    t = war((5, 0, 0)).cards((*up, *up, *up, *down, *down, *down))
    assert t.attacker.own_combat == 0


def test_a_keys_meaning_stays_while_a_card_is_entered(war: Make) -> None:
    t = war((5, 0, 2)).answer("card", "none")
    first = [option.id for option in t.play.ask.among]
    assert t.play.ask.default == "modifier"
    t.answer("forfeit")
    assert ([option.id for option in t.play.ask.among], t.play.ask.default) == (first, "done")
    assert t.play.ask.passing is None  # a passing default would leave its cell
