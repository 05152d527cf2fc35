"""What people do around a game, in presses at the box: from the shelf to the first throw, away from it, and back."""

from __future__ import annotations

from collections.abc import Callable

from referee.station.virtual.bench import Bench
from tests.console.presses import press

Open = Callable[..., Bench]


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
