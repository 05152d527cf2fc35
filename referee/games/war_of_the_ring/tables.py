"""The tables of the rules and how they are told: words, dice, sides, grounds, refusals, and the rules in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from referee.rulebook import Bar, Cell, Chance, Odds, Options, Short, distribution, joined, phrase, throw_odds

# -- words

REDUCED = "reduced"
"""An Elite became a Regular from the reinforcements."""

RETURNED = "returned"
"""An Elite became a Regular that had been lost before in this battle."""

TAKEN = {
    "regular": ("Regular lost", "Regulars lost"),
    "elite": ("Elite lost", "Elites lost"),
    REDUCED: ("Elite reduced", "Elites reduced"),
    RETURNED: ("Elite reduced to a lost Regular", "Elites reduced to lost Regulars"),
}
"""What can happen to a figure, told of one and of several."""


@lru_cache(maxsize=256)
def count(number: int, one: str, many: str = "") -> str:
    """Write a number of things."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


@lru_cache(maxsize=256)
def figures(regulars: int, elites: int) -> Short:
    """Write units in a few letters that stand for the words of `units`.

    >>> figures(2, 1), figures(2, 1).whole
    ('R2 E1', '2 Regulars and 1 Elite')
    """
    return Short(f"R{regulars} E{elites}", units(regulars, elites))


def units(regulars: int, elites: int) -> str:
    """Write units in full."""
    parts = [count(number, word) for number, word in ((regulars, "Regular"), (elites, "Elite")) if number]
    return " and ".join(parts) or "no unit"


def listed(faces: Sequence[int]) -> Short:
    """Write the faces of a throw, at least one."""
    *rest, last = map(str, faces)
    return Short(" ".join(map(str, faces)), f"{', '.join(rest)} and {last}" if rest else last)


def left(regulars: int, elites: int) -> Short:
    """Write what is left of an Army."""
    return Short(
        f"{units(regulars, elites)} left",
        f"{units(regulars, elites)} {'is' if regulars + elites < 2 else 'are'} left",
    )


def losses(lost: Sequence[str]) -> Short:
    """Write what hits took, each kind once. ``lost``: ids of `TAKEN`.

    >>> some = losses(["regular", "reduced", "regular"])
    >>> str(some), some.whole, losses([]).whole
    ('2 Regulars lost, 1 Elite reduced', '2 Regulars are lost, 1 Elite is reduced', 'nothing is lost')
    """
    return joined(", ", (_lost(kind, number) for kind, number in Counter(lost).items())) if lost else NOTHING


def _lost(kind: str, number: int) -> Short:
    figure, _, fate = count(number, *TAKEN[kind]).partition(" ")[2].partition(" ")
    return Short(f"{number} {figure} {fate}", f"{number} {figure} {'is' if number == 1 else 'are'} {fate}")


NOTHING = Short("nothing lost", "nothing is lost")


# -- dice

FACES = range(1, 7)


def hits(face: int, number: int, modifier: int = 0) -> bool:
    """Return whether a die hits (WR-21, WR-24, WR-26)."""
    return face == 6 or (face != 1 and face + modifier >= number)


@lru_cache(maxsize=256)
def need(number: int, modifier: int = 0) -> str:
    """Return what the dice screen says: the faces that hit.

    >>> need(5), need(6), need(5, -2), need(5, 1)
    ('5+', '6', '6', '4+')
    """
    low = next(face for face in FACES if hits(face, number, modifier))
    return "6" if low == 6 else f"{low}+"


@lru_cache(maxsize=256)
def chance(number: int, modifier: int = 0) -> Fraction:
    """Return the chance that one die hits."""
    return Fraction(sum(hits(face, number, modifier) for face in FACES), 6)


@lru_cache(maxsize=256)
def die_odds(number: int, modifier: int = 0) -> Odds:
    """Return the odds of one die: hit and miss."""
    return throw_odds(1, lambda f: "hit" if hits(f[0], number, modifier) else "miss", {"hit": "Hit", "miss": "Miss"})


@lru_cache(maxsize=1024)
def roll_hits(dice: int, number: int, modifier: int = 0) -> Mapping[int, Fraction]:
    """Return the chance of each number of hits when so many dice are thrown once."""
    one = chance(number, modifier)
    if dice == 0:
        return {0: Fraction(1)}
    fewer = roll_hits(dice - 1, number, modifier)
    parts = [(n, w * (1 - one)) for n, w in fewer.items()] + [(n + 1, w * one) for n, w in fewer.items()]
    return distribution(parts)


@lru_cache(maxsize=1024)
def round_hits(
    dice: int, leadership: int, combat: tuple[int, int], reroll: tuple[int, int]
) -> Mapping[int, Fraction]:
    """Return the chance of each number of hits after the Leader re-roll of up to ``leadership`` failures (WR-22).

    ``combat`` and ``reroll`` are pairs: number to hit, modifier.
    """
    parts = []
    for first, weight in roll_hits(dice, *combat).items():
        again = min(dice - first, leadership, 5)
        parts += [(first + more, weight * w) for more, w in roll_hits(again, *reroll).items()]
    return distribution(parts)


@lru_cache(maxsize=256)
def hit_odds(dice: int, number: int, modifier: int = 0) -> Odds:
    """Return `roll_hits` as odds, for people to read."""
    return tuple(Chance(str(n), count(n, "hit"), w) for n, w in roll_hits(dice, number, modifier).items())


# -- tables

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


BESIEGED = Bar("WR-X07", "A besieged Army cannot retreat")
NO_STRONGHOLD = Bar("WR-X09", "No friendly Stronghold is in the region", firm=True, aside=True)
NO_ELITE = Bar("WR-X15", "To go on, the attacker must reduce an Elite")

RULES = {
    "WR-1": "Rounds of five steps: cards, Combat roll, Leader re-roll, casualties, cease or retreat",
    "WR-2": "Each player may play one Event card a round as a Combat card",
    "WR-3": "The attacker declares a card first, then the defender, who may play one in any case",
    "WR-4": "Cards are picked in secret and revealed together; their backs are open",
    "WR-5": "A card works this round only, unless it says otherwise, and is then discarded",
    "WR-6": "Timing unclear: the lower initiative goes first",
    "WR-7": "Equal initiative: the defender's card goes first",
    "WR-8": "Effects at different moments have an initiative each",
    "WR-9": "Bold requirements on a card must be met; if one is not: Back, then another card or none",
    "WR-10": "Forfeited Leadership does not count this round",
    "WR-11": "Cancelled Leadership cannot be forfeited",
    "WR-12": "A card may give an attack before the Combat roll or after the casualties",
    "WR-13": "Such an attack uses the base number, unless the card says otherwise",
    "WR-14": "It has no re-roll, the enemy's card does not touch it, losses come off at once",
    "WR-20": "One Combat die for each unit, five at most",
    "WR-21": "A 5 or 6 hits; ground and cards may change the number",
    "WR-22": "Re-roll failed dice, as many as the Leadership, five at most",
    "WR-23": "The re-roll needs what the Combat roll needed, unless a card changes it",
    "WR-24": "Modifiers are added to each die, and to each other",
    "WR-25": "A modifier is for the Combat roll, the re-roll or both, as the card says",
    "WR-26": "A 1 always misses, a 6 always hits",
    "WR-30": "Both roll and re-roll; only then are losses taken",
    "WR-31": "Hits of one side are losses of the other; the attacker takes his first",
    "WR-32": "A hit takes off a Regular, or turns an Elite into a Regular of its Nation",
    "WR-33": "Two hits: two such choices, or one Elite off",
    "WR-34": "The Regular comes from casualties, else from the available reinforcements",
    "WR-35": "Without such a Regular the Elite is lost for the hit, and nothing more",
    "WR-36": "Free Peoples casualties are out of the game: keep them apart",
    "WR-37": "Shadow casualties go back to the reinforcements",
    "WR-38": "With the last unit go all Leaders and Characters of the Army",
    "WR-39": phrase("{} Leaders and Characters are gone for good; Nazgûl may come back", SHORT["free-peoples"]),
    "WR-40": "Figures without own Army units are not drawn into a battle",
    "WR-50": "After a round the attacker may cease; the units stay where they began",
    "WR-51": "If he goes on, the defender may retreat, else a new round begins",
    "WR-52": "A retreat takes the whole Army to one free adjacent region, or is not possible",
    "WR-53": "A besieged Army cannot retreat",
    "WR-54": "Before any round an Army may go into a friendly Stronghold of its region",
    "WR-55": "A Level 0 Character in a retreating Army stays behind",
    "WR-56": "It ends when the attacker ceases, the defender leaves, or an Army has no units",
    "WR-57": "The defender gone, the attacker may move all or part of his Army in",
    "WR-58": "A Stronghold with enemy units in the region taken is then besieged",
}
"""Every rule of the chapter, for help, reasons and reminders."""
