"""One die, many dice: the printed table, and odds that add up."""

from __future__ import annotations

from fractions import Fraction

import pytest

from referee.games import load
from referee.games.war_of_the_ring.tables import FACES, chance, hit_odds, hits, need, roll_hits, round_hits
from referee.rulebook import Play

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


def test_five_dice() -> None:
    odds = roll_hits(5, 5)
    assert odds == {n: Fraction(c * 2 ** (5 - n), 3**5) for n, c in enumerate((1, 5, 10, 10, 5, 1))}
    assert [c.text for c in hit_odds(2, 5)] == ["0 hits", "1 hit", "2 hits"]


def test_a_leader_rerolls_only_what_failed() -> None:
    assert round_hits(1, 1, (5, 0), (5, 0)) == {0: Fraction(4, 9), 1: Fraction(5, 9)}
    assert round_hits(2, 1, (5, 0), (5, 0))[0] == Fraction(2, 3) ** 3
    assert round_hits(5, 7, (5, 0), (5, 0)) == round_hits(5, 5, (5, 0), (5, 0))
    assert sum(round_hits(5, 3, (5, 1), (6, 0)).values()) == 1


@pytest.mark.parametrize("entry", ["faces", "hits"])
def test_the_coming_roll_has_its_odds_on_the_prompt(entry: str) -> None:
    play = Play(load("war-of-the-ring"), {"dice_entry": entry}, "battle")
    for answer in ("shadow", "field", 3, 0, 1, 2, 0, 0, "none", "none"):
        play.answer(answer)
    assert play.odds() == hit_odds(3, 5)
    play.answer((1, 1, 1) if entry == "faces" else 0)
    assert play.odds() == hit_odds(2, 5)
    play.answer((6, 1) if entry == "faces" else 1)
    assert play.odds() == hit_odds(1, 5)
