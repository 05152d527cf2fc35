"""An attack: when the attacker is asked, what can happen meanwhile, and what cards change for good or for once."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

Make = Callable[..., Any]
A, B, C, D, E = (f"character-{n}" for n in range(1, 6))
FIVE = ((4, 7),) * 5
TWO = ((4, 7),) * 2


# -- the attacker's steps


def test_select_alone_never_passes_for_the_attacker(wizards: Make) -> None:
    t = wizards(company=TWO).attack(4, 7).answer("assign", A)
    assert (t.play.ask.default, t.play.ask.passing) == ("hazard", "none")
    t.judge("hazards", 2)
    assert (t.play.ask.default, t.refused("hazard")) == ("excess", "ME-X01")


def test_no_more_this_attack_lasts_until_there_are_new_means(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(3, 7, attacks=2).answer("assign", A, B, C, A, "waive")
    assert t.key == "strike.step"
    t.answer("tap", 12, B)
    assert t.key == "strike.step"
    t.answer("hazard", "-1")  # open all the same, as long as the defender has not begun
    assert (t.key, t.game.hazards) == ("strike.step", 2)
    t.answer("tap", 12).judge("company.limit", 6).answer("tap", 12)
    assert (t.key, t.game.current_attack.number) == ("attack.changes", 2)
    t.answer("assign", D, E, A, D)
    assert t.key == "strike.attacker"  # another attack


def test_strikes_to_spare_that_were_not_used_are_named(wizards: Make) -> None:
    t = wizards(company=TWO).attack(4, 7).answer("assign", A, "tap", 12, "excess", 1, "tap", 12)
    assert t.result == "creature-defeated"
    assert t.last().why[-1] == "1 strike to spare, not used"
    assert t.last().data["unused_excess"] == 1


# -- the defender's steps


@pytest.mark.parametrize("card", [["resource", "+2"], ["support", B]], ids=" ".join)
def test_a_card_before_the_minus_3_means_that_the_target_taps(wizards: Make, card: list[str]) -> None:
    t = wizards(company=FIVE).attack(1, 7).answer("assign", A, card[0])
    assert t.play.ask.text.startswith("Character 1 taps.")
    t.answer(card[1])
    assert (t.play.ask.tag, t.refused("stay")) == ("taps", "ME-X10")
    assert t.answer("throw", 12).who(A).status == "tapped"


# -- what can happen meanwhile


def test_a_check_before_the_hazards_on_a_strike_takes_none(wizards: Make) -> None:
    """E3: with one strike left, the attacker's question is the first, and a check or a card can be played at it."""
    t = wizards(company=((4, 7),), limit=5).attack(1, 8).answer("assign")
    t.answer("check", A, 12, "card", "2", "hazard", "-1", "check", A, 12)
    assert (t.key, t.game.hazards, t.game.current_strike.hazards) == ("strike.attacker", 2, -1)
    assert "hazard" in t.open()


def test_a_check_that_discards_the_target_ends_its_strike(wizards: Make) -> None:
    """E3: also after the -3 was taken."""
    t = wizards(company=TWO).attack(1, 7).answer("assign", A, "stay").judge(f"company.{A}-cp", 8)
    t.answer("check", A, 8, "no")
    assert (t.result, t.last().data["strikes"], t.key) == ("attack-not-defeated", {A: "no-target"}, "menu")


@pytest.mark.parametrize("way", [["check"], ["attack", "creature", "1", "8", "0", "assign", A, "check"]])
def test_a_hazard_on_a_check_counts_against_the_limit(wizards: Make, way: list[str]) -> None:
    """W6: like one on a strike; it adds up with the modifiers, and only undo takes it back."""
    t = wizards(company=TWO, limit=3).judge(f"company.{A}-cp", 6).answer(*way)
    before = t.game.hazards
    t.answer("modifier", "+1", "hazard")
    assert (t.key, t.play.seat) == ("check.hazard", "attacker")
    t.answer("none").answer("hazard", "-2")
    assert (t.key, t.game.hazards, t.refused("back")) == ("check.who", before + 1, "no-such-option")
    t.judge("hazards", 3)
    assert t.refused("hazard") == "ME-X01"
    t.answer(A, 7, "no")
    assert (t.ruling("discarded").data["modifier"], t.game.hazards) == (-1, 3)


def test_after_the_end_nothing_is_ruled(wizards: Make) -> None:
    """E4: a lone Wizard is lost at `attack.changes`: the game is over, and the attack on nobody is not judged."""
    t = wizards().answer("wizard", "6", "9", "done", 2).judge(f"company.{A}-cp", 9).attack(2, 7)
    t.answer("check", A, 2, "over")
    assert (t.result, t.play.over.winners) == ("game-lost", ("attacker",))


# -- values


def test_a_card_changes_the_body_for_one_check(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(2, 12).answer("assign", A, B, A, "body", "5", "tap")
    assert {c.id: c.chance for c in t.play.odds()}["eliminated"] == Fraction(21 * 26, 36 * 36)
    t.answer(2, 6)
    assert (t.result, t.last().data["check"]["body"]) == ("eliminated", 5)
    t.answer("tap", 2, 7)
    assert t.ruling("wounded").data["check"]["body"] == 7


@pytest.mark.parametrize("body", range(1, 16))
def test_every_body_can_be_entered_wherever_one_is_asked(wizards: Make, body: int) -> None:
    t = wizards().answer("other", "4", str(body), "4/7", "done", 2).attack(2, 7, body).answer("assign")
    t.answer(B, "body", str(body), "strike", "7", str(body), "status", A, "body", str(body))
    assert (t.who(A).body, t.game.current_strike.body, t.game.current_strike.target_body) == (body, body, body)
    assert wizards("body-check").answer("character", str(body)).key == "body.dice"


def test_the_kind_of_an_attack_is_entered_where_it_matters(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 7).answer("cancel-attack").attack(1, 7)
    assert "ME-52" not in dict(t.play.ask.notes)
    t.answer("kind", "orc").answer("cancel-attack", "attack").send("same-again")
    assert t.game.current_attack.kind == "orc"
    assert dict(t.play.ask.notes)["ME-52"] == "Faced before: Orcs"


@pytest.mark.parametrize(
    ("path", "value"),
    [(f"company.{A}-prowess", 9), (f"company.{A}-status", "untapped"), ("strike.hazards", -4), ("strike.prowess", 3)],
)
def test_the_ruling_shows_what_was_thrown_with(wizards: Make, path: str, value: object) -> None:
    """A correction while the body check is pending comes too late for the throw: its parts still add up."""
    t = wizards(company=FIVE).attack(1, 14).answer("assign", A, "hazard", "-1", "none", "tap", 5)
    plain = wizards(company=FIVE).attack(1, 14).answer("assign", A, "hazard", "-1", "none", "tap", 5)
    assert t.key == "character.body"
    ruling = t.judge(path, value).answer(2).ruling("wounded")
    parts = dict(ruling.data["prowess"])
    assert parts.pop("modified") == sum(parts.values())
    assert ruling.why == plain.answer(2).ruling("wounded").why
    assert ruling.data["against"] == {"prowess": 14, "body": None}


def test_a_strike_by_itself_offers_no_tapping_to_who_cannot(wizards: Make) -> None:
    t = wizards("strike").answer("4/7")
    assert (t.play.ask.default, set(t.bundles())) == ("7-tap", {f"{n}-tap" for n in range(6, 11)})
    t.judge(f"company.{A}-status", "wounded")
    assert (t.play.ask.default, t.bundles()) == ("7", {})
    assert t.answer("7").barred()["tap"] == "ME-X10"


@pytest.mark.parametrize(
    ("status", "prowess", "body", "thrown", "of", "wounded", "rule"),
    [
        ("untapped", 14, 0, [2, 3], "character", False, "ME-25"),
        ("wounded", 14, 0, [2, 3], "character", True, "ME-25"),
        ("wounded", 3, 6, [6, 5], "strike", False, "ME-24"),
    ],
)
def test_the_ruling_keeps_whose_body_was_checked_and_how(
    wizards: Make, status: str, prowess: int, body: int, thrown: list[int], of: str, wounded: bool, rule: str
) -> None:
    t = wizards("strike").answer("5/8", str(prowess), "strike", str(prowess), str(body))
    t.answer("tap") if status == "untapped" else t.answer("status", status, "throw")
    t.answer(thrown)
    assert (t.key, t.play.ask.rule) == (f"{of}.body", rule)
    data = t.answer([1, 2]).last().data
    assert data["faces"] == data["check"]["faces"] == [1, 2]
    assert (data["total"], data["strike"]["faces"]) == (3, thrown)
    assert (data["check"]["of"], data["check"]["wounded"]) == (of, wounded)
