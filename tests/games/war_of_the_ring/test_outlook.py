"""The odds of whole battles: against a plain recursion, against closed forms, and along real battles."""

from __future__ import annotations

import time
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from referee.games.war_of_the_ring import outlook
from referee.games.war_of_the_ring.casualties import ends
from referee.games.war_of_the_ring.dice import round_hits
from referee.games.war_of_the_ring.outlook import Plan, battle_odds
from referee.rulebook import Choose, Count, Odds, Play

Make = Callable[..., Any]
Units = tuple[int, int]


def test_one_against_one() -> None:
    assert battle_odds((1, 0), (1, 0)) == {
        "defender-eliminated": Fraction(2, 5),
        "attacker-eliminated": Fraction(2, 5),
        "both-eliminated": Fraction(1, 5),
    }


def test_an_assault_without_elites_is_one_round() -> None:
    odds = battle_odds((1, 0), (1, 0), ground="siege")
    assert odds == {
        "defender-eliminated": Fraction(1, 6) * Fraction(2, 3),
        "attacker-eliminated": Fraction(5, 6) * Fraction(1, 3),
        "both-eliminated": Fraction(1, 18),
        "attacker-ceased": Fraction(5, 6) * Fraction(2, 3),
    }
    assert "attacker-ceased" not in battle_odds((1, 0), (1, 0), ground="siege", siege_pub=False)


def test_a_city_is_harder_in_its_first_round_only() -> None:
    field, city = (battle_odds((1, 0), (1, 0), ground=ground) for ground in ("field", "city"))
    first = {
        "defender-eliminated": Fraction(1, 9),
        "attacker-eliminated": Fraction(5, 18),
        "both-eliminated": Fraction(1, 18),
    }
    again = Fraction(5, 9)
    assert city == {result: first[result] + again * chance for result, chance in field.items()}


def plain(attacker: Units, defender: Units, leaders: tuple[int, int], keep: str) -> tuple[Fraction, Fraction]:
    """Return how likely the attacker wins and loses, by a recursion that knows nothing of common denominators."""

    @cache
    def value(a: Units, d: Units) -> tuple[Fraction, Fraction]:
        if not sum(a) or not sum(d):
            return Fraction(sum(a) > 0), Fraction(sum(d) > 0)
        mine = round_hits(min(5, sum(a)), leaders[0], (5, 0), (5, 0))
        theirs = round_hits(min(5, sum(d)), leaders[1], (5, 0), (5, 0))
        win = lose = Fraction(0)
        for i, p in mine.items():
            for j, q in theirs.items():
                if i or j:
                    w, x = value(after(a, j), after(d, i))
                    win, lose = win + p * q * w, lose + p * q * x
        something = 1 - mine.get(0, 0) * theirs.get(0, 0)
        return win / something, lose / something

    def after(units: Units, hits: int) -> Units:
        if not hits:
            return units
        r, e = ends(*units, hits)[0 if keep == "units" else -1]
        return r, e

    return value(attacker, defender)


@pytest.mark.parametrize("keep", ["units", "elites"])
@pytest.mark.parametrize(
    ("attacker", "defender", "leaders"),
    [((3, 2), (2, 1), (1, 0)), ((0, 3), (4, 0), (0, 2)), ((6, 0), (5, 1), (2, 3))],
)
def test_the_same_as_a_plain_recursion(attacker: Units, defender: Units, leaders: tuple[int, int], keep: str) -> None:
    odds = battle_odds(attacker, defender, leaders, plans=(Plan(keep), Plan(keep)))
    win, lose = plain(attacker, defender, leaders, keep)
    assert (odds["defender-eliminated"], odds["attacker-eliminated"]) == (win, lose)
    assert sum(odds.values()) == 1


def test_keeping_units_is_never_worse_than_keeping_elites() -> None:
    other = Plan("elites")
    units = battle_odds((2, 3), (3, 2), (1, 1), plans=(Plan("units"), other))
    elites = battle_odds((2, 3), (3, 2), (1, 1), plans=(other, other))
    assert units["defender-eliminated"] >= elites["defender-eliminated"]


def test_plans_to_leave() -> None:
    odds = battle_odds((5, 0), (3, 0), plans=(Plan(leave=2), Plan(leave=1)))
    assert sum(odds.values()) == 1
    assert {"attacker-ceased", "defender-retreated"} <= odds.keys()
    assert battle_odds((5, 0), (3, 0), plans=(Plan(leave=5), Plan())).keys() >= {"attacker-ceased"}


def answers(play: Play) -> list[tuple[Any, Fraction]]:
    """Return what can come of the standing roll, with its chances."""
    odds = play.odds()
    assert odds is not None
    return [(int(chance.id), chance.chance) for chance in odds]


def weighted(play: Play) -> dict[str, Fraction]:
    """Return the mean of the outlooks after each result of the standing roll."""
    total: dict[str, Fraction] = {}
    here = len(play.moves)
    for answer, weight in answers(play):
        play.answer(answer)
        for result, chance in as_dict(play.outlook(), play).items():
            total[result] = total.get(result, Fraction(0)) + weight * chance
        play.rewind(here)
    return total


def as_dict(odds: Odds | None, play: Play) -> dict[str, Fraction]:
    if odds is None:
        result = play.game.result  # type: ignore[attr-defined]
        assert result
        return {result: Fraction(1)}
    return {each.id: each.chance for each in odds}


@pytest.mark.parametrize("ground", ["field", "city", "siege"])
def test_no_roll_changes_what_was_to_be_expected(war: Make, ground: str) -> None:
    """The mean of the outlooks after a roll is the outlook before it, cards and Leaders included."""
    t = war((2, 2, 2), (2, 1, 1), ground, dice_entry="hits")
    t.cards(
        (
            "modifier",
            "own-combat",
            1,
            "forfeit",
        ),
        (
            "hits",
            1,
        ),
    )
    t.answer(1)
    rolls = 0
    for _ in range(40):
        if t.play.ask is None:
            break
        ask = t.play.ask
        if isinstance(ask, Count):
            before = as_dict(t.play.outlook(), t.play)
            assert weighted(t.play) == before
            t.answer(1 if rolls % 3 else 0)
            rolls += 1
        elif ask.bundles():
            before = as_dict(t.play.outlook(), t.play)
            t.send(ask.bundles()[0].id)
            if t.play.ask is not None and ask.key == "casualty":
                assert as_dict(t.play.outlook(), t.play) == before
        else:
            assert isinstance(ask, Choose)
            t.answer("yes" if "yes" in t.open() else t.open()[-1])
    assert rolls >= 3


def test_nothing_is_told_before_the_armies_are_there(war: Make) -> None:
    assert war().play.outlook() is None
    assert war((1, 0, 0), (1, 0, 0)).play.outlook() is not None


@pytest.mark.parametrize(
    ("attacker", "defender"),
    [((10, 0), (8, 0)), ((6, 4), (5, 3)), ((0, 10), (0, 8))],
    ids=["regulars", "with-elites", "elites"],
)
def test_ten_against_eight_with_leaders_within_50_ms(attacker: Units, defender: Units) -> None:
    """Of the processor's time: what else runs on the machine does not count."""

    def once() -> float:
        for cached in (outlook.solver, outlook.left, outlook.weights):
            cached.cache_clear()
        begun = time.process_time()
        odds = battle_odds(attacker, defender, (3, 2))
        spent = time.process_time() - begun
        assert sum(odds.values()) == 1
        return spent

    assert min(once() for _ in range(5)) < 0.050
