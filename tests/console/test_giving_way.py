"""Rulings that give way by themselves, pressed and left alone on the simulated box."""

from __future__ import annotations

import pytest

from referee.config import Config, TableSettings, parse
from referee.console.cards.notices import SHORT_RULING, RulingCard
from referee.console.grammar import QUIET, READING
from referee.console.views import Band, Dice, Grid, Idle, Notice, Refusal, Ruling, View, Why
from referee.rulebook import Reminder
from referee.rulebook import Ruling as Ruled
from referee.session import Prompt
from referee.station.virtual.bench import Bench
from tests.console.conftest import Open

READ = 3.0
"""Seconds a short ruling stays unless the table says otherwise."""


@pytest.fixture
def ruled(open_bench: Open) -> Bench:
    """A desk of single rulings, one of which has just been given."""
    return rule(open_bench())


def rule(bench: Bench) -> Bench:
    bench.key("1", "2", "1", "2", "5", "4")
    assert seen(bench) is Ruling
    return bench


def seen(bench: Bench) -> type:
    return type(bench.view)


def prompt(bench: Bench) -> Prompt:
    assert bench.prompt is not None
    return bench.prompt


def band(bench: Bench) -> Band:
    return bench.view.band  # type: ignore[attr-defined, no-any-return]


def entries(bench: Bench) -> int:
    return len(bench.console.table.current.entries)


def test_a_ruling_gives_way_after_the_time_it_takes_to_read_it(ruled: Bench) -> None:
    before = entries(ruled)
    ruled.wait(READ - 0.2)
    assert seen(ruled) is Ruling
    ruled.wait(0.3)
    assert (seen(ruled), prompt(ruled).ask) == (Grid, "attack.kind")
    assert entries(ruled) == before


def test_a_long_ruling_stays_longer(ruled: Bench) -> None:
    def stays(headline: str) -> float | None:
        return RulingCard(ruled.console.context, Ruled("r", headline, ())).gives_way_after

    assert stays("Gondor out") == READ
    assert stays("x" * 2 * SHORT_RULING) == 2 * READ


def test_its_headline_stands_in_the_band_of_the_next_question_until_something_is_accepted(ruled: Bench) -> None:
    ruled.read()
    assert band(ruled) == Band("Attack", "Defender out")
    assert "Defender out" in ruled.text
    ruled.turn(1)
    assert band(ruled).right == "Defender out"
    ruled.key("1")
    assert band(ruled) == Band("O v O", "where?")


def test_it_stays_while_a_key_is_down_and_a_second_longer(ruled: Bench) -> None:
    ruled.wait(1)
    ruled.simulated.press("seat-1")
    ruled.wait(9)
    assert seen(ruled) is Ruling
    ruled.simulated.release("seat-1")
    ruled.wait(0.95)
    assert seen(ruled) is Ruling
    ruled.wait(0.2)
    assert seen(ruled) is Grid


def test_turning_to_the_why_stops_the_time(ruled: Bench) -> None:
    ruled.turn(1)
    assert seen(ruled) is Why
    ruled.wait(60)
    assert seen(ruled) is Why
    ruled.turn(-1)
    ruled.wait(60)
    assert seen(ruled) is Ruling
    assert ruled.console.deadline(ruled.clock.now) is None


@pytest.mark.parametrize("key", ["3", "select"])
def test_a_die_key_or_select_brings_the_next_question_and_does_nothing_else(ruled: Bench, key: str) -> None:
    before = entries(ruled)
    ruled.key(key)
    assert (seen(ruled), prompt(ruled).ask, entries(ruled)) == (Grid, "attack.kind", before)
    ruled.wait(0.16)
    ruled.simulated.tap("die-1")  # this screen has come by a press: 150 ms are enough
    ruled.wait(0.1)
    assert prompt(ruled).ask == "attack.position"


@pytest.mark.parametrize(("after", "counts"), [(0.58, False), (0.62, True)])
def test_a_question_that_came_by_itself_counts_presses_from_600_ms_on(
    ruled: Bench, after: float, counts: bool
) -> None:
    while seen(ruled) is Ruling:
        ruled.wait(0.005)
    ruled.wait(after)
    ruled.simulated.tap("die-2")
    ruled.wait(0.1)
    assert (prompt(ruled).ask == "attack.position") is counts
    assert (ruled.sounds[-1] == "late") is not counts


def test_a_detent_on_its_way_to_the_why_does_not_move_the_next_question(ruled: Bench) -> None:
    while seen(ruled) is Ruling:
        ruled.wait(0.005)
    ruled.simulated.turn(1)
    ruled.wait(0.7)
    assert ruled.view.lit == 0  # type: ignore[attr-defined]
    ruled.turn(1)
    assert ruled.view.lit == 1  # type: ignore[attr-defined]


def test_the_first_back_brings_the_ruling_back_whole_and_undoes_nothing(ruled: Bench) -> None:
    whole, before = ruled.view, entries(ruled)
    ruled.read()
    ruled.key("back")
    assert (ruled.view, entries(ruled)) == (whole, before)
    ruled.wait(60)
    assert ruled.view == whole  # who asks for it reads it as long as he likes
    ruled.key("select")
    assert band(ruled).right == "Defender out"


@pytest.mark.parametrize("where", ["ruling", "left"])
def test_the_same_again_is_held_select_on_the_ruling_and_on_the_question_after_it(ruled: Bench, where: str) -> None:
    if where == "left":
        ruled.read()
    ruled.wait(0.4)
    ruled.hold("select", 0.5)
    assert isinstance(ruled.view, Dice)
    assert prompt(ruled).head == "O v O"


def test_where_the_table_waits_every_ruling_waits(open_bench: Open) -> None:
    bench = rule(open_bench("[table]\nruling_seconds = 0\n"))
    bench.wait(600)
    assert seen(bench) is Ruling
    bench.key("select", "back")
    assert seen(bench) is Ruling
    assert bench.console.deadline(bench.clock.now) is None


def test_an_order_waits(open_bench: Open) -> None:
    bench = open_bench()
    bench.play("riddle-of-the-ring", "battle")
    bench.key("1", "1", "5", "1")
    assert isinstance(bench.view, Ruling)
    assert bench.view.to_do
    bench.wait(600)
    assert seen(bench) is Ruling
    assert bench.console.deadline(bench.clock.now) is None


def test_reminders_the_next_seat_and_the_end_wait(open_bench: Open) -> None:
    bench = open_bench()
    bench.key("1", "1", "2", "1")
    bench.wait(0.4)
    bench.hold("select", 0.5)
    seats: dict[type[View], int] = {Notice: 0, Idle: 0}
    while seen(bench) in seats:
        before = bench.view
        bench.wait(600)
        assert bench.view == before
        seats[seen(bench)] += 1
        bench.key("select")
    assert all(seats.values())
    bench.console.table.concede("alliance")
    bench.settle()
    assert bench.console.table.current.over is not None
    end = bench.view
    bench.wait(600)
    assert bench.view == end


def test_a_reminder_that_was_read_in_this_game_leaves_by_itself(ruled: Bench) -> None:
    table, stage = ruled.console.table, ruled.console.stage
    for after in (None, READ):
        table.pending = [Reminder("BR-25", "No builds in round 1")]
        stage.renew()
        assert stage.top.gives_way_after == after
        table.read()


def test_nothing_wakes_the_station_once_it_has_left(ruled: Bench) -> None:
    ruled.wait(31)  # the start has succeeded meanwhile
    assert seen(ruled) is Grid
    assert ruled.console.deadline(ruled.clock.now) is None


def test_it_does_not_leave_before_it_is_on_the_glass(open_bench: Open) -> None:
    bench = rule(open_bench())
    bench.console.stage.shown_at = None
    bench.wait(60)
    assert seen(bench) is Ruling


def test_a_pause_keeps_what_is_still_to_be_read(ruled: Bench) -> None:
    whole = ruled.view
    ruled.wait(0.4)
    ruled.hold("back", 0.5)
    ruled.key("6", "1")
    assert seen(ruled) is Idle
    ruled.wait(60)
    assert seen(ruled) is Idle
    ruled.key("select")
    assert ruled.view == whole


def test_a_fault_counts_presses_from_600_ms_on(ruled: Bench) -> None:
    ruled.wait(1)
    ruled.console.stage.fault("Key stuck", "die-1 is held", ruled.clock.now)
    ruled.inbox.put(ruled.hub.announce)  # the loop looks at the clock
    ruled.settle()
    ruled.wait(0.5)
    ruled.simulated.tap("select")
    ruled.wait(0.2)
    assert seen(ruled) is Refusal
    ruled.simulated.tap("select")
    ruled.wait(0.2)
    assert seen(ruled) is Ruling


def test_a_tournament_waits_and_leaves_corrections_to_the_judge_unless_it_says_otherwise() -> None:
    assert parse("[table]\n") == Config()
    assert Config().table == TableSettings(ruling_seconds=3, corrections="table")
    strict = parse("[table]\ntournament = true\n").table
    assert (strict.ruling_seconds, strict.corrections) == (0, "judge")
    own = parse('[table]\ncorrections = "table"\ntournament = true\nruling_seconds = 5\n').table
    assert (own.tournament, own.ruling_seconds, own.corrections) == (True, 5, "table")


def test_no_voice_keeps_a_ruling_for_longer_than_reading_takes(ruled: Bench) -> None:
    shown = ruled.clock.now
    for beat in range(60):  # it begins and ends over and over
        ruled.console.voice("browser 1", ruled.clock.now, speaks=beat % 2 == 0)
        ruled.wait(0.45)
    assert seen(ruled) is Ruling
    ruled.console.voice("browser 1", ruled.clock.now, speaks=True)
    ruled.wait(shown + READING - ruled.clock.now - 0.5)
    assert seen(ruled) is Ruling
    ruled.console.voice("browser 1", ruled.clock.now, speaks=False)
    ruled.console.voice("browser 1", ruled.clock.now, speaks=True)
    ruled.wait(0.6)
    assert seen(ruled) is Grid


def test_one_voice_waits_for_the_other(ruled: Bench) -> None:
    for source in ("voice", "1a2b3c4d"):
        ruled.console.voice(source, ruled.clock.now, speaks=True)
    ruled.wait(READ)
    ruled.console.voice("voice", ruled.clock.now, speaks=False)
    ruled.wait(READ)
    assert seen(ruled) is Ruling
    ruled.console.voice("1a2b3c4d", ruled.clock.now, speaks=False)
    ruled.wait(QUIET + 0.1)
    assert seen(ruled) is Grid
