"""A die that was keyed in wrong, mended on the simulated box."""

from __future__ import annotations

import pytest

from referee.console.views import Band, Dice, Grid, Idle, Refusal, Ruling
from referee.errors import JournalError
from referee.session import Session, judged_again
from referee.station.virtual.bench import Bench
from tests.console.conftest import Open
from tests.session.skirmish import BOOK


@pytest.fixture
def ruled(open_bench: Open) -> Bench:
    """A bare ruling of 5 and 4 against "9+ kills"."""
    bench = open_bench()
    bench.key("1", "2", "1", "2", "5", "4")
    assert headline(bench) == "Defender out"
    bench.presses = 0
    return bench


def at_attack(bench: Bench) -> Bench:
    """Begin Battle of the Ring; the first attack of Sauron's is asked for."""
    bench.key("1", "1", "2", "1")
    bench.wait(0.4)
    bench.hold("select", 0.5)
    while not isinstance(bench.view, Grid):
        bench.key("select")
    return bench


def headline(bench: Bench) -> str:
    assert isinstance(bench.view, Ruling), bench.view
    return bench.view.headline


def faces(bench: Bench) -> tuple[int, ...]:
    assert isinstance(bench.view, Ruling), bench.view
    return bench.view.faces


def prompt_key(bench: Bench) -> str:
    assert bench.prompt is not None
    return bench.prompt.ask


def log(bench: Bench) -> str:
    return "\n".join(line.text for line in bench.console.table.current.log())


def entries(bench: Bench) -> int:
    return len(bench.console.table.current.entries)


def test_a_wrong_last_die_costs_two_actions(ruled: Bench) -> None:
    ruled.key("back")
    view = ruled.view
    assert isinstance(view, Dice)
    assert (view.band, view.faces, view.need) == (Band("O v O", "4→?"), (5, None), "9+")
    assert ruled.text.startswith("O v O. 4→?. keyed 5. 9+ kills"), "who cannot see it hears which face is open"
    ruled.key("3")
    assert (headline(ruled), faces(ruled), ruled.presses) == ("No effect", (5, 3), 2)
    assert "4→3" in log(ruled)


def test_the_second_back_at_the_question_after_it_opens_the_throw_too(ruled: Bench) -> None:
    ruled.read()
    ruled.key("back", "back", "3")
    assert faces(ruled) == (5, 3)
    ruled.read()
    assert ruled.view.band.right == "No effect"  # type: ignore[attr-defined]


@pytest.mark.parametrize("keys", [("4",), ("select",), ("back", "5", "4")])
def test_a_correction_to_the_same_faces_writes_nothing(ruled: Bench, keys: tuple[str, ...]) -> None:
    before = entries(ruled)
    ruled.key("back", *keys)
    assert (faces(ruled), entries(ruled)) == ((5, 4), before)


def test_after_the_next_answer_the_throw_is_closed(ruled: Bench) -> None:
    ruled.read()
    ruled.key("1")
    assert ruled.console.table.last_throw is None


def test_an_answer_that_was_undone_closes_nothing(ruled: Bench) -> None:
    ruled.read()
    ruled.key("1", "back")
    assert prompt_key(ruled) == "attack.kind"
    ruled.key("back")
    assert ruled.view.band == Band("O v O", "4→?")  # type: ignore[attr-defined]
    ruled.key("3")
    assert faces(ruled) == (5, 3)


def test_what_the_judge_opened_is_not_for_players_in_browsers(open_bench: Open) -> None:
    """Nobody may fill it in by the judge's right but whoever is at the box, or a judge's browser."""
    bench = open_bench('[table]\ncorrections = "judge"\n')
    bench.key("1", "2", "1", "2", "5", "4")
    judge_opens(bench)
    assert bench.console.for_judges
    bench.key("3")
    assert not bench.console.for_judges


def test_one_undo_takes_a_corrected_throw_back_and_its_faces_stand(ruled: Bench) -> None:
    ruled.key("back", "3")
    ruled.wait(0.4)
    ruled.hold("back", 0.5)
    ruled.key("1")
    assert isinstance(ruled.view, Dice)
    assert (ruled.view.standing, ruled.view.faces) == (True, (5, 3))


def test_a_corrected_throw_can_be_corrected_again_also_after_a_restart(ruled: Bench, open_bench: Open) -> None:
    ruled.key("back", "3")
    ruled.close()
    again = open_bench()
    assert faces(again) == (5, 3)
    again.key("back", "4")
    assert (headline(again), faces(again)) == ("Defender out", (5, 4))


def test_at_a_tournament_only_the_judge_corrects(open_bench: Open) -> None:
    bench = open_bench("[table]\ntournament = true\n")
    bench.key("1", "2", "1", "2", "5", "4")
    judge_opens(bench)
    bench.key("3")
    assert faces(bench) == (5, 3)
    bench.key("back")
    assert isinstance(bench.view, Dice)
    assert (bench.view.standing, bench.view.faces) == (True, (5, 3))  # undone, and nobody keys it over
    bench.key("select", "select", "back", "back")
    assert isinstance(bench.view, Dice)
    assert bench.view.standing, "nor from the question after it"


def judge_opens(bench: Bench) -> None:
    """Go to the judge's page and have the last throw opened."""
    bench.wait(0.4)
    bench.hold("back", 0.5)
    bench.key("5")
    cells = bench.view.cells  # type: ignore[attr-defined]
    bench.key(str(next(i for i, cell in enumerate(cells, 1) if cell.text == "Die")))
    bench.wait(0.4)
    bench.hold("select", 1.1)


def test_what_the_box_threw_is_corrected_by_the_judge_alone(open_bench: Open) -> None:
    bench = open_bench()
    bench.key("1", "2", "1", "2")
    bench.wait(0.4)
    bench.hold("select", 1.2)
    assert faces(bench) == (3, 4)
    before = entries(bench)
    bench.key("back", "6")
    assert isinstance(bench.view, Refusal)
    assert bench.view.code == "judges-only"
    bench.key("1")
    assert (faces(bench), entries(bench)) == ((3, 4), before)
    judge_opens(bench)
    bench.key("6")
    assert faces(bench) == (3, 6)


def test_the_throw_that_ended_the_game_can_be_corrected_from_its_end(open_bench: Open) -> None:
    bench = open_bench()
    session = Session(BOOK, {"limit": 2}, journal=bench.journal)
    session.correct("hits.south", 1)
    session.bundle("both-near")
    bench.console.table.use(session)
    bench.settle()
    bench.key("5", "4")
    ending = bench.view
    assert isinstance(ending, Ruling)
    bench.wait(60)
    assert bench.view == ending, "the end waits"
    bench.key("select")
    assert isinstance(bench.view, Idle)
    bench.key("back", "back")
    assert isinstance(bench.view, Dice)
    bench.key("1")
    assert isinstance(bench.view, Dice), "the second Back opened one face more"
    bench.key("1")
    assert bench.prompt is not None
    assert judged_again(BOOK, bench.journal.entries(1)).prompt == bench.prompt


def test_a_throw_before_the_next_seat_can_be_gone_back_to(open_bench: Open) -> None:
    """A throw before a hand-over: Back at it shows the ruling, and Back there opens the throw."""
    bench = at_attack(open_bench())
    ruling = bench.console.table.current.last_ruling
    assert ruling is None
    bench.key("5", "1", "1", "1", "1", "2")
    assert isinstance(bench.view, Ruling)
    table = bench.console.table
    table.begun = ""  # as if the turn had ended with it
    bench.key("select")
    assert isinstance(bench.view, Idle)
    bench.key("back")
    assert isinstance(bench.view, Ruling)
    bench.key("back", "1")
    assert faces(bench) == (1, 1)


def test_a_throw_of_fewer_dice_is_sent_when_it_has_as_many_again(open_bench: Open) -> None:
    bench = open_bench()
    bench.play("war-of-the-ring", dice_entry="faces")
    bench.key("1", "1", *("3", "select", "select", "2", "select"), *("3", "select", "select", "select"), "select")
    bench.key(*"111", *"111", "6", "select")  # the Shadow re-rolls one of two dice
    assert bench.console.table.current.entries[-1].answer == [6]
    bench.key("back", "5")
    assert bench.console.table.current.entries[-1].answer == [5]


def test_a_correction_lets_nobody_go_back_behind_his_turn(open_bench: Open) -> None:
    bench = at_attack(open_bench())
    bench.key("5", "1", "1", "1", "1", "2")
    bench.key("back", "3", "back", "4")
    assert faces(bench) == (1, 4)
    for _ in range(12):
        if not isinstance(bench.view, Refusal):
            bench.key("back")
    assert isinstance(bench.view, Refusal)
    bench.key("1")
    assert bench.prompt is not None
    assert (bench.prompt.ask, bench.console.table.asking) == ("move.menu", True)


def test_a_die_that_could_not_be_saved_is_keyed_again_and_the_others_stay(
    open_bench: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = open_bench()
    bench.key("1", "2", "1", "2", "5")

    def full(*_: object, **__: object) -> None:
        raise JournalError("full", "Disk is full. Free some space, then press again.")

    with monkeypatch.context() as patch:
        patch.setattr(bench.journal, "append", full)
        bench.key("4")
    assert isinstance(bench.view, Refusal)
    bench.key("1")
    assert isinstance(bench.view, Dice)
    assert bench.view.faces == (5, None)
    bench.key("4")
    assert faces(bench) == (5, 4)
