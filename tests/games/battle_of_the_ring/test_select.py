"""What a bare Select sends when a question appears, and how the end of a phase is seen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.console.cards.asks import deal
from referee.games import load
from referee.rulebook import Play
from referee.session.prompt import Prompt, read_prompt
from referee.testing.random_table import RandomTable

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


def moment(play: Play) -> tuple[Any, ...]:
    game: Any = play.game
    return game.round, game.seat, game.phase, play.over


@pytest.mark.parametrize("players", [3, 2])
def test_select_ends_no_phase_no_turn_and_no_game(players: int) -> None:
    asked = set()
    for seed in range(8):
        t = RandomTable(load("battle-of-the-ring"), {"players": players}, None, seed)
        for _ in range(200):
            if t.play.ask is None:
                break
            if t.play.ask.kind in ("choose", "count") and t.play.game.place() != ("Setup",):
                here, before, sent = len(t.play.moves), moment(t.play), select(t.play)
                asked.add(t.play.ask.key)
                for answer in sent if isinstance(sent, tuple) else () if sent is None else (sent,):
                    t.play.answer(answer)
                assert moment(t.play) == before, t.play.moves[-1]
                t.play.rewind(here)
            t.play.answer(t.legal())
    assert {"attack.attacker", "build.empty", "end.shire", "move.hexes", "ring.captor", "special.hex"} <= asked


@pytest.mark.parametrize(
    ("seat", "way"),
    [
        ("sauron", ("ring-captured", "nazgul", 3, "barad-dur")),
        ("saruman", ("ring-captured", "saruman")),
        ("saruman", ("ring-captured", "man-orc", 2, "isengard")),
        ("alliance", ("special-hex", "mount-doom", 3)),
        ("alliance", ("check", "ring-bearer", "mount-doom", 3)),
        ("sauron", ("ring-captured", "orc", 3, "mount-doom", "yes")),
    ],
)
def test_select_never_sends_the_answer_that_wins(ring: Make, seat: str, way: tuple[Any, ...]) -> None:
    t = ring().to(seat, FIRST).answer(*way[:-1])
    assert select(t.play) != way[-1]
    t.answer(way[-1])
    assert t.play.over is not None


@pytest.mark.parametrize(
    ("seat", "way", "last"),
    [
        ("saruman", ("done",), "nobody"),
        ("alliance", ("special-hex", "moria", 1, "done"), "yes"),
        ("alliance", ("special-hex", "fangorn", "gandalf", 1, "done"), "nobody"),
        ("alliance", ("special-hex", "paths-of-the-dead", 1, "done"), "yes"),
        ("alliance", ("elven-hex", "ring-bearer", "elven-1", 1, "done"), "yes"),
        ("alliance", ("special-hex", "barad-dur", 1, "done"), "yes"),
    ],
)
def test_select_at_the_end_of_a_phase_leads_back_to_the_moves(
    ring: Make, seat: str, way: tuple[Any, ...], last: str
) -> None:
    t = ring().to(seat, FIRST).answer(*way)
    assert select(t.play) == "moves"
    t.answer("moves")
    assert (t.key, t.game.phase) == ("move.menu", FIRST)
    t.answer("done", last)
    assert t.game.phase == "attack"


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
