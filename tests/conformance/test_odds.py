"""Conformance compares every odds it can with the throws, names the rest, and does not wait for ever (F2)."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from referee import rulebook as kit
from referee.testing.conformance import (
    NotConforming,
    Report,
    Variant,
    a_fresh_process_rules_the_same,
    conformance,
    odds_match_the_rulings,
    tables_match_the_rulings,
)

WON = {"won": "Won", "lost": "Lost"}


@dataclass
class Duel(kit.Game):
    """Nothing is kept: each ruling is a throw."""

    seat: str = "north"
    wins: int = 0

    def place(self) -> tuple[str, ...]:
        return ("Duel",)

    def seats(self) -> dict[str, str]:
        return {"north": "North", "south": "South"}


def book(ruling: Callable[[Duel], kit.Procedure[None]], **parts: Any) -> kit.Book:
    return kit.Book(
        id="duel", title="Duel", edition="1", start=lambda settings: Duel(), rulings={"duel": ruling}, **parts
    )


def ruled(game: Duel, result: str, **data: Any) -> None:
    game.rule(kit.Ruling(result, WON[result], (), ("By the dice",), data))


def compared(duel: kit.Book) -> Report:
    report = Report()
    odds_match_the_rulings(Variant(duel, "duel", {}), 40, report)
    return report


def chances(won: Fraction) -> kit.Odds:
    return (kit.Chance("won", "Won", won), kit.Chance("lost", "Lost", 1 - won))


def opposed(won: Fraction) -> kit.Book:
    def ruling(game: Duel) -> kit.Procedure[None]:
        mine, yours = yield kit.Roll("duel.dice", "Roll both dice, North first", 2, odds=lambda: chances(won))
        ruled(game, "won" if mine > yours else "lost")

    return book(ruling)


def test_an_opposed_roll_of_two_different_dice_is_right() -> None:
    report = compared(opposed(Fraction(15, 36)))
    assert (report.compared % 36, report.uncompared) == (0, {})
    with pytest.raises(NotConforming, match="the odds give won 7/12, the throws 5/12"):
        compared(opposed(Fraction(21, 36)))


def chained(won: Fraction) -> kit.Book:
    """A 6 wins at once, and a 5 is rolled again."""

    def ruling(game: Duel) -> kit.Procedure[None]:
        (face,) = yield kit.Roll("duel.first", "Roll one die", 1, odds=lambda: chances(won))
        if face == 5:
            (face,) = yield kit.Roll("duel.again", "Roll it again", 1)
        ruled(game, "won" if face == 6 else "lost")

    return book(ruling)


def test_odds_of_a_roll_that_leads_to_a_roll_are_compared() -> None:
    assert compared(chained(Fraction(7, 36))).uncompared == {}
    with pytest.raises(NotConforming, match="the odds give won 1/6, the throws 7/36"):
        compared(chained(Fraction(1, 6)))


def test_odds_that_cannot_be_compared_are_named() -> None:
    def ruling(game: Duel) -> kit.Procedure[None]:
        yield kit.Roll("duel.many", "Roll twelve dice", 12, odds=lambda: chances(Fraction(1, 2)))
        ruled(game, "won")

    report = compared(book(ruling))
    assert report.uncompared == {"duel.many": "12 dice are too many to try each throw"}
    assert "not always compared: duel.many (12 dice are too many to try each throw)" in str(report)


def test_a_printed_table_is_compared_with_its_throws() -> None:
    def table(won: Fraction, ruling: str = "duel") -> kit.Book:
        cells = lambda: (kit.Cell("opposed", "2 dice", chances(won), ruling=ruling),)  # noqa: E731
        return replace(opposed(Fraction(15, 36)), tables={"duels": cells})

    report = Report()
    tables_match_the_rulings(table(Fraction(15, 36)), report)
    assert report.compared == 36
    with pytest.raises(NotConforming, match="table duels, opposed, 2 dice: the odds give won 4/9"):
        tables_match_the_rulings(table(Fraction(16, 36)), Report())
    tables_match_the_rulings(table(Fraction(1, 2), ""), report)
    assert report.uncompared == {"table duels": "its cells name no ruling"}


@pytest.mark.parametrize(
    "data", [{"north": {"faces": [2, 3], "total": 6}}, {"faces": {"north": [2, 3]}, "total": {"north": 6}}]
)
def test_a_total_of_one_seat_is_added_up(data: dict[str, Any]) -> None:
    def ruling(game: Duel) -> kit.Procedure[None]:
        yield kit.Choose("duel.go", "Go on?", kit.YES_NO)
        ruled(game, "won", **data)

    with pytest.raises(NotConforming, match="`total` is 6 beside"):
        conformance(book(ruling), 20)


def test_a_rulebook_that_runs_on_is_named_when_the_time_is_up() -> None:
    def ruling(game: Duel) -> kit.Procedure[None]:
        answer = yield kit.Choose("duel.go", "Go on?", kit.YES_NO)
        while answer == "yes":
            game.wins += 1
        ruled(game, "won")

    with pytest.raises(NotConforming, match=rf"runs on .*{Path(__file__).name}:\d+(.|\n)*the 0.2 s were over"):
        conformance(book(ruling), 20, seconds=0.2)


MEMORY = """
from referee import rulebook as kit
from tests.conformance.test_odds import Duel, book, ruled

PLAYED = []

def ruling(game):
    answer = yield kit.Choose("duel.go", "Go on?", kit.YES_NO)
    PLAYED.append(answer)
    ruled(game, "won" if {rule} else "lost")

BOOK = book(ruling)
"""


@pytest.mark.parametrize(("rule", "sound"), [("answer == 'yes'", True), ("len(PLAYED) % 7 == 1", False)])
def test_a_ruling_that_remembers_other_games_is_found(
    rule: str, sound: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"duel_with_memory_{sound}"
    (tmp_path / f"{name}.py").write_text(MEMORY.format(rule=rule))
    monkeypatch.syspath_prepend(tmp_path)
    duel = importlib.import_module(name).BOOK
    found = pytest.raises(NotConforming, match=r"duel, after answer 1, .* in a fresh process")
    with nullcontext() if sound else found:
        a_fresh_process_rules_the_same(duel, Report())


def test_a_book_that_no_other_process_can_import_is_named() -> None:
    report = Report()
    a_fresh_process_rules_the_same(opposed(Fraction(15, 36)), report)
    assert report.uncompared == {
        "a fresh process": "the book is no attribute of a module, so no other process can import it"
    }
