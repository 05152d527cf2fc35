"""Seat clocks at the simulated box: what is on the glass, what the menu does, what a flag does, and what it costs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from referee.clock import Clocks
from referee.console.drawing.screens import problems
from referee.console.views import Band, Cell, Confirm, Grid, Notice, Question, Rows
from referee.errors import JournalError
from referee.journal import Journal
from referee.journal.notes import Notes
from referee.session import Submission
from referee.station.virtual.bench import Bench
from tests.console.conftest import Open

Play = Callable[..., Bench]

RIDDLE = "riddle-of-the-ring"
BATTLE = "battle-of-the-ring"
WAR = "war-of-the-ring"


@pytest.fixture
def play(open_bench: Open) -> Callable[..., Bench]:
    """A box with clocks, on which a game is played."""

    def plays(clock: str = 'use = "start"', game: str = BATTLE) -> Bench:
        bench = open_bench(f"[clock]\n{clock}\n")
        if bench.console.table.session is None:
            bench.play(game)
        return bench

    return plays


def set_up(bench: Bench) -> Bench:
    """Through the setup of Battle of the Ring, to the first question of Sauron's first turn."""
    bench.key("1", "1", "1", "select", "select")
    assert prompt_seat(bench) == "sauron"
    return bench


def prompt_seat(bench: Bench) -> str:
    assert bench.prompt is not None
    return bench.prompt.seat


def clocks(bench: Bench) -> Clocks:
    return bench.console.table.clocks.keeper.current


def band_clock(bench: Bench) -> tuple[str, ...]:
    view = bench.view
    assert isinstance(view, (Grid, Rows, Question))
    return view.band.clock


def left(bench: Bench, seat: str) -> float:
    return round(clocks(bench).seats[seat].left / 1000, 1)


def menu(bench: Bench, *keys: str) -> None:
    """Open the page of the clocks, and press these keys there."""
    bench.wait(0.7)
    bench.hold("back", 0.6)
    bench.key("6", "1", *keys)
    bench.wait(0.7)


# -- on the glass --------------------------------------------------------------------------------------------------


def test_the_time_of_the_seat_that_is_asked_runs_in_the_top_line(play: Play) -> None:
    bench = set_up(play())
    at = clocks(bench).seats["sauron"].left
    bench.wait(10)
    assert clocks(bench).runs == "sauron"
    assert abs(clocks(bench).seats["sauron"].left - (at - 10_000)) <= 1000
    assert band_clock(bench)[0] == "59:50"
    assert left(bench, "saruman") == left(bench, "alliance") == 3600
    assert bench.lamps["seat-1"] == "on"


def test_clocks_wait_for_the_first_press(play: Play) -> None:
    bench = play('use = "start"\nruling = "common"\ntable = "common"', WAR)
    bench.wait(30)
    assert {seat.left for seat in clocks(bench).seats.values()} == {3600_000}
    bench.key("1")
    bench.wait(10)
    assert {round(seat.left / 1000) for seat in clocks(bench).seats.values()} == {3595}


def test_clocks_begin_when_the_seats_are_named_and_again_when_they_are_named_anew(play: Play) -> None:
    bench = play(game=RIDDLE)
    assert bench.console.table.clocks.keeper.clocks is None
    bench.console.table.current.sequence(Submission([2, "frodo", "br1"], at=bench.clock.now))
    bench.loop.step(None, bench.clock.now)
    assert list(clocks(bench).seats) == ["frodo", "br1"]
    bench.console.table.current.undo(at=bench.clock.now)
    bench.console.table.current.sequence(Submission([3, "sam", "br2", "merry"], at=bench.clock.now))
    bench.loop.step(None, bench.clock.now)
    assert list(clocks(bench).seats) == ["sam", "br2", "merry"]


def test_reading_a_ruling_costs_nobody_or_all_by_setting(play: Play) -> None:
    for ruling, cost in (("nobody", 0), ("common", 12)):
        bench = play(f'use = "start"\nruling = "{ruling}"')
        bench.key("1", "1", "1")
        assert isinstance(bench.view, Notice)  # a reminder waits for a press
        bench.wait(1)
        before = sum(seat.left for seat in clocks(bench).seats.values())
        bench.wait(12)
        assert (
            abs(before - sum(seat.left for seat in clocks(bench).seats.values()) - cost * 1000)
            < 1000 * bool(cost) + 1
        )
        bench.console.table.leave()
        bench.close()


def test_what_is_asked_is_never_cut_for_a_time() -> None:
    cells = (*(Cell(name) for name in ("Merry", "Frodo", "BR1", "Sam", "BR2")), Cell("more", extra=True))
    for left in ("Pippin?", "On/by Pippin?"):
        for times in (("-1:00:10", "-60'"), ("-0:10", '-10"')):
            asked = Grid(Band(left, "1 ✓", times), cells, 0, 0, 2, ticks=True)
            assert problems(asked) == [], left


def test_all_clocks_stand_on_their_page(play: Play) -> None:
    bench = set_up(play())
    menu(bench, "2")
    assert "Sauron 59:5" in bench.text
    assert "(runs). Saruman 1:00:00. Alliance 1:00:00" in bench.text
    screen = bench.console.stage.screen
    bench.wait(3)
    assert bench.console.stage.screen == screen


# -- what people do ------------------------------------------------------------------------------------------------


def test_a_pause_stops_the_clocks(play: Play) -> None:
    bench = set_up(play())
    menu(bench, "1")
    assert bench.text.startswith("Pause")
    before = left(bench, "sauron")
    bench.wait(90)
    bench.key("select")
    assert left(bench, "sauron") >= before - 1


def test_a_judge_sets_a_clock_within_a_minute_with_a_reason(play: Play) -> None:
    bench = set_up(play())
    presses, began = bench.presses, bench.clock.now
    menu(bench, "3", "1")  # Sauron's
    for key, times in (("1", 4), ("4", 7), ("6", 3)):  # to 0:27:40 and the odd seconds by the encoder
        bench.key(*[key] * times)
    bench.turn(4)
    bench.key("select", "2")
    bench.wait(0.7)
    assert isinstance(bench.view, Confirm)
    assert "Wrong seat" in bench.view.text
    bench.hold("select", 1.2)
    assert bench.presses - presses <= 27
    assert bench.clock.now - began < 60
    assert 27 * 60 + 20 < left(bench, "sauron") < 27 * 60 + 40
    game = bench.console.table.current.game_id
    assert game is not None
    notes = bench.shelf.notebook(bench.console.table.current)
    assert notes is not None
    correction = notes.read()[-1]
    assert (correction.source, correction.seat, correction.extra["clock"]["reason"]) == (
        "judge",
        "sauron",
        "Wrong seat",
    )


def test_clocks_are_set_from_the_menu_and_taken_away(play: Play) -> None:
    bench = set_up(play('use = "menu"'))
    assert bench.console.table.clocks.keeper.clocks is None
    menu(bench, "4")
    assert isinstance(bench.view, Confirm)
    assert bench.view.text == "1 h for each"
    bench.hold("select", 1.2)
    bench.turn(1)
    bench.wait(10)
    assert left(bench, "sauron") == 3600  # it waits for a press
    bench.key("2")
    bench.wait(5)
    assert 3590 < left(bench, "sauron") < 3600
    menu(bench, "5")
    bench.hold("select", 1.2)
    assert bench.console.table.clocks.keeper.clocks is None
    assert band_clock(bench) == ()


def test_a_slow_disk_costs_nobody_any_time(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = set_up(play())
    write = Journal.append

    def slow(journal: Journal, *rest: Any, **how: Any) -> None:
        bench.clock.now += 7
        write(journal, *rest, **how)

    bench.wait(1)
    before = sum(seat.left for seat in clocks(bench).seats.values())
    monkeypatch.setattr(Journal, "append", slow)
    n, at = bench.console.table.current.n, bench.clock.now
    bench.key("5")
    assert bench.console.table.current.n == n + 1
    assert bench.clock.now - at > 7
    assert before - sum(seat.left for seat in clocks(bench).seats.values()) < 2000


def test_a_full_disk_is_told_and_the_clocks_go_on(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = set_up(play())

    def full(*_: Any, **__: Any) -> None:
        raise JournalError("disk full", "Disk is full.")

    monkeypatch.setattr(Notes, "add", full)
    bench.wait(31)
    assert "Disk is full." in bench.text
    bench.key("1")
    bench.wait(5)
    assert band_clock(bench)[0].startswith("59:2")
    menu(bench, "1")
    assert "Disk is full." in bench.text


# -- flags ---------------------------------------------------------------------------------------------------------


def test_a_flag_has_its_screen_its_lamp_and_its_sound(play: Play) -> None:
    bench = set_up(play('use = "start"\ntime = "20 s"'))
    bench.wait(25)
    assert bench.text == "Sauron. flag down. any key"
    assert bench.lamps["seat-1"] == "blink"
    assert bench.sounds.count("flag") == 2  # at once, and 5 s later
    bench.key("3")  # is no answer
    assert bench.prompt is not None
    assert bench.prompt.ask == "phase.menu" or isinstance(bench.view, Grid)
    bench.wait(10)
    assert bench.sounds.count("flag") == 2
    assert band_clock(bench)[0].startswith("-0:1")


def test_a_flag_that_loses_gives_the_game_up(play: Play) -> None:
    bench = set_up(play('use = "start"\ntime = "20 s"\nflag = "lose"'))
    bench.wait(25)
    assert "Sauron. flag down" in bench.text
    assert [entry.kind for entry in bench.console.table.current.entries[-1:]] == ["concede"]
    assert bench.console.table.current.entries[-1].source == "clock"
    assert bench.console.table.current.entries[-1].extra["clock"]["falls"][0][0] == "sauron"
