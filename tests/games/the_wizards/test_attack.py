"""An attack and a turn: when the attacker is asked, what can happen meanwhile, what is said and proposed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]
A, B, C, D, E = (f"character-{n}" for n in range(1, 6))
FIVE = ((4, 7),) * 5
TWO = ((4, 7),) * 2


def test_select_alone_never_passes_for_the_attacker(wizards: Make) -> None:
    t = wizards(company=TWO).attack(4, 7).answer("assign", A)
    assert (t.play.ask.default, t.play.ask.passing) == ("hazard", "none")
    t.judge("company.hazards", 2)
    assert (t.play.ask.default, t.refused("hazard")) == ("excess", "ME-X01")


def test_strikes_to_spare_that_were_not_used_are_named(wizards: Make) -> None:
    t = wizards(company=TWO).attack(4, 7).answer("assign", A, "tap", 12, "excess", 1, "tap", 12, "1")
    assert t.result == "creature-defeated"
    assert t.last().why[-1] == "1 strike to spare, not used"
    assert t.last().data["unused_excess"] == 1


# -- what can happen meanwhile


def test_a_check_before_the_hazards_on_a_strike_takes_none(wizards: Make) -> None:
    """E3: with one strike left, the attacker's question is the first, and a check or a card can be played at it."""
    t = wizards(company=((4, 7),), limit=5).attack(1, 8).answer("assign")
    t.answer("check", A, 12, "card", "2", "hazard", "-1", "check", A, 12)
    assert (t.key, t.game.hazards, t.game.current_strike.hazards) == ("strike.attacker", 2, -1)
    assert "hazard" in t.open()


def test_a_check_that_discards_the_target_ends_its_strike(wizards: Make) -> None:
    """E3: also after the -3 was taken."""
    t = wizards(company=TWO).attack(1, 7).answer("assign", A, "stay").cp(A, 8)
    t.answer("check", A, 8, "no")
    assert (t.result, t.last().data["strikes"], t.key) == ("attack-not-defeated", {A: "no-target"}, "menu")


@pytest.mark.parametrize("way", [["check"], ["attack", "creature", "1", "8", "0", "assign", A, "check"]])
def test_a_hazard_on_a_check_counts_against_the_limit(wizards: Make, way: list[str]) -> None:
    """W6: like one on a strike; it adds up with the modifiers, and only undo takes it back."""
    t = wizards(company=TWO, limit=3).cp(A, 6).answer(*way)
    before = t.game.hazards
    t.answer("modifier", "+1", "hazard")
    assert (t.key, t.play.seat) == ("check.hazard", "player-2")
    t.answer("none").answer("hazard", "-2")
    assert (t.key, t.game.hazards, t.refused("back")) == ("check.who", before + 1, "no-such-option")
    t.judge("company.hazards", 3)
    assert t.refused("hazard") == "ME-X01"
    t.answer(A, 7, "no")
    assert (t.ruling("discarded").data["modifier"], t.game.hazards) == (-1, 3)


def test_after_the_end_nothing_is_ruled(wizards: Make) -> None:
    """E4: a lone Wizard is lost at `attack.changes`: the game is over, and the attack on nobody is not judged."""
    t = wizards().answer("wizard", "6", "9", "done", 2).cp(A, 9).attack(2, 7)
    t.answer("check", A, 2)
    assert (t.result, t.play.over.winners) == ("game-lost", ("player-2",))


def test_a_card_at_the_full_hazard_limit_is_warned_of(wizards: Make) -> None:
    full = ("ME-51", "Hazard limit reached: no more hazard cards")
    t = wizards(company=FIVE).answer("hazard", "hazard", "hazard", "hazard", "card")
    assert full not in t.play.ask.notes
    t.answer("back", "hazard", "card")
    assert full in t.play.ask.notes
    t.answer(A)
    assert full in t.play.ask.notes
    t.judge("company.hazards", 0)
    assert full not in t.play.ask.notes


def test_a_lost_wizard_does_not_end_the_game_by_a_bare_select(wizards: Make) -> None:
    t = wizards(company=((6, 9), (4, 7))).cp(A, 9).answer("check", A, 2)
    assert (t.key, t.play.ask.default, t.play.ask.among.words("yes")) == ("check.wizard", "no", "Yes: game over")
