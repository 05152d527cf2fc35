"""An assault that an Elite pays for: what is proposed keeps it going, and what ends it says so."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

Make = Callable[..., Any]
Figures = tuple[int, int, int]


def labels(t: Any) -> dict[str, str]:
    return {each.id: each.text for each in (*t.play.ask.options(), *t.play.ask.offered())}


def test_one_select_does_not_end_an_assault(war: Make) -> None:
    """E1: the last Elite is spared, and going on is asked."""
    t = war((5, 1, 0), (5, 0, 0), "siege").hit(0, 1)
    assert t.play.ask.default == "r4-e1"
    t.send("r4-e1")
    assert (t.key, t.left("attacker")) == ("round.cease", (4, 1))


def test_what_ends_an_assault_says_so(war: Make) -> None:
    """E1: as an outcome and as a single loss, where another loss leaves it open."""
    t = war((5, 1, 0), (5, 0, 0), "siege").hit(0, 2)
    assert labels(t) == {
        "regular": "Remove a Regular",
        "reduce": "Reduce an Elite, which ends the assault",
        "remove": "Remove an Elite, which ends the assault",
        "r3-e1": "R3 E1 left",
        "r5-e0": "R5 E0 left, ends",
    }
    t.judge("armies.attacker.elites", 2)
    assert labels(t)["reduce"] == "Reduce an Elite"
    t.judge("armies.attacker.elites", 1).answer("reduce", "yes")
    assert (t.result, t.left("attacker")) == ("attacker-ceased", (5, 0))


@pytest.mark.parametrize(
    ("attacker", "hits", "settings"),
    [((1, 1, 0), 2, {}), ((5, 2, 0), 1, {}), ((5, 1, 0), 1, {"assault_pays": False})],
    ids=["nothing else", "two Elites", "free"],
)
def test_nothing_is_said_where_nothing_ends_by_it(
    war: Make, attacker: Figures, hits: int, settings: dict[str, bool]
) -> None:
    t = war(attacker, (5, 0, 0), "siege", **settings).hit(0, hits)
    assert not [text for text in labels(t).values() if "end" in text]


def test_a_defender_and_a_field_battle_keep_most_units(war: Make) -> None:
    assert war((5, 2, 0), (3, 1, 0), "siege").hit(1).play.ask.default == "r4-e0"
    assert war((5, 1, 0), (5, 0, 0)).hit(0, 1).play.ask.default == "r6-e0"


@pytest.mark.parametrize(
    ("attacker", "defender", "percent"), [((7, 3, 4), (3, 2, 2), 27), ((5, 5, 5), (5, 0, 0), 94)]
)
def test_the_outlook_of_an_assault_spares_the_elites(
    war: Make, attacker: Figures, defender: Figures, percent: int
) -> None:
    """E2: as an attacker does who wants to win."""
    t = war(attacker, defender, "siege")
    chances = {each.id: each.chance for each in t.play.outlook()}
    assert round(100 * chances["defender-eliminated"]) == percent


def test_the_default_follows_the_plan_of_the_outlook(war: Make) -> None:
    """E2: what is proposed changes no chance, every other loss costs some."""
    t = war((4, 3, 2), (3, 0, 0), "siege").answer("none", "none", (1,) * 5, (6, 6, 1)).answer((1, 1))
    before = won(t)
    bundles = [each.id for each in t.play.ask.offered()]
    here = len(t.play.moves)
    after = {}
    for bundle in bundles:
        after[bundle] = won(t.send(bundle))
        t.play.rewind(here)
    assert bundles[0] == t.play.ask.default
    assert after.pop(bundles[0]) == before
    assert all(chance < before for chance in after.values())


def won(t: Any) -> Fraction:
    return Fraction(next(each.chance for each in t.play.outlook() if each.id == "defender-eliminated"))
