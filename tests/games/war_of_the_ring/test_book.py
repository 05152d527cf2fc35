"""The book as a whole: battle after battle, switches, the dice alone, what rulings say."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from referee.games.war_of_the_ring.casualties import ends
from referee.games.war_of_the_ring.tables import FACES, chance, hits, need
from referee.rulebook import Reminder

Make = Callable[..., Any]


def test_battle_after_battle_until_the_game_is_over(war: Make) -> None:
    t = war(ruling=None)
    t.answer("free-peoples", "field", 1, 0, 0, 1, 0, 0).hit(1)
    assert (t.result, t.key, t.game.place()) == ("defender-eliminated", "battle.attacker", ("Battle 2", "Armies"))
    t.answer("game-over")
    assert t.play.over.reason == "declared"


def test_back_drops_a_battle_that_is_being_declared(war: Make) -> None:
    t = war(ruling=None)
    state = pickle.dumps(t.game)
    t.answer("free-peoples", "city", 3, "back")
    assert t.key == "battle.attacker"
    assert pickle.dumps(t.game) == state


def test_an_assaults_length_can_be_left_to_the_players(war: Make) -> None:
    t = war((2, 0, 0), (3, 0, 0), "siege", siege_pub=False).hit(0)
    assert t.key == "round.cease"
    t.answer("on")
    assert (t.game.round, t.key) == (2, "cards.attacker")
    assert t.left("attacker") == (2, 0)


def test_the_dice_alone(war: Make) -> None:
    t = war(ruling="roll").send("plain").answer(5, 3, (1, 3, 5, 5, 6), (2, 5))
    assert (t.result, t.rulings[0].headline, t.rulings[0].data["faces"]) == ("hits", "4 hits", [1, 3, 5, 5, 6, 2, 5])
    t = war(ruling="roll").answer(5, 1, "combat", 2, 1, (4, 3), (4,))
    assert t.rulings[0].data["hits"] == 1


def test_never_more_than_six_outcomes_for_ten_units() -> None:
    most = max(
        len(ends(units - elites, elites, due))
        for units in range(1, 11)
        for elites in range(units + 1)
        for due in range(1, 11)
    )
    assert most == 6


@pytest.mark.parametrize(
    ("units", "texts"),
    [(5, []), (6, ["1 unit too many: a Stronghold holds five"]), (7, ["2 units too many: a Stronghold holds five"])],
)
def test_how_many_units_are_too_many_for_a_stronghold(war: Make, units: int, texts: list[str]) -> None:
    t = war((3, 0, 0), (units - 2, 2, 0), "stronghold").answer("siege")
    assert [event.text for event in t.events if isinstance(event, Reminder) and event.rule == "WR-54"] == texts


def test_where_losses_go_is_said_even_where_nothing_was_to_choose(war: Make) -> None:
    assert war((3, 0, 0), (3, 0, 0)).hit(1, 1).rulings[0].why[-2:] == (
        "Shadow losses go back to reinforcements",
        "FP losses are out of the game",
    )
    assert not any("losses" in line for line in war((3, 0, 0), (3, 0, 0)).hit(0).rulings[0].why)


def test_a_throw_is_told_by_faces_or_hits_whatever_the_keys_mean(war: Make) -> None:
    for entry in ("hits", "faces"):
        t = war((3, 0, 1), (3, 0, 0), dice_entry=entry).answer("none", "none")
        assert (t.play.ask.tally, t.play.ask.by_tally) == ("hits", entry == "hits")
        assert t.refused({"hits": 4}) == "WR-X01"
        t.answer({"hits": 2}, (1, 6, 1), {"hits": 1})
        data = t.rulings[0].data
        assert (data["attacker"]["hits"], data["attacker"]["faces"]) == (3, [])
        assert (data["defender"]["hits"], data["defender"]["faces"]) == (1, [1, 6, 1])
        assert t.rulings[0].why[:2] == ("Shadow: 3 dice, needs 5+: 2 hits", "Shadow again: 1 die, needs 5+: 1 hit")


# -- one die, many dice

TABLE = {
    5: ("6", "6", "56", "456", "3456", "23456", "23456"),
    6: ("6", "6", "6", "56", "456", "3456", "23456"),
    4: ("6", "56", "456", "3456", "23456", "23456", "23456"),
}


@pytest.mark.parametrize(("number", "modifier"), [(n, m) for n in TABLE for m in range(-2, 5)])
def test_faces_that_hit_are_those_of_the_printed_table(number: int, modifier: int) -> None:
    printed = TABLE[number][modifier + 2]
    assert "".join(str(face) for face in FACES if hits(face, number, modifier)) == printed
    assert chance(number, modifier) == Fraction(len(printed), 6)
    assert need(number, modifier) == (f"{printed[0]}+" if len(printed) > 1 else "6")
