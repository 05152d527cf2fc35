"""What can be laid in a battle, which side may lay it, and how many guesses a hand is worth: the pure tables."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from referee.games.riddle_of_the_ring.characters import HOBBIT, RIDER
from referee.rulebook import Option, Options

CEILING = 5
"""Battle Points neither side may pass in one battle (RR-63)."""

GOOD, EVIL, NEUTRAL = "good", "evil", "neutral"
ATTACKER, DEFENDER = "attacker", "defender"

AGAINST = {HOBBIT: EVIL, RIDER: GOOD}
"""Kind of the defender -> the kind of force an attacker may lay beside Neutral ones (RR-51)."""

FOR = {HOBBIT: GOOD, RIDER: EVIL}
"""Own kind -> the kind of force a defender may lay beside Neutral ones (RR-52), and of his character card."""


class Kind(NamedTuple):
    """One way to lay a force.

    ``kind``    good, evil or neutral; "" where it follows from who lays it
    ``points``  Battle Points, or the fewest where the table says how many (``asks``)
    ``retain``  it goes back to the hand (RR-69)
    ``unique``  there is one of it
    """

    option: Option
    kind: str
    points: int
    retain: bool = False
    city: bool = False
    unique: bool = False
    asks: bool = False


FORCES = {
    kind.option.id: kind
    for kind in (
        Kind(Option("good-army", "Good Army or card (1)", "Good"), GOOD, 1),
        Kind(Option("evil-army", "Evil Army or card (1)", "Evil"), EVIL, 1),
        Kind(Option("neutral-army", "Neutral Army or card (1)", "Neutral"), NEUTRAL, 1),
        Kind(Option("strider", "Strider (2)", "Strider"), GOOD, 2, unique=True),
        Kind(Option("mouth-of-sauron", "Mouth of Sauron (2)", "Mouth"), EVIL, 2, unique=True),
        Kind(Option("good-city", "Good city (1)", "City"), GOOD, 1, city=True),
        Kind(Option("evil-city", "Evil city (1)", "City"), EVIL, 1, city=True),
        Kind(Option("good-card", "Good or Neutral card of 2 or more", "2+ pts"), GOOD, 2, asks=True),
        Kind(Option("evil-card", "Evil or Neutral card of 2 or more", "2+ pts"), EVIL, 2, asks=True),
        Kind(Option("neutral-city", "Neutral city", "City"), NEUTRAL, 1, city=True),
        Kind(Option("far-city", "City near neither player", "Far"), "", 1, city=True),
        Kind(Option("the-ring", "The Ring (1)", "Ring"), NEUTRAL, 1, retain=True, unique=True),
        Kind(Option("own-character", "Own character card (1)", "Self"), "", 1, retain=True, unique=True),
        Kind(Option("other-character", "Somebody else's character card", "Other"), "", 0),
        Kind(Option("no-points", "A card without Battle Points", "0 pts"), "", 0),
    )
}

STOP = Option("stop", "Stop", "Stop")
SURRENDER = Option("surrender", "Surrender", "Yield")

SERIES = {
    GOOD: ("good-army", "neutral-army", "good-city", "strider"),
    EVIL: ("evil-army", "neutral-army", "evil-city", "mouth-of-sauron"),
}
"""The usual forces of one side: one kind and Neutral. With the pass they fill the first page of keys."""

LISTED = {
    "good-army": "Good",
    "evil-army": "Evil",
    "neutral-army": "Neutral",
    "strider": "Strider",
    "mouth-of-sauron": "Mouth",
    "good-card": "Good card",
    "evil-card": "Evil card",
}
"""Forces as a list names them."""


def allowed(side: str, defender_kind: str) -> str:
    """Return the kind of force a side may lay beside Neutral ones (RR-51, RR-52).

    ``side``: attacker or defender; ``defender_kind``: hobbit or rider.
    """
    return (AGAINST if side == ATTACKER else FOR)[defender_kind]


@lru_cache(maxsize=256)
def hand_of_forces(side: str, kind: str) -> Options:
    """Return what a side can be asked for: the usual and the pass first, then the less usual, then the rest."""
    passing, foreign = (STOP, SURRENDER) if side == ATTACKER else (SURRENDER, STOP)
    usual, unusual = SERIES[kind], ("the-ring", "own-character", f"{kind}-card")
    rest = (f for f in FORCES if f not in (*usual, *unusual))
    options = [FORCES[f].option for f in usual]
    return Options((*options, passing, *(FORCES[f].option for f in (*unusual, *rest)), foreign))


def guesses(cards: int) -> int:
    """Return how many titles may be stated for a card from a hand of so many (RR-21).

    >>> [guesses(cards) for cards in (5, 4, 3, 2, 1, 0)]
    [3, 3, 2, 1, 1, 0]
    """
    return {0: 0, 1: 1, 2: 1, 3: 2}.get(cards, 3)
