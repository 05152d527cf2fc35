"""Combat cards: what players tell of them, and what they do in their turn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.oracles.war_of_the_ring import rules
from tests.oracles.war_of_the_ring.losses import anybody_left, count_hits, end, hitting_faces, losses, scored
from tests.oracles.war_of_the_ring.rules import ATTACKER
from tests.oracles.war_of_the_ring.state import Army, Battle, Effect, Event, Question, Steps, choose, elsewhere

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


def count(key: str, seat: str, high: int, low: int = 0, barred: dict[int, str] | None = None) -> Question:
    return Question(key, seat, "count", barred=barred or {}, low=low, high=high)


def pick_card(battle: Battle, side: str) -> Steps[None]:
    away = elsewhere(card="")
    if side == ATTACKER:
        inside, retreat = rules.inside_code(battle.ground), rules.retreat_code(battle.ground)
        away = elsewhere(card="", inside=inside, retreat=retreat)
    choice = yield choose(f"cards.{side}", battle.seat(side), {"none": None, "card": None, **away})
    battle.armies[side].card = "picked" if choice == "card" else "none"


# -- what the card does -------------------------------------------------------------------------------------------


def declare(battle: Battle, side: str) -> Steps[None]:
    """What the card does is told piece by piece; ``back`` takes the whole card back."""
    while battle.armies[side].card == "picked":
        if (yield from battle.attempt(tell(battle, side))):
            play_card(battle, side)
        else:
            battle.armies[side].card = ""
            yield from pick_card(battle, side)


def tell(battle: Battle, side: str) -> Steps[None]:
    seat = battle.seat(side)
    codes = {**dict.fromkeys(EFFECTS), "retreat": rules.card_retreat_code(battle.ground, side), "no": "WR-X16"}
    while (kind := (yield choose("card.effect", seat, codes))) != "done":
        on, value = "", 0
        if kind in AMOUNTS:
            rolls = ROLLS[:2] if kind in {"dice", "fewer-dice"} else ROLLS
            on = yield choose("card.dice", seat, dict.fromkeys(rolls))
            key, low, high = AMOUNTS[kind]
            value = yield count(key, seat, high, low)
        elif kind in {"leader", "losses"}:
            on = yield choose("card.whose", seat, dict.fromkeys(WHOSE))
        elif kind == "hits":
            value = yield count("card.hits", seat, 6, 1)
        battle.draft.append(Effect(side, kind, on, value))


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


def initiatives(battle: Battle) -> Steps[None]:
    """Both cards lie open: whatever meets an effect of the other card at the same time needs its initiative."""
    for index in [index for index, effect in enumerate(battle.effects) if order_matters(battle, effect)]:
        effect = battle.effects[index]
        value = yield count("card.initiative", battle.seat(effect.side), 9)
        battle.effects[index] = replace(effect, initiative=value)


def order_matters(battle: Battle, effect: Effect) -> bool:
    foes = [foe for foe in battle.effects if foe.side != effect.side and foe.window == effect.window]
    return any(rules.order_matters(effect.kind, foe.kind) for foe in foes)


def effects_of(battle: Battle, window: str) -> Steps[None]:
    for effect in rules.in_order([each for each in battle.effects if each.window == window]):
        if battle.armies[effect.side].card != "cancelled":
            yield from DOES[effect.kind](battle, effect)


# -- what happens in its turn -------------------------------------------------------------------------------------


def forfeit(battle: Battle, effect: Effect) -> Steps[None]:
    army = battle.armies[effect.side]
    left, most = rules.leadership_left(army.leadership, army.forfeited, army.cancelled), max(6, army.leadership)
    if not left:
        return
    barred = {number: code for number in range(most + 1) if (code := rules.forfeit_code(number, left))}
    forfeited = yield count("card.forfeit", battle.seat(effect.side), most, barred=barred)
    army.forfeited += forfeited
    if effect.kind == "forfeit-dice":
        hold(battle, Effect(effect.side, "fewer-dice", "enemy-combat", forfeited))


def cancel(battle: Battle, effect: Effect) -> Steps[None]:
    army = battle.armies[rules.other(effect.side)]
    cancelled = yield count("card.cancel", battle.seat(effect.side), max(6, army.leadership))
    army.cancelled += min(cancelled, rules.leadership_left(army.leadership, army.forfeited, army.cancelled))


def retreat(battle: Battle, effect: Effect) -> Steps[None]:
    codes = {"retreat": None, "stay": None, "no-region": "WR-X08", "siege": rules.card_inside_code(battle.ground)}
    choice = yield choose("card.retreat", battle.seat(effect.side), codes)
    if choice != "stay":
        end(battle, "into-siege" if choice == "siege" else "defender-retreated")


def cancel_card(battle: Battle, effect: Effect) -> Steps[None]:
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
    yield from ()


def leader(battle: Battle, effect: Effect) -> Steps[None]:
    army = battle.armies[hit_by(effect)]
    if army.leadership:
        army.leadership -= yield count("card.leader", battle.seat(effect.side), army.leadership)


def lose_units(battle: Battle, effect: Effect) -> Steps[None]:
    side = hit_by(effect)
    hits = yield count("card.losses", battle.seat(effect.side), 10)
    if effect.kind == "losses-add":
        hold(battle, Effect(effect.side, "modifier", "own-combat", hits))
    if hits:
        battle.armies[side].due = hits
        yield from losses_of(battle, side, "card-losses", {})


def losses_of(battle: Battle, side: str, result: str, numbers: dict[str, Any]) -> Steps[None]:
    army = battle.armies[side]
    yield from losses(battle, side)
    battle.in_attack = False
    battle.events.append(Event(result, {**numbers, "after": army.left, "taken": [*army.taken]}))
    anybody_left(battle)


def hit_by(effect: Effect) -> str:
    return effect.side if effect.on.startswith("own") or effect.kind == "losses-add" else rules.other(effect.side)


def cancel_hits(battle: Battle, effect: Effect) -> Steps[None]:
    side = rules.other(effect.side)
    if hits := scored(battle, side):
        battle.armies[side].cancelled_hits += yield count("card.cancel-hits", battle.seat(effect.side), hits)


def more_hits(battle: Battle, effect: Effect) -> Steps[None]:
    battle.armies[effect.side].extra_hits += yield count("card.more-hits", battle.seat(effect.side), 6)


def misses(battle: Battle, effect: Effect) -> Steps[None]:
    army = battle.armies[effect.side]
    if most := rules.misses(army.dice, army.first_hits, army.more_hits, army.turned_hits):
        army.turned_hits += yield count("card.misses", battle.seat(effect.side), most)


def attack(battle: Battle, effect: Effect) -> Steps[None]:
    """The attack of a card; one without dice counts as made (A-WR21)."""
    side, seat, foe = effect.side, battle.seat(effect.side), rules.other(effect.side)
    barred = {number: code for number in range(11) if (code := rules.attack_dice_code(number))}
    dice = yield count("attack.dice", seat, 10, barred=barred)
    if not dice:
        battle.events.append(Event("card-attack", {"seat": seat, "dice": 0, "hits": 0, "taken": []}))
        return
    number = yield count("attack.number", seat, 6, 2)
    modifier = rules.attack_modifier(battle.armies[side].own_combat, battle.armies[side].enemy_combat)
    chance = hitting_faces(number, modifier)
    hits = count_hits(
        (yield Question("attack.roll", seat, "roll", low=dice, high=dice, chance=chance)), number, modifier
    )
    battle.armies[foe].due = hits
    battle.in_attack = True
    numbers = {"seat": seat, "dice": dice, "number": number, "modifier": modifier, "hits": hits}
    yield from losses_of(battle, foe, "card-attack", numbers)


DOES: dict[str, Callable[[Battle, Effect], Steps[None]]] = {
    "forfeit": forfeit,
    "forfeit-dice": forfeit,
    "cancel-card": cancel_card,
    "more-hits": more_hits,
    "misses": misses,
    "cancel": cancel,
    "attack-before": attack,
    "attack-after": attack,
    "retreat": retreat,
    "leader": leader,
    "losses": lose_units,
    "losses-add": lose_units,
    "cancel-hits": cancel_hits,
}
"""The steps of each effect that has its turn."""
