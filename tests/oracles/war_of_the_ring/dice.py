"""The Combat roll, the re-roll, and the hits of a side."""

from __future__ import annotations

from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.state import Battle, Question

Throw = list[int] | int
"""Faces, or hits where players count them."""


def to_hit(battle: Battle, side: str, roll: str = "combat") -> int:
    """Return the number to hit of a roll, ``combat`` or ``reroll``."""
    army = battle.armies[side]
    base = battle.by_hand.get(side) or rules.number_to_hit(battle.ground, side, battle.round)
    combat = army.number_combat or base
    return combat if roll == "combat" else rules.re_roll_number(combat, army.number_reroll)


def modifier(battle: Battle, side: str, roll: str = "combat") -> int:
    """Return what is added to each die of a roll, ``combat`` or ``reroll``."""
    army = battle.armies[side]
    return rules.added(getattr(army, f"own_{roll}"), getattr(army, f"enemy_{roll}"))


def hitting_faces(number: int, added: int) -> int:
    return count_hits([1, 2, 3, 4, 5, 6], number, added)


def count_hits(thrown: Throw, number: int, added: int) -> int:
    return thrown if isinstance(thrown, int) else sum(rules.hits(face, number, added) for face in thrown)


def ask_throw(battle: Battle, side: str) -> None:
    army = battle.armies[side]
    dice = rules.dice_by_card(rules.combat_dice(army.units), army.card_dice, army.fewer_dice)
    chance = hitting_faces(to_hit(battle, side), modifier(battle, side))
    if dice:
        question = Question("combat.roll", battle.seat(side), "roll", low=dice, high=dice, chance=chance)
        battle.ask(question, throw, side, dice)


def throw(battle: Battle, side: str, dice: int, thrown: Throw) -> None:
    army = battle.armies[side]
    army.dice, army.faces = dice, [] if isinstance(thrown, int) else thrown
    army.first_hits = count_hits(thrown, to_hit(battle, side), modifier(battle, side))


def ask_re_roll(battle: Battle, side: str) -> None:
    army = battle.armies[side]
    allowance = rules.re_rolls(army.leadership, army.forfeited, army.cancelled, army.dice - army.first_hits)
    if allowance:
        chance = hitting_faces(to_hit(battle, side, "reroll"), modifier(battle, side, "reroll"))
        seat = battle.seat(side)
        battle.ask(
            Question("reroll.roll", seat, "roll", high=allowance, chance=chance, re_roll=True),
            re_roll,
            side,
            allowance,
        )


def re_roll(battle: Battle, side: str, allowance: int, thrown: Throw) -> None:
    army = battle.armies[side]
    army.allowance = allowance
    army.rerolled = [] if isinstance(thrown, int) else thrown
    army.more_hits = count_hits(thrown, to_hit(battle, side, "reroll"), modifier(battle, side, "reroll"))


def scored(battle: Battle, side: str) -> int:
    """Return the hits of a side in this round."""
    army = battle.armies[side]
    mine = (army.first_hits, army.more_hits, army.extra_hits, army.turned_hits)
    return rules.scored(*mine, army.cancelled_hits)
