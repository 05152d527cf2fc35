"""Results: what a match can come to, and who has won it."""

from __future__ import annotations

import pytest

from referee.errors import Malformed
from referee.tournament.results import Game, Result, check_result
from referee.tournament.settings import Match, Points, Settings

WAR = Settings(sides=("Free Peoples", "Shadow"), wins=("Ring", "military"))
SPLIT = Settings(points=Points(split=6))
PAIR = (1, 2)


def played(*winners: int) -> Result:
    return Result(games=tuple(Game(winner) for winner in winners))


@pytest.mark.parametrize(
    ("result", "match", "winner"),
    [
        (played(1), "one game", 1),
        (played(0), "one game", 0),
        (played(1, 2), "each side once", 0),
        (played(2, 2), "each side once", 2),
        (played(1, 0), "each side once", 1),
        (played(2, 2), "best of three", 2),
        (played(1, 2, 2), "best of three", 2),
        (played(1, 0, 0), "best of three", 1),
        (played(1), "best of three", 1),
        (Result("double loss"), "one game", 0),
        (Result("forfeit", fault=(1,)), "one game", 2),
        (Result("no-show", fault=(2,)), "best of three", 1),
        (Result("no-show", fault=(1, 2)), "one game", 0),
        (Result("disqualified", fault=(2,)), "one game", 1),
    ],
)
def test_who_has_won(result: Result, match: Match, winner: int) -> None:
    check_result(result, PAIR, match, WAR)
    assert result.winner(PAIR) == winner


@pytest.mark.parametrize(
    ("result", "match", "text"),
    [
        (played(), "one game", "games: enter 1 for one game, not 0"),
        (played(1, 1), "one game", "games: enter"),
        (played(1), "each side once", "games: enter 2 for each side once, not 1"),
        (played(1, 1, 2), "best of three", "whoever wins the first two has won"),
        (played(3), "one game", "games[0].winner: expected 1, 2, or 0 for a draw; got 3"),
        (Result(games=(Game(1, "luck"),)), "one game", "games[0].kind: expected a kind of win: Ring, military"),
        (Result(games=(Game(0, "Ring"),)), "one game", "games[0].kind"),
        (Result(games=(Game(1, points=(5, 1)),)), "one game", "this event does not split points"),
        (Result("double loss", games=(Game(1),)), "one game", "games: a match that ended by double loss lists none"),
        (Result("no-show"), "one game", "fault: expected who is at fault for a no-show"),
        (Result("forfeit", fault=(3,)), "one game", "fault: expected players of this match: 1, 2"),
        (Result("forfeit", fault=(1, 1)), "one game", "fault: expected players"),
        (Result("double loss", fault=(1,)), "one game", "fault: expected nobody"),
        (Result(places=(1, 2)), "one game", "places: only a pod has them"),
    ],
)
def test_what_cannot_be(result: Result, match: Match, text: str) -> None:
    with pytest.raises(Malformed) as error:
        check_result(result, PAIR, match, WAR)
    assert text in error.value.text


@pytest.mark.parametrize(
    ("winner", "points", "text"),
    [
        (1, (6, 0), ""),
        (1, (5, 1), ""),
        (2, (2, 4), ""),
        (0, (3, 3), ""),
        (1, (7, -1), "expected two numbers that add up to 6"),
        (1, (4, 1), "expected two numbers that add up to 6, got [4, 1]"),
        (1, (), "expected two numbers"),
        (1, (2, 4), "games[0].winner: expected 2, who has more points of [2, 4]"),
        (1, (3, 3), "games[0].winner: expected 0"),
    ],
)
def test_six_tournament_points_are_split(winner: int, points: tuple[int, ...], text: str) -> None:
    result = Result(games=(Game(winner, points=points),))
    if not text:
        check_result(result, PAIR, "one game", SPLIT)
        return
    with pytest.raises(Malformed) as error:
        check_result(result, PAIR, "one game", SPLIT)
    assert text in error.value.text
