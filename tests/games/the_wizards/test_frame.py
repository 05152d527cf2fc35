"""Turns, companies, people, the judge's corrections; what a card overrules; the tables as printed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from referee.games.the_wizards import tables
from referee.rulebook import Roll

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
    (example,) = t.play.ask.offered()
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


def test_a_card_at_the_full_hazard_limit_is_warned_of(wizards: Make) -> None:
    full = ("ME-51", "Hazard limit reached: no more hazard cards")
    t = wizards(company=FIVE).answer("hazard", "hazard", "hazard", "hazard", "card")
    assert full not in t.play.ask.notes
    t.answer("back", "hazard", "card")
    assert full in t.play.ask.notes
    t.answer(A)
    assert full in t.play.ask.notes
    t.judge("hazards", 0)
    assert full not in t.play.ask.notes


def test_a_lost_wizard_does_not_end_the_game_by_a_bare_select(wizards: Make) -> None:
    t = wizards(company=((6, 9), (4, 7))).judge(f"company.{A}-cp", 9).answer("check", A, 2, "yes")
    assert (t.key, t.play.ask.default, t.play.ask.passing) == ("wizard.after", "on", "over")


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


def test_the_odds_stand_from_the_first_question_of_a_strike(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(1, 7).answer("assign", A)
    before = t.play.odds()
    assert before == t.answer("tap").play.odds()


def test_force_excess_spends_what_is_left_on_the_last_strike(wizards: Make) -> None:
    for forced, modified, left in ((False, 4, 2), (True, 2, 0)):
        t = wizards(company=((4, 7),) * 2, force_excess=forced).attack(4, 7).answer("assign", A, "tap", 12)
        assert (t.game.modified(), t.game.current_attack.excess) == (modified, left)
        assert t.answer("hazard", "-1", "tap", 12).rulings[-2].data["prowess"]["excess"] == -2 * forced


def test_one_strike_is_no_strikes(wizards: Make) -> None:
    t = wizards(company=((4, 7),) * 2).attack(1, 7)
    assert t.play.ask.text == "1 strike at 7/-: any change?"
    assert t.answer("by-attacker", "assign").play.ask.text == "Who is attacked? 1 strike left"


# -- what a card overrules, and where it stops


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


def test_what_a_card_overrules_stays_within_the_limits(wizards: Make) -> None:
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


# -- the tables


def chances(odds: Any) -> dict[str, Fraction]:
    return {chance.id: chance.chance for chance in odds}


def test_ways_to_fail_a_body_check_as_printed() -> None:
    ways = [chances(tables.check_odds("character", body))["eliminated"] * 36 for body in range(4, 12)]
    assert ways == [30, 26, 21, 15, 10, 6, 3, 1]
    ways = [chances(tables.check_odds("character", body, True))["eliminated"] * 36 for body in range(4, 12)]
    assert ways == [33, 30, 26, 21, 15, 10, 6, 3]


@pytest.mark.parametrize(
    ("points", "ways"),
    [
        (0, (36, 0, 0)), (1, (36, 0, 0)), (2, (35, 1, 0)), (3, (33, 3, 0)), (4, (30, 5, 1)), (5, (26, 7, 3)),
        (6, (21, 9, 6)), (7, (15, 11, 10)), (8, (10, 11, 15)), (9, (6, 9, 21)), (10, (3, 7, 26)), (11, (1, 5, 30)),
        (12, (0, 3, 33)), (13, (0, 1, 35)), (14, (0, 0, 36)), (20, (0, 0, 36)),
    ],
)  # fmt: skip
def test_corruption_as_printed(points: int, ways: tuple[int, int, int]) -> None:
    assert [c.chance * 36 for c in tables.corruption_odds(points)] == [*ways]
    assert tables.corruption_odds(points + 1, 1) == tables.corruption_odds(points)


@pytest.mark.parametrize(
    ("outcome", "after"), [("fails", "TUTW"), ("ineffectual", "TUTW"), ("successful", "WWWW"), ("cancelled", "UUTW")]
)
def test_status_after_a_strike_as_printed(outcome: str, after: str) -> None:
    columns = (("untapped", False), ("untapped", True), ("tapped", False), ("wounded", False))
    letters = [tables.status_after(before, outcome, stays=stays)[0].upper() for before, stays in columns]
    assert "".join(letters) == after
