"""Every refusal code, which one is shown when several fit, and what overriding does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.errors import Refused
from referee.session import Submission

Make = Callable[..., Any]
A, B, C = "character-1", "character-2", "character-3"
FIVE = ((4, 7),) * 5


def overridden(t: Any, answer: Any) -> Any:
    """Answer what is refused, because a card says otherwise."""
    t.refused(answer)
    return t.answer(answer, override=True)


def firm(t: Any, answer: Any) -> str:
    """Answer what no card can make possible; return the code."""
    with pytest.raises(Refused) as refusal:
        t.play.answer(answer, override=True)
    return refusal.value.code


def test_X10_before_X01_and_X06_inside_a_strike(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(3, 7).answer("assign", A, "excess")
    assert t.refused("hazard") == "ME-X10"
    t.judge("hazards", 9)
    assert t.refused("hazard") == "ME-X10"
    assert t.refused("excess") == "ME-X06"
    t.answer("resource", "+1")
    assert t.refused("excess") == "ME-X10"


def test_X10_before_X07_inside_a_strike(wizards: Make) -> None:
    t = wizards(company=FIVE).status(A, "tapped").attack(1, 7).answer("by-attacker", "assign", A)
    assert t.refused("stay") == "ME-X07"
    t.answer("resource", "+1")
    assert t.refused("stay") == "ME-X10"


@pytest.mark.parametrize("status", ["tapped", "wounded"])
def test_X07_for_whoever_is_not_untapped(wizards: Make, status: str) -> None:
    t = wizards(company=FIVE).status(A, status).attack(1, 7).answer("by-attacker", "assign", A)
    assert t.refused("stay") == "ME-X07"
    assert t.refused("tap") == "ME-X10"


def test_tapping_or_minus_3_is_chosen_once(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 7).answer("assign", A)
    assert t.refused("throw") == "ME-X10"
    t.answer("stay")
    assert (t.key, t.play.ask.tag, t.play.ask.default) == ("strike.step", "-3", "throw")
    t.answer("resource", "+1")
    assert [t.refused(again) for again in ("tap", "stay")] == ["ME-X10", "ME-X10"]
    assert t.answer("throw", 12).rulings[-2].data["prowess"]["stays"] == -3


def test_X05_and_X13_and_X14_before_X10(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(2, 7).answer("assign", A, B, A, "resource", "+1")
    assert [t.refused(late) for late in ("strikes", "cancel-attack", "body-check")] == ["ME-X05", "ME-X13", "ME-X14"]


def test_assigning_X03_before_X02_and_X04_before_X03(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(2, 7).answer("assign", A).judge(f"company.{A}-status", "tapped")
    assert t.refused(A) == "ME-X03"
    t.judge(f"company.{B}-status", "wounded")
    assert t.refused(B) == "ME-X02"
    t.answer(C)
    assert t.refused("character-4") == "ME-X04"
    t.answer(A, "throw", 12, "cancel")
    assert t.key == "menu"


def test_a_strike_that_is_over_is_not_resolved_again(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 3).attack(3, 7).answer("assign", A, "tap", 12)
    assert t.refused(A) == "ME-X10"


def test_X08_at_the_menu_when_nobody_could(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).status(B, "tapped").attack(1, 7).answer("assign", A)
    assert t.refused("support") == "ME-X08"
    t.status(B, "untapped").answer("support", B)
    assert t.refused("support") == "ME-X08"


def test_support_and_excess_never_meet(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(3, 7).answer("assign", A)
    assert t.refused("support") == "ME-X08"
    other = wizards(company=((4, 7),) * 2).attack(1, 7).answer("assign", A)
    assert other.refused("excess") == "ME-X06"


def test_the_wrong_seat_is_told_X10() -> None:
    from referee.games import load
    from referee.session import Session

    session = Session(load("middle-earth-the-wizards"))
    for answer in ("4/7", "4/7", "done", 2, "attack", "creature", "1", "7", "0", "assign"):
        session.answer(answer)
    with pytest.raises(Refused) as refusal:
        session.answer(Submission(A, seat="attacker"))
    assert refusal.value.code == "ME-X10"
    session.answer(Submission(A, seat="defender"))
    assert session.prompt is not None


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


def test_a_card_lets_more_be_spared_than_there_is(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(3, 7).answer("assign", A, "excess")
    overridden(overridden(t, "excess"), 2)
    assert (t.game.current_attack.excess, t.game.modified()) == (0, 1)


@pytest.mark.parametrize("late", ["strikes", "cancel-attack", "body-check"])
def test_what_cannot_be_done_stays_refused(wizards: Make, late: str) -> None:
    t = wizards(company=FIVE).attack(2, 7).answer("assign", A, B)
    assert firm(t, late) == t.refused(late)
    assert firm(t, "character-4") == "ME-X04"


def test_after_the_end_nothing_is_taken(wizards: Make) -> None:
    t = wizards(company=FIVE).answer("over")
    with pytest.raises(Refused) as refusal:
        t.play.answer("attack")
    assert refusal.value.code == "ME-X10"


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


def test_the_last_spare_strike_is_put_without_a_question(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(3, 7).answer("assign", A, "excess")
    assert (t.key, t.game.current_strike.excess, t.game.current_attack.excess) == ("strike.step", 1, 0)


def test_X10_before_X06_where_no_strike_was_ever_to_spare(wizards: Make) -> None:
    t = wizards(company=FIVE).attack(1, 7).answer("assign", A)
    seen = [b.option.id for b in t.play.ask.barred() if not b.bar.aside]
    assert t.refused("excess") == "ME-X06"
    t.answer("stay", "resource", "+1")
    assert t.refused("excess") == "ME-X10"
    assert "excess" not in seen + [b.option.id for b in t.play.ask.barred() if not b.bar.aside]
