"""The times of a round besides its end: who is missing is waited for, and games are adjudicated."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.errors import NotNow
from referee.tournament import Event, Result, Settings, adjudicated_at, come_until, ends_at, overdue, to_adjudicate
from referee.tournament.clock import MINUTE
from referee.tournament.event import Seats
from tests.tournament.desk import Desk

START = 10 * MINUTE
TIMES = Settings(minutes=60, no_show=15, adjudicate=90)
NOBODY = Result("no-show", fault=(3,))

Tables = Callable[[Event, int, int], tuple[int, ...]]


def started(settings: Settings = TIMES) -> Desk:
    """Round 1 of two tables and a bye, started."""
    desk = Desk(settings, 5, format="swiss")
    desk.pair((1, 2), (3, 4), (5,), start=False)
    desk.do("round published", round=1)
    desk.do("round started", round=1, at=START)
    return desk


def changes(desk: Desk, tables: Tables, until: int = START + 200 * MINUTE) -> list[tuple[float, tuple[int, ...]]]:
    """Return after how many minutes the tables change, and which they are then, in steps of a half."""
    seen: list[tuple[float, tuple[int, ...]]] = []
    for now in range(START, until, MINUTE // 2):
        at = tables(desk.event, 1, now)
        if at != (seen[-1][1] if seen else ()):
            seen.append(((now - START) / MINUTE, at))
    return seen


@pytest.mark.parametrize(("tables", "after"), [(overdue, 15), (to_adjudicate, 90)])
def test_tables_are_named_from_then_on_until_they_have_a_result(tables: Tables, after: int) -> None:
    desk = started()
    assert changes(desk, tables) == [(after, (1, 2))], "not the bye"
    desk.do("result entered", round=1, table=2, by="judge", result=NOBODY)
    assert changes(desk, tables) == [(after, (1,))]
    desk.do("round ended", round=1, why="they play on")
    assert changes(desk, tables) == []


@pytest.mark.parametrize(("tables", "after"), [(overdue, 15), (to_adjudicate, 90)])
def test_a_pause_stops_both_times_and_puts_them_off(tables: Tables, after: int) -> None:
    desk = started()
    desk.do("round paused", round=1, at=START + 10 * MINUTE)
    assert changes(desk, tables) == [], "for as long as it lasts"
    desk.do("round resumed", round=1, at=START + 30 * MINUTE)
    assert changes(desk, tables) == [(after + 20, (1, 2))]
    desk.do("round paused", round=1, at=START + 150 * MINUTE)
    assert changes(desk, tables) == [(0, (1, 2))], "a round paused afterwards has come that far"


def test_a_clock_set_back_in_a_pause_takes_no_time_from_a_round() -> None:
    desk = started()
    desk.do("round paused", round=1, at=START + 60 * MINUTE)
    desk.do("round resumed", round=1, at=START)
    assert changes(desk, to_adjudicate) == [(90, (1, 2))]


def test_time_of_a_table_moves_who_may_come_not_adjudication() -> None:
    desk = started()
    desk.do("extension", round=1, table=2, ms=5 * MINUTE, why="its box was dark")
    assert changes(desk, overdue) == [(15, (1,)), (20, (1, 2))]
    assert changes(desk, to_adjudicate) == [(90, (1, 2))]
    desk.do("extension", round=1, table=0, ms=10 * MINUTE)
    assert changes(desk, overdue) == [(25, (1,)), (30, (1, 2))]
    assert changes(desk, to_adjudicate) == [(100, (1, 2))], "time for all is time for all"


def test_a_table_that_is_added_has_the_time_for_all() -> None:
    desk = started()
    desk.do("extension", round=1, table=0, ms=10 * MINUTE)
    desk.enter([6])
    desk.do("pairing changed", round=1, why="came late", pairings=(Seats(7, (5, 6)),))
    assert ends_at(desk.event, 1, 7) == START + 70 * MINUTE


def test_both_times_are_0_where_not_set_or_not_played() -> None:
    desk = started(Settings(minutes=60))
    assert (come_until(desk.event, 1, 1), adjudicated_at(desk.event, 1)) == (0, 0)
    assert changes(desk, overdue) == changes(desk, to_adjudicate) == []
    desk = Desk(TIMES, 2, format="swiss")
    desk.pair((1, 2), start=False)
    desk.do("round published", round=1)
    assert (come_until(desk.event, 1, 1), adjudicated_at(desk.event, 1)) == (0, 0)
    with pytest.raises(NotNow, match="expected a table of round 1, got 3"):
        come_until(desk.event, 1, 3)
