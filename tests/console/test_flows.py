"""Presses at the box: of each ruling, of whole turns, and what people do around a game."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from referee.station.virtual.bench import Bench
from tests.console.conftest import Open

HANDS: Final = {"S": "select", "B": "back", "a": "seat-1", "b": "seat-2", "c": "seat-3", "d": "seat-4"}
"""How scripts name the keys, beside the digits of the die keys; H is Select held, R a ruling left to give way."""
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


def pressed(bench: Bench, keys: str) -> int:
    """Press the keys of a script; return how many presses that were."""
    before = bench.presses
    press(bench, keys)
    return bench.presses - before


def asked(bench: Bench) -> str:
    assert bench.prompt is not None
    return bench.prompt.ask


def ended(bench: Bench, game: str) -> None:
    """Play a whole game to its end, by giving up, and leave it."""
    bench.play(game)
    bench.settle()
    table = bench.console.table
    seats = list(table.current.seats())
    table.seat_player(seats[0], "Anna")
    for seat in seats[:-1]:
        table.concede(seat)
    table.leave()
    bench.wait(1)


def test_war_to_its_first_throw(open_bench: Open) -> None:
    """Eight with the Armies keyed anew; three with the same ones, another evening."""
    bench = open_bench()
    ended(bench, "war-of-the-ring")
    assert (pressed(bench, "14 53242H"), asked(bench)) == (8, "combat.roll")
    table = bench.console.table
    for answer in ({"hits": 0}, {"hits": 0}, {"hits": 0}, "cease"):
        assert bench.prompt is not None
        table.answer(bench.prompt.given(answer))
    press(bench, "R")
    table.leave()
    bench.wait(1)
    assert (pressed(bench, "1R43"), asked(bench)) == (3, "combat.roll")


def test_battle_to_its_first_attack_the_second_time(open_bench: Open) -> None:
    """The same people: what is placed is not asked again."""
    bench = open_bench()
    ended(bench, "battle-of-the-ring")
    assert (pressed(bench, "1a5"), asked(bench)) == (3, "attack.attacker")


def test_the_same_people_play_once_more(open_bench: Open) -> None:
    """Two presses from the end of a game, one from the shelf; names, seats and switches are kept."""
    bench = open_bench()
    ended(bench, "war-of-the-ring")
    assert pressed(bench, "1") == 1
    assert bench.console.table.players == {"free-peoples": "Anna"}
    bench.console.table.concede("shadow")
    bench.wait(1)
    assert pressed(bench, "S1") == 2
    assert bench.console.table.players == {"free-peoples": "Anna"}


def test_a_game_goes_on_in_one_press_without_a_hand_over(open_bench: Open) -> None:
    bench = open_bench()
    bench.play("war-of-the-ring")
    press(bench, "1")
    before = asked(bench)
    bench.console.table.leave()
    bench.wait(1)
    assert (pressed(bench, "1"), asked(bench)) == (1, before)


def test_a_wrong_first_die_takes_three(open_bench: Open) -> None:
    """Back to it, and both dice; the column and the position stay."""
    bench = open_bench()
    press(bench, "12 125")
    assert pressed(bench, "B44") == 3


def test_a_panel_leaves_a_game_by_one_click(open_bench: Open) -> None:
    bench = open_bench()
    bench.play("war-of-the-ring")
    bench.wait(1)
    console = bench.console
    console.tap(console.stage.screen, "shelf", bench.clock.now, "panel", held=True)
    assert console.table.session is None


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
