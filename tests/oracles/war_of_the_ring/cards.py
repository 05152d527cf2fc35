"""Combat cards: what players tell of them, and what they do in their turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.losses import (
    Throw,
    anybody_left,
    count_hits,
    end,
    hitting_faces,
    scored,
    start_losing,
)
from tests.oracles.war_of_the_ring.rules import ATTACKER
from tests.oracles.war_of_the_ring.state import Army, Battle, Effect, Event, Question, choose, elsewhere

MORE_EFFECTS = (
    *("number", "hits", "cancel-hits", "dice", "leader", "losses", "more-hits", "misses", "fewer-dice"),
    *("forfeit-dice", "losses-add", "cancel-card"),
)
EFFECTS = ("modifier", "forfeit", "cancel", "attack-before", "attack-after", "retreat", *MORE_EFFECTS, "done")
ROLLS = ("own-combat", "enemy-combat", "own-reroll", "own-both", "enemy-reroll", "enemy-both")
WHOSE = ("own-before", "own-after", "enemy-before", "enemy-after")
AMOUNTS = {
    "modifier": ("card.amount", -5, 5),
    "number": ("card.number", 4, 6),
    "dice": ("card.dice-count", 0, 5),
    "fewer-dice": ("card.fewer", 1, 5),
}
"""What is asked of an effect on dice: key, least and largest number."""


def ask_card(battle: Battle, side: str) -> None:
    away = elsewhere(card="")
    if side == ATTACKER:
        inside, retreat = rules.inside_code(battle.ground), rules.retreat_code(battle.ground)
        away = elsewhere(card="", inside=inside, retreat=retreat)
    question = choose(f"cards.{side}", battle.seat(side), {"none": None, "card": None, **away})
    battle.ask(question, pick_card, side)


def pick_card(battle: Battle, side: str, choice: str) -> None:
    battle.armies[side].card = "picked" if choice == "card" else "none"


# -- what the card does -------------------------------------------------------------------------------------------


def declare(battle: Battle, side: str) -> None:
    """What the card does is told piece by piece; ``back`` takes the whole card back."""
    army = battle.armies[side]
    if army.card == "picked":
        army.card = ""
        battle.mark((ask_card, side), (declare, side))
        army.card = "picked"
        ask_effect(battle, side)


def ask_effect(battle: Battle, side: str) -> None:
    codes = {**dict.fromkeys(EFFECTS), "retreat": rules.card_retreat_code(battle.ground, side), "no": "WR-X16"}
    battle.ask(choose("card.effect", battle.seat(side), codes, back=True), name_effect, side)


def name_effect(battle: Battle, side: str, kind: str) -> None:
    seat = battle.seat(side)
    if kind == "done":
        play_card(battle, side)
    elif kind in AMOUNTS:
        rolls = ROLLS[:2] if kind in {"dice", "fewer-dice"} else ROLLS
        battle.ask(choose("card.dice", seat, dict.fromkeys(rolls), back=True), ask_amount, side, kind)
    elif kind in {"leader", "losses"}:
        battle.ask(choose("card.whose", seat, dict.fromkeys(WHOSE), back=True), add_effect, side, kind)
    elif kind == "hits":
        battle.ask(Question("card.hits", seat, "count", low=1, high=6, back=True), add_effect, side, kind, "")
    else:
        add_effect(battle, side, kind)


def ask_amount(battle: Battle, side: str, kind: str, on: str) -> None:
    key, low, high = AMOUNTS[kind]
    question = Question(key, battle.seat(side), "count", low=low, high=high, back=True)
    battle.ask(question, add_effect, side, kind, on)


def add_effect(battle: Battle, side: str, kind: str, on: str = "", value: int = 0) -> None:
    battle.draft.append(Effect(side, kind, on, value))
    ask_effect(battle, side)


def play_card(battle: Battle, side: str) -> None:
    """Change the dice of this round at once; keep for its time what has one."""
    battle.armies[side].card = "played"
    for effect in battle.draft:
        if effect.window:
            battle.effects.append(effect)
        else:
            hold(battle, effect)
    battle.draft = []


def hold(battle: Battle, effect: Effect) -> None:
    battle.held.append(effect)
    change_dice(battle, effect)


def change_dice(battle: Battle, effect: Effect) -> None:
    whose, _, roll = effect.on.partition("-")
    army = battle.armies[rules.other(effect.side) if whose == "enemy" else effect.side]
    if effect.kind == "hits":
        army.extra_hits += effect.value
    elif effect.kind == "dice":
        army.card_dice = rules.lower_limit(army.card_dice, effect.value)
    elif effect.kind == "fewer-dice":
        army.fewer_dice += effect.value
    for each in ("combat", "reroll") if roll == "both" else (roll,):
        if effect.kind == "number":
            setattr(army, f"number_{each}", effect.value)
        elif effect.kind == "modifier":
            name = f"{whose}_{each}"
            setattr(army, name, rules.added(getattr(army, name), effect.value))


# -- which effect comes first -------------------------------------------------------------------------------------


def ask_initiatives(battle: Battle) -> None:
    """Both cards lie open: whatever meets an effect of the other card at the same time needs its initiative."""
    asked = [index for index, effect in enumerate(battle.effects) if order_matters(battle, effect)]
    battle.next(*((ask_initiative, index) for index in asked))


def order_matters(battle: Battle, effect: Effect) -> bool:
    foes = [foe for foe in battle.effects if foe.side != effect.side and foe.window == effect.window]
    return any(rules.order_matters(effect.kind, foe.kind) for foe in foes)


def ask_initiative(battle: Battle, index: int) -> None:
    seat = battle.seat(battle.effects[index].side)
    battle.ask(Question("card.initiative", seat, "count", low=0, high=9), initiative, index)


def initiative(battle: Battle, index: int, value: int) -> None:
    battle.effects[index] = replace(battle.effects[index], initiative=value)


def effects_of(battle: Battle, window: str) -> None:
    effects = rules.in_order([each for each in battle.effects if each.window == window])
    battle.next(*((work, effect) for effect in effects))


def work(battle: Battle, effect: Effect) -> None:
    if battle.armies[effect.side].card != "cancelled":
        DOES[effect.kind](battle, effect)


# -- what happens in its turn -------------------------------------------------------------------------------------


def ask_forfeit(battle: Battle, effect: Effect) -> None:
    army = battle.armies[effect.side]
    left, most = rules.leadership_left(army.leadership, army.forfeited, army.cancelled), max(6, army.leadership)
    if not left:
        return
    barred = {count: code for count in range(most + 1) if (code := rules.forfeit_code(count, left))}
    question = Question("card.forfeit", battle.seat(effect.side), "count", barred=barred, high=most)
    battle.ask(question, forfeit, effect)


def forfeit(battle: Battle, effect: Effect, count: int) -> None:
    battle.armies[effect.side].forfeited += count
    if effect.kind == "forfeit-dice":
        hold(battle, Effect(effect.side, "fewer-dice", "enemy-combat", count))


def ask_cancel(battle: Battle, effect: Effect) -> None:
    foe = rules.other(effect.side)
    most = max(6, battle.armies[foe].leadership)
    battle.ask(Question("card.cancel", battle.seat(effect.side), "count", high=most), cancel, foe)


def cancel(battle: Battle, side: str, count: int) -> None:
    army = battle.armies[side]
    army.cancelled += min(count, rules.leadership_left(army.leadership, army.forfeited, army.cancelled))


def ask_retreat(battle: Battle, effect: Effect) -> None:
    codes = {"retreat": None, "stay": None, "no-region": "WR-X08", "siege": rules.card_inside_code(battle.ground)}
    battle.ask(choose("card.retreat", battle.seat(effect.side), codes), retreat)


def retreat(battle: Battle, choice: str) -> None:
    if choice != "stay":
        end(battle, "into-siege" if choice == "siege" else "defender-retreated")


def cancel_card(battle: Battle, effect: Effect) -> None:
    """What has not been applied yet is not: neither what waits for its time nor what would change a roll."""
    foe = rules.other(effect.side)
    if battle.armies[foe].card != "played":
        return
    battle.armies[foe].card = "cancelled"
    fresh = Army()
    for army in battle.armies.values():
        for name in ("own_combat", "own_reroll", "enemy_combat", "enemy_reroll", "number_combat", "number_reroll"):
            setattr(army, name, 0)
        army.card_dice, army.fewer_dice, army.extra_hits = fresh.card_dice, fresh.fewer_dice, fresh.extra_hits
    battle.held = [each for each in battle.held if each.side != foe]
    for each in battle.held:
        change_dice(battle, each)


def ask_leader(battle: Battle, effect: Effect) -> None:
    side = hit_by(effect)
    most = battle.armies[side].leadership
    if most:
        battle.ask(Question("card.leader", battle.seat(effect.side), "count", high=most), remove_leader, side)


def remove_leader(battle: Battle, side: str, count: int) -> None:
    battle.armies[side].leadership -= count


def ask_losses(battle: Battle, effect: Effect) -> None:
    question = Question("card.losses", battle.seat(effect.side), "count", high=10)
    battle.ask(question, lose_units, hit_by(effect), effect)


def lose_units(battle: Battle, side: str, effect: Effect, count: int) -> None:
    if effect.kind == "losses-add":
        hold(battle, Effect(effect.side, "modifier", "own-combat", count))
    if count:
        battle.armies[side].due = count
        battle.next((start_losing, side), (announce_losses, side, "card-losses", {}), (anybody_left,))


def announce_losses(battle: Battle, side: str, result: str, numbers: dict[str, Any]) -> None:
    army = battle.armies[side]
    battle.in_attack = False
    battle.events.append(Event(result, {**numbers, "after": army.left, "taken": [*army.taken]}))


def hit_by(effect: Effect) -> str:
    return effect.side if effect.on.startswith("own") or effect.kind == "losses-add" else rules.other(effect.side)


def ask_cancel_hits(battle: Battle, effect: Effect) -> None:
    side = rules.other(effect.side)
    hits = scored(battle, side)
    if hits:
        battle.ask(Question("card.cancel-hits", battle.seat(effect.side), "count", high=hits), cancel_hits, side)


def cancel_hits(battle: Battle, side: str, count: int) -> None:
    battle.armies[side].cancelled_hits += count


def ask_more_hits(battle: Battle, effect: Effect) -> None:
    question = Question("card.more-hits", battle.seat(effect.side), "count", high=6)
    battle.ask(question, more_hits, effect.side)


def more_hits(battle: Battle, side: str, count: int) -> None:
    battle.armies[side].extra_hits += count


def ask_misses(battle: Battle, effect: Effect) -> None:
    army = battle.armies[effect.side]
    most = rules.misses(army.dice, army.first_hits, army.more_hits, army.turned_hits)
    if most:
        battle.ask(Question("card.misses", battle.seat(effect.side), "count", high=most), turn_misses, effect.side)


def turn_misses(battle: Battle, side: str, count: int) -> None:
    battle.armies[side].turned_hits += count


# -- the attack of a card -----------------------------------------------------------------------------------------


def ask_attack(battle: Battle, effect: Effect) -> None:
    barred = {count: code for count in range(11) if (code := rules.attack_dice_code(count))}
    question = Question("attack.dice", battle.seat(effect.side), "count", barred=barred, high=10)
    battle.ask(question, ask_attack_number, effect.side)


def ask_attack_number(battle: Battle, side: str, dice: int) -> None:
    if not dice:  # A-WR21: it counts as made
        nobody = {"seat": battle.seat(side), "dice": 0, "hits": 0, "taken": []}
        battle.events.append(Event("card-attack", nobody))
        return
    battle.ask(Question("attack.number", battle.seat(side), "count", low=2, high=6), ask_attack_roll, side, dice)


def ask_attack_roll(battle: Battle, side: str, dice: int, number: int) -> None:
    modifier = rules.attack_modifier(battle.armies[side].own_combat, battle.armies[side].enemy_combat)
    chance = hitting_faces(number, modifier)
    question = Question("attack.roll", battle.seat(side), "roll", low=dice, high=dice, chance=chance)
    battle.ask(question, attack, side, dice, number, modifier)


def attack(battle: Battle, side: str, dice: int, number: int, modifier: int, thrown: Throw) -> None:
    foe = rules.other(side)
    hits = count_hits(thrown, number, modifier)
    battle.armies[foe].due = hits
    numbers = {"seat": battle.seat(side), "dice": dice, "number": number, "modifier": modifier, "hits": hits}
    battle.in_attack = True
    battle.next((start_losing, foe), (announce_losses, foe, "card-attack", numbers), (anybody_left,))


DOES: dict[str, Callable[[Battle, Effect], None]] = {
    "forfeit": ask_forfeit,
    "forfeit-dice": ask_forfeit,
    "cancel-card": cancel_card,
    "more-hits": ask_more_hits,
    "misses": ask_misses,
    "cancel": ask_cancel,
    "attack-before": ask_attack,
    "attack-after": ask_attack,
    "retreat": ask_retreat,
    "leader": ask_leader,
    "losses": ask_losses,
    "losses-add": ask_losses,
    "cancel-hits": ask_cancel_hits,
}
"""The step of each effect that has its turn."""
