"""What one battle leaves to the next; battle after battle, switches, the dice alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.games import load
from referee.session import Session
from referee.station.virtual.bench import Bench
from tests.games.conftest import pressed

Make = Callable[..., Any]
Figures = tuple[int, int, int]


def fought(war: Make, attacker: Figures, defender: Figures, ground: str = "field") -> Any:
    return war(attacker, defender, ground, ruling=None, assault_pays=False)


def outs(t: Any) -> dict[str, int]:
    return {pool.id: pool.value for pool in t.game.pools() if pool.id.startswith("out-")}


def test_an_assault_goes_on_or_a_sortie_is_made(war: Make) -> None:
    t = fought(war, (5, 1, 0), (3, 1, 0), "siege").hit(1, 1).answer("regular", "regular", "cease")
    assert t.key == "battle.attacker"
    assert t.bundles() == {
        "again-siege": ("shadow", "siege", 4, 1, 0, 2, 1, 0),
        "again-sortie": ("free-peoples", "sortie", 2, 1, 0, 4, 1, 0),
    }
    t.answer(*t.bundles()["again-sortie"])
    assert (t.game.attacker, t.game.ground, t.game.stage) == ("free-peoples", "sortie", "round")
    assert (t.left("attacker"), t.left("defender")) == ((2, 1), (4, 1))


@pytest.mark.parametrize("inside", [5, 6])
def test_a_retreat_into_the_stronghold_becomes_a_siege(war: Make, inside: int) -> None:
    """WR-54, WR-58: what of six goes in is for the players to say."""
    t = fought(war, (5, 0, 0), (inside, 0, 0), "stronghold").answer("siege")
    assert ("again-siege" in t.bundles()) == (inside == 5)
    t.answer("shadow", "siege")
    assert t.bundles() == {"survivors": (5, 0, 0)}
    t.answer(5, 0, 0)
    assert t.bundles() == ({"survivors": (5, 0, 0)} if inside == 5 else {})


def test_who_is_left_fights_on_elsewhere(war: Make) -> None:
    t = fought(war, (5, 0, 0), (1, 0, 0)).hit(1, 1)
    assert (t.key, t.bundles()) == ("battle.attacker", {})
    t.answer("shadow", "city")
    assert t.bundles() == {"survivors": (4, 0, 0)}
    t.answer(4, 0, 0)
    assert t.bundles() == {}


def test_casualties_of_the_free_peoples_are_counted_over_the_game(war: Make) -> None:
    """WR-36, WR-37: the Shadow's go back to the reinforcements."""
    t = fought(war, (5, 0, 0), (3, 2, 0)).hit(3, 2)
    t.answer("regular", "remove")
    assert outs(t) == {"out-regulars": 1, "out-elites": 1}
    t.answer("cease")
    assert outs(t) == {"out-regulars": 1, "out-elites": 1}
    t.answer(*t.bundles()["again-field"]).hit(1).answer("reduce", "yes")
    assert outs(t) == {"out-regulars": 1, "out-elites": 2}
    t.judge("out_elites", 0)
    assert outs(t) == {"out-regulars": 1, "out-elites": 1}


def test_the_same_armies_and_no_card_are_two_presses(bench: Bench) -> None:
    bench.console.table.begin(load("war-of-the-ring"), {}, None)
    table = bench.console.table
    no_hits = {"hits": 0}
    for answer in ("shadow", "field", 3, 0, 2, 3, 0, 0, "none", "none", no_hits, no_hits, no_hits, "cease"):
        assert table.prompt is not None
        table.answer(table.prompt.given(answer))
    bench.wait(30)
    assert pressed(bench, "4", "3") == 2
    assert bench.prompt is not None
    assert bench.prompt.ask == "combat.roll"


def test_one_undo_takes_the_same_armies_back() -> None:
    session = Session(load("war-of-the-ring"))
    for answer in ("shadow", "field", 3, 0, 0, 3, 0, 0, "none", "none", {"hits": 0}, {"hits": 0}, "cease"):
        session.answer(answer)
    before = session.prompt
    session.bundle("again-field")
    assert session.game.place() == ("Battle 2", "Round 1")
    session.undo()
    assert before is not None
    assert session.prompt is not None
    assert (session.prompt.ask, session.prompt.bundles) == (before.ask, before.bundles)


def test_a_reroll_of_no_dice_stands_as_none() -> None:
    session = Session(load("war-of-the-ring"), {}, "battle")
    for answer in ("shadow", "field", 2, 0, 1, 2, 0, 0, "none", "none", [3, 3], {"hits": 1}, []):
        session.answer(answer)
    session.undo()
    assert session.prompt is not None
    assert session.prompt.stands == ()


# -- the book as a whole


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
