"""Presses of each ruling and of whole turns, with everything that a table presses."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.station.virtual.bench import Bench
from tests.console.presses import press

ATTACKS = "11S H S a 5"
"""Battle of the Ring, three players: everything placed, Sauron's button, no special move; his first Attack Phase."""
BATTLE = "21S 11 532 62S"
"""War of the Ring: 5 Regulars, 3 Elites and Leadership 2 attack 6 Regulars and 2 Elites in the field."""
LED = "21S 11 542 442"
"""5 Regulars, 4 Elites and Leadership 2 attack 4 Regulars, 4 Elites and Leadership 2."""
COMPANY = "411 662S"
"""The Wizards: the printed example with its hazard limit."""
STRIKES = f"{COMPANY} 113311 123 13166"
"""Three strikes of 7/- are assigned; the first is resolved, and the attacker plays nothing more."""
STOP = "31S 64 a 13 2"
"""Riddle of the Ring, four players: Frodo's button, a stop beside BR1, Battle."""


@pytest.mark.parametrize(
    ("before", "script", "presses"),
    [
        pytest.param("12 1254 R", "1 2 54", 4, id="Battle: a bare ruling"),
        pytest.param(f"{ATTACKS} 11133 R", "1 1 1 44", 5, id="Battle: an attack"),
        pytest.param(f"{ATTACKS} 11133 R", "1 1 41 33", 6, id="Battle: an attack, with a helper"),
        pytest.param(f"{ATTACKS} 11133", "H44", 3, id="Battle: the same again, from the ruling"),
        pytest.param(f"{ATTACKS} 11133 R", "H44", 3, id="Battle: the same again, from the question after it"),
        pytest.param("12 1254", "H44", 3, id="Battle: the same bare ruling again"),
        pytest.param(f"{BATTLE} S1614", "H 161 5", 5, id="War: a round by hits, from the ruling"),
        pytest.param(f"{BATTLE} S1614 R", "H 161 5", 5, id="War: a round by hits, from the question after it"),
        pytest.param(f"{LED} S116145 R", "H 1111 4 4", 7, id="War: a round with re-rolls and losses of both"),
        pytest.param(f"{STOP} 11", "1 1", 2, id="Riddle: a round"),
        pytest.param(f"{STRIKES} R", "3 1 42", 4, id="Wizards: a strike"),
        pytest.param(f"{COMPANY} 113311 123", "2 2 1 66", 5, id="Wizards: a strike, the attacker is asked"),
        pytest.param(f"{STRIKES} R", "2 1 11 33", 6, id="Wizards: a strike with a body check"),
        pytest.param("44 466 R", "4 66", 3, id="Wizards: a bare corruption check"),
        pytest.param(COMPANY, "2 1 43", 4, id="Wizards: a corruption check in a game"),
        pytest.param("11S H S", "a5 111 13R H44R 1141 52R 35", 18, id="Battle: a turn of three attacks"),
        pytest.param("21S", "11 532 62S S1614R H1615R H161R 2", 23, id="War: a battle of three rounds"),
        pytest.param("31S 64", "a 13 2 11 25 1 S 6", 11, id="Riddle: a turn with a battle of two rounds"),
        pytest.param(COMPANY, "113311 123 13166R 3142R 166R S", 22, id="Wizards: an attack with three strikes"),
    ],
)
def test_so_many_presses(tmp_path: Path, before: str, script: str, presses: int) -> None:
    with Bench(tmp_path / "journal.db") as bench:
        press(bench, before)
        bench.presses = 0
        press(bench, script)
        assert bench.presses == presses
        assert bench.misfits == []
