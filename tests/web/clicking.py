"""Somebody who plays a whole game at the panel by clicking alone, choosing from a seed among what can be clicked."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from referee import games

SEEDS: Final = {
    "battle-of-the-ring": 5,
    "war-of-the-ring": 11,
    "riddle-of-the-ring": 8,
    "middle-earth-the-wizards": 46,
}
"""Seed of a game with rulings, refusals and, where the book has them, hand-overs, throws and picks."""
MOST: Final = 400
"""Clicks after which a game must be over."""
BEGIN: Final = {"New game", "Start"}
BARRED: Final = 0.1
"""Share of clicks on what cannot be had now, where there is such."""


class Offer(NamedTuple):
    """A button of the card on the glass: its id, its words, and whether it can be had now."""

    id: str
    text: str
    is_open: bool


class Click(NamedTuple):
    """A click: on which words, none for a seat, and the answers that came into the log with it."""

    words: str
    answers: tuple[str, ...]


class Clicker:
    """Chooses what is clicked next; the same choices on the same pages whenever it plays this game."""

    def __init__(self, game: str) -> None:
        self._wanted = {games.load(game).title, *BEGIN}
        self._chance = random.Random(f"{game}, {SEEDS[game]}")

    def choose(self, offers: Iterable[Offer], blinking: Sequence[str]) -> str:
        """Return the id of a button of the card, or the key of the seat whose lamp blinks.

        The box does not roll: its dice would make every run another game.
        """
        offers = [each for each in offers if each.id != "box-rolls"]
        if blinking:
            return blinking[0]
        if first := [each.id for each in offers if each.text in self._wanted]:
            return first[0]
        if any(each.text == "Rematch" for each in offers):
            return next(each.id for each in offers if each.text == "Shelf")
        barred = [each for each in offers if not each.is_open]
        wanted = barred if barred and self._chance.random() < BARRED else [each for each in offers if each.is_open]
        return self._chance.choice(wanted or barred).id
