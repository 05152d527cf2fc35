"""Round robin: the tables that stand in every handbook, and what they are for."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from referee.tournament.pairing.draw import round_robin

BERGER = """
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1
"""
"""FIDE C.05, annex 1, for six players."""


def test_six_players_play_bergers_table() -> None:
    for i, line in enumerate(BERGER.split("\n")[1:-1]):
        pairs = {tuple(map(int, pair.split("-"))) for pair in line.split()}
        assert set(round_robin(range(1, 7), i)) == pairs


@pytest.mark.parametrize("count", range(2, 18))
def test_everybody_meets_everybody_once_and_sits_first_as_often_as_second(count: int) -> None:
    players = range(1, count + 1)
    length = count - 1 + count % 2
    rounds = [round_robin(players, i) for i in range(length)]
    for pairs in rounds:
        assert sorted(player for pair in pairs for player in pair) == list(players)
        assert sum(len(pair) == 1 for pair in pairs) == count % 2
    games = [pair for pairs in rounds for pair in pairs if len(pair) == 2]
    assert sorted(tuple(sorted(pair)) for pair in games) == list(combinations(players, 2))
    first = Counter(pair[0] for pair in games)
    second = Counter(pair[1] for pair in games)
    assert all(abs(first[player] - second[player]) <= 1 for player in players)
    for i in range(length):  # the second cycle, the seats exchanged
        assert round_robin(players, length + i) == [pair[::-1] for pair in rounds[i]]
