"""The hits of both sides, what an Army loses to those that are due, and how a battle ends."""

from __future__ import annotations

from typing import Any

from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.rules import ATTACKER, DEFENDER
from tests.oracles.war_of_the_ring.state import OUT_OF_STEP, Army, Battle, Event, Question, Steps, choose, elsewhere

Throw = list[int] | int
"""Faces, or hits where players count them."""


def to_hit(battle: Battle, side: str, roll: str = "combat") -> int:
    """Return the number to hit of a roll, ``combat`` or ``reroll``."""
    army = battle.armies[side]
    base = rules.number_to_hit(battle.ground, side, battle.round)
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


def throw(battle: Battle, side: str) -> Steps[None]:
    army = battle.armies[side]
    dice = rules.dice_by_card(rules.combat_dice(army.units), army.card_dice, army.fewer_dice)
    aim = to_hit(battle, side), modifier(battle, side)
    if dice:
        question = Question("combat.roll", battle.seat(side), "roll", low=dice, high=dice, chance=hitting_faces(*aim))
        thrown = yield question
        army.dice, army.faces = dice, [] if isinstance(thrown, int) else thrown
        army.first_hits = count_hits(thrown, *aim)


def re_roll(battle: Battle, side: str) -> Steps[None]:
    army = battle.armies[side]
    most = rules.re_rolls(army.leadership, army.forfeited, army.cancelled, army.dice - army.first_hits)
    aim = to_hit(battle, side, "reroll"), modifier(battle, side, "reroll")
    if most:
        chance, seat = hitting_faces(*aim), battle.seat(side)
        thrown = yield Question("reroll.roll", seat, "roll", high=most, chance=chance, re_roll=True)
        army.allowance, army.rerolled = most, [] if isinstance(thrown, int) else thrown
        army.more_hits = count_hits(thrown, *aim)


def scored(battle: Battle, side: str) -> int:
    """Return the hits of a side in this round."""
    army = battle.armies[side]
    mine = (army.first_hits, army.more_hits, army.extra_hits, army.turned_hits)
    return rules.scored(*mine, army.cancelled_hits)


def losses(battle: Battle, side: str) -> Steps[None]:
    """Take what is forced; ask for what is not."""
    army = battle.armies[side]
    army.taken = []
    while army.due:
        if rules.wiped_out(army.due, army.regulars, army.elites):
            army.taken += ["regular"] * army.regulars + ["elite"] * army.elites
            army.lost_regulars += army.regulars
            army.lost_elites += army.elites
            army.regulars = army.elites = army.due = 0
            return
        codes = rules.casualty_codes(army.due, army.regulars, army.elites)
        open_ = [loss for loss, code in codes.items() if code is None]
        away = elsewhere(re_roll="WR-X12" if battle.in_attack else OUT_OF_STEP)
        forced = open_ in (["regular"], ["reduce"])
        loss = open_[0] if forced else (yield choose("casualty", battle.seat(side), {**codes, **away}))
        if loss == "reduce":
            steps = reduce(battle, side)
            yield from steps if forced else battle.attempt(steps)
        elif loss == "regular":
            army.regulars -= 1
            army.lost_regulars += 1
            army.due -= rules.cost(loss)
            army.taken.append("regular")
        else:
            lose_elite(army, rules.cost(loss))


def lose_elite(army: Army, cost: int) -> None:
    army.elites -= 1
    army.lost_elites += 1
    army.due -= cost
    army.taken.append("elite")


def reduce(battle: Battle, side: str) -> Steps[None]:
    army = battle.armies[side]
    codes = rules.replacement_codes(army.lost_regulars)
    replacement = yield choose("casualty.replacement", battle.seat(side), codes)
    if rules.replaced(replacement):
        army.taken.append("returned" if rules.from_casualties(replacement, army.lost_regulars) else "reduced")
        replace_elite(army, replacement)
        army.due -= rules.cost("reduce")
    else:
        lose_elite(army, rules.cost("reduce"))


def replace_elite(army: Army, replacement: str) -> None:
    """A Regular comes for an Elite, from earlier casualties or from the reinforcements."""
    army.lost_regulars -= rules.from_casualties(replacement, army.lost_regulars)
    army.elites -= 1
    army.lost_elites += 1
    army.regulars += 1


class Ended(Exception):
    """The battle is over, whatever is under way."""


def anybody_left(battle: Battle) -> None:
    """WR-56: an Army without units ends the battle there."""
    result = rules.eliminated(battle.armies[ATTACKER].units, battle.armies[DEFENDER].units)
    if result:
        end(battle, result)


def end(battle: Battle, result: str) -> None:
    battle.result = result
    battle.events.append(Event(result, summary(battle)))
    units, played = battle.armies[DEFENDER].units, any(army.card == "played" for army in battle.armies.values())
    battle.events.extend(map(Event, rules.closing_reminders(result, battle.ground, units, card_played=played)))
    raise Ended


def summary(battle: Battle) -> dict[str, Any]:
    numbers: dict[str, Any] = {"result": battle.result, "round": battle.round, "ground": battle.ground}
    for side, army in battle.armies.items():
        lost = (army.lost_regulars, army.lost_elites)
        numbers[side] = {"seat": battle.seat(side), "left": army.left, "lost": lost}
    return numbers
