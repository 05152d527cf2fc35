"""An attack: when the attacker is asked, what can happen meanwhile, and what cards change for good or for once."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from referee.errors import Malformed, Refused

Make = Callable[..., Any]
A, B, C, D, E = (f"character-{n}" for n in range(1, 6))
FIVE = ((4, 7),) * 5
TWO = ((4, 7),) * 2


# -- the attacker's steps


def test_the_attacker_is_asked_for_hazards_and_spare_strikes(wizards: Make) -> None:
    t = wizards(company=TWO, limit=5).attack(4, 7).answer("assign", A)
    assert (t.key, t.play.seat) == ("strike.attacker", "attacker")
    assert t.open() == ["hazard", "excess", "none", "waive", "status", "check", "card"]
    t.answer("hazard", "-1", "excess", 1)
    assert (t.key, t.barred()) == ("strike.attacker", {"hazard": "ME-X10"})
    t.answer("none")
    assert (t.key, t.play.seat) == ("strike.step", "defender")
    assert (t.refused("hazard"), t.refused("excess")) == ("ME-X10", "ME-X10")
    t.answer("tap", 12)
    assert t.ruling("defeated").data["prowess"]["modified"] == 2
    assert t.key == "strike.attacker"  # the other strike: he is asked anew


def test_select_alone_never_passes_for_the_attacker(wizards: Make) -> None:
    t = wizards(company=TWO).attack(4, 7).answer("assign", A)
    assert (t.play.ask.default, t.play.ask.passing) == ("hazard", "none")
    t.judge("hazards", 2)
    assert (t.play.ask.default, t.refused("hazard")) == ("excess", "ME-X01")


def test_without_hazards_and_spare_strikes_the_attacker_is_not_asked(wizards: Make) -> None:
    t = wizards(company=FIVE).judge("hazards", 4).attack(1, 7).answer("assign", A)
    assert t.key == "strike.step"
    assert (t.refused("hazard"), t.refused("excess")) == ("ME-X01", "ME-X06")


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


def test_a_limit_that_is_raised_gives_new_means(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(2, 7).answer("assign", A, B, A, "waive").judge("company.limit", 6)
    assert t.key == "strike.step"
    t.answer("tap", 12)
    assert t.key == "strike.attacker"


def test_no_more_this_attack_holds_for_spare_strikes_too(wizards: Make) -> None:
    t = wizards(company=TWO).attack(4, 7).answer("assign", A, "waive")
    assert (t.key, t.game.current_attack.excess) == ("strike.step", 2)
    t.answer("tap", 12).judge("attack.excess", 3)
    assert t.key == "strike.step"  # already asked; the judge's gift is asked for at the next question
    t.answer("status", "character-2", "wounded")
    assert t.key == "strike.attacker"


def test_a_judge_sets_the_body_of_the_target_for_one_strike_up_to_15(wizards: Make) -> None:
    t = wizards(company=TWO).attack(4, 7).answer("assign", A).judge("strike.target_body", 15)
    assert t.game.target_body() == 15
    with pytest.raises(Malformed, match="15"):
        t.judge("strike.target_body", 16)


def test_strikes_to_spare_that_were_not_used_are_named(wizards: Make) -> None:
    t = wizards(company=TWO).attack(4, 7).answer("assign", A, "tap", 12, "excess", 1, "tap", 12)
    assert t.result == "creature-defeated"
    assert t.last().why[-1] == "1 strike to spare, not used"
    assert t.last().data["unused_excess"] == 1


# -- the defender's steps


def test_minus_3_comes_back_for_resources_before_the_throw(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 7).answer("assign", A, "stay")
    assert (t.key, t.play.ask.default, t.play.ask.tag) == ("strike.step", "throw", "-3")
    t.answer("resource", "+2", "throw", 6)
    assert t.ruling("defeated").data["prowess"]["modified"] == 3
    assert t.who(A).status == "untapped"


@pytest.mark.parametrize("card", [["resource", "+2"], ["support", B]], ids=" ".join)
def test_a_card_before_the_minus_3_means_that_the_target_taps(wizards: Make, card: list[str]) -> None:
    t = wizards(company=FIVE).attack(1, 7).answer("assign", A, card[0])
    assert t.play.ask.text.startswith("Character 1 taps.")
    t.answer(card[1])
    assert (t.play.ask.tag, t.refused("stay")) == ("taps", "ME-X10")
    assert t.answer("throw", 12).who(A).status == "tapped"


def test_a_tapped_target_has_nothing_to_choose(wizards: Make) -> None:
    t = wizards(company=FIVE).status(A, "tapped").attack(1, 7).answer("by-attacker", "assign", A, "resource")
    assert t.play.ask.text.startswith("Resource")
    t.answer("+2")
    assert (t.play.ask.tag, t.play.ask.default) == ("strike", "throw")


def test_the_minus_3_closes_the_steps_of_an_attacker_who_waived_them(wizards: Make) -> None:
    t = wizards(company=TWO).attack(4, 7).answer("assign", A, "waive", "stay")
    assert (t.refused("hazard"), t.refused("excess")) == ("ME-X10", "ME-X10")


def test_a_plain_resource_is_not_asked_for_a_skill(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 7).answer("assign", A, "resource", "+2")
    assert (t.key, t.game.current_strike.skills, t.game.modified()) == ("strike.step", 0, 6)


# -- what can happen meanwhile


@pytest.mark.parametrize(
    ("way", "key"),
    [
        ([], "attack.changes"),
        (["assign"], "assign.defender"),
        (["assign", "done"], "assign.attacker"),
        (["assign", A, B], "strike.next"),
        (["assign", A, B, A], "strike.attacker"),
        (["assign", A, B, A, "tap", 12], "strike.attacker"),
        (["assign", A, B, A, "tap", 12, "none"], "strike.step"),
        (["assign", A, B, A, "tap", 12, "hazard", "-1", "none", "stay"], "strike.step"),
        (["assign", A, B, A, "tap", 12, "resource", "+1"], "strike.step"),
    ],
)
def test_checks_cards_and_departures_while_an_attack_runs(wizards: Make, way: list[Any], key: str) -> None:
    t = wizards(company=FIVE).judge(f"company.{C}-cp", 4).attack(2, 7).answer(*way)
    assert t.key == key
    t.answer("card", D, "2", "status", E, "cp", "3", "check", C, 4, "no")
    assert (t.key, t.result, t.who(D).cp, t.who(E).cp) == (key, "discarded", 2, 3)
    t.answer("status", E, "leaves")
    assert (t.key, [c.id for c in t.game.members]) == (key, [A, B, D])


def test_a_check_before_the_hazards_on_the_last_strike_takes_none_of_them(wizards: Make) -> None:
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


@pytest.mark.parametrize("still_to_come", [True, False])
def test_a_strike_whose_target_leaves_is_not_defeated(wizards: Make, still_to_come: bool) -> None:
    t = wizards(company=FIVE).attack(2, 7).answer("assign", A, B)
    if not still_to_come:
        t.answer(B).passed()
    t.answer("status", B, "leaves")
    t.answer("tap", 12)
    assert (t.result, t.last().data["strikes"]) == ("attack-not-defeated", {A: "defeated", B: "no-target"})
    assert "1 without target" in t.last().why[0]


def test_who_leaves_before_the_targets_are_fixed_makes_a_strike_to_spare(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 3).attack(3, 7).answer("status", B, "leaves", "assign")
    assert (t.game.current_attack.results, t.game.current_attack.excess) == ({A: "", C: ""}, 1)
    t = wizards(company=((4, 7),) * 3).attack(2, 7).answer("assign", A, "status", B, "leaves")
    assert (t.game.current_attack.results, t.game.current_attack.excess) == ({A: "", C: ""}, 0)


def test_an_attack_on_nobody_ends(wizards: Make) -> None:
    t = wizards(company=((4, 7),)).attack(1, 7, attacks=2).answer("status", "leaves")
    assert (t.result, t.key, t.game.attack) == ("attack-not-defeated", "company.add", None)


@pytest.mark.parametrize("after", ["over", "on"])
def test_a_wizard_lost_during_an_attack(wizards: Make, after: str) -> None:
    t = wizards().answer("wizard", "6", "9", "4/7", "done", 3).judge(f"company.{A}-cp", 9)
    t.attack(2, 7).answer("assign", "check", A, 2, after)
    if after == "over":
        assert (t.play.ask, t.play.over.winners) == (None, ("attacker",))
    else:
        assert (t.key, t.game.attack, t.game.strike) == ("company.add", None, None)


# -- values


def test_an_item_changes_prowess_and_body_for_good(wizards: Make) -> None:
    t = wizards(company=FIVE).answer("status", A, "prowess", "6", "status", A, "body", "9")
    t.attack(1, 12).answer("assign", A, "tap", 5, 9)
    assert t.ruling("wounded").data["prowess"]["printed"] == 6
    t.attack(1, 30).answer("by-attacker", "assign", A, "throw", 5, 8)
    assert t.ruling("wounded").data["check"]["body"] == 9  # and the +1 for the wounded is not over it


def test_a_card_changes_the_body_for_one_check(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(2, 12).answer("assign", A, B, A, "body", "5", "tap")
    assert {c.id: c.chance for c in t.play.odds()}["eliminated"] == Fraction(21 * 26, 36 * 36)
    t.answer(2, 6)
    assert (t.result, t.last().data["check"]["body"]) == ("eliminated", 5)
    t.answer("tap", 2, 7)
    assert t.ruling("wounded").data["check"]["body"] == 7


def test_the_body_of_all_strikes_can_change(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 6).answer("body", "8", "assign", A, "tap", 12, 8)
    assert t.result == "attack-not-defeated"


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
def test_the_ruling_shows_what_was_thrown_with_whatever_is_corrected_before_the_body_check(
    wizards: Make, path: str, value: object
) -> None:
    """A correction while the body check is pending comes too late for the throw: its parts still add up."""
    t = wizards(company=FIVE).attack(1, 14).answer("assign", A, "hazard", "-1", "none", "tap", 5)
    plain = wizards(company=FIVE).attack(1, 14).answer("assign", A, "hazard", "-1", "none", "tap", 5)
    assert t.key == "character.body"
    ruling = t.judge(path, value).answer(2).ruling("wounded")
    parts = dict(ruling.data["prowess"])
    assert parts.pop("modified") == sum(parts.values())
    assert ruling.why == plain.answer(2).ruling("wounded").why
    assert ruling.data["against"] == {"prowess": 14, "body": None}


def test_a_strike_by_itself_offers_no_tapping_to_a_target_that_cannot(wizards: Make) -> None:
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
def test_the_ruling_keeps_whose_body_was_checked_and_with_which_throw(
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


def test_a_cancelled_attack_earns_nothing_and_a_company_of_nobody_is_none(wizards: Make) -> None:
    t = wizards(company=FIVE)
    assert t.game.place()[:2] == ("Turn 1", "Company 1")
    t.attack(1, 14).answer("cancel-attack")
    assert t.ruling("attack-cancelled").data["marshalling_points"] is False
    with pytest.raises(Refused):
        wizards().answer("done", override=True)


def test_the_ruling_of_a_corruption_check_names_who_made_it(wizards: Make) -> None:
    t = wizards(company=FIVE).judge(f"company.{A}-cp", 3).answer("check", A, [6, 6])
    assert t.last().data["who"] == A
    assert wizards("corruption-check").answer("cp-4", [6, 6]).last().data["who"] is None


def test_the_ruling_of_a_strike_without_a_body_check_keeps_its_own_throw(wizards: Make) -> None:
    data = wizards("strike").answer("5/8", "7", "tap", [6, 5]).last().data
    assert (data["faces"], "check" in data) == ([6, 5], False)
