"""The book as a whole: battle after battle, switches, the dice alone, what rulings say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Make = Callable[..., Any]


def test_battle_after_battle_until_the_game_is_over(war: Make) -> None:
    t = war(ruling=None)
    t.answer("free-peoples", "field", 1, 0, 0, 1, 0, 0).hit(1)
    assert (t.result, t.key, t.game.place()) == ("defender-eliminated", "battle.attacker", ("Battle 2", "Armies"))
    t.answer("game-over")
    assert t.play.over.reason == "declared"


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
