"""Every mode of the clocks against times worked out by hand; all in seconds, from the table beside each."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.clock import COMMON, NOBODY, Clocks, Control, Fall, Period, begin
from referee.errors import Malformed

S = 1000
W, B = "white", "black"


def clocks_of(control: Control, *moves: tuple[str, int]) -> Clocks:
    """Clocks after moves of so many seconds; a seat's move ends when that of the next begins."""
    clocks, at = begin(control, (W, B), 0), 0
    for seat, seconds in moves:
        clocks = clocks.move(seat, at).run(seat, at)
        at += seconds * S
        clocks = clocks.until(at)
    return clocks


def seconds(clocks: Clocks) -> tuple[float, float]:
    return clocks.seats[W].shown(clocks.control) / S, clocks.seats[B].shown(clocks.control) / S


def test_sudden_death() -> None:
    clocks = clocks_of(Control("sudden-death", (Period(60 * S),)), (W, 20), (B, 30), (W, 39))
    assert seconds(clocks) == (1, 30)
    assert clocks.falls == ()
    clocks = clocks.until(90 * S)  # 1 s more: at 0:00 the flag is down
    assert clocks.falls == (Fall(W, 0, 90 * S, final=True),)
    clocks = clocks.until(95 * S).move(B, 95 * S).run(B, 95 * S).until(130 * S)
    assert seconds(clocks) == (-5, -5)
    assert clocks.first_fall == Fall(W, 0, 90 * S, final=True)
    assert clocks.falls[1] == Fall(B, 0, 125 * S, final=True)


def test_periods_of_so_many_moves() -> None:
    control = Control("sudden-death", (Period(60 * S, 2), Period(30 * S)))
    clocks = clocks_of(control, (W, 20), (B, 61), (W, 15), (B, 1))
    # White made two moves in 35 s: 60 - 35 + 30. Black made none in 60 s, so its flag is down, and it gets nothing.
    assert seconds(clocks) == (55, -2)
    assert (clocks.seats[W].stage, clocks.seats[W].moves) == (1, 0)
    assert clocks.falls == (Fall(B, 0, 80 * S, final=True),)


def test_a_period_without_moves_is_followed_by_the_next_when_it_is_used_up() -> None:
    clocks = clocks_of(Control("sudden-death", (Period(60 * S), Period(30 * S))), (W, 75), (B, 61), (W, 16))
    assert seconds(clocks) == (-1, 29)
    assert clocks.falls == (
        Fall(W, 0, 60 * S, final=False),
        Fall(B, 0, 135 * S, final=False),
        Fall(W, 1, 151 * S, final=True),
    )


def test_fischer() -> None:
    control = Control("fischer", (Period(60 * S),), 10 * S)
    # White: 60+10-25 = 45, then +10-5 = 50. Black: 60+10-4 = 66. The increment comes before the first move too.
    assert seconds(clocks_of(control, (W, 25), (B, 4), (W, 5))) == (50, 66)
    late = clocks_of(control, (W, 71), (B, 1), (W, 1), (B, 1))
    assert seconds(late) == (-2, 78)  # nothing was added once the flag was down
    assert late.first_fall == Fall(W, 0, 70 * S, final=True)


def test_fischer_with_periods() -> None:
    control = Control("fischer", (Period(100 * S, 1), Period(50 * S)), 10 * S)
    assert seconds(clocks_of(control, (W, 30), (B, 1), (W, 5))) == (100 + 10 - 30 + 50 + 10 - 5, 100 + 10 - 1 + 50)


def test_us_delay() -> None:
    control = Control("us-delay", (Period(60 * S),), 10 * S)
    # White: 25 s, of which 10 are free: 45. Then 5 s, all free. What is left of a delay is lost.
    clocks = clocks_of(control, (W, 25), (B, 4), (W, 5), (B, 12), (W, 11))
    assert seconds(clocks) == (44, 58)
    assert clocks.seats[W].used == 41 * S


def test_a_delay_is_one_for_a_move_that_is_interrupted() -> None:
    control = Control("us-delay", (Period(60 * S),), 10 * S)
    clocks = clocks_of(control, (W, 6)).run(B, 6 * S).run(W, 9 * S).until(15 * S)
    assert seconds(clocks) == (58, 57)  # 6 + 6 - 10; black answered 3 s in white's move, without a delay of its own


def test_bronstein() -> None:
    control = Control("bronstein", (Period(60 * S),), 10 * S)
    # White: 25 s, 10 given back: 45. Then 5 s, all given back: 45, not 50. The third move still runs.
    # Black: 4 s, all given back: 60. Then 12 s, 10 given back: 58.
    assert seconds(clocks_of(control, (W, 25), (B, 4), (W, 5), (B, 12), (W, 11))) == (34, 58)
    assert seconds(clocks_of(control, (W, 60), (B, 1), (W, 1), (B, 1)))[0] == -1


def test_counting_up() -> None:
    clocks = clocks_of(Control("count-up", (Period(0),)), (W, 25), (B, 4), (W, 5))
    assert (seconds(clocks), clocks.passes_at()) == ((30, 4), None)
    limited = clocks_of(Control("count-up", (Period(29 * S),)), (W, 25), (B, 4), (W, 5))
    assert (seconds(limited), limited.first_fall) == ((30, 4), Fall(W, 0, 33 * S, final=True))


def test_common_time_is_shared() -> None:
    clocks = begin(Control("sudden-death", (Period(60 * S),)), (W, B, "red"), 0).run(COMMON, 0).until(10 * S)
    # 10 s for three: 3.333 each, and the ms that is left over is paid by the last round the table.
    assert [seat.left for seat in clocks.seats.values()] == [56_667, 56_667, 56_666]
    fallen = clocks.correct("red", 2 * S, 10 * S).until(17 * S)
    assert fallen.common == 17 * S
    assert fallen.first_fall == Fall("red", 0, 16_000, final=True)  # 2 s of three seats' are 6 s


def test_in_common_time_too_the_first_flag_is_the_one_that_fell_first() -> None:
    clocks = begin(Control("sudden-death", (Period(60 * S),)), (W, B), 0).correct(B, 3 * S, 0).run(COMMON, 0)
    assert [fall.seat for fall in clocks.until(500 * S).falls] == [B, W]


def test_nobodys_time_and_an_earlier_time_change_nothing() -> None:
    clocks = clocks_of(Control("sudden-death", (Period(60 * S),)), (W, 20)).run(NOBODY, 20 * S).until(50 * S)
    assert seconds(clocks.until(3 * S)) == (40, 60)
    assert clocks.until(3 * S).at == 50 * S


def test_a_judge_says_whose_the_time_of_a_pause_was() -> None:
    control = Control("us-delay", (Period(60 * S),), 10 * S)
    clocks = clocks_of(control, (W, 12)).pause("dispute", 12 * S).until(42 * S)
    assert (seconds(clocks), clocks.held, clocks.passes_at()) == ((58, 60), 30 * S, None)
    assert seconds(clocks.charge(B, 42 * S)) == (58, 30)  # no delay: it is no move
    assert seconds(clocks.charge(COMMON, 42 * S)) == (43, 45)
    assert seconds(clocks.charge(NOBODY, 42 * S)) == (58, 60)
    # Afterwards, too: the game goes on, and the time of the pause is still known, once.
    later = clocks.resume(42 * S).until(44 * S).charge(W, 44 * S)
    assert (seconds(later), later.held) == ((26, 60), 0)
    assert seconds(later.charge(W, 44 * S)) == (26, 60)
    # What is left of a delay is for the move: 4 of its 10 s were used, and the pause costs all of its 30 s.
    early = clocks_of(control, (W, 4)).pause("dispute", 4 * S).pause("flag", 20 * S).charge(W, 34 * S)
    assert (seconds(early), early.seats[W].free) == ((30, 60), 6 * S)
    lost = clocks_of(control, (W, 12)).pause("dispute", 12 * S).charge(W, 73 * S)
    assert lost.first_fall == Fall(W, 0, 73 * S, final=True)


def test_what_was_taken_back_counts_once() -> None:
    control = Control("fischer", (Period(60 * S),), 10 * S)
    clocks = clocks_of(control, (W, 5), (B, 5))
    again = clocks.move(W, 10 * S, counts=False).run(W, 10 * S).move(B, 12 * S, counts=False)
    assert seconds(again) == (63, 65)  # the time is gone, and neither increment comes twice
    assert again.seats[W].moves == 1


def test_a_correction_sets_one_clock_and_lifts_its_flag() -> None:
    clocks = clocks_of(Control("sudden-death", (Period(60 * S),)), (W, 61)).correct(W, 30 * S, 61 * S)
    assert (seconds(clocks), clocks.seats[W].fallen) == ((30, 60), False)
    assert clocks.first_fall == Fall(W, 0, 60 * S, final=True)
    assert clocks.correct(B, 0, 62 * S).falls[1] == Fall(B, 0, 62 * S, final=True)
    up = clocks_of(Control("count-up", (Period(90 * S),)), (W, 20)).correct(W, 80 * S, 20 * S)
    assert seconds(up)[0] == 80
    assert up.until(30 * S).first_fall == Fall(W, 0, 30 * S, final=True)


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        (lambda c: c.correct("red", 0, 0), "expected one of the seats white, black; got 'red'"),
        (lambda c: c.correct(W, -1, 0), "expected a time from 0:00 to 24:00:00"),
        (lambda c: c.run("red", 0), "expected one of the seats"),
        (lambda c: c.move(COMMON, 0), "expected one of the seats"),
        (lambda c: c.charge("red", 0), "expected one of the seats"),
        (lambda c: begin(c.control, ("a",), 0), "two seats or more"),
    ],
)
def test_what_no_clock_can_do_says_what_was_expected(what: Any, expected: str) -> None:
    clocks = begin(Control("fischer", (Period(60 * S),), S), (W, B), 0)
    with pytest.raises(Malformed) as refused:
        what(clocks)
    assert expected in refused.value.text


@pytest.mark.parametrize(
    ("mode", "periods", "extra", "expected"),
    [
        ("blitz", [(S, 0)], 0, "mode: expected one of sudden-death, fischer"),
        ("sudden-death", [], 0, "periods: expected 1 to 99"),
        ("count-up", [(S, 0), (S, 0)], 0, "periods: expected one for count-up"),
        ("fischer", [(0, 0)], S, "periods: expected times above 0, up to 24 h"),
        ("fischer", [(True, 0)], S, "periods: expected times"),
        ("fischer", [(S, 100), (S, 0)], S, "periods: expected 0 to 99 moves"),
        ("sudden-death", [(S, 40)], 0, "no number of moves for the last one"),
        ("fischer", [(S, 0)], 0, "extra: expected a time above 0, up to 24 h, for fischer"),
        ("sudden-death", [(S, 0)], 5, "extra: expected 0 s for sudden-death"),
    ],
)
def test_a_control_that_no_clock_could_follow_is_refused(
    mode: str, periods: list[tuple[int, int]], extra: int, expected: str
) -> None:
    with pytest.raises(ValueError, match=expected):
        Control(mode, tuple(Period(*period) for period in periods), extra)  # type: ignore[arg-type]
    written = [{"time": time, "moves": moves} for time, moves in periods]
    with pytest.raises(Malformed, match=expected):
        Control.from_json({"mode": mode, "periods": written, "extra": extra})


def test_clocks_and_control_come_back_from_json() -> None:
    control = Control("bronstein", (Period(60 * S), Period(90 * S)), 30 * S)
    clocks = (
        clocks_of(control, (W, 70), (B, 95), (W, 15)).run(COMMON, 180 * S).pause("dispute", 181 * S).until(182 * S)
    )
    text = json.dumps(clocks.as_json())
    assert Control.from_json(json.loads(json.dumps(control.as_json()))) == control
    assert Control.from_json(control.as_json() | {"count": 0}) == control, "as it was written with overtime periods"
    assert Clocks.from_json(control, json.loads(text), 182 * S) == clocks
    assert list(Clocks.from_json(control, json.loads(text), 0).seats) == [W, B]  # the order round the table


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"seats": None}, "with seats"),
        ({"seats": [{"left": 1}]}, "each with its seat"),
        ({"seats": [{"seat": W}]}, "with left"),
        ({"seats": [{"seat": W, "left": 1.5}]}, "whole milliseconds"),
        ({"seats": [{"seat": W, "left": 1, "used": -1}]}, "from 0 on"),
        ({"seats": [{"seat": W, "left": 1, "stage": 1}]}, "a stage from 0 to 0"),
        ({"seats": [{"seat": W, "left": 1, "fallen": 1}]}, "fallen true or false"),
        ({"runs": "red"}, "runs and mover to name one of the seats"),
        ({"mover": COMMON}, "runs and mover to name one of the seats"),
        ({"paused": 1}, "as text"),
        ({"held": -1}, "whole milliseconds"),
        ({"life": True}, "whole milliseconds"),
        ({"falls": [["red", 0, 1, True]]}, "falls: expected lists"),
        ({"falls": [[W, 0, 1]]}, "falls: expected lists"),
    ],
)
def test_what_clocks_never_wrote_is_refused(change: dict[str, Any], expected: str) -> None:
    control = Control("sudden-death", (Period(60 * S),))
    with pytest.raises(Malformed, match=expected):
        Clocks.from_json(control, clocks_of(control, (W, 1)).as_json() | change, 0)
