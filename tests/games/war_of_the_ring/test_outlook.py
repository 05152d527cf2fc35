"""The odds of whole battles: against a plain recursion, against closed forms, and along real battles."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from referee.games.war_of_the_ring.casualties import ends
from referee.games.war_of_the_ring.outlook import left, outlook, solver, weights
from referee.games.war_of_the_ring.state import Army, WarGame
from referee.games.war_of_the_ring.tables import round_hits
from referee.rulebook import Choose, Count, Odds, Play, Roll

Make = Callable[..., Any]
Units = tuple[int, int]


def battle_odds(
    attacker: Units, defender: Units, leaders: tuple[int, int] = (0, 0), ground: str = "field", **fields: Any
) -> dict[str, Fraction]:
    """Return the outlook at the start of a battle."""
    armies = {"attacker": Army(*attacker, leaders[0]), "defender": Army(*defender, leaders[1])}
    odds = outlook(WarGame(stage="round", ground=ground, armies=armies, **fields))
    assert odds is not None
    return {each.id: each.chance for each in odds}


def test_an_assault_without_elites_is_round_pays() -> None:
    odds = battle_odds((1, 0), (1, 0), ground="siege")
    assert odds == {
        "defender-eliminated": Fraction(1, 6) * Fraction(2, 3),
        "attacker-eliminated": Fraction(5, 6) * Fraction(1, 3),
        "both-eliminated": Fraction(1, 18),
        "attacker-ceased": Fraction(5, 6) * Fraction(2, 3),
    }
    assert "attacker-ceased" not in battle_odds((1, 0), (1, 0), ground="siege", round_pays=False)


def test_an_assault_goes_on_as_long_as_an_elite_can_be_reduced() -> None:
    """One round by an Elite, then one by the Regular it was reduced to, against a Regular: by hand."""
    none, mine, theirs = Fraction(5, 6) * Fraction(2, 3), Fraction(1, 6), Fraction(1, 3)
    hit = (1 - mine) * theirs  # the Elite is struck and reduced by that; then nothing is left to pay with
    assert battle_odds((0, 1), (1, 0), ground="siege") == {
        "defender-eliminated": mine + none * mine * (1 - theirs),
        "attacker-eliminated": none * hit,
        "attacker-ceased": hit + none * none,
        "both-eliminated": none * mine * theirs,
    }


def plain(attacker: Units, defender: Units, leaders: tuple[int, int]) -> tuple[Fraction, Fraction]:
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
        return tuple(ends(*units, hits)[0]) if hits else units  # type: ignore[return-value]

    return value(attacker, defender)


@pytest.mark.parametrize(
    ("attacker", "defender", "leaders"),
    [((3, 2), (2, 1), (1, 0)), ((0, 3), (4, 0), (0, 2)), ((6, 0), (5, 1), (2, 3))],
)
def test_the_same_as_a_plain_recursion(attacker: Units, defender: Units, leaders: tuple[int, int]) -> None:
    odds = battle_odds(attacker, defender, leaders)
    win, lose = plain(attacker, defender, leaders)
    assert (odds["defender-eliminated"], odds["attacker-eliminated"]) == (win, lose)
    assert sum(odds.values()) == 1


def weighted(play: Play) -> dict[str, Fraction]:
    """Return the mean of the outlooks after each result of the standing roll."""
    odds, here = play.odds(), len(play.moves)
    assert odds is not None
    total: dict[str, Fraction] = {}
    for each in odds:
        play.answer(int(each.id))
        for result, chance in as_dict(play).items():
            total[result] = total.get(result, Fraction(0)) + each.chance * chance
        play.rewind(here)
    return total


def as_dict(play: Play) -> dict[str, Fraction]:
    """Return the outlook; once a battle has ended, its result."""
    odds: Odds | None = play.outlook()
    if odds is None:
        result = play.game.result  # type: ignore[attr-defined]
        assert result
        return {result: Fraction(1)}
    return {each.id: each.chance for each in odds}


CARDS: dict[str, tuple[Any, Any]] = {
    "none": (None, None),
    "modifier-hits": (("modifier", "own-combat", 1, "forfeit"), ("hits", 1)),
    "attacks": (("attack-before", "attack-after"), ("attack-before",)),
    "losses": (("losses", "enemy-before"), ("losses", "enemy-after", "attack-after")),
    "leaders": (("leader", "enemy-before", "cancel"), ("leader", "enemy-after", "leader", "own-before")),
    "dice": (("dice", "enemy-combat", 1), ("number", "own-combat", 4, "cancel-hits")),
    "cancelled": (("cancel-hits", "attack-before"), ("cancel-hits", "forfeit")),
    "late hits": (("more-hits", "misses"), ("cancel-hits", "hits", 1)),
    "fewer dice": (("forfeit-dice", "dice", "own-combat", 3), ("fewer-dice", "enemy-combat", 1, "losses-add")),
    "no card": (("cancel-card",), ("attack-after", "modifier", "own-both", 1, "forfeit-dice", "cancel-hits")),
}


@pytest.mark.parametrize("ground", ["field", "city", "siege", "stronghold"])
@pytest.mark.parametrize("cards", CARDS)
def test_no_roll_and_no_proposal_changes_what_was_to_be_expected(war: Make, cards: str, ground: str) -> None:
    """The mean of the outlooks after a roll is the outlook before it.

    Where what is proposed is taken, and both fight on with most units, the outlook stays what it was.
    """
    t = war((2, 2, 2), (2, 1, 1), ground)
    if ground == "stronghold":
        t.answer("fight")
    t.cards(*CARDS[cards])
    rolls = 0
    for step in range(60):
        ask = t.play.ask
        if ask is None:
            break
        before = as_dict(t.play)
        if isinstance(ask, Roll):
            assert weighted(t.play) == before, ask.key
            t.answer(1 if step % 3 else 0)
            rolls += 1
            continue
        if isinstance(ask, Count):
            t.answer(ask.low if ask.default is None else ask.default)
        elif ask.key in ("casualty", "round.cease"):
            t.send(ask.offered()[0].id)
        else:
            assert isinstance(ask, Choose)
            t.answer(ask.default)
        assert as_dict(t.play) == before, ask.key
    assert rolls >= 3


def test_a_card_that_is_being_entered_counts_as_far_as_it_is(war: Make) -> None:
    t = war((3, 0, 0), (3, 0, 0)).answer("card", "none")
    assert as_dict(t.play) == battle_odds((3, 0), (3, 0))
    t.answer("modifier", "own-combat", 1, "hits", 1)
    entered = as_dict(t.play)
    assert entered["defender-eliminated"] > battle_odds((3, 0), (3, 0))["defender-eliminated"]
    t.answer("done")
    assert as_dict(t.play) == entered


def test_an_army_already_gone_counts_while_losses_are_taken(war: Make) -> None:
    t = war((2, 0, 0), (1, 2, 0)).hit(2, 2)
    assert (t.key, t.left("attacker")) == ("casualty", (0, 0))
    assert as_dict(t.play) == {"attacker-eliminated": 1}
    dead = war((2, 0, 0), (1, 2, 0)).cards(("attack-after",)).hit(2, 2)
    assert as_dict(dead.play) == {"attacker-eliminated": 1}  # nobody is left to make the attack


@pytest.mark.parametrize(
    ("attacker", "defender"),
    [((10, 0), (8, 0)), ((6, 4), (5, 3)), ((0, 10), (0, 8))],
    ids=["regulars", "with-elites", "elites"],
)
def test_ten_against_eight_with_leaders_within_50_ms(attacker: Units, defender: Units) -> None:
    """Of the processor's time: what else runs on the machine does not count."""

    def once() -> float:
        for cached in (solver, left, weights):
            cached.cache_clear()
        begun = time.process_time()
        odds = battle_odds(attacker, defender, (3, 2))
        spent = time.process_time() - begun
        assert sum(odds.values()) == 1
        return spent

    assert statistics.median(once() for _ in range(5)) < 0.050
