"""Sides, grounds, numbers to hit and caps: the tables of the rules, and the options made from them once."""

from __future__ import annotations

from referee.games.war_of_the_ring.dice import die_odds
from referee.rulebook import Bar, Cell, Options, Short

SEATS = {"free-peoples": "Free Peoples", "shadow": "Shadow"}
SHORT = {"free-peoples": Short("FP", SEATS["free-peoples"]), "shadow": SEATS["shadow"]}
OTHER_SEAT = {"free-peoples": "shadow", "shadow": "free-peoples"}

SIDES = ("attacker", "defender")
OTHER = {"attacker": "defender", "defender": "attacker"}

MOST_DICE = 5
"""Dice in one Combat roll, and dice in one Leader re-roll (WR-20, WR-22)."""

MOST_UNITS = 10
"""Units a region holds: the board's limit, so the highest number asked for."""

MOST_INSIDE = 5
"""Units a besieged Stronghold holds."""

GROUNDS = Options(
    (
        ("field", "Open field", "Field"),
        ("city", "City or Fortification", "City/Fort"),
        ("stronghold", "Stronghold, defender outside it", "Outside"),
        ("siege", "Siege: assault on a Stronghold", "Siege"),
        ("sortie", "Sortie by the besieged Army", "Sortie"),
        ("by-hand", "Other numbers to hit", "Numbers"),
    )
)

_BASE = {"field": (5, 5, 5), "city": (6, 5, 5), "stronghold": (5, 5, 5), "siege": (6, 6, 5), "sortie": (5, 5, 5)}
"""Attacker in round 1, attacker later, defender."""


def base_number(ground: str, side: str, round_: int) -> int:
    """Return the number a die must reach before any card changes it (WR-21)."""
    first, later, defender = _BASE[ground]
    if side == "defender":
        return defender
    return first if round_ == 1 else later


def cells() -> tuple[Cell, ...]:
    """Return the table of numbers to hit and modifiers, with the chance of one die."""
    return tuple(
        Cell(
            f"hits on {number}",
            f"modifier {modifier:+d}",
            die_odds(number, modifier),
            ruling="roll",
            answers=(number, modifier, *(["both"] if modifier else []), 1, 0),
        )
        for number in (4, 5, 6)
        for modifier in range(-2, 5)
    )


NO_UNITS = Bar("WR-X13", "An Army needs a unit: figures without one are not drawn in", firm=True)
TWO_CARDS = Bar("WR-X11", "One Combat card a round for each player, attacker first", firm=True, aside=True)
CARD_REROLL = Bar("WR-X12", "No Leader re-roll for a card's attack", firm=True, aside=True)
OUT_OF_STEP = {
    entry: Bar("WR-X14", text, firm=True, aside=True)
    for entry, text in {
        "re-roll": "Leaders re-roll right after the Combat roll",
        "cease": "The attacker ceases at the end of a round",
        "retreat": "The defender retreats at the end of a round",
    }.items()
}
NOT_MET = Bar("WR-X16", "The card's requirement is not met: Back, then another or none", firm=True, aside=True)
ATTACKER_STAYS = Bar("WR-X14", "Only the defender retreats; the attacker ceases", firm=True)
NO_REGULAR = Bar("WR-X04", "No Regular is left", firm=True)
NO_ELITES = Bar("WR-X04", "No Elite is left", firm=True)
NONE_LOST = Bar("WR-X04", "No Regular was lost in this battle", firm=True, aside=True)
ONE_HIT = Bar("WR-X05", "Removing an Elite takes two hits; one is left")
NOT_DONE = Bar("WR-X06", "Hits are left, and units to take them")
BESIEGED = Bar("WR-X07", "A besieged Army cannot retreat")
NEVER_LEAVES = BESIEGED._replace(firm=True, aside=True)
NO_REGION = Bar("WR-X08", "No adjacent region is free", firm=True, aside=True)
NO_STRONGHOLD = Bar("WR-X09", "No friendly Stronghold is in the region", firm=True, aside=True)
ROUND_START = Bar("WR-X14", "Into the Stronghold only at the start of a round", firm=True, aside=True)
TOO_MUCH = Bar("WR-X10", "No more Leadership than is left uncancelled", firm=True)
NO_ELITE = Bar("WR-X15", "To go on, the attacker must reduce an Elite")
MANY_DICE = Bar("WR-X01", "Five dice at most, unless the card says more")

STEPS = Options(
    (
        ("card", "Play a Combat card", "Card"),
        ("re-roll", "Leader re-roll", "Re-roll"),
        ("cease", "Cease the attack", "Cease"),
        ("retreat", "Retreat", "Retreat"),
        ("siege", "Into the Stronghold", "Inside"),
    )
)
"""Entries that belong to one step and are refused in every other (WR-X11, WR-X12, WR-X14, WR-X09)."""
