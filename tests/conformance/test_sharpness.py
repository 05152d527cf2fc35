"""Conformance catches what an author gets wrong: a small sound game is broken in one way after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar

import pytest

from referee import rulebook as kit
from referee.testing.conformance import NotConforming, conformance

SIDES = {"north": "North", "south": "South"}
OTHER = {"north": "south", "south": "north"}
ENOUGH = 100
"""Answers in which each of the faults shows."""
RESULTS = {"driven-back": "Driven back", "no-effect": "Holds"}
ACTIONS = kit.Options([("charge", "Charge"), ("shoot", "Shoot"), ("wait", "Wait")])


@dataclass
class Ford(kit.Game):
    """Arrows left, and how often each side was driven back."""

    seat: str = "north"
    turn: int = 1
    arrows: int = 3
    driven: dict[str, int] = field(default_factory=lambda: {"north": 0, "south": 0})
    correctable: ClassVar[dict[str, kit.Range]] = {"arrows": kit.Range(0, 9)}

    def place(self) -> tuple[str, ...]:
        return (f"Turn {self.turn}", "Action")

    def seats(self) -> dict[str, str]:
        return SIDES

    def bar(self, action: str) -> kit.Bar | None:
        return kit.Bar("F-X1", "No arrow") if action == "shoot" and not self.arrows else None


@dataclass(frozen=True)
class Fault:
    """What an author gets wrong."""

    need: int = 9
    total: Callable[[tuple[int, ...]], int] = sum
    stale: bool = False
    restless: bool = False
    hungry: bool = False
    passing: str | None = "wait"
    default: str | None = "charge"
    table: tuple[tuple[str, str], ...] = (
        ("charge", "open"),
        ("charge", "ford"),
        ("shoot", "open"),
        ("shoot", "ford"),
    )
    rule: str = "F-1"
    reason: str = "F-1"
    headline: str = "Driven back"


def attack(game: Ford, fault: Fault) -> kit.Procedure[None]:
    def outcome(faces: tuple[int, ...], need: int) -> str:
        return "driven-back" if sum(faces) >= need else "no-effect"

    arrows = game.arrows
    faces = yield lambda: kit.Roll(
        "attack.dice",
        "Roll",
        2,
        odds=lambda: kit.throw_odds(2, lambda faces: outcome(faces, fault.need), RESULTS),
        need="9+",
        need_note=f"{arrows if fault.stale else game.arrows} arrows",
    )
    result = outcome(faces, 9)
    if result == "driven-back":
        game.driven[OTHER[game.seat]] += 1
    data = {"faces": list(faces), "total": fault.total(faces)}
    game.rule(kit.Ruling(result, fault.headline, (fault.rule,), ((fault.reason, "9+ drives back"),), data))


def play(game: Ford, fault: Fault) -> kit.Procedure[None]:
    while max(game.driven.values()) < 3:
        yield kit.MILESTONE
        bar = lambda each: kit.Bar("F-X1", "No arrow") if each == "shoot" and not game.arrows else None  # noqa: E731
        action = yield kit.Choose(
            "turn.action", "What now?", ACTIONS, bar, default=fault.default, passing=fault.passing
        )
        if action == "shoot":
            game.arrows = game.arrows - 1 if fault.hungry else max(0, game.arrows - 1)
        if action != "wait":
            asked = game.seat
            game.seat = OTHER[asked] if fault.restless else asked  # so that the other side throws
            yield from attack(game, fault)
            game.seat = asked
        game.turn += 1
        if not game.turn % 3:
            game.seat = OTHER[game.seat]
    game.over = kit.Over("driven-back", "The ford is given up")


def book(fault: Fault) -> kit.Book:
    odds = kit.throw_odds(2, lambda faces: "driven-back" if sum(faces) >= 9 else "no-effect", RESULTS)
    return kit.Book(
        id="the-ford",
        title="The Ford",
        edition="1",
        start=lambda settings: Ford(),
        play=lambda game: play(game, fault),
        rulings={"charge": lambda game: attack(game, fault)},
        rules={"F-1": "A charge drives back on 9+"},
        tables={"charges": lambda: [kit.Cell(row, column, odds) for row, column in fault.table]},
    )


def test_a_sound_game_conforms_and_its_cost_is_reported() -> None:
    report = conformance(book(Fault()))
    assert report.compared > 1000
    assert report.hand_overs > 20
    assert str(report).startswith(f"{report.answers / report.rulings:.1f} answers a ruling, ")


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        (Fault(need=8), "the odds give driven-back 5/12, the throws 5/18"),
        (Fault(total=lambda faces: sum(faces) + 1), "expected their sum"),
        (Fault(stale=True), "attack.dice still shows"),
        (Fault(restless=True), "answers changed the turn but not `place()`"),
        (Fault(hungry=True), "overrides corrections and concessions break nothing"),
        (Fault(default="wait"), "turn.action: a bare Select (wait) ends Turn 1 / Action"),
        (Fault(table=(("charge", "open"), ("charge", "ford"), ("wait", "open"))), "is ragged"),
        (Fault(rule="F-9", reason="F-9"), "F-9 is not in Book.rules"),
        (Fault(reason="F-2"), "F-2 is a reason's rule"),
        (Fault(headline="Driven back beyond the farther bank of the long river"), "texts fit the glass: 128: "),
    ],
    ids=["odds", "total", "need", "turn", "counter", "select", "table", "rule", "reason", "glass"],
)
def test_a_fault_is_caught_and_named(fault: Fault, words: str) -> None:
    with pytest.raises(NotConforming, match="the-ford fails checks that every rulebook must pass") as caught:
        conformance(book(fault), ENOUGH)
    assert words in str(caught.value)


def test_a_table_that_raises_is_caught() -> None:
    def broken() -> Any:
        return [kit.Cell("charge", "open", kit.Odds([kit.Chance("a", "A", Fraction(1, 2))]))]

    with pytest.raises(NotConforming, match="tables are complete"):
        conformance(replace(book(Fault()), tables={"charges": broken}), ENOUGH)
