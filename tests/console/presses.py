"""Presses per ruling, counted on the simulated box with everything a table presses, and the seconds they take."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from referee.console.views import Ruling
from referee.station.virtual.bench import Bench

PRESS: Final = 0.70
"""Seconds of a press in the field, of a held Select as well (UMTRI-2000-49)."""
DECISION: Final = 1.35
"""Seconds of making up one's mind before a press (Card, Moran and Newell's M). Dice are read, not decided on."""
GLANCE: Final = 0.70
"""Seconds of a ruling that stays until it was seen."""

HANDS: Final = {"S": "select", "B": "back", "a": "seat-1", "b": "seat-2", "c": "seat-3", "d": "seat-4"}
"""How scripts name the keys, beside the digits of the die keys; H is Select held, R a ruling left to give way."""


class Row(NamedTuple):
    """One thing a table does.

    ``before``   keys from the shelf up to it
    ``script``   its keys, each part with the decision that comes before it ("": none)
    ``presses``  how many presses it takes; ``seconds``: how long it may take; ``eye``: what the printed table takes
    """

    name: str
    before: str
    script: tuple[tuple[str, str], ...]
    presses: int
    seconds: float | None = None
    eye: float | None = None


class Count(NamedTuple):
    """What a row came to: presses, decisions, and rulings that were seen."""

    presses: int
    decisions: int
    rulings: int

    @property
    def seconds(self) -> float:
        """The estimate."""
        return PRESS * self.presses + DECISION * self.decisions + GLANCE * self.rulings


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

AGAIN = (("the same again", "H"), ("", "44"))
ROUND = (("another round, no card", "H"), ("", "161"), ("losses", "5"))

RULINGS: Final = (
    Row(
        "Battle of the Ring, a bare ruling",
        "12 1254 R",
        (("column", "1"), ("position", "2"), ("", "54")),
        4, 6.2, 10,
    ),
    Row(
        "Battle of the Ring, an attack in a game",
        f"{ATTACKS} 11133 R",
        (("attacker", "1"), ("target", "1"), ("who has a helper, and where", "1"), ("", "44")),
        5, 8.3, 10,
    ),
    Row(
        "Battle of the Ring, an attack in a game, with a helper",
        f"{ATTACKS} 11133 R",
        (("attacker", "1"), ("target", "1"), ("who has a helper, and where", "41"), ("", "33")),
        6, 10, 10,
    ),
    Row("Battle of the Ring, the same again, from the ruling", f"{ATTACKS} 11133", AGAIN, 3, 4.2, 5),
    Row("Battle of the Ring, the same again, from the question after it", f"{ATTACKS} 11133 R", AGAIN, 3, 4.2, 5),
    Row("Battle of the Ring, the same bare ruling again, from the ruling", "12 1254", AGAIN, 3, 4.2, 5),
    Row("Battle of the Ring, the same bare ruling again, from the question after it", "12 1254 R", AGAIN, 3, 4.2, 5),
    Row("War of the Ring, a round by hits, from the ruling", f"{BATTLE} S1614", ROUND, 5, 12, 12),
    Row("War of the Ring, a round by hits, from the question after it", f"{BATTLE} S1614 R", ROUND, 5, 12, 12),
    Row(
        "War of the Ring, a round by hits, both re-roll and lose units",
        f"{LED} S116145 R",
        (*ROUND[:1], ("", "1111"), ("losses", "4"), ("losses of the other side", "4")),
        7, 12, 12,
    ),
    Row("Riddle of the Ring, a round", f"{STOP} 11", (("force", "1"), ("force", "1")), 2, 4.8, 3),
    Row("The Wizards, a strike", f"{STRIKES} R", (("who", "3"), ("tap", "1"), ("", "42")), 4, 6.2, 4),
    Row(
        "The Wizards, a strike where the attacker is asked",
        f"{COMPANY} 113311 123",
        (("who", "2"), ("the attacker plays nothing", "2"), ("tap", "1"), ("", "66")),
        5,
    ),
    Row(
        "The Wizards, a strike with a body check",
        f"{STRIKES} R",
        (("who", "2"), ("tap", "1"), ("", "11"), ("", "33")),
        6, 7.6, 6,
    ),
    Row("The Wizards, a bare corruption check", "44 466 R", (("points", "4"), ("", "66")), 3, 4.2, 4),
    Row(
        "The Wizards, a corruption check in a game",
        COMPANY,
        (("a corruption check", "2"), ("who", "1"), ("", "43")),
        4,
    ),
)  # fmt: skip


TURNS: Final = (
    Row(
        "Battle of the Ring, a turn with three attacks, one with a helper",
        "11S H S",
        (
            ("the seat's button, no special move", "a 5"),
            ("an attack", "111 13 R"), ("the same again", "H 44 R"), ("an attack with a helper", "1141 52 R"),
            ("no more attacks, no special move", "35"),
        ),
        18,
    ),
    Row(
        "War of the Ring, a battle of three rounds from its declaration to the end",
        "21S",
        (
            ("who attacks, where, both Armies", "11 532 62S"),
            ("rounds", "S1614 R H1615 R H161 R"), ("the attacker ceases", "2 R"),
        ),
        23,
    ),
    Row(
        "Riddle of the Ring, a turn with a battle of two rounds",
        "31S 64",
        (
            ("the seat's button, a stop beside a player", "a 13"), ("a battle", "2 11 25 1"),
            ("its order was carried out", "S"), ("the end of the turn", "6"),
        ),
        11,
    ),
    Row(
        "The Wizards, an attack with three strikes",
        COMPANY,
        (
            ("the attack", "113311"), ("who faces a strike", "123"),
            ("strikes", "13166 R 3142 R 166 R"), ("the creature was taken", "S"),
        ),
        22,
    ),
)  # fmt: skip
"""Whole turns, with everything that is pressed in them; a part of a script is no single decision here."""


@cache
def play(row: Row) -> Count:
    """Play one row. Raises ValueError if anything on the way did not fit, or no ruling came of what should."""
    with tempfile.TemporaryDirectory() as folder, Bench(Path(folder) / "journal.db") as bench:
        press(bench, row.before)
        bench.presses = 0
        seen = len(bench.views)
        for _, keys in row.script:
            press(bench, keys)
        if bench.misfits:
            raise ValueError(f"{row.name}: {bench.misfits}")
        rulings = sum(isinstance(view, Ruling) for view in bench.views[seen:])
        return Count(bench.presses, sum(1 for decision, _ in row.script if decision), rulings)


def press(bench: Bench, keys: str) -> None:
    """Press the keys of a script."""
    for key in keys.replace(" ", ""):
        if key == "R":
            bench.read()
        elif key == "H":
            bench.wait(0.4)
            bench.hold("select", 0.5)
        else:
            bench.key(HANDS.get(key, key))
