"""Turns, companies, people, undo of actions under way, and the judge's corrections."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Malformed
from referee.games import load
from referee.rulebook import Play, Roll

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
    (example,) = t.play.ask.bundles()
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


def test_a_new_turn_untaps_every_company(wizards: Make) -> None:
    t = wizards(company=((4, 7),)).answer("status", "tapped", "company", "4/7", "done", 2).answer("new-turn")
    assert t.key == "turn.untap"
    t.answer("yes")
    assert [member.status for company in t.game.companies for member in company.members] == ["untapped"] * 2


def test_modifiers_of_a_strike_add_up_whatever_comes_between(wizards: Make) -> None:
    t = wizards(company=((4, 7),)).attack(1, 8).answer("assign")
    for value in ("+6",) * 4 + ("-1",) * 4:
        t.answer("resource", value)
    assert t.game.strike.resources == 20


def test_spare_strikes_that_the_judge_sets_can_be_spent(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 8).answer("assign", A).judge("attack.excess", 2)
    assert t.answer("excess", 2).game.strike.excess == 2


def test_a_company_that_is_gone_makes_room(wizards: Make) -> None:
    t = wizards(company=((4, 7),)).attack(1, 13).answer("assign", "tap", 2, 12)
    assert t.results == ["eliminated", "attack-not-defeated"]
    assert (t.key, t.game.hazards) == ("company.add", 0)
    t.answer("4/7", "done", 2)
    assert t.key == "menu"


def test_the_others_go_on_after_a_wizard_is_lost(wizards: Make) -> None:
    t = wizards(company=((6, 9), (4, 7))).judge(f"company.{A}-cp", 9).answer("check", A, 2, "yes", "on")
    assert t.play.over is None
    assert (t.key, t.game.members) == ("company.add", [])


def test_a_named_character_is_not_asked_for_being_a_wizard(wizards: Make) -> None:
    t = wizards(company=("seed",)).judge("company.bilbo-cp", 9).answer("check", "bilbo", 2)
    assert (t.result, t.key) == ("eliminated", "menu")


def test_whoever_was_declared_a_wizard_is_not_asked_either(wizards: Make) -> None:
    t = wizards().answer("wizard", "6", "9", "4/7", "done", 2).judge(f"company.{A}-cp", 9).answer("check", A, 2)
    assert (t.result, t.key) == ("game-lost", "wizard.after")


def test_untap_all_leaves_the_wounded(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 3).status(A, "tapped").status(B, "wounded").answer("status", "untap-all")
    assert [c.status for c in t.game.members] == ["untapped", "wounded", "untapped"]


def test_a_new_turn_offers_to_untap_all(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 3).answer("new-turn")
    assert t.key == "menu"  # nobody is tapped, nothing to ask
    t.status(A, "tapped").status(B, "wounded").answer("new-turn")
    assert (t.key, t.play.ask.default) == ("turn.untap", "yes")
    t.answer("no", "new-turn", "yes")
    assert (t.game.turn, [c.status for c in t.game.members]) == (4, ["untapped", "wounded", "untapped"])


def test_a_card_at_the_full_hazard_limit_is_warned_of(wizards: Make) -> None:
    t = wizards(company=FIVE).answer("hazard", "hazard", "hazard", "hazard", "card")
    assert "ME-51" not in dict(t.play.ask.notes)
    t.answer("back", "hazard", "card")
    assert "ME-51" in dict(t.play.ask.notes)
    t.answer(A)
    assert "ME-51" in dict(t.play.ask.notes)
    t.judge("hazards", 0)
    assert "ME-51" not in dict(t.play.ask.notes)


def test_alone_in_the_company_nobody_asks_who(wizards: Make) -> None:
    t = wizards(company=((4, 7),)).answer("card", "2", "status", "tapped")
    assert (t.key, t.who(A).cp, t.who(A).status) == ("menu", 2, "tapped")


def test_points_and_leaving_by_the_status_entry(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 3).answer("status", A, "cp", "4", "status", B, "leaves")
    assert (t.who(A).cp, [c.id for c in t.game.members]) == (4, [A, C])


def test_joining_keeps_the_limit(wizards: Make) -> None:
    t = wizards(company=((4, 7),)).answer("join", "named", "bilbo", "join", "5/8")
    assert ([c.id for c in t.game.members], t.game.company.limit) == ([A, "bilbo", "character-2"], 2)
    assert t.answer("limit", 4).game.company.limit == 4


@pytest.mark.parametrize(
    "way",
    [
        ["attack"],
        ["attack", "creature"],
        ["attack", "creature-again", "3", "2", "9"],
        ["check"],
        ["check", "modifier"],
        ["check", "modifier", "+2", A],
        ["card", A],
        ["status", A],
        ["join", "other", "3"],
        ["limit"],
    ],
    ids=" ".join,
)
def test_back_drops_what_is_not_counted(wizards: Make, way: list[str]) -> None:
    t = wizards(company=FIVE)
    before = copy.deepcopy(t.game)
    t.answer(*way, "back")
    assert t.key == "menu"
    t.game.entry, t.game.card = copy.deepcopy(before.entry), copy.deepcopy(before.card)
    assert t.game == before


@pytest.mark.parametrize(
    "way",
    [["hazard"], ["hazard", "strike"], ["resource"], ["skill", "strike", "9"], ["support"], ["strike", "9"],
     ["body"], ["status", B], ["check"], ["card", B]],
    ids=" ".join,
)  # fmt: skip
def test_back_drops_a_step_of_a_strike(wizards: Make, way: list[str]) -> None:
    t = wizards(company=FIVE).attack(2, 7).answer("assign", A, B, A)
    if way[0] != "hazard":
        t.passed()
    before, key = copy.deepcopy(t.game), t.key
    t.answer(*way, "back")
    t.game.entry = copy.deepcopy(before.entry)
    assert (t.key, t.game) == (key, before)
    t.answer("back")
    assert (t.key, t.game.strike) == ("strike.next", None)


def test_back_returns_spare_strikes(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(4, 7).answer("assign", A, "excess", 2, "back")
    assert (t.key, t.game.current_attack.excess) == ("strike.next", 2)


def test_spare_strikes_beyond_the_pool_do_not_come_back(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(4, 7).answer("assign", A, "excess")
    t.answer(4, override=True).answer("back")
    assert t.game.current_attack.excess == 2
    assert t.answer(A, "excess").refused(4) == "ME-X06"


def test_a_lost_wizard_does_not_end_the_game_by_a_bare_select(wizards: Make) -> None:
    t = wizards(company=((6, 9), (4, 7))).judge(f"company.{A}-cp", 9).answer("check", A, 2, "yes")
    assert (t.key, t.play.ask.default, t.play.ask.passing) == ("wizard.after", "on", "over")


def test_a_hazard_played_on_a_strike_is_spent(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(2, 7).answer("assign", A, B, A, "hazard", "-1")
    assert not t.play.may_drop
    assert t.refused("back") == "no-such-option"


def test_a_status_edited_before_the_throw_counts(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 7).answer("assign", A, "status", A, "wounded")
    assert t.game.modified() == 2
    assert t.refused("tap") == "ME-X10"
    assert t.answer("throw", 7).rulings[-2].data["status"] == {"before": "wounded", "after": "wounded"}


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


def test_everything_the_judge_may_set_can_be_read_and_set(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(3, 7).answer("assign", A, "excess")
    for path in t.game.correctable:
        value = t.game.read(path)
        t.game.correct(path, value)
        assert t.game.read(path) == value
    with pytest.raises(Malformed):
        t.game.correct("company.nobody-status", "tapped")
    for path in ("attack.excess", "strike.skills", "company.limit", f"company.{A}-corruption_card"):
        assert path in t.game.correctable


def test_values_changed_for_one_strike_only(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(2, 7).answer("assign", A, "strike", "10", "5", "tap", 7, 2)
    assert t.result == "not-defeated"
    assert (t.game.current_strike.prowess, t.game.current_strike.body) == (7, 0)


def test_a_hazard_played_before_the_strikes_counts(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(1, 7).answer("hazard", "strikes", "2")
    assert (t.game.hazards, t.game.current_attack.strikes, t.refused("hazard")) == (2, 2, "ME-X01")


def test_the_odds_stand_from_the_first_question_of_a_strike(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(1, 7).answer("assign", A)
    before = t.play.odds()
    assert before == t.answer("tap").play.odds()


def test_no_strike_at_all_is_not_defeated(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 7).answer("strikes", "0", "assign")
    assert (t.result, t.rulings[-1].data["strikes"]) == ("attack-not-defeated", {})


def test_conceding_ends_the_game(wizards: Make) -> None:
    t = wizards(company=FIVE)
    t.play.concede("attacker")
    assert t.play.over.winners == ("defender",)


def test_a_mark_is_enough_to_go_on_from(wizards: Make) -> None:
    t = wizards(company=FIVE)
    turn = ["attack", "creature", "1", "10", "0", "assign", A, "none", "tap", 9, "new-turn", "yes"]
    for answer in turn * 3:
        t.answer(answer)
        again = Play(load("middle-earth-the-wizards"))
        for move in t.play.moves:
            again.repeat(move)
        at = len(t.play.moves)
        state, asked = copy.deepcopy(t.game), t.play.ask
        t.play.rewind(at)
        assert t.game == state == again.game
        assert (t.play.ask.key, t.play.ask.text) == (asked.key, asked.text)


def test_force_excess_spends_what_is_left_on_the_last_strike(wizards: Make) -> None:
    for forced, modified, left in ((False, 4, 2), (True, 2, 0)):
        t = wizards(company=((4, 7),) * 2, force_excess=forced).attack(4, 7).answer("assign", A, "tap", 12)
        assert (t.game.modified(), t.game.current_attack.excess) == (modified, left)
        assert t.answer("hazard", "-1", "tap", 12).rulings[-2].data["prowess"]["excess"] == -2 * forced


def test_excess_ends_with_its_attack(wizards: Make) -> None:
    t = wizards(company=((4, 7),)).attack(3, 7, attacks=2).answer("assign", "tap", 12, "strikes", "1", "assign")
    assert (t.game.current_attack.excess, t.refused("excess")) == (0, "ME-X06")


def test_one_strike_is_no_strikes(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(1, 7)
    assert t.play.ask.text == "1 strike at 7/-: any change?"
    assert t.answer("by-attacker", "assign").play.ask.text == "Who is attacked? 1 strike left"
