"""Battle of the Ring pressed on the simulated box: presses as a player makes them, and no text that does not fit."""

from __future__ import annotations

from typing import Any

from referee.console.views import Refusal, Ruling, View
from referee.games import load
from referee.station.virtual.bench import Bench
from tests.games.conftest import pressed

BOOK = load("battle-of-the-ring")


def begin(bench: Bench, ruling: str | None = None, **settings: Any) -> Bench:
    """Begin as the shelf does, with every piece placed."""
    bench.console.table.begin(BOOK, BOOK.settings(settings), ruling)
    bench.settle()
    if ruling is None:
        bench.key("2")
    return bench


def to(bench: Bench, seat: str, phase: str, round_: int = 1) -> Bench:
    """Let the phases go by quietly until this one stands."""
    session = bench.console.table.session
    assert session is not None
    for _ in range(400):
        game: Any = session.game
        if (game.seat, game.phase, game.round) == (seat, phase, round_):
            bench.console.table.use(session)
            bench.settle()
            return bench
        assert session.prompt is not None
        if any(bundle.id == "quiet" for bundle in session.prompt.bundles):
            session.bundle("quiet")
        else:
            session.answer("done")
    raise AssertionError(f"never came to {seat} {phase} in round {round_}")


def headline(view: View) -> str:
    assert isinstance(view, Ruling), view
    return view.headline


def test_an_attack_is_five_presses_and_the_same_again_three(bench: Bench) -> None:
    to(begin(bench), "sauron", "attack").key("select")  # whose turn it is
    assert pressed(bench, "1", "1", "1", "4", "4") == 5  # Orc, Gondor, no helper and open ground, two dice
    assert headline(bench.view) == "Gondor out"
    bench.key("select")
    assert (
        pressed(bench, "1", "1", "4", "1", "5", "2") == 6
    )  # Orc, Gondor, the Orc has a helper, open ground, two dice
    assert headline(bench.view) == "Gondor out"
    bench.wait(0.5)
    bench.presses = 0
    bench.hold("select", 0.6)
    assert pressed(bench, "3", "2") == 2
    assert bench.presses == 3
    assert headline(bench.view) == "No effect"
    assert bench.misfits == []


def test_a_single_attack_again_is_one_press_and_the_dice(bench: Bench) -> None:
    begin(bench, "attack").key("5", "1", "1", "4", "1", "5", "4")  # by pieces: Orc, Gondor, the Orc helped, open
    bench.wait(0.5)
    bench.presses = 0
    bench.hold("select", 0.6)
    bench.key("2", "3")
    assert (headline(bench.view), bench.presses) == ("No effect", 3)
    assert bench.misfits == []


def test_holding_select_answers_no_question_for_a_player(bench: Bench) -> None:
    to(begin(bench), "sauron", "attack").key("select", "1", "1")
    bench.wait(0.5)
    bench.hold("select", 0.6)
    assert bench.console.table.prompt is not None
    assert bench.console.table.prompt.ask == "attack.column"


def test_a_bare_attack_is_four_presses(bench: Bench) -> None:
    begin(bench, "attack")
    assert pressed(bench, "1", "2", "5", "4") == 4
    assert headline(bench.view) == "Defender out"
    assert bench.misfits == []


def test_a_question_with_nothing_open_names_the_way_back(bench: Bench) -> None:
    to(begin(bench), "alliance", "first-movement")
    for k in range(1, 6):
        bench.console.table.correct(f"elven_closed.{k}", True)
    bench.key("select", "4", "1")  # the Ring Bearer, who may not return to an Elven hex
    bench.console.table.correct("elven_closed.6", True)
    prompt = bench.console.table.prompt
    assert prompt is not None
    assert (prompt.ask, prompt.options) == ("elven.which", ())
    assert getattr(bench.view, "band").right == "Back"  # noqa: B009 - the views of questions have a band
    bench.key("1")
    assert isinstance(bench.view, Refusal)
    assert bench.view.code == "BR-X17"
    bench.key("1", "back", "back")  # the correction, then the piece
    assert bench.console.table.prompt is not None
    assert bench.console.table.prompt.ask == "special.piece"
    assert bench.misfits == []
