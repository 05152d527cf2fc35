"""Results as people say them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from referee.tournament import Game, Pairing, Result

FAULTS: Final = (("no-show", "did not come"), ("forfeit", "gave up"), ("disqualified", "was disqualified"))
"""Outcomes that somebody is at fault for, and how it is said."""


def in_words(result: Result, pairing: Pairing, name: Callable[[int], str]) -> str:
    """Return a result as people say it."""
    if result.places:
        order = sorted(each for each in zip(result.places, pairing.players, strict=True) if each[0])
        placed = ", ".join(f"{place}. {name(player)}" for place, player in order)
        out = ", ".join(f"{name(player)} {dict(FAULTS)[result.outcome]}" for player in result.fault)
        return "; ".join(filter(None, (placed, out)))
    if result.outcome != "played":
        words = dict(FAULTS).get(result.outcome)
        if words is None:
            return {"double loss": "Both lose"}.get(result.outcome, result.outcome.capitalize())
        return " and ".join(map(name, result.fault)) + f" {words}"
    return "; ".join(_game_in_words(game, pairing, name) for game in result.games)


def _game_in_words(game: Game, pairing: Pairing, name: Callable[[int], str]) -> str:
    if game.points:
        first, second = pairing.players
        return f"{name(first)} {game.points[0]} – {game.points[1]} {name(second)}"
    if not game.winner:
        return "Draw"
    return f"{name(game.winner)} won" + (f": {game.kind}" if game.kind else "")
