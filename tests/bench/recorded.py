"""Screens a console really showed, one after another: what the bus is judged by."""

from __future__ import annotations

import random
import tempfile
from functools import cache
from pathlib import Path

from referee import games
from referee.console.views import Blank, Dice, Grid, Idle, Pick, Question, Rows, View
from referee.testing.station import Bench
from tests.console.specimens import SPECIMENS

EVENING = ("1", "2") + 3 * ("1", "2", "5", "4", "select", "2", "1", "3", "3", "select", "1", "4", "6", "1", "back")
TURNS = (1, 1, -1, 1, 1, -1, -1, 2, -2)
FACES = "5364152"
STEPS = 60
"""Things a player does in the recording of each game, once from its first turn and once in a single ruling."""


@cache
def recordings() -> dict[str, list[View]]:
    """Return sequences of views by name.

    An evening at the table (a ruling desk with its dice, menus, odds and whys, and the beginning of a game), every
    archetype after others in random order, a clock, and each game on the shelf with everything a player can do.
    """
    clock: list[View] = [
        Idle("Sauron", "Attack", "Round 4", f"{second // 60}:{second % 60:02}") for second in range(95, 155)
    ]
    chance = random.Random(5)
    lit: list[View] = [view for view in SPECIMENS.values() if not isinstance(view, Blank)]
    shuffled: list[View] = [view for _ in range(3) for view in chance.sample(lit, len(lit))]
    views = {"evening": _evening(), "archetypes": shuffled, "clock": clock}
    for number, book in enumerate(games.books(), 1):
        views[book.id] = _played(number, "1") + _played(number, "2")
    return views


def _evening() -> list[View]:
    with tempfile.TemporaryDirectory() as folder:
        with Bench(Path(folder) / "desk.db") as desk:
            for key in EVENING:
                desk.key(key)
                desk.wait(0.4)
            for steps in TURNS:
                desk.turn(steps)
            desk.hold("back", 0.6)
            desk.key("2", "back")
            evening = list(desk.views)
        with Bench(Path(folder) / "game.db") as game:
            game.key("1", "1", "select")
            for steps in TURNS:
                game.turn(steps)
            for _ in range(3):
                game.wait(0.4)
                game.hold("select", 0.5)
                game.key("1", "1", "1", "3", "3", "select")
            return evening + game.views


def _played(number: int, entry: str) -> list[View]:
    """Play at random the game with this number, or a ruling of it: answers mostly, but everything else as well."""
    chance = random.Random(number)
    with tempfile.TemporaryDirectory() as folder, Bench(Path(folder) / "game.db") as bench:
        bench.key(str(number), entry)
        for step in range(STEPS):
            dice = chance.random()
            if dice < 0.7:
                bench.key(_press(bench, step))
            elif dice < 0.85:
                bench.turn(chance.choice([1, 1, -1, 2]))
            elif dice < 0.9:
                bench.hold("back", 0.6)
                bench.key(chance.choice("1236"))
            elif dice < 0.95:
                bench.key("back")
            else:
                bench.wait(0.4)
                bench.hold("select", 1.1)
        return list(bench.views)


def _press(bench: Bench, step: int) -> str:
    """Return the key a player tries next: a different cell each time, faces in turn."""
    view = bench.view
    if isinstance(view, Grid | Rows | Question | Pick):
        cells = [i for i, cell in enumerate(view.cells, 1) if cell.text]
        return str(cells[step % len(cells)]) if cells and (step % 4 or not isinstance(view, Pick)) else "select"
    return FACES[step % len(FACES)] if isinstance(view, Dice) else "select"
