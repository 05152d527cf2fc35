"""Turns and companies: what is said and proposed, and how far a card overrules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Make = Callable[..., Any]
A, B, C = "character-1", "character-2", "character-3"
FIVE = ((4, 7),) * 5


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
