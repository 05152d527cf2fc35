"""Every test vector of the chapter, by its id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Refused
from referee.games import load
from referee.session import Session, Submission

Make = Callable[..., Any]
A = "character-1"
FIVE = ((4, 7),) * 5


def test_ME_S1_to_S9_the_printed_example(wizards: Make) -> None:
    t = wizards(company=("seed",))
    assert t.game.company.limit == 5  # S1
    t.attack(3, 6, kind="orc").status("bilbo", "tapped").answer("cancel-attack")  # S2
    assert t.result == "attack-cancelled"
    assert (t.who("bilbo").status, t.game.hazards, t.game.company.faced, t.mps) == ("tapped", 1, ["orc"], 0)
    t.attack(5, 4, kind="orc")
    assert "Orcs" in dict(t.play.ask.notes)["ME-52"]
    t.answer("prowess", "7", "assign")  # S3
    assert t.game.hazards == 2
    attack = t.game.current_attack
    assert (attack.prowess, attack.body, len(attack.results), attack.excess) == (7, 0, 5, 0)
    t.answer("bilbo")  # S4
    assert (t.key, t.play.seat) == ("strike.attacker", "player-2")
    t.answer("hazard", "-1", "none")
    assert (t.game.hazards, t.game.modified()) == (3, -1)
    t.answer("throw", 5)
    assert t.play.seat == "player-2"
    t.answer(7)
    assert t.who("bilbo").status == "wounded"
    bilbo = t.ruling("wounded")
    assert (bilbo.data["strike"]["result"], bilbo.data["check"]["body"]) == (4, 9)
    t.answer("beregond", "tap", 10)  # S5
    assert (t.result, t.rulings[-1].data["strike"]["result"], t.who("beregond").status) == ("defeated", 14, "tapped")
    t.answer("bofur", "stay", "throw", 6)  # S6
    assert (t.result, t.rulings[-1].data["prowess"]["modified"]) == ("ineffectual", 1)
    assert t.who("bofur").status == "untapped"
    t.answer("balin", "tap", 7)  # S7: the last strike is Beretar's, nothing is left to choose
    assert (t.result, t.rulings[-1].data["strike"]["result"], t.who("balin").status) == ("defeated", 11, "tapped")
    t.answer("tap", 3)
    assert t.results[-2:] == ["defeated", "attack-not-defeated"]  # S8
    assert t.rulings[-1].data["marshalling_points"] == t.mps == 0
    t.attack(1, 13, kind="giant").answer("assign")  # S9
    t.status("bofur", "tapped").status("beregond", "untapped")
    assert t.play.seat == "player-1"
    t.answer("beregond", "cancel")
    assert t.results[-2:] == ["cancelled", "attack-not-defeated"]
    assert (t.who("beregond").status, t.game.hazards) == ("untapped", 4)


@pytest.mark.parametrize(
    ("status", "against", "steps", "rolls", "result", "after"),
    [
        pytest.param("untapped", (8, 0), ["tap"], [4], "ineffectual", "tapped", id="ME-T01"),
        pytest.param("wounded", (7, 0), ["throw"], [5], "ineffectual", "wounded", id="ME-T02"),
        pytest.param("wounded", (9, 0), ["throw"], [6, 7], "eliminated", "out", id="ME-T03"),
        pytest.param("untapped", (9, 0), ["tap"], [4, 7], "wounded", "wounded", id="ME-T04"),
        pytest.param("untapped", (6, 5), ["tap"], [3, 5], "not-defeated", "tapped", id="ME-T09-5"),
        pytest.param("untapped", (6, 5), ["tap"], [3, 6], "defeated", "tapped", id="ME-T09-6"),
        pytest.param("untapped", (5, 0), ["stay", "throw"], [3, 2], "wounded", "wounded", id="ME-T18"),
    ],
)
def test_one_strike(
    wizards: Make, status: str, against: tuple[int, int], steps: list[str], rolls: list[int], result: str, after: str
) -> None:
    t = wizards(company=((4, 7), (4, 7)))
    if status != "untapped":
        t.status(A, status)
    t.attack(1, *against).answer("by-attacker", "assign", A, *steps, *rolls)
    struck = t.rulings[-2 if t.key == "menu" else -1]
    assert (struck.result, struck.data["status"]) == (result, {"before": status, "after": after})
    assert [c.id for c in t.game.members] == (["character-2"] if after == "out" else [A, "character-2"])
    if after != "out":
        assert t.who(A).status == after


def test_ME_T05_tapped_cannot_take_minus_3(wizards: Make) -> None:
    t = wizards(company=FIVE).status(A, "tapped").attack(5, 7).answer("assign", A)
    assert t.refused("stay") == "ME-X07"


def test_ME_T06_excess_beyond_the_pool(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(7, 7).answer("assign")
    assert t.game.current_attack.excess == 2
    t.answer(A, "excess", 2)
    assert (t.game.current_attack.excess, t.game.modified()) == (0, 2)
    t.answer("tap", 12, "character-2")
    assert t.refused("excess") == "ME-X06"


def test_ME_T06_more_than_is_left_of_the_pool(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(8, 7).answer("assign", A, "excess", 1, "tap", 12, "character-2", "excess")
    assert t.refused(3) == "ME-X06"


def test_ME_T07_two_supporters(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 9).answer("assign", A)
    t.answer("support", "character-2", "support", "character-3")
    assert t.game.modified() == 6
    t.answer("throw", 4, "2")
    assert t.results[-2:] == ["defeated", "creature-defeated"]
    assert [c.status for c in t.game.members] == ["tapped"] * 3 + ["untapped"] * 2


def test_ME_T08_supporters_with_a_strike_or_tapped(wizards: Make) -> None:
    t = wizards(company=FIVE).status("character-3", "tapped").attack(2, 9).answer("assign", A, "character-2", A)
    t.answer("support")
    assert t.refused("character-2") == "ME-X08"
    assert t.refused("character-3") == "ME-X08"
    assert t.refused(A) == "ME-X08"
    assert t.refused("outsider") == "ME-X08"
    t.answer("character-4", "throw", 12, "support")
    assert t.refused(A) == "ME-X08"  # his own strike is over, but it was one of this attack (A-ME19)


def test_ME_T10_second_skill(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(2, 9).answer("assign", A, "character-2", A)
    t.answer("skill", "+2")
    assert t.refused("skill") == "ME-X09"
    t.answer("resource", "+1", "throw", 12, "skill", "+1")
    assert t.game.current_strike.skills == 1


def test_ME_T11_sixth_hazard(wizards: Make) -> None:
    t = wizards(company=FIVE).answer("hazard", "hazard", "hazard", "hazard", "hazard")
    assert t.refused("hazard") == "ME-X01"
    t.answer("attack")
    for source in ("creature", "creature-again", "hazard"):
        assert t.refused(source) == "ME-X01"
    t.answer("automatic-attack", "1", "7", "0", "assign", A)
    assert t.refused("hazard") == "ME-X01"


def test_ME_T12_automatic_attack_gives_no_points(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 7, source="automatic-attack").answer("assign", A, "tap", 12)
    assert t.result == "attack-defeated"
    assert (t.rulings[-1].data["marshalling_points"], t.mps, t.game.hazards) == (0, 0, 0)


def test_ME_T13_two_attacks_the_second_tied(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 7, attacks=2).answer("assign", A, "tap", 12)
    assert t.result == "attack-defeated"
    t.answer("assign", "character-2", "tap", 3)
    assert t.result == "attack-not-defeated"
    assert t.mps == 0


def test_ME_T14_defender_gives_a_strike_to_a_tapped_character(wizards: Make) -> None:
    t = wizards(company=FIVE).status(A, "tapped").attack(1, 7).answer("assign")
    assert t.refused(A) == "ME-X02"
    t.answer("done", A)
    assert t.game.current_strike.target == A


def test_ME_T34_with_nobody_untapped_the_attacker_names(wizards: Make) -> None:
    t = wizards(company=FIVE).status("character-3", "tapped").status("character-4", "tapped").attack(3, 7)
    t.answer("assign").status("character-5", "tapped")
    assert t.key == "assign.defender"
    t.answer(A, "character-2")
    assert t.key == "assign.attacker"


def test_ME_T15_second_strike_on_one_character(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(3, 7).answer("assign", A)
    assert t.refused(A) == "ME-X03"
    t.answer("done")
    assert t.refused(A) == "ME-X03"


def test_ME_T15_nobody_else_there(wizards: Make) -> None:
    t = wizards(company=((4, 7),)).attack(2, 7).answer("assign")
    assert (t.game.current_attack.results, t.game.current_attack.excess) == ({A: ""}, 1)


def test_ME_T16_attacker_picks_anybody(wizards: Make) -> None:
    t = wizards(company=FIVE).status("character-2", "wounded").attack(1, 7).answer("assign", "done")
    assert t.play.seat == "player-2"
    assert [o.id for o in t.play.ask.options()][:5] == [f"character-{n}" for n in range(1, 6)]
    t.answer("character-5")
    assert t.game.current_strike.target == "character-5"


def test_ME_T17_strikes_changed_after_the_first_assignment(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(3, 7).answer("assign", "strikes", "2", A)
    assert t.game.current_attack.strikes == 2
    assert t.refused("strikes") == "ME-X05"
    t.answer("done")
    assert t.refused("strikes") == "ME-X05"
    t.answer("character-2")
    assert t.refused("strikes") == "ME-X05"
    t.answer(A)
    assert t.refused("strikes") == "ME-X05"


@pytest.mark.parametrize(
    ("cp", "modifier", "roll", "result"),
    [
        pytest.param(5, 0, 6, "safe", id="ME-T19-6"),
        pytest.param(5, 0, 5, "discarded", id="ME-T19-5"),
        pytest.param(5, 0, 4, "discarded", id="ME-T19-4"),
        pytest.param(5, 0, 3, "eliminated", id="ME-T19-3"),
        pytest.param(0, -1, 2, "safe", id="ME-T23-1"),
        pytest.param(0, -2, 2, "discarded", id="ME-T23-2"),
        pytest.param(0, -3, 2, "discarded", id="ME-T23-3"),
        pytest.param(0, -4, 2, "eliminated", id="ME-T23-4"),
    ],
)
def test_corruption(wizards: Make, cp: int, modifier: int, roll: int, result: str) -> None:
    alone = wizards("corruption-check")
    if modifier:
        alone.answer("modifier", str(modifier))
    alone.answer(str(cp), roll)
    if result != "safe":
        alone.answer("no")
    assert alone.result == result

    t = wizards(company=("seed",)).cp("balin", cp).answer("check")
    if modifier:
        t.answer("modifier", str(modifier))
    t.answer("balin", roll)
    assert t.result == result
    assert ("balin" in [c.id for c in t.game.members]) is (result == "safe")


@pytest.mark.parametrize(
    ("modifier", "roll", "result"),
    [
        pytest.param("", 7, "game-lost", id="ME-T20"),
        pytest.param("+2", 5, "game-lost", id="ME-T21-2"),
        pytest.param("+3", 5, "safe", id="ME-T21-3"),
    ],
)
def test_a_wizards_corruption(wizards: Make, modifier: str, roll: int, result: str) -> None:
    alone = wizards("corruption-check")
    t = wizards(company=((6, 9), (4, 7))).cp(A, 7).answer("check")
    for table, whose in ((alone, "7"), (t, A)):
        if modifier:
            table.answer("modifier", modifier)
        table.answer(whose, roll)
        if result != "safe":
            assert table.key == "check.wizard"
            table.answer("yes")
        assert table.result == result
    if result != "safe":
        assert t.play.over.winners == ("player-2",)


def test_ME_T22_second_corruption_card(wizards: Make) -> None:
    t = wizards(company=("seed",)).answer("card", "bilbo", "2", "card")
    assert t.refused("bilbo") == "ME-X11"
    t.answer("balin", "1", "new-turn", "new-turn", "card", "bilbo", "3")
    assert (t.who("bilbo").cp, t.who("balin").cp) == (5, 1)


def test_ME_T24_one_strike_cancelled(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 3).attack(3, 7).answer("assign", A, "tap", 12, "character-2", "cancel", "tap", 12)
    assert t.result == "attack-not-defeated"


def test_ME_T25_excess_never_used(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(3, 7).answer("assign", A, "tap", 12, "tap", 12, "1")
    assert (t.result, t.mps) == ("creature-defeated", 1)


def test_ME_T26_hazard_after_the_minus_3(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 7).answer("assign", A, "stay")
    assert t.refused("hazard") == "ME-X10"


def test_ME_T27_body_check_that_is_not_due(wizards: Make) -> None:
    t = wizards(company=FIVE)
    assert t.refused("body-check") == "ME-X14"
    t.attack(2, 7).answer("assign", A, "character-2")
    assert t.refused("body-check") == "ME-X14"
    t.answer(A, "tap", 3)
    assert t.result == "ineffectual"
    assert t.refused("body-check") == "ME-X14"
    t.answer("tap", 12)
    assert t.refused("body-check") == "ME-X14"
    alone = wizards("body-check").answer("strike")
    assert alone.refused("none") == "ME-X14"


def test_ME_T28_third_target_of_two_strikes(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(2, 7).answer("assign", A, "character-2")
    assert t.refused("character-3") == "ME-X04"


@pytest.mark.parametrize("faces", [[7, 1], [6], [1, 2, 3], 13, 1, [0, 6]])
def test_ME_T29_dice_that_cannot_be(wizards: Make, faces: Any) -> None:
    t = wizards(company=FIVE).attack(1, 9).answer("assign", A, "tap")
    assert t.refused(faces) == "ME-X12"
    t.answer(2)
    assert t.refused(faces) == "ME-X12"
    assert wizards("corruption-check").answer("4").refused(faces) == "ME-X12"


def test_ME_T30_attack_cancelled_after_the_targets_are_fixed(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(2, 7).answer("assign", A)
    assert t.refused("cancel-attack") == "ME-X13"
    t.answer("character-2")
    assert t.refused("cancel-attack") == "ME-X13"
    t.answer(A)
    assert t.refused("cancel-attack") == "ME-X13"


def test_ME_T31_a_second_attack_is_no_second_hazard(wizards: Make) -> None:
    t = wizards(company=((4, 7),))
    assert t.game.company.limit == 2
    t.attack(1, 7, attacks=2)
    assert t.game.hazards == 1
    t.answer("assign", "tap", 12, "assign")
    assert t.game.hazards == 1
    t.answer("hazard", "-1")
    assert t.game.hazards == 2
    assert t.refused("hazard") == "ME-X01"


def test_ME_T32_the_card_lets_the_attacker_choose() -> None:
    session = Session(load("middle-earth-the-wizards"))
    for answer in ("4/7", "4/7", "done", 2, "attack", "creature", "1", "7", "0", "by-attacker", "assign"):
        session.answer(answer)
    before = session.n
    with pytest.raises(Refused) as refusal:
        session.answer(Submission("character-1", seat="player-1"))
    assert (refusal.value.code, session.n) == ("ME-X10", before)
    session.answer(Submission("character-2", seat="player-2"))
    assert session.state()["strike"]["target"] == "character-2"


def test_ME_T33_new_turn(wizards: Make) -> None:
    t = wizards(company=FIVE).answer("hazard", "hazard").attack(1, 7, kind="orc").answer("cancel-attack")
    assert (t.game.hazards, t.game.company.faced) == (3, ["orc"])
    t.answer("new-turn")
    assert (t.game.hazards, t.game.company.faced, t.game.turn) == (0, [], 2)


@pytest.mark.parametrize("nobody_untapped", [False, True])
def test_ME_T34_the_defender_keeps_his_right_to_assign(wizards: Make, nobody_untapped: bool) -> None:
    t = wizards(company=("seed",))
    for who in ("bilbo", "balin", "beretar", "beregond", *(["bofur"] if nobody_untapped else [])):
        t.status(who, "tapped")
    t.attack(1, 13, kind="giant").answer("assign")
    if nobody_untapped:
        assert t.key == "assign.attacker"  # he has nobody to name, and is asked as soon as he has
    else:
        t.status("bofur", "tapped")
        assert (t.key, t.refused("bofur")) == ("assign.defender", "ME-X02")
    t.status("beregond", "untapped")
    assert (t.key, t.play.seat) == ("assign.defender", "player-1")
    t.answer("beregond")
    assert t.game.current_strike.target == "beregond"


@pytest.mark.parametrize(
    "ended_by", [["done"], ["character-1", "character-2", "character-3"]], ids=["leaves the rest", "attacker's pick"]
)
def test_ME_T34_the_right_to_assign_ends(wizards: Make, ended_by: list[str]) -> None:
    t = wizards(company=FIVE).attack(4, 7).status("character-3", "tapped").status("character-4", "tapped")
    t.status("character-5", "tapped").answer("assign", *ended_by)
    assert t.key == "assign.attacker"
    t.status("character-5", "untapped")
    assert t.key == "assign.attacker"


@pytest.mark.parametrize(
    ("roll", "result"), [(6, "safe"), (5, "discarded"), (4, "discarded"), (3, "eliminated")], ids=str
)
def test_ME_T35_modifiers_of_a_check_add_up(wizards: Make, roll: int, result: str) -> None:
    alone = wizards("corruption-check").answer("modifier", "+2", "modifier", "-1", "6")
    t = wizards(company=((4, 7),) * 2).cp(A, 6)
    t.answer("check", "modifier", "+2", "modifier", "-1")
    assert t.play.ask.head == "Corruption +1"
    for table in (alone, t.answer(A)):
        table.answer(roll)
        if result != "safe":
            table.answer("no")
        assert (table.result, table.last().data["result"]) == (result, roll + 1)


def test_ME_T36_the_limit_of_a_lone_hobbit(wizards: Make) -> None:
    t = wizards().answer("named", "bilbo", "done")
    assert t.play.ask.default == 2
    t.answer(1)
    assert t.game.company.limit == 1
    t.answer("limit", 2, "limit", 1).judge("company.limit", 2).judge("company.limit", 1)
    assert t.answer("hazard").refused("hazard") == "ME-X01"
