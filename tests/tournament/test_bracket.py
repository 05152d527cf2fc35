"""Eliminations: seeds, byes, losers' bracket, and who is out."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from referee.errors import NotNow
from referee.tournament import apart, cut_to, draw_round, standings
from referee.tournament.bracket import bracket, seeded
from referee.tournament.event import Seats
from referee.tournament.results import Game, Result
from tests.tournament.desk import Desk


def seeds(count: int) -> list[tuple[int, int]]:
    return [(one[1], other[1]) for one, other in seeded([("player", n) for n in range(1, count + 1)])]


def test_the_best_meet_last_and_have_the_byes() -> None:
    assert seeds(8) == [(1, 8), (4, 5), (2, 7), (3, 6)]
    assert seeds(6) == [(1, 0), (4, 5), (2, 0), (3, 6)]
    assert seeds(16) == [(1, 16), (8, 9), (4, 13), (5, 12), (2, 15), (7, 10), (3, 14), (6, 11)]
    assert seeds(2) == [(1, 2)]


def play(desk: Desk, winner: object = None, rng: random.Random | None = None) -> int | None:
    """Play an elimination to its end, the better seed winning or chance; return the champion."""
    for _ in range(40):
        try:
            pairs = draw_round(desk.event, seed=7)
        except NotNow as over:
            assert "no match can be paired" in over.text  # noqa: PT017  (the end of every loop)
            return bracket(desk.event, desk.event.stage)[-1].winner
        desk.do("round paired", pairings=pairs, seed=7)
        desk.start()
        for pairing in desk.last.pairings:
            if not pairing.bye:
                best = rng.choice(pairing.players) if rng else min(pairing.players)
                desk.result(pairing.table, Result(games=(Game(best),)))
        desk.do("round ended", round=desk.last.number)
    raise AssertionError("a bracket ends")


def losses(desk: Desk) -> Counter[int]:
    """Return how often each player has lost."""
    return Counter(
        player
        for each in desk.event.rounds
        for pairing in each.pairings
        for player in pairing.players
        if pairing.result and pairing.result.winner(pairing.players) not in (0, player)
    )


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17])
def test_in_a_single_elimination_all_but_one_lose_once(count: int) -> None:
    desk = Desk(players=count, format="single elimination")
    assert play(desk, rng=random.Random(count)) == next(n for n in range(1, count + 1) if not losses(desk)[n])
    assert sorted(losses(desk).values()) == [1] * (count - 1)
    assert len(desk.event.rounds) == (count - 1).bit_length()


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 7, 8, 9, 12, 16])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_in_a_double_elimination_all_but_one_lose_twice(count: int, seed: int) -> None:
    desk = Desk(players=count, format="double elimination")
    champion = play(desk, rng=random.Random(seed))
    lost = losses(desk)
    assert champion is not None
    assert lost[champion] <= 1
    assert all(lost[number] == 2 for number in range(1, count + 1) if number != champion)
    last = bracket(desk.event, desk.event.stage)[-1]
    assert last.name == ("final again" if lost[champion] or len(last.players) > 2 else "final")


@pytest.mark.parametrize("count", [8, 16])
def test_who_met_among_the_winners_meets_late_among_the_losers(count: int) -> None:
    desk = Desk(players=count, format="double elimination")
    assert play(desk) == 1
    meetings = Counter(frozenset(p.players) for each in desk.event.rounds for p in each.pairings)
    twice = [sorted(pair) for pair, count in meetings.items() if count > 1]
    assert twice == [[2, 3], [1, 2]]  # the finals of losers and of all


def test_a_bracket_goes_on_where_it_can() -> None:
    desk = Desk(players=8, format="single elimination")
    desk.pair((1, 8), (4, 5), (2, 7), (3, 6))
    desk.wins(1, 4, end=False)
    desk.do("round ended", round=1, why="tables 3 and 4 play on")
    assert [seats.players for seats in draw_round(desk.event, 1)] == [(1, 4)]
    desk.refused("round paired", "the bracket has others: [[1, 4]]", pairings=(Seats(1, (1, 5)),))
    desk.pair((1, 4))
    assert [match.name for match in bracket(desk.event, desk.event.stage)] == [
        *["quarterfinal"] * 4, *["semifinal"] * 2, "final",
    ]  # fmt: skip
    desk.refused("result taken back", "take back round 2 first", round=1, table=1, why="wrong")


def test_a_match_needs_a_winner() -> None:
    desk = Desk(players=4, format="single elimination")
    desk.pair((1, 4), (2, 3))
    drawn = {"round": 1, "table": 1, "result": Result(games=(Game(0),)), "by": "judge"}
    desk.refused("result entered", "a match of an elimination needs a winner", **drawn)
    desk.result(1, Result("double loss"))
    desk.wins(end=False)
    desk.result(2, Result(games=(Game(3),)))
    desk.do("round ended", round=1)
    assert bracket(desk.event, desk.event.stage)[-1].winner == 3  # nobody comes to the final against him


def test_who_leaves_gives_the_next_match_away_and_cannot_return() -> None:
    desk = Desk(players=4, format="single elimination")
    desk.pair((1, 4), (2, 3))
    desk.wins(1, 2)
    desk.do("player dropped", player=2)
    assert bracket(desk.event, desk.event.stage)[-1].winner == 1
    desk.refused("player returned", "the bracket has gone on without player 2", player=2, why="back")


def test_the_losers_of_the_semifinals_play_for_the_third_place() -> None:
    desk = Desk(players=4, format="single elimination", third=True)
    desk.pair((1, 4), (2, 3))
    desk.wins(1, 2)
    pairs = {seats.players for seats in draw_round(desk.event, 1)}
    assert pairs == {(1, 2), (3, 4)}
    desk.pair((1, 2), (3, 4))
    desk.wins(2, 4)
    rows = standings(desk.event, desk.event.stage)
    assert [row.player for row in rows] == [2, 1, 4, 3]


def test_a_double_elimination_goes_on_as_a_single_one() -> None:
    """War of the Ring world tournament 2023."""
    desk = Desk(players=8, format="double elimination")
    for _ in range(2):
        desk.do("round paired", pairings=draw_round(desk.event, 7), seed=7)
        desk.start()
        desk.wins(*(min(pairing.players) for pairing in desk.last.pairings))
    out = {player for player, lost in losses(desk).items() if lost == 2}
    assert out == {7, 8}
    chosen = cut_to(desk.event, 6)
    assert not out & set(chosen)
    desk.do("cut", players=chosen)
    desk.do("stage opened", format="single elimination", players=chosen)
    assert play(desk) == 1


def test_a_bye_of_the_bracket_a_wait_and_out_are_said() -> None:
    """T2: six players, the two best seeds have byes."""
    desk = Desk(players=6, format="single elimination")
    desk.pair((4, 5), (3, 6))
    assert apart(desk.event, desk.last) == {1: "bye", 2: "bye"}
    desk.wins(4, 3)
    assert apart(desk.event, desk.last) == {1: "bye", 2: "bye"}
    desk.pair((1, 4), (2, 3))
    assert apart(desk.event, desk.event.rounds[0]) == {}
    assert apart(desk.event, desk.last) == {5: "out", 6: "out"}
    desk.wins(1, 2)
    desk.do("player dropped", player=6)
    desk.pair((1, 2))
    assert apart(desk.event, desk.last) == {3: "out", 4: "out", 5: "out", 6: "has left"}
