"""What a card overrules, and where it stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[..., Any]
A, B, C = "character-1", "character-2", "character-3"
FIVE = ((4, 7),) * 5


def overridden(t: Any, answer: Any) -> Any:
    """Answer what is refused, because a card says otherwise."""
    t.refused(answer)
    return t.answer(answer, override=True)


@pytest.mark.parametrize(
    ("before", "answer", "check"),
    [
        (["hazard"] * 5, "hazard", lambda t: t.game.hazards == 6),
        (["card", A, "2", "card"], A, lambda t: t.answer("1").game.find(A).cp == 3),
    ],
    ids=["X01", "X11"],
)
def test_a_card_overrules_the_menu(
    wizards: Make, before: list[Any], answer: str, check: Callable[[Any], bool]
) -> None:
    assert check(overridden(wizards(company=FIVE).answer(*before), answer))


def test_a_card_overrules_inside_an_attack(wizards: Make) -> None:
    t = wizards(company=FIVE).status(A, "tapped").status(B, "wounded").attack(2, 7).answer("assign")
    overridden(t, A)  # X02
    t.answer(C, C, "support")
    overridden(t, B)  # X08
    assert (t.game.current_strike.supporters, t.who(B).status) == (1, "wounded")
    t.answer("skill", "+1")
    overridden(t, "skill").answer("+1")  # X09
    overridden(t, "hazard").answer("-1")  # X10
    assert (t.game.current_strike.skills, t.game.current_strike.hazards) == (2, -1)
    overridden(t, "stay")  # X10: another choice after all
    assert t.answer("throw", 12).rulings[-1].data["status"]["after"] == "untapped"


def test_a_company_needs_somebody_and_nobody_comes_twice(wizards: Make) -> None:
    t = wizards()
    assert t.refused("done") == "ME-X10"
    t.answer("named", "bilbo", "named")
    assert t.refused("bilbo") == "ME-X10"
    t.answer("back", *["4/7"] * 10)
    assert t.key == "company.add"
    assert t.answer("4/7").key == "company.limit"  # the twelfth: nobody else can come


def test_what_a_card_overrules_stays_within_what_the_judge_can_set(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(3, 7).answer("assign", A, "excess")
    for _ in range(12):
        t.answer("excess", override=True)
        t.answer(t.play.ask.high, override=True)
    assert t.game.current_strike.excess == 20
    for path, limits in t.game.correctable.items():
        limits.check(path, t.game.read(path))


def test_X10_before_X06_where_no_strike_was_ever_to_spare(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 7).answer("assign", A)
    seen = [b.option.id for b in t.play.ask.barred() if not b.bar.aside]
    assert t.refused("excess") == "ME-X06"
    t.answer("stay", "resource", "+1")
    assert t.refused("excess") == "ME-X10"
    assert "excess" not in seen + [b.option.id for b in t.play.ask.barred() if not b.bar.aside]
