"""Losses: who is told what, where a replacement comes from, and what is counted as lost."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Make = Callable[..., Any]


def lost(t: Any, side: str = "defender") -> tuple[int, int]:
    army = t.game.armies[side]
    return army.lost_regulars, army.lost_elites


def test_a_replacement_from_the_reinforcements_leaves_the_regular_lost(war: Make) -> None:
    t = war((5, 0, 0), (1, 1, 0)).hit(2).answer("regular")
    assert t.open() == ["yes", "reinforcements", "no"]
    t.answer("reinforcements")
    assert (t.left(), lost(t)) == ((1, 0), (1, 1))
    assert t.last().data["defender"]["taken"] == ["regular", "reduced"]
    t.answer("cease")
    assert "FP lost 1 Regular and 1 Elite" in t.last().why


def test_a_replacement_from_the_casualties_is_told(war: Make) -> None:
    t = war((5, 0, 0), (1, 1, 0)).hit(2).answer("regular", "yes")
    assert "FP takes 2 hits: 1 Regular lost, 1 Elite reduced to a lost Regular; 1 Regular left" in t.last().why


def test_where_it_comes_from_is_asked_only_where_it_makes_a_difference(war: Make) -> None:
    t = war((5, 0, 0), (0, 1, 0)).hit(1)
    assert t.open() == ["yes", "no"]
    assert t.refused("reinforcements") == "WR-X04"
    t.answer("yes")
    assert (t.left(), lost(t)) == ((1, 0), (0, 1))


def test_an_outcome_in_one_press_takes_casualties_first(war: Make) -> None:
    t = war((5, 0, 0), (2, 2, 0)).hit(1).answer("regular").send("next-round")
    t.answer((6, 1, 1, 1, 1), (1,) * 3).send("r2-e1")
    assert (t.left(), lost(t)) == ((2, 1), (0, 1))


def test_what_an_assault_costs_comes_from_the_casualties_too(war: Make) -> None:
    t = war((2, 1, 0), (5, 0, 0), "siege").hit(0, 1).answer("regular", "on")
    assert (t.key, t.open()) == ("siege.replacement", ["yes", "reinforcements"])
    other = war((2, 1, 0), (5, 0, 0), "siege").hit(0, 1).answer("regular", "on", "reinforcements")
    t.answer("yes")
    assert (t.left("attacker"), lost(t, "attacker")) == ((2, 0), (0, 1))
    assert (other.left("attacker"), lost(other, "attacker")) == ((2, 0), (1, 1))


def test_a_forced_reduction_says_first_who_takes_how_many_hits(war: Make) -> None:
    t = war((5, 0, 0), (0, 1, 0)).hit(1)
    assert t.play.ask.text.startswith("FP takes 1 hit:")
    assert t.play.ask.head == "FP 1 hit"


def test_questions_follow_what_the_judge_sets(war: Make) -> None:
    t = war((5, 0, 3), (5, 2, 0)).answer("none", "none")
    t.judge("armies.attacker.regulars", 3)
    assert (t.play.ask.dice, t.play.ask.foot) == (3, ("3 units", "Leader 3"))
    t.judge("armies.attacker.number_combat", 4)
    assert t.play.ask.need == "4+"
    t.answer((6, 1, 1), (1,) * 5)
    assert t.allowance() == 2
    t.judge("armies.attacker.number_reroll", 5)
    assert t.play.ask.need == "5+"
    t.judge("armies.attacker.number_reroll", 0)
    t.judge("armies.attacker.forfeited", 2)
    assert t.allowance() == 1
    t.answer((6,))
    assert (t.key, t.play.ask.head, t.play.ask.tag, t.play.ask.default) == ("casualty", "FP 2 hits", "R5 E2", "r7-e0")
    t.judge("armies.defender.elites", 0).judge("armies.defender.due", 1)
    assert (t.play.ask.head, t.play.ask.tag, t.bundles()) == ("FP 1 hit", "R5 E0", {})


def test_one_hit_is_no_plural(war: Make) -> None:
    t = war((2, 1, 0), (1, 0, 0)).hit(1)
    assert t.last().why[1] == "Shadow lost no unit"
    assert t.last().why[2] == "FP lost 1 Regular"
    t = war((5, 0, 0)).answer("card", "none", "hits")
    assert (t.play.ask.unit, t.play.ask.one) == ("hits", "hit")
    t = war().answer("shadow", "field", 1)
    assert (t.play.ask.unit, t.play.ask.one) == ("Elites", "Elite")


def test_what_a_throw_needed_is_said_in_words(war: Make) -> None:
    t = war((4, 0, 0), (5, 0, 0), "siege").answer("none", "none", (5, 6, 5, 1), (1,) * 5)
    assert t.rulings[0].why[0] == "Shadow: 5 6 5 1, needs 6: 1 hit"


def test_no_select_that_nobody_meant_ends_a_battle(war: Make) -> None:
    t = war((5, 0, 0), (3, 0, 0)).cards(None, ("retreat",))
    assert (t.key, t.play.ask.default, t.open()) == ("card.retreat", "stay", ["retreat", "stay"])
    assert t.answer("stay").key == "combat.roll"


def test_an_assault_nobody_can_go_on_with_ends_without_a_question(war: Make) -> None:
    t = war((5, 0, 0), (3, 0, 0), "siege").hit(0)
    assert (t.result, t.play.over is not None) == ("attacker-ceased", True)
    free = war((5, 0, 0), (3, 0, 0), "siege").answer("none", "none").judge("round_pays", False)
    assert free.hit(0).key == "round.cease"  # an Event card allowed more rounds


def test_what_a_judge_allows_an_assault_holds_for_that_battle(war: Make) -> None:
    t = war((5, 0, 0), (3, 0, 0), "siege", ruling=None).answer("none", "none").judge("round_pays", False)
    t.hit(0).answer("cease", "shadow", "siege", 5, 0, 0, 3, 0, 0).hit(0)
    assert (t.result, t.game.battle) == ("attacker-ceased", 3)


def test_no_free_region_is_told_to_programs_alone(war: Make) -> None:
    t = war((5, 1, 0), (3, 0, 0)).hit(0).answer("on")
    assert t.open() == ["stand", "retreat"]
    bars = {entry.option.id: entry.bar for entry in t.play.ask.barred()}
    assert bars["no-region"].aside
    assert t.refused("no-region") == "WR-X08"


def test_a_note_is_not_repeated_at_every_number(war: Make) -> None:
    t = war().answer("shadow", "siege")
    lines = []
    for number in (5, 1, 2, 5, 0, 0):
        lines += [line for _, line in t.play.ask.notes]
        t.answer(number)
    assert len(lines) == len(set(lines)) == 3
    assert "Five units at most in a besieged Stronghold" in lines
