"""The printed rules of a battle, each a function of its own so that it can be broken by itself.

Sides are ``attacker`` and ``defender``. Refusal codes are None where nothing is barred.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

ATTACKER, DEFENDER = "attacker", "defender"
SIDES = (ATTACKER, DEFENDER)
MOST_DICE = 5
MOST_RE_ROLLS = 5
INSIDE = 5
"""Units that a besieged Stronghold holds."""


def other(side: str) -> str:
    """Return the opposing side."""
    return DEFENDER if side == ATTACKER else ATTACKER


# -- setting up ---------------------------------------------------------------------------------------------------


def army_code(regulars: int, elites: int) -> str | None:
    """WR-X13: figures without a unit are no Army."""
    return "WR-X13" if regulars + elites < 1 else None


# -- rolling ------------------------------------------------------------------------------------------------------


def combat_dice(units: int) -> int:
    """WR-20: Combat Strength, five at most."""
    return min(units, MOST_DICE)


def number_to_hit(ground: str, side: str, battle_round: int) -> int:
    """WR-21: the base number; 5 but for an attacker on a City in the first round, or on a besieged Stronghold."""
    if side == DEFENDER:
        return 5
    return 6 if ground == "siege" or (ground == "city" and battle_round == 1) else 5


def hits(face: int, number: int, modifier: int) -> bool:
    """WR-24, WR-26: the modified face against the number; 1 never hits and 6 always does."""
    return face == 6 or (face != 1 and face + modifier >= number)


def re_rolls(leadership: int, forfeited: int, cancelled: int, failures: int) -> int:
    """WR-22: failed dice that may be thrown once more."""
    return min(max(0, leadership - forfeited - cancelled), failures, MOST_RE_ROLLS)


def first_to_roll() -> tuple[str, str]:
    """WR-1: who rolls first."""
    return SIDES


def dice_code(faces: list[int], low: int, high: int, *, re_roll: bool) -> str | None:
    """WR-X02 before WR-X01 or WR-X03: what is wrong with a throw."""
    if any(face < 1 or face > 6 for face in faces):
        return "WR-X02"
    return None if low <= len(faces) <= high else ("WR-X03" if re_roll else "WR-X01")


# -- Combat cards -------------------------------------------------------------------------------------------------


def window(kind: str, on: str) -> str:
    """WR-6, WR-12: when an effect is applied; empty where it only changes dice or hits."""
    if kind in {"forfeit", "cancel", "attack-before", "retreat", "forfeit-dice", "losses-add", "cancel-card"}:
        return "before"
    if kind in {"cancel-hits", "more-hits", "misses"}:
        return "hits"
    return "after" if kind == "attack-after" else on.partition("-")[2] if kind in {"leader", "losses"} else ""


LEADERSHIP = {"forfeit", "cancel", "leader", "forfeit-dice"}
UNITS = {"attack-before", "attack-after", "losses", "retreat", "losses-add"}


def order_matters(kind: str, another: str) -> bool:
    """WR-6: whether it may come out otherwise which of two effects is applied first.

    What ends the battle ends it before a Leader is removed by what comes later. A card is cancelled before or after
    its effects (A-WR23), and hits can only be cancelled once they are there.
    """
    kinds = {kind, another}
    if "cancel-card" in kinds:
        return True
    if "cancel-hits" in kinds:
        return bool(kinds & {"more-hits", "misses"})
    if kind in UNITS:
        return another in UNITS or another == "leader"
    return kind in LEADERSHIP and (another in LEADERSHIP or (kind == "leader" and another in UNITS))


def in_order(effects: list[Any]) -> list[Any]:
    """WR-6, WR-7: the lower initiative first, the defender's where they are equal, else as the card has them."""
    return sorted(effects, key=lambda effect: (effect.initiative, effect.side != DEFENDER))


def card_inside_code(ground: str) -> str | None:
    """A-WR22: by a card, too, only an Army outside a friendly Stronghold goes inside."""
    return None if may_go_inside(ground) else "WR-X09"


def card_retreat_code(ground: str, side: str) -> str | None:
    """WR-52, WR-53: only the defender retreats, and not out of a siege."""
    return "WR-X14" if side == ATTACKER else None if may_retreat(ground) else "WR-X07"


def leadership_left(leadership: int, forfeited: int, cancelled: int) -> int:
    """WR-10, WR-11: what counts, and may still be forfeited."""
    return max(0, leadership - forfeited - cancelled)


def forfeit_code(count: int, left: int) -> str | None:
    """WR-X10: no more than is left."""
    return "WR-X10" if count > left else None


def attack_dice_code(dice: int) -> str | None:
    """WR-20: the attack of a card is carried out like the Combat roll."""
    return "WR-X01" if dice > MOST_DICE else None


def attack_modifier(own: int, enemy: int) -> int:
    """WR-14: the enemy card's modifier does not apply to the attack of a card."""
    return own


def added(modifier: int, another: int) -> int:
    """WR-24: modifiers add up."""
    return modifier + another


def dice_by_card(strength: int, card_dice: int, fewer: int) -> int:
    """A-WR20: cards take dice away, and say how many there may be (-1: none does); the Army is the limit."""
    left = max(0, strength - fewer)
    return left if card_dice < 0 else min(left, card_dice)


def lower_limit(card_dice: int, another: int) -> int:
    """A-WR20: of two cards that say how many dice there may be, both count."""
    return another if card_dice < 0 else min(card_dice, another)


def misses(dice: int, first: int, more: int, turned: int) -> int:
    """A-WR19: the failures left after the re-roll, each of which can become a hit once."""
    return max(0, dice - first - more - turned)


def re_roll_number(combat: int, by_card: int) -> int:
    """WR-23: the number of the Combat roll, unless a card changes it."""
    return by_card or combat


def scored(first: int, more: int, extra: int, turned: int, cancelled: int) -> int:
    """WR-31, A-WR18, A-WR19: hits of a side; those of its card come on top, and cancelled ones off."""
    return max(0, first + more + extra + turned - cancelled)


# -- casualties ---------------------------------------------------------------------------------------------------


def first_to_lose() -> tuple[str, str]:
    """WR-31: the attacker removes first."""
    return SIDES


def wiped_out(due: int, regulars: int, elites: int) -> bool:
    """WR-33: whether so many hits take the whole Army, however they are taken."""
    return due >= regulars + 2 * elites


def casualty_codes(due: int, regulars: int, elites: int) -> dict[str, str | None]:
    """WR-32, WR-33: what may go for the next hit."""
    none_left = "WR-X04"
    outright = none_left if not elites else "WR-X05" if due < 2 else None
    return {
        "regular": None if regulars else none_left,
        "reduce": None if elites else none_left,
        "remove": outright,
        "stop": "WR-X06",
    }


def cost(loss: str) -> int:
    """WR-32, WR-33: hits that a loss takes up."""
    return 2 if loss == "remove" else 1


def replacement_codes(lost_regulars: int) -> dict[str, str | None]:
    """WR-34: where the Regular may come from."""
    return {"yes": None, "reinforcements": None if lost_regulars else "WR-X04", "no": None}


def from_casualties(replacement: str, lost_regulars: int) -> bool:
    """WR-34: earlier casualties come before the reinforcements."""
    return replacement == "yes" and lost_regulars > 0


def replaced(replacement: str) -> bool:
    """WR-35: without a Regular the Elite is lost, and nothing more."""
    return replacement != "no"


def ends(due: int, regulars: int, elites: int) -> set[tuple[int, int]]:
    """WR-33: every (Regulars, Elites) that may be left when each Elite can be replaced."""
    if due == 0 or regulars + elites == 0:
        return {(regulars, elites)}
    left: set[tuple[int, int]] = set()
    for loss, code in casualty_codes(due, regulars, elites).items():
        if code is None:
            after = {"regular": (regulars - 1, elites), "reduce": (regulars + 1, elites - 1)}
            left |= ends(due - cost(loss), *after.get(loss, (regulars, elites - 1)))
    return left


# -- the end of a round -------------------------------------------------------------------------------------------


def may_go_inside(ground: str) -> bool:
    """WR-54: only an Army outside a friendly Stronghold may."""
    return ground == "stronghold"


def inside_code(ground: str) -> str:
    """WR-X09 where there is no Stronghold to go into; elsewhere it is out of step."""
    return "WR-X14" if may_go_inside(ground) else "WR-X09"


def may_retreat(ground: str) -> bool:
    """WR-53: a besieged Army cannot."""
    return ground != "siege"


def retreat_code(ground: str) -> str:
    """WR-X07 in a siege; elsewhere a retreat at the start of a round is out of step."""
    return "WR-X14" if may_retreat(ground) else "WR-X07"


def assault_pays(ground: str, switch: bool) -> bool:
    """WR-50: whether another round must be paid for with an Elite."""
    return ground == "siege" and switch


def can_pay(elites: int) -> bool:
    """WR-X15: only an Elite pays."""
    return elites > 0


def eliminated(attackers: int, defenders: int) -> str | None:
    """WR-56: how the battle ends when an Army has no units."""
    if attackers and defenders:
        return None
    if not attackers and not defenders:
        return "both-eliminated"
    return "defender-eliminated" if attackers else "attacker-eliminated"


def moves_in(result: str) -> bool:
    """WR-57: a surviving attacker may, where the defender is gone."""
    return result in {"defender-eliminated", "defender-retreated", "into-siege"}


def closing_reminders(result: str, ground: str, units_inside: int, *, card_played: bool) -> Iterator[str]:
    """WR-38, WR-39, WR-54 to WR-58: what is said at the end of a battle, by rule."""
    yield from {"both-eliminated": ("WR-39", "WR-39")}.get(result, ("WR-39",) if "eliminated" in result else ())
    if result == "defender-retreated":
        yield "WR-55"
    if moves_in(result):
        yield "WR-57"
    if result == "into-siege" and may_go_inside(ground):
        yield "WR-58"
        if units_inside > INSIDE:
            yield "WR-54"
    if card_played:
        yield "WR-5"
