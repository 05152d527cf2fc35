"""Who attacks, where, and with what; the order of a round, how it is told, and whether another follows."""

from __future__ import annotations

from typing import Any

from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.cards import ask_card, ask_initiatives, declare, effects_of
from tests.oracles.war_of_the_ring.losses import (
    anybody_left,
    ask_re_roll,
    ask_throw,
    end,
    modifier,
    replace_elite,
    scored,
    start_losing,
    to_hit,
)
from tests.oracles.war_of_the_ring.rules import ATTACKER, DEFENDER, SIDES
from tests.oracles.war_of_the_ring.state import (
    FREE_PEOPLES,
    SHADOW,
    TABLE,
    Battle,
    Event,
    Question,
    Step,
    choose,
    elsewhere,
)

NUMBERS = (
    *("dice", "faces", "first_hits", "leadership", "forfeited", "cancelled", "allowance", "rerolled", "more_hits"),
    *("extra_hits", "turned_hits", "cancelled_hits", "card_dice", "fewer_dice", "taken"),
)


def begin_round(battle: Battle) -> None:
    battle.armies = {side: army.new_round() for side, army in battle.armies.items()}
    battle.draft, battle.effects, battle.held = [], [], []
    inside: list[Step] = [(ask_inside,)] if rules.may_go_inside(battle.ground) else []
    cards: list[Step] = [(step, side) for step in (ask_card, declare) for side in SIDES]
    throws: list[Step] = [(step, side) for step in (ask_throw, ask_re_roll) for side in rules.first_to_roll()]
    before: list[Step] = [(ask_initiatives,), (effects_of, "before")]
    after: list[Step] = [(effects_of, "hits"), (casualties,), (end_of_round,)]
    battle.next(*inside, *cards, *before, *throws, *after)


def ask_inside(battle: Battle) -> None:
    codes = {"fight": None, "siege": None, **elsewhere(inside="")}
    battle.ask(choose("round.stronghold", battle.seat(DEFENDER), codes), go_inside)


def go_inside(battle: Battle, choice: str) -> None:
    if choice == "siege":
        end(battle, "into-siege")


def casualties(battle: Battle) -> None:
    for side in SIDES:
        battle.armies[side].due = scored(battle, rules.other(side))
    battle.next(*((start_losing, side) for side in rules.first_to_lose()))


# -- the end of a round -------------------------------------------------------------------------------------------


def end_of_round(battle: Battle) -> None:
    numbers = {side: numbers_of(battle, side) for side in SIDES}
    battle.events.append(Event("round-fought", {"round": battle.round, "ground": battle.ground, **numbers}))
    battle.next((anybody_left,), (effects_of, "after"), (go_on_or_not,))


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


def go_on_or_not(battle: Battle) -> None:
    pays = rules.assault_pays(battle.ground, battle.assault_pays)
    if pays and not rules.can_pay(battle.armies[ATTACKER].elites):
        end(battle, "attacker-ceased")
    else:
        ask_cease(battle)


def ask_cease(battle: Battle) -> None:
    codes = {"on": None, "cease": None, **elsewhere(cease="")}
    battle.ask(choose("round.cease", battle.seat(ATTACKER), codes), cease)


def cease(battle: Battle, choice: str) -> None:
    if choice == "cease":
        end(battle, "attacker-ceased")
    elif rules.assault_pays(battle.ground, battle.assault_pays):
        battle.mark((ask_cease,))
        codes = {**rules.replacement_codes(battle.armies[ATTACKER].lost_regulars), "no": "WR-X15"}
        battle.ask(choose("siege.replacement", battle.seat(ATTACKER), codes, back=True), pay)
    elif rules.may_retreat(battle.ground):
        away = elsewhere(inside=rules.inside_code(battle.ground), retreat="")
        codes = {"stand": None, "retreat": None, "no-region": "WR-X08", **away}
        battle.ask(choose("round.retreat", battle.seat(DEFENDER), codes), retreat)
    else:
        go_on(battle)


def pay(battle: Battle, replacement: str) -> None:
    replace_elite(battle.armies[ATTACKER], replacement)
    go_on(battle)


def retreat(battle: Battle, choice: str) -> None:
    if choice == "retreat":
        end(battle, "defender-retreated")
    else:
        go_on(battle)


def go_on(battle: Battle) -> None:
    battle.round += 1
    begin_round(battle)


GROUNDS = ("field", "city", "stronghold", "siege", "sortie")


def begin(*, assault_pays: bool) -> Battle:
    """Return a battle at the choice of the attacker."""
    return Battle((ask_attacker,), assault_pays=assault_pays)


def ask_attacker(battle: Battle) -> None:
    battle.ask(choose("battle.attacker", TABLE, {SHADOW: None, FREE_PEOPLES: None}), who_attacks)


def who_attacks(battle: Battle, seat: str) -> None:
    battle.mark((ask_attacker,))
    battle.attacker = seat
    ask_ground(battle)


def ask_ground(battle: Battle) -> None:
    battle.ask(choose("battle.ground", TABLE, dict.fromkeys(GROUNDS), back=True), where)


def where(battle: Battle, ground: str) -> None:
    battle.ground = ground
    battle.next((ask_regulars, ATTACKER), (ask_regulars, DEFENDER), (begin_round,))


def ask_regulars(battle: Battle, side: str) -> None:
    battle.ask(Question("army.regulars", battle.seat(side), "count", high=10, back=True), regulars, side)


def regulars(battle: Battle, side: str, count: int) -> None:
    battle.armies[side].regulars = count
    code = rules.army_code(count, 0)
    question = Question(
        "army.elites", battle.seat(side), "count", barred={0: code} if code else {}, high=10, back=True
    )
    battle.ask(question, elites, side)


def elites(battle: Battle, side: str, count: int) -> None:
    battle.armies[side].elites = count
    battle.ask(Question("army.leadership", battle.seat(side), "count", high=10, back=True), leadership, side)


def leadership(battle: Battle, side: str, count: int) -> None:
    battle.armies[side].leadership = count
