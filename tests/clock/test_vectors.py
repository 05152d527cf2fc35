"""Seat clocks by hand: games that were computed by hand, and what no clock can do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.clock import COMMON, NOBODY, Clocks, Control, Fall, begin
from referee.errors import Malformed

S = 1000
W, B = "white", "black"
MINUTE = Control("sudden-death", 60 * S)
DELAY = Control("us-delay", 60 * S, 10 * S)
FISCHER = Control("fischer", 60 * S, 10 * S)


def clocks_of(control: Control, *moves: tuple[str, float]) -> Clocks:
    """Play moves of so many seconds."""
    clocks, at = begin(control, (W, B), 0), 0
    for seat, seconds in moves:
        clocks = clocks.move(seat, at).run(seat, at)
        at += int(seconds * S)
        clocks = clocks.until(at)
    return clocks


def seconds(clocks: Clocks) -> tuple[float, float]:
    return clocks.seats[W].left / S, clocks.seats[B].left / S


def test_sudden_death() -> None:
    clocks = clocks_of(MINUTE, (W, 20), (B, 30), (W, 39))
    assert (seconds(clocks), clocks.falls) == ((1, 30), ())
    clocks = clocks.until(90 * S)  # 1 s more: at 0:00 the flag is down
    assert clocks.falls == (Fall(W, 90 * S),)
    clocks = clocks.until(95 * S).move(B, 95 * S).run(B, 95 * S).until(130 * S)
    assert seconds(clocks) == (-5, -5)
    assert clocks.falls == (Fall(W, 90 * S), Fall(B, 125 * S))


def test_fischer() -> None:
    # White: 60+10-25 = 45, then +10-5 = 50. Black: 60+10-4 = 66. The increment comes before the first move too.
    assert seconds(clocks_of(FISCHER, (W, 25), (B, 4), (W, 5))) == (50, 66)
    late = clocks_of(FISCHER, (W, 71), (B, 1), (W, 1), (B, 1))
    assert seconds(late) == (-2, 78)  # nothing was added once the flag was down
    assert late.first_fall == Fall(W, 70 * S)


def test_us_delay() -> None:
    # White: 25 s, of which 10 are free: 45. Then 5 s, all free. What is left of a delay is lost.
    clocks = clocks_of(DELAY, (W, 25), (B, 4), (W, 5), (B, 12), (W, 11))
    assert seconds(clocks) == (44, 58)
    assert clocks.seats[W].used == 41 * S


def test_a_delay_is_one_for_a_move_that_is_interrupted() -> None:
    clocks = clocks_of(DELAY, (W, 6)).run(B, 6 * S).run(W, 9 * S).until(15 * S)
    assert seconds(clocks) == (58, 57)  # 6 + 6 - 10; black answered 3 s in white's move, without a delay of its own


def test_common_time_is_shared() -> None:
    clocks = begin(MINUTE, (W, B, "red"), 0).run(COMMON, 0).until(10 * S)
    # 10 s for three: 3.333 each, and the ms that is left over is paid by the last round the table.
    assert [seat.left for seat in clocks.seats.values()] == [56_667, 56_667, 56_666]
    fallen = clocks.correct("red", 2 * S, 10 * S).until(17 * S)
    assert fallen.common == 17 * S
    assert fallen.first_fall == Fall("red", 16_000)  # 2 s of three seats' are 6 s
    both = begin(MINUTE, (W, B), 0).correct(B, 3 * S, 0).run(COMMON, 0)
    assert [fall.seat for fall in both.until(500 * S).falls] == [B, W]


def test_nobodys_time_and_an_earlier_time_change_nothing() -> None:
    clocks = clocks_of(MINUTE, (W, 20)).run(NOBODY, 20 * S).until(50 * S)
    assert seconds(clocks.until(3 * S)) == (40, 60)
    assert clocks.until(3 * S).at == 50 * S


def test_a_pause_stops_all_clocks_and_uses_up_no_delay() -> None:
    clocks = clocks_of(DELAY, (W, 4)).pause("dispute", 4 * S).pause("flag", 20 * S).until(42 * S)
    assert (seconds(clocks), clocks.passes_at()) == ((60, 60), None)
    assert seconds(clocks.resume(42 * S).until(50 * S)) == (58, 60)  # 4 of its 10 s were used


def test_what_was_taken_back_counts_once() -> None:
    clocks = clocks_of(FISCHER, (W, 5), (B, 5))
    again = clocks.move(W, 10 * S, counts=False).run(W, 10 * S).move(B, 12 * S, counts=False)
    assert seconds(again) == (63, 65)  # the time is gone, and neither increment comes twice


def test_a_correction_sets_one_clock_and_lifts_its_flag() -> None:
    clocks = clocks_of(MINUTE, (W, 61)).correct(W, 30 * S, 61 * S)
    assert (seconds(clocks), clocks.seats[W].fallen) == ((30, 60), False)
    assert clocks.first_fall == Fall(W, 60 * S)
    assert clocks.correct(B, 0, 62 * S).falls[1] == Fall(B, 62 * S)


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        (lambda c: c.correct("red", 0, 0), "expected one of the seats white, black; got 'red'"),
        (lambda c: c.correct(W, -1, 0), "expected a time from 0:00 to 24:00:00"),
        (lambda c: c.run("red", 0), "expected one of the seats"),
        (lambda c: c.move(COMMON, 0), "expected one of the seats"),
        (lambda c: begin(c.control, ("a",), 0), "two seats or more"),
    ],
)
def test_what_no_clock_can_do_says_what_was_expected(what: Any, expected: str) -> None:
    with pytest.raises(Malformed) as refused:
        what(begin(FISCHER, (W, B), 0))
    assert expected in refused.value.text


@pytest.mark.parametrize(
    ("mode", "time", "extra", "expected"),
    [
        ("blitz", S, 0, "mode: expected one of sudden-death, fischer"),
        ("fischer", 0, S, "time: expected a time above 0, up to 24 h"),
        ("fischer", True, S, "time: expected a time"),
        ("fischer", S, 0, "extra: expected a time above 0, up to 24 h, for fischer"),
        ("sudden-death", S, 5, "extra: expected 0 s for sudden-death"),
    ],
)
def test_a_control_that_no_clock_could_follow_is_refused(mode: str, time: int, extra: int, expected: str) -> None:
    with pytest.raises(Malformed, match=expected):
        Control.from_json({"mode": mode, "time": time, "extra": extra})


def test_clocks_and_control_come_back_from_json() -> None:
    clocks = clocks_of(DELAY, (W, 75), (B, 95)).run(COMMON, 180 * S).pause("dispute", 181 * S).until(182 * S)
    text = json.dumps(clocks.as_json())
    assert Control.from_json(json.loads(json.dumps(DELAY.as_json()))) == DELAY
    assert Clocks.from_json(DELAY, json.loads(text), 182 * S) == clocks
    assert list(Clocks.from_json(DELAY, json.loads(text), 0).seats) == [W, B]  # the order round the table


@pytest.mark.parametrize(
    "change",
    [
        {"seats": None},
        {"seats": [{"left": 1}]},
        {"seats": [{"seat": W}]},
        {"seats": [{"seat": W, "left": 1.5}]},
        {"seats": [{"seat": W, "left": 1, "used": -1}]},
        {"seats": [{"seat": W, "left": 1, "fallen": 1}]},
        {"runs": "red"},
        {"mover": COMMON},
        {"paused": 1},
        {"common": -1},
        {"life": True},
        {"falls": [["red", 1]]},
        {"falls": [[W, 0, 1]]},
    ],
)
def test_what_clocks_never_wrote_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(Malformed, match="expected what clocks showed"):
        Clocks.from_json(MINUTE, clocks_of(MINUTE, (W, 1)).as_json() | change, 0)
