"""Turns, companies, people, undo of actions under way, and the judge's corrections."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.rulebook import Roll

Make = Callable[..., Any]
A, B, C = "character-1", "character-2", "character-3"
FIVE = ((4, 7),) * 5


@pytest.mark.parametrize(("hobbits", "others", "limit"), [(1, 4, 5), (0, 1, 2), (2, 0, 2), (4, 1, 3), (3, 1, 3)])
def test_the_limit_proposed_counts_a_hobbit_half(wizards: Make, hobbits: int, others: int, limit: int) -> None:
    t = wizards()
    for _ in range(hobbits):
        t.answer("hobbit", "1", "9")
    t.answer(*["4/7"] * others, "done")
    assert t.play.ask.default == limit
    assert t.answer(7).game.company.limit == 7


def test_the_example_in_one_bundle(wizards: Make) -> None:
    t = wizards()
    (example,) = t.play.ask.offered()
    t.answer(*example.answers)
    assert next((c.name, c.prowess, c.body) for c in t.game.members) == ("Bilbo", 1, 9)
    assert t.play.ask.default == 5


def test_each_company_has_its_own_hazards_until_the_turn_ends(wizards: Make) -> None:
    t = wizards(company=FIVE).answer("hazard", "card", A, "2").attack(1, 7, kind="orc").answer("cancel-attack")
    t.answer("company", "4/7", "done", 2)
    assert (t.game.hazards, t.game.company.faced, len(t.game.members)) == (0, [], 1)
    t.answer("company")
    assert t.refused("1") == "ME-X10"
    t.answer("0", "card")
    assert t.refused(A) == "ME-X11"
    t.answer("back")
    assert (t.game.hazards, t.game.company.faced) == (2, ["orc"])
    t.answer("hazard", "hazard", "hazard")
    assert t.refused("hazard") == "ME-X01"
    t.answer("company", "1", "new-turn", "company", "0")
    assert (t.game.at, t.game.hazards, t.game.company.faced) == (0, 0, [])


def test_a_card_at_the_full_hazard_limit_is_warned_of(wizards: Make) -> None:
    t = wizards(company=FIVE).answer("hazard", "hazard", "hazard", "hazard", "card")
    assert "ME-51" not in dict(t.play.ask.notes)
    t.answer("back", "hazard", "card")
    assert "ME-51" in dict(t.play.ask.notes)
    t.answer(A)
    assert "ME-51" in dict(t.play.ask.notes)
    t.judge("hazards", 0)
    assert "ME-51" not in dict(t.play.ask.notes)


def test_a_lost_wizard_does_not_end_the_game_by_a_bare_select(wizards: Make) -> None:
    t = wizards(company=((6, 9), (4, 7))).judge(f"company.{A}-cp", 9).answer("check", A, 2, "yes")
    assert (t.key, t.play.ask.default, t.play.ask.passing) == ("wizard.after", "on", "over")


def test_the_judge_is_seen_by_the_throw_that_stands(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 9).answer("assign", A, "tap")
    roll = t.play.ask
    assert isinstance(roll, Roll)
    assert roll.need == "6+"
    odds = roll.odds()
    t.judge("strike.hazards", -2).judge(f"company.{A}-status", "tapped")
    again = t.play.ask
    assert isinstance(again, Roll)
    assert (again.need, again.odds() == odds) == ("9+", False)
    assert t.answer(8).rulings[-2].result == "ineffectual"


@pytest.mark.parametrize("points", [0, 8, 30])
def test_a_failed_check_is_ruled_by_the_points_thrown_against(wizards: Make, points: int) -> None:
    """Points corrected while "Is it a Wizard?" stands come too late for the throw (ME-62)."""
    table, plain = (wizards(company=FIVE).judge(f"company.{A}-cp", 9).answer("check", A, 8) for _ in range(2))
    assert table.key == "check.wizard"
    ruling, before = (t.answer("no").ruling("discarded") for t in (table.judge(f"company.{A}-cp", points), plain))
    assert (ruling.data, ruling.why, ruling.need) == (before.data, before.why, before.need)
    assert (ruling.data["cp"], ruling.data["odds"]["safe"], ruling.need) == (9, "6/36", "10+ safe")


def test_the_odds_stand_from_the_first_question_of_a_strike(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(1, 7).answer("assign", A)
    before = t.play.odds()
    assert before == t.answer("tap").play.odds()


def test_force_excess_spends_what_is_left_on_the_last_strike(wizards: Make) -> None:
    for forced, modified, left in ((False, 4, 2), (True, 2, 0)):
        t = wizards(company=((4, 7),) * 2, force_excess=forced).attack(4, 7).answer("assign", A, "tap", 12)
        assert (t.game.modified(), t.game.current_attack.excess) == (modified, left)
        assert t.answer("hazard", "-1", "tap", 12).rulings[-2].data["prowess"]["excess"] == -2 * forced


def test_one_strike_is_no_strikes(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(1, 7)
    assert t.play.ask.text == "1 strike at 7/-: any change?"
    assert t.answer("by-attacker", "assign").play.ask.text == "Who is attacked? 1 strike left"
