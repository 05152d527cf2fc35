"""Presses of a ruling where the dice read themselves: the faces fall away."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from hardware.simulated.reader import SimulatedReader
from referee.station.virtual.bench import Bench
from tests.bench.presses import ATTACKS, BATTLE, COMPANY, STRIKES, press


class Table(Bench):
    """A box with dice of its seats: W1 to W5 are the first one's, B1 to B5 the second one's, and X1, X2 nobody's."""

    dice: SimulatedReader

    def throw(self, *dice: str) -> None:
        """Let dice fall one after another, "W1=5"; then time passes, and nobody touches a key."""
        for each in dice:
            name, _, face = each.partition("=")
            self.dice.throw(int(face), dice=[name], seat="XWB".index(name[0]), certainty=[1000], ago=0.01)
            self.settle()
        self.wait(1)


class Row(NamedTuple):
    """A ruling: keys up to it, then keys and throws in turn, and how many presses they are."""

    before: str
    script: tuple[str | tuple[str, ...], ...]
    presses: int


PAIR = ("X1=4", "X2=4")
ROWS = {
    "attack": Row(f"{ATTACKS} 11133 R", ("111", PAIR), 3),
    "same again": Row(f"{ATTACKS} 11133 R", ("H", PAIR), 1),
    "bare attack": Row("12 1254 R", ("12", PAIR), 2),
    "strike": Row(f"{STRIKES} R", ("31", PAIR), 2),
    "bare corruption check": Row("44 466 R", ("4", PAIR), 1),
    "corruption check in a game": Row(COMPANY, ("21", PAIR), 2),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_ruling_takes_no_press_for_its_dice(name: str, tmp_path: Path) -> None:
    row = ROWS[name]
    with Table(tmp_path / "journal.db") as bench:
        bench.dice = bench.reader()
        press(bench, row.before)
        rulings = [entry for entry in bench.console.table.current.entries if entry.result]
        bench.presses = 0
        for part in row.script:
            if isinstance(part, str):
                press(bench, part)
                bench.wait(1)
            else:
                bench.throw(*part)
        after = [entry for entry in bench.console.table.current.entries if entry.result]
        assert bench.presses == row.presses
        assert len(after) == len(rulings) + 1, "it was ruled"
        assert after[-1].source == "dice-reader"
        assert bench.misfits == []


def test_a_round_of_war_takes_two_presses_though_both_sides_throw_at_once(tmp_path: Path) -> None:
    with Table(tmp_path / "journal.db") as bench:
        bench.dice = bench.reader()
        press(bench, f"{BATTLE} S1614 R")
        bench.presses = 0
        press(bench, "H")
        bench.wait(1)
        bench.throw(*(f"B{n}={face}" for n, face in enumerate((6, 1, 1, 1, 1), 1)), *(f"W{n}=1" for n in range(1, 6)))
        bench.throw("B1=1", "B2=1")  # the Leader's re-roll
        press(bench, "5")
        rolls = {(each.ask, each.seat): each.answer for each in bench.console.table.current.entries[-8:]}
        assert bench.presses == 2
        assert rolls["combat.roll", "shadow"] == [6, 1, 1, 1, 1]
        assert rolls["combat.roll", "free-peoples"] == [1, 1, 1, 1, 1]
        assert rolls["reroll.roll", "shadow"] == [1, 1]
        assert bench.console.table.current.entries[-1].result is not None, "it was ruled"
        assert bench.misfits == []
