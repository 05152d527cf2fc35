"""What a bare Select sends when a question appears, and how the end of a phase is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.console.cards.asks import deal
from referee.rulebook import Play
from referee.session.prompt import Prompt, read_prompt

Make = Callable[..., Any]
FIRST, SECOND = "first-movement", "second-movement"


def prompt(play: Play) -> Prompt:
    asked = read_prompt(play, 1, None)
    assert asked is not None
    return asked


def select(play: Play) -> Any:
    """Return what Select sends before anything was turned, None where it would be refused."""
    asked = prompt(play)
    if asked.kind == "count":
        return None if any(bar.option.id == str(asked.default) for bar in asked.barred) else asked.default
    lit = deal(asked).lit
    return None if lit is None or lit.bar else {b.id: b.answers for b in asked.bundles}.get(lit.id, lit.id)


def test_nobody_leaves_the_paths_by_a_select(ring: Make) -> None:
    t = ring().to("alliance", FIRST).answer("special-hex", "paths-of-the-dead", 1).pass_phase().to("alliance", SECOND)
    t.answer("done")
    assert select(t.play) == "moves"
    t.judge("on_board.army-of-the-dead", 1)
    assert t.barred() == {"aragorn-and-2-dead": "BR-X09", "2-dead": "BR-X09"}
    t.answer("1-dead")
    assert (t.board["aragorn"], t.board["army-of-the-dead"], t.last().to_do) == (0, 1, ("Remove 1 Aragorn",))


def test_the_last_build_is_not_confirmed_by_a_select(ring: Make) -> None:
    t = ring().to("sauron", "building", 2).answer("orc", "harad")
    assert select(t.play) == "elsewhere"
    t.answer("yes")
    assert t.game.phase == FIRST


@pytest.mark.parametrize("players", [3, 2])
@pytest.mark.parametrize("phase", ["building", FIRST, "attack", SECOND])
def test_the_end_of_the_phase_is_on_the_first_page(ring: Make, players: int, phase: str) -> None:
    for seat in ring(players=players).game.seats():
        asked = prompt(ring(players=players).to(seat, phase, 2).play)
        labels = [cell.short or cell.text for cell in deal(asked).cells()]
        assert {"End", "Done"} & set(labels), (seat, labels)


def test_the_band_says_which_movement_it_is(ring: Make) -> None:
    t = ring()
    assert t.play.ask.tag == "1st move"
    assert t.to("sauron", SECOND).play.ask.tag == "2nd move"
