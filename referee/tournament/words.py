"""Numbers and results as people say them in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from referee.tournament.event import Pairing
from referee.tournament.results import Game, Outcome, Result

IS: Final[Mapping[str, str]] = {
    "draft": "is a draft",
    "published": "is published and has not started",
    "started": "has started",
    "ended": "has ended",
}
"""How a round is, by its state."""


FAULTS: Final[tuple[tuple[Outcome, str], ...]] = (
    ("no-show", "did not come"),
    ("forfeit", "gave up"),
    ("disqualified", "was disqualified"),
)
"""Outcomes that somebody is at fault for, and how it is said."""


def listed(words: Iterable[str]) -> str:
    """Return words as a sentence lists them.

    >>> listed(["1"]), listed(["1", "2"]), listed(["1", "2", "3"])
    ('1', '1 and 2', '1, 2 and 3')
    """
    *before, last = words
    return f"{', '.join(before)} and {last}" if before else last


def named_tables(numbers: Iterable[int]) -> str:
    """Return the tables of these numbers in words.

    >>> named_tables([3]), named_tables([1, 2, 3])
    ('table 3', 'tables 1, 2 and 3')
    """
    words = [str(number) for number in numbers]
    return f"table{'s' if len(words) > 1 else ''} {listed(words)}"


def in_words(result: Result, pairing: Pairing, name: Callable[[int], str]) -> str:
    """Return a result as people say it."""
    if result.places:
        order = sorted(each for each in zip(result.places, pairing.players, strict=True) if each[0])
        placed = ", ".join(f"{place}. {name(player)}" for place, player in order)
        out = ", ".join(f"{name(player)} {dict(FAULTS)[result.outcome]}" for player in result.fault)
        return "; ".join(filter(None, (placed, out)))
    if result.outcome == "double loss":
        return "Both lose"
    if result.outcome == "no-show" and len(result.fault) == len(pairing.players):
        return "Nobody came"
    if result.outcome != "played":
        return " and ".join(map(name, result.fault)) + f" {dict(FAULTS)[result.outcome]}"
    return "; ".join(_game_in_words(game, pairing, name) for game in result.games)


def _game_in_words(game: Game, pairing: Pairing, name: Callable[[int], str]) -> str:
    if game.points:
        first, second = pairing.players
        return f"{name(first)} {game.points[0]} – {game.points[1]} {name(second)}"
    if not game.winner:
        return "Draw"
    return f"{name(game.winner)} won" + (f": {game.kind}" if game.kind else "")
