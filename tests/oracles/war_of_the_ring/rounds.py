"""Who attacks, where, and with what; the order of a round, how it is told, and whether another follows."""

from __future__ import annotations

from typing import Any

from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.cards import count, declare, effects_of, initiatives, pick_card
from tests.oracles.war_of_the_ring.losses import (
    Ended,
    anybody_left,
    end,
    losses,
    modifier,
    re_roll,
    replace_elite,
    scored,
    throw,
    to_hit,
)
from tests.oracles.war_of_the_ring.rules import ATTACKER, DEFENDER, SIDES
from tests.oracles.war_of_the_ring.state import FREE_PEOPLES, SHADOW, TABLE, Battle, Event, Steps, choose, elsewhere

GROUNDS = ("field", "city", "stronghold", "siege", "sortie")
NUMBERS = (
    *("dice", "faces", "first_hits", "leadership", "forfeited", "cancelled", "allowance", "rerolled", "more_hits"),
    *("extra_hits", "turned_hits", "cancelled_hits", "card_dice", "fewer_dice", "taken"),
)


def begin(*, assault_pays: bool) -> Battle:
    """Return a battle at the choice of the attacker."""
    return Battle(steps, assault_pays=assault_pays)


def steps(battle: Battle) -> Steps[None]:
    """Fight one battle to its end."""
    told = False
    while not told:
        battle.attacker = yield choose("battle.attacker", TABLE, {SHADOW: None, FREE_PEOPLES: None})
        told = yield from battle.attempt(armies(battle))
    try:
        while True:
            yield from combat_round(battle)
            battle.round += 1
    except Ended:
        return


def armies(battle: Battle) -> Steps[None]:
    battle.ground = yield choose("battle.ground", TABLE, dict.fromkeys(GROUNDS))
    for side, army in battle.armies.items():
        seat = battle.seat(side)
        army.regulars = yield count("army.regulars", seat, 10)
        code = rules.army_code(army.regulars, 0)
        army.elites = yield count("army.elites", seat, 10, barred={0: code} if code else None)
        army.leadership = yield count("army.leadership", seat, 10)


def combat_round(battle: Battle) -> Steps[None]:
    battle.armies = {side: army.new_round() for side, army in battle.armies.items()}
    battle.draft, battle.effects, battle.held = [], [], []
    if rules.may_go_inside(battle.ground):
        codes = {"fight": None, "siege": None, **elsewhere(inside="")}
        if (yield choose("round.stronghold", battle.seat(DEFENDER), codes)) == "siege":
            end(battle, "into-siege")
    for side in SIDES:
        yield from pick_card(battle, side)
    for side in SIDES:
        yield from declare(battle, side)
    yield from initiatives(battle)
    yield from effects_of(battle, "before")
    for side in rules.first_to_roll():
        yield from throw(battle, side)
    for side in rules.first_to_roll():
        yield from re_roll(battle, side)
    yield from effects_of(battle, "hits")
    for side in SIDES:
        battle.armies[side].due = scored(battle, rules.other(side))
    for side in rules.first_to_lose():
        yield from losses(battle, side)
    numbers = {side: numbers_of(battle, side) for side in SIDES}
    battle.events.append(Event("round-fought", {"round": battle.round, "ground": battle.ground, **numbers}))
    anybody_left(battle)
    yield from effects_of(battle, "after")
    yield from go_on(battle)


def numbers_of(battle: Battle, side: str) -> dict[str, Any]:
    army = battle.armies[side]
    return {name: getattr(army, name) for name in NUMBERS} | {
        "seat": battle.seat(side),
        "number": to_hit(battle, side),
        "modifier": modifier(battle, side),
        "reroll_number": to_hit(battle, side, "reroll"),
        "reroll_modifier": modifier(battle, side, "reroll"),
        "hits": scored(battle, side),
        "before": army.began,
        "after": army.left,
    }


def go_on(battle: Battle) -> Steps[None]:
    """Ask the attacker, who may have to pay, and then the defender; return where the battle goes on."""
    pays, paid = rules.assault_pays(battle.ground, battle.assault_pays), False
    while not paid:
        if pays and not rules.can_pay(battle.armies[ATTACKER].elites):
            end(battle, "attacker-ceased")
        codes = {"on": None, "cease": None, **elsewhere(cease="")}
        if (yield choose("round.cease", battle.seat(ATTACKER), codes)) == "cease":
            end(battle, "attacker-ceased")
        paid = not pays or (yield from battle.attempt(pay(battle)))
    if not pays and rules.may_retreat(battle.ground):
        away = elsewhere(inside=rules.inside_code(battle.ground), retreat="")
        codes = {"stand": None, "retreat": None, "no-region": "WR-X08", **away}
        if (yield choose("round.retreat", battle.seat(DEFENDER), codes)) == "retreat":
            end(battle, "defender-retreated")


def pay(battle: Battle) -> Steps[None]:
    codes = {**rules.replacement_codes(battle.armies[ATTACKER].lost_regulars), "no": "WR-X15"}
    replacement = yield choose("siege.replacement", battle.seat(ATTACKER), codes)
    replace_elite(battle.armies[ATTACKER], replacement)
