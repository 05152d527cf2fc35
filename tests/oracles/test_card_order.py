"""War of the Ring: effects of cards in the printed order, in every pair, in random battles (W1 to W5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.oracles.war_of_the_ring import card_order
from tests.oracles.war_of_the_ring.card_order import Battle, Effect, fought, unmet


def test_every_kind_of_effect_meets_every_other_as_the_printed_rules_have_it() -> None:
    met, parted = fought(1500, seed=1)
    assert not parted, "\n".join(parted)
    assert not unmet(met)


def attacker_first(one: Effect, other: Effect) -> bool:
    assert one.initiative is not None
    assert other.initiative is not None
    return (one.initiative, one.side) < (other.initiative, other.side) and one.side != other.side


def higher_first(one: Effect, other: Effect) -> bool:
    return one.side != other.side and not RIGHT["comes_first"](one, other)


def all_dice(battle: Battle, side: str) -> int:
    return min(5, battle.armies[side].units)


def every_modifier(battle: Battle, side: str, roll: str, *, own: bool = False) -> int:
    del own
    return RIGHT["modifier"](battle, side, roll)  # type: ignore[no-any-return]


def turned_twice(battle: Battle, effect: Effect) -> None:
    before = battle.armies[effect.side].turned
    RIGHT["do"](battle, effect)
    battle.armies[effect.side].turned += battle.armies[effect.side].turned - before


RIGHT: dict[str, Any] = {name: getattr(Battle, name) for name in ("modifier", "do", "comes_first")}


@pytest.mark.parametrize(
    ("of", "name", "wrong"),
    [
        (Battle, "comes_first", staticmethod(attacker_first)),
        (Battle, "comes_first", staticmethod(higher_first)),
        (Battle, "dice", all_dice),
        (Battle, "modifier", every_modifier),
        (card_order, "CANCELS", ""),
        (Battle, "do", turned_twice),
        (card_order, "hit", lambda face, number, modifier: face + modifier >= number),
    ],
    ids=["tie", "initiative", "limits", "enemy modifiers", "cancelled card", "misses", "natural 1 and 6"],
)
def test_a_broken_order_is_noticed(
    monkeypatch: pytest.MonkeyPatch, of: object, name: str, wrong: Callable[..., Any] | str
) -> None:
    monkeypatch.setattr(of, name, wrong)
    assert fought(400, seed=2)[1]
