"""How sharp the comparison is: the oracle's rules are broken one after another, and each must be noticed."""

from __future__ import annotations

from tests.oracles import side_by_side
from tests.oracles.side_by_side import Broken
from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.table import compared

BROKEN: Broken = {
    "six Combat dice": ("combat_dice", lambda rule: lambda units: min(units, 6)),
    "a City protects in every round": (
        "number_to_hit",
        lambda rule: lambda ground, side, number: rule(ground, side, 1),
    ),
    "a 5 misses": ("hits", lambda rule: lambda face, number, modifier: face != 5 and rule(face, number, modifier)),
    "four re-rolls": ("re_rolls", lambda rule: lambda *numbers: min(4, rule(*numbers))),
    "the defender rolls first": ("first_to_roll", lambda rule: lambda: rule()[::-1]),
    "the defender loses first": ("first_to_lose", lambda rule: lambda: rule()[::-1]),
    "too few dice before a face of 7": (
        "dice_code",
        lambda rule: (
            lambda faces, low, high, re_roll: (
                rule([1] * len(faces), low, high, re_roll=re_roll) or rule(faces, low, high, re_roll=re_roll)
            )
        ),
    ),
    "an Elite is worth one hit when all are lost": (
        "wiped_out",
        lambda rule: lambda due, regulars, elites: due >= regulars + elites,
    ),
    "an Elite goes for one hit": (
        "casualty_codes",
        lambda rule: lambda due, regulars, elites: rule(2, regulars, elites),
    ),
    "a reduction takes two hits": ("cost", lambda rule: lambda loss: 2 if loss == "reduce" else rule(loss)),
    "reinforcements without casualties": ("replacement_codes", lambda rule: lambda lost: rule(1)),
    "the reinforcements come first": ("from_casualties", lambda rule: lambda replacement, lost: False),
    "without a Regular an Elite is replaced": ("replaced", lambda rule: lambda replacement: True),
    "only ends of one sort": (
        "ends",
        lambda rule: (
            lambda due, regulars, elites: {min(rule(due, regulars, elites)), max(rule(due, regulars, elites))}
        ),
    ),
    "into any City": ("may_go_inside", lambda rule: lambda ground: ground in {"stronghold", "city"}),
    "the besieged retreat": ("may_retreat", lambda rule: lambda ground: True),
    "an assault is free": ("assault_pays", lambda rule: lambda ground, switch: False),
    "a Regular pays for an assault": ("can_pay", lambda rule: lambda elites: True),
    "both out is the attacker's victory": (
        "eliminated",
        lambda rule: lambda attackers, defenders: rule(attackers or int(not defenders), defenders),
    ),
    "nobody moves in after a retreat": (
        "moves_in",
        lambda rule: lambda result: result != "defender-retreated" and rule(result),
    ),
    "six fit inside": (
        "closing_reminders",
        lambda rule: (
            lambda result, ground, units, card_played: rule(result, ground, units - 1, card_played=card_played)
        ),
    ),
    "the attacker first at equal initiative": (
        "in_order",
        lambda rule: lambda effects: sorted(effects, key=lambda each: (each.initiative, each.side == "defender")),
    ),
    "initiative for everything": ("order_matters", lambda rule: lambda kind, another: True),
    "an attack after casualties comes before": (
        "window",
        lambda rule: lambda kind, on: "before" if kind == "attack-after" else rule(kind, on),
    ),
    "the besieged retreat by a card": ("card_retreat_code", lambda rule: lambda ground, side: rule("field", side)),
    "the enemy's modifier on an attack of a card": ("attack_modifier", lambda rule: lambda own, enemy: own + enemy),
    "the later modifier counts alone": ("added", lambda rule: lambda modifier, another: another or modifier),
    "re-rolls have the base number": ("re_roll_number", lambda rule: lambda combat, by_card: by_card or 5),
    "cancelled Leadership can be forfeited": (
        "leadership_left",
        lambda rule: lambda lead, forfeited, cancelled: rule(lead, forfeited, 0),
    ),
    "automatic hits do not count": (
        "scored",
        lambda rule: lambda first, more, extra, turned, off: rule(first, more, 0, turned, off),
    ),
    "a card gives more dice than the Army has": (
        "dice_by_card",
        lambda rule: lambda strength, dice, fewer: rule(strength, dice, fewer) if dice < 0 else dice,
    ),
    "the later limit of dice counts": ("lower_limit", lambda rule: lambda dice, another: another),
    "a die becomes a hit twice": (
        "misses",
        lambda rule: lambda dice, first, more, turned: rule(dice, first, more, 0),
    ),
    "into any Stronghold by a card": ("card_inside_code", lambda rule: lambda ground: None),
    "six dice for an attack of a card": ("attack_dice_code", lambda rule: lambda dice: rule(dice - 1)),
    "an Army without units": ("army_code", lambda rule: lambda regulars, elites: None),
}


def unnoticed(answers: int, seed: int) -> list[str]:
    """Return the broken rules that so many answers did not reveal."""
    return side_by_side.unnoticed(rules, BROKEN, compared, answers, seed)
