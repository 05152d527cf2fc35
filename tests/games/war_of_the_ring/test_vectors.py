"""Every test vector of the rules, by its id."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Refused
from referee.games import load
from referee.session import Session, Submission

Make = Callable[..., Any]


def test_WR_S1_lower_initiative_first(war: Make) -> None:
    t = war((5, 0, 0)).cards(("attack-before",), ("retreat",))
    t.answer(2, 1)  # initiatives: Shadow 2, Free Peoples 1
    assert t.key == "card.retreat"
    assert t.play.seat == "free-peoples"
    t.answer("retreat")
    assert t.result == "defender-retreated"
    assert t.play.over is not None
    assert t.left() == (5, 0)
    assert not [r for r in t.rulings if r.result == "card-attack"]


def test_WR_S2_roll_and_leader_reroll(war: Make) -> None:
    t = war((5, 0, 3), (5, 0, 0)).answer("none", "none", (1, 3, 5, 5, 6), (1,) * 5)
    assert t.game.hits("attacker") == 3
    assert t.allowance() == 2
    t.answer((2, 5))
    assert t.rulings[0].data["attacker"]["hits"] == 4


def test_WR_S3_modifier_on_the_combat_roll(war: Make) -> None:
    t = war((4, 0, 0)).cards(("modifier", "own-combat", 1)).answer((3, 4, 5, 6))
    assert t.game.hits("attacker") == 3


@pytest.mark.parametrize(
    ("answers", "left"),
    [
        (("regular", "regular"), (0, 2)),
        (("reduce", "yes", "reduce", "yes"), (4, 0)),
        (("remove",), (2, 1)),
        (("regular", "reduce", "yes"), (2, 1)),
        (("reduce", "yes", "regular"), (2, 1)),
    ],
    ids=["regulars", "reduced", "one-elite", "mixed", "mixed-other-order"],
)
def test_WR_S4_choices_for_two_hits(war: Make, answers: tuple[str, ...], left: tuple[int, int]) -> None:
    t = war((5, 0, 0), (2, 2, 0)).hit(2).answer(*answers)
    assert t.left() == left
    assert t.key == "round.cease"


def test_WR_T01_five_dice_at_most(war: Make) -> None:
    t = war((8, 0, 0)).answer("none", "none")
    assert t.refused((1,) * 8) == "WR-X01"
    assert t.play.ask.dice == 5


def test_WR_T02_five_rerolls_at_most(war: Make) -> None:
    t = war((5, 0, 7)).answer("none", "none", (1, 2, 3, 4, 4), (1,) * 5)
    assert t.game.hits("attacker") == 0
    assert t.allowance() == 5
    t.answer((5, 5, 6, 1, 2))
    assert t.rulings[0].data["attacker"]["hits"] == 3


def test_WR_T03_no_more_rerolls_than_failures(war: Make) -> None:
    t = war((3, 0, 2)).answer("none", "none", (5, 6, 2), (1,) * 5)
    assert t.game.hits("attacker") == 2
    assert t.allowance() == 1
    assert t.refused((5, 5)) == "WR-X03"


def test_WR_T04_nothing_to_reroll(war: Make) -> None:
    t = war((4, 0, 4), (5, 0, 0)).answer("none", "none", (6, 6, 6, 5), (1,) * 5)
    assert t.rulings[0].data["attacker"]["hits"] == 4
    assert t.key == "round.cease"


def test_WR_T05_natural_six_hits(war: Make) -> None:
    t = war((3, 0, 0)).cards(None, ("modifier", "enemy-combat", -2)).answer((6, 5, 4))
    assert t.game.hits("attacker") == 1


def test_WR_T06_natural_one_misses(war: Make) -> None:
    t = war((3, 0, 0)).cards(("modifier", "own-combat", 4)).answer((1, 1, 2))
    assert t.game.hits("attacker") == 1


def test_WR_T07_city_first_round_and_later(war: Make) -> None:
    t = war((3, 0, 0), (9, 0, 0), "city").answer("none", "none", (5, 5, 6))
    assert t.game.hits("attacker") == 1
    t.answer((1,) * 5, "on", "stand", "none", "none", (5, 5, 6))
    assert t.game.hits("attacker") == 3


def test_WR_T08_siege_in_any_round(war: Make) -> None:
    t = war((4, 2, 0), (5, 0, 0), "siege").answer("none", "none", (5, 5, 6, 4, 1), (5, 5, 1, 1, 1))
    assert (t.game.hits("attacker"), t.game.hits("defender")) == (1, 2)
    t.answer("regular", "regular", "on", "yes", "none", "none", (5, 5, 6, 4))
    assert t.game.hits("attacker") == 1


def test_WR_T09_modifier_for_the_combat_roll_only(war: Make) -> None:
    t = war((2, 0, 1)).cards(("modifier", "own-combat", 1)).answer((4, 3), (1,) * 5)
    assert t.game.hits("attacker") == 1
    t.answer((4,))
    assert t.rulings[0].data["attacker"]["hits"] == 1


def test_WR_T10_modifiers_add_up(war: Make) -> None:
    t = war((3, 0, 0)).cards(("modifier", "own-combat", 1), ("modifier", "enemy-combat", -2)).answer((6, 5, 4))
    assert t.game.hits("attacker") == 1


def test_WR_T11_forfeited_leadership_does_not_count(war: Make) -> None:
    t = war((5, 0, 3)).cards(("forfeit",)).answer(1, (6, 1, 1, 1, 1), (1,) * 5)
    assert t.allowance() == 2


def test_WR_T12_cancelled_leadership_cannot_be_forfeited(war: Make) -> None:
    t = war((5, 0, 3)).cards(("forfeit",), ("cancel",)).answer(3, 1, 2).judge("armies.attacker.leadership", 2)
    assert t.key == "card.forfeit"
    assert t.refused(1) == "WR-X10"
    t.answer(0)
    assert t.attacker.uncancelled == 0
    both = war((5, 0, 2)).cards(("forfeit",), ("cancel",)).answer(3, 1, 2)
    assert (both.key, both.attacker.forfeited) == ("combat.roll", 0)  # none can be, and nobody is asked


LOSSES = {
    "T13": ((3, 3), 3, {(0, 3), (2, 2), (4, 1), (6, 0)}),
    "T14": ((1, 2), 2, {(1, 1), (3, 0)}),
    "T17": ((4, 1), 3, {(1, 1), (3, 0)}),
}


@pytest.mark.parametrize(("army", "hits", "ends"), LOSSES.values(), ids=LOSSES.keys())
def test_WR_T13_T14_T17_possible_ends(
    war: Make, army: tuple[int, int], hits: int, ends: set[tuple[int, int]]
) -> None:
    def reached(answers: tuple[str, ...]) -> set[tuple[int, int]]:
        t = war((5, 0, 0), (*army, 0)).hit(hits).answer(*answers)
        if t.key == "casualty":
            return {end for choice in t.open() for end in reached((*answers, choice))}
        return reached((*answers, "yes")) if t.key == "casualty.replacement" else {t.left()}

    assert reached(()) == ends
    offered = war((5, 0, 0), (*army, 0)).hit(hits)
    assert {war((5, 0, 0), (*army, 0)).hit(hits).send(b).left() for b in offered.bundles()} == ends


def test_WR_T15_elite_without_replacement(war: Make) -> None:
    t = war((5, 0, 0), (0, 1, 0)).hit(1)
    assert t.key == "casualty.replacement"
    t.answer("no")
    assert t.left() == (0, 0)
    assert t.result == "defender-eliminated"
    assert "WR-39" in t.reminders
    assert t.play.over is not None


def test_WR_T16_elite_with_replacement(war: Make) -> None:
    t = war((5, 0, 0), (0, 1, 0)).hit(1).answer("yes")
    assert t.left() == (1, 0)
    assert t.play.over is None


def test_WR_T17_elite_off_with_one_hit(war: Make) -> None:
    t = war((5, 0, 0), (4, 1, 0)).hit(3).answer("regular", "regular")
    assert t.refused("remove") == "WR-X05"


def test_WR_T18_both_wiped_out(war: Make) -> None:
    t = war((2, 0, 0), (2, 0, 0)).hit(2, 2)
    assert t.result == "both-eliminated"
    assert (t.left("attacker"), t.left()) == ((0, 0), (0, 0))
    assert t.reminders.count("WR-39") == 2
    assert "WR-57" not in t.reminders


def test_WR_T19_attacker_ceases(war: Make) -> None:
    t = war((5, 0, 0)).hit(0).answer("cease")
    assert t.result == "attacker-ceased"
    assert t.play.over is not None
    assert "WR-57" not in t.reminders


def test_WR_T20_no_free_region(war: Make) -> None:
    t = war((5, 0, 0)).hit(0).answer("on")
    assert t.refused("no-region") == "WR-X08"
    t.answer("stand")
    assert (t.game.round, t.key) == (2, "cards.attacker")


def test_WR_T21_besieged_cannot_retreat(war: Make) -> None:
    t = war((5, 1, 0), (3, 0, 0), "siege").hit(0).answer("on", "yes")
    assert (t.key, t.game.round) == ("cards.attacker", 2)
    assert t.refused("retreat") == "WR-X07"


def test_WR_T22_equal_initiative(war: Make) -> None:
    t = war((5, 0, 0)).cards(("attack-before",), ("attack-before",)).answer(4, 4)
    assert t.key == "attack.dice"
    assert t.play.seat == "free-peoples"


def test_WR_T23_inside_at_the_start_of_round_2(war: Make) -> None:
    t = war((5, 0, 0), (5, 0, 0), "stronghold").answer("fight").hit(0).answer("on", "stand")
    assert (t.key, t.game.round) == ("round.stronghold", 2)
    t.answer("siege")
    assert t.result == "into-siege"
    assert [ruling.data["round"] for ruling in t.rulings] == [1, 2], "the round in which it ended, fought or not"
    assert t.reminders == ["WR-57", "WR-58"]
    assert t.play.over is not None


def test_WR_T24_card_attack_has_no_reroll(war: Make) -> None:
    t = war((5, 0, 2), (1, 2, 0)).cards(("attack-before",)).answer(3, 5, (5, 3, 3))
    assert t.key == "casualty"
    assert t.game.attack.hits == 1
    assert t.refused("re-roll") == "WR-X12"
    t.answer("regular")
    assert t.left() == (0, 2)
    assert t.rulings[-1].data["hits"] == 1
    assert t.key == "combat.roll"
    t.answer((1,) * 5)
    assert t.play.ask.dice == 2  # counted after those casualties (A-WR11)


@pytest.mark.parametrize(
    ("answers", "left"),
    [(("regular", "yes"), (1, 0)), (("reduce", "no"), (0, 0)), (("remove",), (1, 0))],
    ids=["regular-first", "elite-first", "elite-for-both"],
)
def test_WR_T25_order_matters_without_reinforcements(
    war: Make, answers: tuple[str, ...], left: tuple[int, int]
) -> None:
    assert war((5, 0, 0), (1, 1, 0)).hit(2).answer(*answers).left() == left


def test_WR_T26_going_on_in_a_siege_costs_an_elite(war: Make) -> None:
    t = war((2, 1, 0), (3, 0, 0), "siege").hit(0).answer("on", "yes")
    assert t.left("attacker") == (3, 0)
    assert t.game.round == 2
    t.hit(0)
    assert t.result == "attacker-ceased"
    assert t.last().why[1] == "WR-X15: To go on, the attacker must reduce an Elite"
    assert t.play.over is not None


def session(*answers: Any) -> Session:
    s = Session(load("war-of-the-ring"), {}, "battle")
    for answer in ("shadow", "field", 5, 0, 0, 5, 0, 0, *answers):
        s.answer(answer)
    return s


def test_WR_T27_defender_declares_too_early() -> None:
    s = session()
    state, n = s.state(), s.n
    with pytest.raises(Refused, match="WR-X11"):
        s.answer(Submission("card", seat="free-peoples"))
    assert (s.state(), s.n) == (state, n)
    s.answer(Submission("none", seat="shadow"))
    with pytest.raises(Refused, match="WR-X11"):
        s.answer(Submission("card", seat="shadow"))
    s.answer(Submission("none", seat="free-peoples"))
    with pytest.raises(Refused, match="WR-X14"):
        s.answer(Submission((1,) * 5, seat="free-peoples"))


@pytest.mark.parametrize("face", [0, 7])
def test_WR_T28_no_such_face(war: Make, face: int) -> None:
    t = war((3, 0, 2)).answer("none", "none")
    assert t.refused((1, 1, face)) == "WR-X02"
    assert t.refused((1, 1, 1, face)) == "WR-X02"
    t.answer((1, 1, 1), (1,) * 5)
    assert t.refused((1, 1, 1, 1, face)) == "WR-X02"


def test_WR_T29_no_such_figure(war: Make) -> None:
    t = war((5, 0, 0), (0, 2, 0)).hit(2)
    assert t.refused("regular") == "WR-X04"
    forced = war((5, 0, 0), (3, 0, 0)).hit(1)
    assert forced.key == "round.cease"
    assert forced.left() == (2, 0)
    assert forced.rulings[0].data["defender"]["taken"] == ["regular"]


def test_WR_T30_stopping_with_hits_left(war: Make) -> None:
    t = war((5, 0, 0), (2, 1, 0)).hit(2).answer("regular")
    assert t.refused("stop") == "WR-X06"


def test_WR_T31_no_stronghold_to_go_into(war: Make) -> None:
    t = war((5, 0, 0), (5, 0, 0), "city")
    assert t.refused("siege") == "WR-X09"
    t.answer("none")
    assert t.refused("siege") == "WR-X14"
    t.answer("none").hit(0).answer("on")
    assert t.refused("siege") == "WR-X09"


def test_WR_T32_army_without_units(war: Make) -> None:
    t = war().answer("shadow", "field", 0)
    assert t.refused(0) == "WR-X13"
    assert t.answer(1, 2).key == "army.regulars"


def test_WR_T33_steps_out_of_order(war: Make) -> None:
    t = war((5, 0, 3), (2, 1, 0))
    assert t.refused("re-roll") == "WR-X14"
    t.answer("none", "none", (6, 6, 1, 1, 1), (1,) * 3, (1, 1, 1))
    assert t.key == "casualty"
    assert t.refused("retreat") == "WR-X14"
    assert t.refused("cease") == "WR-X14"
    assert t.refused("re-roll") == "WR-X14"
    assert t.refused("card") == "WR-X11"


def test_WR_T34_forfeit_then_cancel(war: Make) -> None:
    t = war((3, 0, 2)).cards(("forfeit",), ("cancel",)).answer(1, 3)
    t.answer(2, 2)
    assert (t.attacker.forfeited, t.attacker.cancelled, t.attacker.uncancelled) == (2, 0, 0)
    t.answer((1, 1, 1), (1,) * 5)
    assert t.key == "round.cease"


def test_WR_T35_enemy_modifier_does_not_touch_a_card_attack(war: Make) -> None:
    t = war((5, 0, 0), (5, 0, 0))
    t.cards(("modifier", "own-combat", 1, "attack-before"), ("modifier", "enemy-combat", -1))
    t.answer(2, 5, (4, 4))
    assert t.last().data["hits"] == 2
    assert t.game.modifier("attacker") == 0


def test_WR_T36_requirement_not_met(war: Make) -> None:
    t = war((5, 0, 0)).answer("none", "card")
    assert t.key == "card.effect"
    assert t.refused("no") == "WR-X16"
    assert t.answer("back").key == "cards.defender"
    assert t.answer("none").key == "combat.roll"


def test_WR_T37_the_reroll_needs_the_number_of_the_combat_roll(war: Make) -> None:
    t = war((3, 0, 2)).cards(("number", "own-combat", 4)).answer((4, 3, 2), (1,) * 5)
    assert t.game.hits("attacker") == 1
    assert (t.allowance(), t.play.ask.need) == (2, "4+")
    t.answer((4, 3))
    assert t.rulings[0].data["attacker"]["hits"] == 2


def test_WR_T38_a_regular_that_comes_back_is_not_lost(war: Make) -> None:
    t = war((5, 0, 0), (1, 1, 0)).hit(2).answer("regular", "yes")
    assert t.left() == (1, 0)
    assert (t.defender.lost_regulars, t.defender.lost_elites) == (0, 1)
    assert t.answer("cease").last().data["defender"] == {"seat": "free-peoples", "left": [1, 0], "lost": [0, 1]}


def test_WR_T39_nobody_pays_twice_to_go_on(war: Make) -> None:
    t = war((5, 1, 0), (5, 1, 0), "siege").hit(0)
    before = t.play.outlook()
    for answer in ("on", "yes"):
        t.answer(answer)
        assert t.play.outlook() == before
    assert (t.left("attacker"), t.game.round) == ((6, 0), 2)
