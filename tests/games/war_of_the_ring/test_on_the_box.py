"""Rounds pressed on the simulated box: how many keys they take, and that every screen on the way fits its glass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from referee.console.views import Band, Count, Odds, Refusal, Ruling, Why
from referee.games import load
from referee.station.virtual.bench import Bench

Open = Callable[..., Bench]


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Open]:
    """Return what sets up a battle on a box: the Shadow attacks in the field; presses count from the first round."""
    opened: list[Bench] = []

    def battle(attacker: str, defender: str, entry: str = "hits", ground: str = "1") -> Bench:
        bench = Bench(tmp_path / f"{len(opened)}.db")
        opened.append(bench)
        bench.console.table.begin(load("war-of-the-ring"), {"dice_entry": entry, "assault_pays": True}, None)
        bench.key("1", ground)
        for number in attacker + defender:
            if number == "0":
                bench.turn(-9)
                bench.key("select")
            else:
                bench.key(number)
        bench.presses = 0
        return bench

    yield battle
    for bench in opened:
        bench.close()


def in_cell(bench: Bench, text: str) -> str:
    """Return the key under which a label stands."""
    cells = bench.view.cells  # type: ignore[attr-defined]
    return str(next(i for i, cell in enumerate(cells, 1) if text in (cell.text, cell.short)))


def test_a_typical_round_with_hits_takes_seven_presses(box: Open) -> None:
    bench = box("532", "610")
    bench.key("select")  # nobody plays a card
    bench.key("3", "6")  # hits of both: 3 and 0
    bench.key("1")  # the Shadow re-rolls two, one hits
    bench.key(in_cell(bench, "R2 E1 left"))
    assert isinstance(bench.view, Ruling)
    assert bench.view.headline == "Shadow 8, FP 3"
    bench.key("select")
    bench.key(in_cell(bench, "Cards"))
    assert bench.presses == 7
    assert bench.console.table.current.place[-1] == "Round 2"
    assert not bench.misfits


def test_from_round_two_on_a_round_without_cards_takes_five(box: Open) -> None:
    """From ruling to ruling: nobody plays a card, hits of both, the Shadow's re-roll, the losses of the others."""
    bench = box("532", "620")
    bench.key("select", "1", "6", "1")
    bench.key(in_cell(bench, "R6 E1 left"))
    assert isinstance(bench.view, Ruling)
    bench.presses = 0
    hold_select(bench)
    assert isinstance(bench.view, Count)
    bench.key("1", "6", "1")
    bench.key(in_cell(bench, "R6 E0 left"))
    assert isinstance(bench.view, Ruling)
    assert bench.presses == 5
    assert bench.console.table.current.game.round == 2  # type: ignore[attr-defined]
    assert not bench.misfits


def hold_select(bench: Bench) -> None:
    """Hold Select on a ruling: the next round, no cards."""
    bench.wait(0.3)
    bench.hold("select", 0.6)


@pytest.mark.parametrize("none", ["6", "right", "left"])
def test_no_hits_are_one_press_or_one_detent_and_select(box: Open, none: str) -> None:
    bench = box("300", "300")
    bench.key("select")
    for _ in range(2):
        if none == "6":
            bench.key("6")
        else:
            bench.turn(1 if none == "right" else -1)
            assert bench.text.split(". ")[2] == "0, from 0 to 3"
            bench.key("select")
    assert isinstance(bench.view, Ruling)
    assert bench.view.headline == "No losses"
    assert not bench.view.changed
    assert not bench.misfits


def test_select_alone_enters_no_hits_that_nobody_threw(box: Open) -> None:
    bench = box("300", "300")
    bench.key("select")
    view = bench.view
    assert isinstance(view, Count)
    assert (view.value, view.foot_left, view.foot_right) == (None, "of 3, needs 5+", "6 = 0")
    accepted = bench.console.table.current.n
    for _ in range(3):
        bench.key("select")
        assert isinstance(bench.view, Refusal)
        assert bench.view.text == "Enter the hits, or turn to a number"
        bench.key("select")
    assert bench.console.table.current.n == accepted


@pytest.mark.parametrize(("entry", "rolls"), [("hits", ("1", "6")), ("faces", ("521", "111"))])
def test_a_single_select_gives_up_no_reroll(box: Open, entry: str, rolls: tuple[str, str]) -> None:
    bench = box("302", "300", entry)
    bench.key("select", *rolls[0], *rolls[1])
    assert bench.console.table.current.prompt.ask == "reroll.roll"  # type: ignore[union-attr]
    bench.key("select")
    assert bench.console.table.current.prompt.ask == "reroll.roll"  # type: ignore[union-attr]
    if entry == "faces":
        assert bench.text == "Shadow re-rolls. 1/2. roll 2 dice. 5+ hits. Select: no dice"
        bench.key("select")
        assert isinstance(bench.view, Ruling)
    assert not bench.misfits


def test_the_menu_tells_how_the_battle_will_come_out(box: Open) -> None:
    bench = box("532", "421")
    bench.key("select", "1", "6", "6", "6")
    bench.key(in_cell(bench, "R3 E2 left"))
    bench.key("select")
    bench.wait(0.3)
    bench.hold("back", 0.6)
    bench.key("2")
    assert isinstance(bench.view, Odds)
    assert [row[0] for row in bench.view.rows] == ["FP out", "Shad. out", "Both out"]
    assert all(row[2].endswith("%") for row in bench.view.rows)
    assert bench.view.band == Band("If both fight on", "turn ▶")
    bench.turn(1)
    assert isinstance(bench.view, Why)
    assert " ".join(bench.view.lines).startswith("Nobody ceases or retreats.")
    assert not bench.misfits


def page(effect: int) -> str:
    """Return the keys that choose an effect by its place: five on a page, the sixth key turns it."""
    return "6" * (effect // 5) + str(effect % 5 + 1)


@pytest.mark.parametrize(
    ("keys", "then", "asked", "presses"),
    [
        (page(13), ("2", "6", "6", "1"), "casualty", 10),
        (page(14), ("2", "6", "6", "1"), "casualty", 10),
        (page(15) + "21", (), "combat.roll", 9),
        (page(16), ("1",), "combat.roll", 8),
        (page(17), ("2",), "casualty", 8),
        (page(18), (), "combat.roll", 7),
    ],
    ids=["more hits", "misses", "fewer dice", "forfeit for dice", "losses for hits", "card off"],
)
def test_a_card_with_one_of_the_rarer_effects(
    box: Open, keys: str, then: tuple[str, ...], asked: str, presses: int
) -> None:
    """W1 to W5: a card, none of the defender's, its effect, done; then what is asked at its moment."""
    bench = box("412", "540")
    bench.key("2", "1", *keys, "select", *then)
    assert bench.console.table.current.prompt.ask == asked  # type: ignore[union-attr]
    assert bench.presses == presses
    assert not bench.misfits
