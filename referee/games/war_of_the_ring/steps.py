"""What every question of a round shares: entries that belong to another step, and why they are refused there."""

from __future__ import annotations

from functools import lru_cache
from typing import TypedDict

from referee.games.war_of_the_ring.state import WarGame
from referee.games.war_of_the_ring.tables import (
    CARD_REROLL,
    NO_STRONGHOLD,
    OUT_OF_STEP,
    ROUND_START,
    STEPS,
    TWO_CARDS,
)
from referee.rulebook import Bar, Options, phrase

_OTHER_STEP = {"card": TWO_CARDS} | OUT_OF_STEP


@lru_cache(maxsize=256)
def with_steps(own: Options) -> Options:
    """Return the options of a question, followed by the entries that belong to other steps."""
    return Options((*own, *(option for option in STEPS if option.id not in own.by_id)))


class OfCard(TypedDict):
    """What every question about a Combat card shares: who answers, and the left of the band."""

    seat: str
    head: str


def of_card(game: WarGame, side: str) -> OfCard:
    """Return what the questions about the Combat card of a side share."""
    return {"seat": game.seat_of(side), "head": phrase("{} card", game.short(side))}


def other_step(game: WarGame, entry: str) -> Bar:
    """Return why an entry of another step is refused: X11, X12 or X14."""
    if entry == "re-roll" and game.attack is not None:
        return CARD_REROLL
    return _OTHER_STEP.get(entry, ROUND_START)


def leaving(game: WarGame) -> Bar:
    """Return why going into a Stronghold is refused where it is no question: X09, or X14 if there is one."""
    return ROUND_START if game.ground == "stronghold" else NO_STRONGHOLD
