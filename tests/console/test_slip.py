"""What can be keyed of a slip, and what the hall makes of it."""

from __future__ import annotations

import pytest

from referee.console.cards.seating import Choice, bar, choices, question, result
from referee.session.wish import Player, Seating
from referee.tournament import Result, Settings
from referee.tournament.acts.base import from_json
from referee.tournament.results import check_result
from referee.tournament.settings import GAMES, Match, Points

TWO = (Player(3, "Anna", "Free Peoples"), Player(9, "Bo", "Shadow"))


def keyed(seating: Seating, *picks: int) -> tuple[Choice, ...]:
    done: tuple[Choice, ...] = ()
    for pick in picks:
        done += (choices(seating, done)[pick],)
    return done


@pytest.mark.parametrize("match", ["one game", "each side once", "best of three"])
@pytest.mark.parametrize(
    "settings", [Settings(), Settings(wins=("Ring", "military")), Settings(points=Points(split=6))]
)
def test_every_slip_that_can_be_keyed_is_a_result(match: Match, settings: Settings) -> None:
    seating = Seating(1, 7, TWO, GAMES[match], settings.wins, settings.points.split)
    slips: list[tuple[Choice, ...]] = [()]
    finished = 0
    while slips:
        done = slips.pop()
        following = choices(seating, done)
        slips += [(*done, each) for each in following]
        if not following:
            finished += 1
            check_result(from_json(Result, result(seating, done)), (3, 9), match, settings)
    assert finished >= 3


def test_a_best_of_three_ends_when_somebody_has_won_twice() -> None:
    seating = Seating(1, 7, TWO, 3)
    assert choices(seating, keyed(seating, 0, 0)) == ()
    assert question(seating, keyed(seating, 0, 1)) == "game 3"
    assert len(choices(seating, keyed(seating, 0, 1))) == 3
    assert len(choices(seating, keyed(seating, 2, 2))) == 3  # two draws decide nothing


def test_a_match_that_needs_a_winner_offers_no_draw() -> None:
    assert [each.text for each in choices(Seating(1, 7, TWO, drawn=False), ())] == ["Anna won", "Bo won"]


def test_a_split_match_that_needs_a_winner_offers_no_even_split() -> None:
    offered = choices(Seating(1, 7, TWO, split=6, drawn=False), ())
    assert [each.value["points"] for each in offered] == [[6, 0], [5, 1], [4, 2], [2, 4], [1, 5], [0, 6]]


def test_a_match_of_several_games_that_needs_a_winner_bars_what_would_leave_none_and_says_so() -> None:
    seating = Seating(1, 7, TWO, 2, drawn=False)
    for last, barred in ((0, [1]), (1, [0]), (2, [2])):
        done = keyed(seating, last)
        bars = [bar(seating, done, each) for each in choices(seating, done)]
        assert [at for at, each in enumerate(bars) if each is not None] == barred
        assert {each.text for each in bars if each} == {"This match needs a winner: call a judge"}
    assert not any(bar(seating, (), each) for each in choices(seating, ()))
    drawn = Seating(1, 7, TWO, 2)
    assert not any(bar(drawn, keyed(drawn, 0), each) for each in choices(drawn, keyed(drawn, 0)))


def test_a_pod_has_places() -> None:
    seating = Seating(1, 7, (*TWO, Player(4, "Cem")))
    assert [each.text for each in choices(seating, ())] == ["1. Anna", "1. Bo", "1. Cem"]
    done = keyed(seating, 1, 1, 0)
    assert choices(seating, done) == ()
    assert result(seating, done) == {"places": [3, 1, 2]}


def test_long_names_have_a_short_form_that_tells_the_seats_apart() -> None:
    players = (Player(1, "Maximiliane von Hohenstein"), Player(2, "Maximiliane von Hohenfels"))
    shorts = [each.short for each in choices(Seating(1, 7, players, wins=("surrender and more",)), ())]
    assert shorts == ["Seat 1: surrend…", "Seat 2: surrend…", "Draw"]
