"""Every rule has its line, and its place in the sequence of play; every text has its place on the glass."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from referee.console.drawing.screens import problems
from referee.console.drawing.type import CELLS
from referee.console.views import Refusal
from referee.games import load
from referee.games.riddle_of_the_ring import (
    battle,
    clairvoyance,
    forces,
    laying,
    moves,
    plays,
    riddles,
    rules,
    setup,
    taking,
    turn,
)
from referee.rulebook import Bar, Option, Options, cited

PRINTED = (
    *range(1, 9),
    *range(10, 16),
    *range(20, 27),
    *range(30, 37),
    *range(40, 50),
    *range(50, 58),
    *range(60, 70),
)
IDS = {f"RR-{n}" for n in PRINTED} | {f"A-RR{n}" for n in range(1, 20)}
MODULES = (battle, clairvoyance, forces, laying, moves, plays, riddles, setup, taking, turn)

CELL = 53
"""Columns for the label of a cell of the small glass."""


def constants() -> set[str]:
    """Return every rule id that stands in the code by itself, rules.py left out."""
    folder = Path(rules.__file__).parent
    ids = set()
    for path in sorted(folder.glob("*.py")):
        if path.name == "rules.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in IDS:
                ids.add(node.value)
    return ids


def test_every_rule_has_one_line() -> None:
    assert set(rules.RULES) == IDS
    assert load("riddle-of-the-ring").rules is rules.RULES


def test_every_rule_is_cited_where_it_is_played() -> None:
    assert IDS - constants() == set()
    assert {i for i in cited() if i.startswith(("RR-", "A-RR"))} <= IDS


def bars() -> list[Bar]:
    everywhere = []
    for module in MODULES:
        for value in vars(module).values():
            if isinstance(value, Bar):
                everywhere.append(value)
            elif isinstance(value, dict):
                everywhere += [each for each in value.values() if isinstance(each, Bar)]
    return everywhere


def test_refusals_fit_the_glass() -> None:
    assert len(bars()) > 30
    for bar in bars():
        assert problems(Refusal("Not now", bar.text, bar.code, "any key")) == []


def labels() -> list[Option]:
    options: list[Option] = []
    for module in MODULES:
        for value in vars(module).values():
            if isinstance(value, Option):
                options.append(value)
            elif isinstance(value, Options):
                options += value
    return [*options, *(kind.option for kind in forces.FORCES.values())]


@pytest.mark.parametrize("option", sorted(set(labels())), ids=lambda option: option.id)
def test_labels_fit_their_cells(option: Option) -> None:
    words = [word for word in (option.text, option.short) if word]
    assert min(strike.width(word) for strike in CELLS for word in words) <= CELL
