"""Riddle of the Ring pressed on the simulated box: presses as a player makes them, and no text that does not fit."""

from __future__ import annotations

from referee.console.views import Band, Grid, Ruling, View
from referee.games import load
from referee.station.virtual.bench import Bench
from tests.games.conftest import pressed

BOOK = load("riddle-of-the-ring")


def begin(bench: Bench, players: int = 4, ruling: str | None = None) -> Bench:
    """Begin by hand of the shelf's console, with the usual line-up, at the first question."""
    bench.console.table.begin(BOOK, BOOK.settings({}), ruling)
    bench.settle()
    if ruling is None and players:
        bench.console.table.current.answer(players)
        bench.console.table.current.bundle("usual")
        bench.console.table.use(bench.console.table.current)
        bench.key("select")
    return bench


def ask(bench: Bench) -> str:
    prompt = bench.console.table.prompt
    return prompt.ask if prompt else ""


def headline(view: View) -> str:
    assert isinstance(view, Ruling)
    return view.headline


def test_a_game_from_the_shelf(bench: Bench) -> None:
    """Its key, 1 a new one, 1 starts it; four players, who sit as usual."""
    order = [label.id for label in bench.console.table.shelf.labels()]
    bench.key(str(order.index("riddle-of-the-ring") + 1), "1", "1", "4", "5")
    assert list(bench.console.table.current.seats()) == ["frodo", "br1", "sam", "br2"]
    assert bench.misfits == []


def test_a_battle_of_two_rounds_won(bench: Bench) -> None:
    begin(bench)
    assert pressed(bench, "1", "3") == 2  # a stop beside BR1, the Friendly Exchange done
    # Battle; Good, Evil; Neutral, and BR1 surrenders with the key of that name; 1 card taken
    assert pressed(bench, "2", "1", "1", "2", "5", "1") == 1 + 2 * 2 + 1
    assert headline(bench.view) == "BR1 to Halls"
    assert isinstance(bench.view, Ruling)
    assert bench.view.to_do == ("Discard all cards laid",)
    assert bench.view.foot_left == "2-1  1 PP left"
    bench.key("select")
    assert ask(bench) == "turn.menu"
    assert bench.misfits == []


def test_a_battle_by_itself(bench: Bench) -> None:
    begin(bench, ruling="battle")
    assert pressed(bench, "1", "1", "1", "1", "1", "5") == 1 + 2 * 2 + 1
    assert headline(bench.view) == "Tie"
    assert bench.misfits == []


def test_clairvoyance_riddle_and_shelob(bench: Bench) -> None:
    begin(bench)
    assert pressed(bench, "4", "2", "2") == 3  # Clairvoyance, Spy, Sam, who cannot resist
    assert headline(bench.view) == "Sam seen"
    bench.key("select")
    assert pressed(bench, "3", "1", "4", "select", "1", "2") == 6  # Riddle, BR1, 4 cards, right, wrong
    assert headline(bench.view) == "Wrong"
    bench.key("select")
    assert ask(bench) == "turn.menu"
    assert bench.console.table.current.game.status() == "0 PP left"
    assert bench.misfits == []


def test_the_turn_ends_with_key_6_and_the_game_by_turning(bench: Bench) -> None:
    begin(bench)
    assert isinstance(bench.view, Grid)
    assert [cell.text for cell in bench.view.cells][-1] == "End turn"
    assert (bench.view.band, bench.view.lit) == (Band("Frodo", "2 PP left"), 0)
    bench.turn(-2)
    assert bench.view.band == Band("Frodo", "Sel: Over")
    assert pressed(bench, "select", "select") == 2  # the game is not over by two presses of Select
    assert ask(bench) == "turn.menu"
    bench.key("6")
    assert bench.console.table.current.game.seat == "br1"


def test_a_turn_in_the_halls_ends_with_its_own_key(bench: Bench) -> None:
    begin(bench)
    bench.console.table.current.game.correct("in_halls.br1", True)
    bench.key("6", "seat-2")
    bench.key("select")
    game = bench.console.table.current.game
    assert (game.seat, game.read("in_halls.br1")) == ("br1", False)  # Select says that he has left; it ends no turn
