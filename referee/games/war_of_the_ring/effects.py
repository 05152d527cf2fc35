"""What Combat cards do at their moment, one effect after the other: retreat, forfeit, cancel, attack, take away."""

from __future__ import annotations

from functools import partial
from typing import Any

from referee.games.war_of_the_ring.casualties import losses
from referee.games.war_of_the_ring.ending import finish, wiped_out
from referee.games.war_of_the_ring.rolls import throw
from referee.games.war_of_the_ring.state import CardAttack, Effect, WarGame
from referee.games.war_of_the_ring.tables import MOST_DICE, MOST_UNITS, NO_STRONGHOLD, OTHER, SEATS, count
from referee.games.war_of_the_ring.verdict import card_attack_ruling, card_losses_ruling
from referee.rulebook import Bar, Choose, Count, Options, Procedure, Short, decide, phrase, section

TOO_MUCH = Bar("WR-X10", "No more Leadership than is left uncancelled", firm=True)
LEAVES = Options(
    (
        ("retreat", "Retreat to a free region", "Retreat"),
        ("stay", "Stay", "Stay"),
        ("siege", "Into the Stronghold", "Inside"),
    )
)


@section("WR-5", "WR-6", title="Card effects")
def effects(game: WarGame, when: str) -> Procedure[None]:
    """Walk through the effects of one moment (`Effect.when`) in their order; it ends when a battle ends.

    An effect is done once it has worked; what follows from it, like losses, stands in the Armies.
    """
    while not game.result:
        effect = next((each for each in game.effects if each.when == when and not each.done), None)
        if effect is None:
            return
        if all(army.units for army in game.armies.values()):
            if effect.kind == "cancel-card":
                cancel_card(game, OTHER[effect.side])
            else:
                yield from EFFECTS[effect.kind](game, effect)
        effect.done = True


def cancel_card(game: WarGame, side: str) -> None:
    """Cancel the card of a side: what waits for its moment, and what it changes in rolls to come (A-WR23)."""
    if game.armies[side].card == "played":
        game.armies[side].card = "cancelled"
        game.effects = [effect for effect in game.effects if effect.side != side]


@section("WR-12", "WR-52", "WR-53", title="Card: retreat")
def early_retreat(game: WarGame, effect: Effect) -> Procedure[None]:
    """The defending Army leaves before the Combat roll, where it can into its Stronghold (A-WR22)."""
    side = effect.side
    left = yield Choose(
        "card.retreat",
        f"{SEATS[game.seat_of(side)]}: retreat now?",
        LEAVES,
        lambda entry: NO_STRONGHOLD if entry == "siege" and game.ground != "stronghold" else None,
        default="stay",
        rule="WR-52",
        tag="retreat?",
        **game.of_card(side),
    )
    if left != "stay":
        finish(game, "into-siege" if left == "siege" else "defender-retreated")


def how_much(
    game: WarGame, effect: Effect, key: str, text: str, most: int, default: int, tag: str, **more: Any
) -> Count:
    """Return the question how much of something an effect takes or gives, so much at most."""
    more = {"unit": f"of {most}", "rule": "WR-31"} | more
    return Count(key, text, 0, most, default=default, tag=tag, **more, **game.of_card(effect.side))


@section("WR-10", "WR-11", title="Forfeit")
def forfeit(game: WarGame, effect: Effect) -> Procedure[None]:
    """Own Leadership that does not count this round; with ``forfeit-dice`` the enemy rolls as many dice fewer."""
    army = game.armies[effect.side]
    key, text = "card.forfeit", "Forfeit how much Leadership?"
    forfeited = yield from decide(
        lambda: how_much(
            *(game, effect, key, text, max(6, army.leadership), min(1, army.uncancelled), "forfeit"),
            bar=lambda value: TOO_MUCH if value > army.uncancelled else None,
            unit=f"of {army.uncancelled}",
            rule="WR-10",
        ),
        cards=True,
    )
    army.forfeited += forfeited
    if effect.kind == "forfeit-dice":
        game.effects.append(Effect(effect.side, "fewer-dice", "enemy-combat", forfeited))


@section("WR-11", title="Cancel")
def cancel(game: WarGame, effect: Effect) -> Procedure[None]:
    """Enemy Leadership is cancelled; more than is left counts as all of it."""
    army = game.armies[OTHER[effect.side]]
    key, text = "card.cancel", "Cancel how much enemy Leadership?"
    cancelled = yield lambda: how_much(
        game, effect, key, text, max(6, army.leadership), 1, "cancel", unit=f"of {army.uncancelled}", rule="WR-11"
    )
    army.cancelled += min(cancelled, army.uncancelled)


@section("WR-31", title="Cancel hits")
def cancel_hits(game: WarGame, effect: Effect) -> Procedure[None]:
    """Enemy hits that do not count, told once all dice have been thrown; nothing is asked where there are none."""
    foe, text = OTHER[effect.side], "Cancel how many of the enemy's hits?"
    if hits := game.hits(foe):
        cancelled = yield how_much(game, effect, "card.cancel-hits", text, hits, 1, "cancel")
        game.armies[foe].cancelled_hits += cancelled


@section("WR-30", "WR-31", title="More hits")
def more_hits(game: WarGame, effect: Effect) -> Procedure[None]:
    """Hits that a card gives by what the dice showed (A-WR18); none is proposed, for one may end the battle."""
    key, text, tag = "card.more-hits", "How many more hits?", f"adds to {game.scored(effect.side)}"
    more = yield how_much(game, effect, key, text, 6, 0, tag, unit="hits", one="hit")
    game.effects.append(Effect(effect.side, "hits", value=more))


@section("WR-22", "WR-31", title="Misses become hits")
def turn_misses(game: WarGame, effect: Effect) -> Procedure[None]:
    """Dice that missed and hit after all, one hit each (A-WR19); nothing is asked where none missed."""
    army, text = game.armies[effect.side], "How many misses become hits?"
    if army.misses:
        turned = yield how_much(game, effect, "card.misses", text, army.misses, 0, "misses")
        army.turned_hits += turned


@section("WR-39", title="A figure is removed")
def remove_leader(game: WarGame, effect: Effect) -> Procedure[None]:
    """A Leader or Character is removed in the middle of a battle, and its Leadership with it."""
    side = target(effect)
    army = game.armies[side]
    key, text = "card.leader", f"{SEATS[game.seat_of(side)]}: how much Leadership is removed?"
    if army.leadership:
        removed = yield lambda: how_much(
            *(game, effect, key, text, army.leadership, min(1, army.leadership), "removes"), rule="WR-39"
        )
        army.leadership = max(0, army.leadership - removed)


@section("WR-12", "WR-31", title="Card: losses")
def card_losses(game: WarGame, effect: Effect) -> Procedure[None]:
    """An Army takes losses at once, without a throw; none is proposed, for one may end the battle.

    With ``losses-add`` it is the own Army, and each of them adds one to its Combat roll.
    """
    side = target(effect)
    text, tag = f"{SEATS[game.seat_of(side)]}: how many hits?", phrase("on {}", game.short(side))
    hits = yield how_much(game, effect, "card.losses", text, MOST_UNITS, 0, tag, unit="hits", one="hit")
    effect.done = True
    if effect.kind == "losses-add":
        game.effects.append(Effect(side, "modifier", "own-combat", hits))
    if hits:
        game.armies[side].due = hits
        yield from losses(game, side)
        game.rule(card_losses_ruling(game, side, hits))
        wiped_out(game)


def target(effect: Effect) -> str:
    """Return the side, attacker or defender, that an effect with a moment of its own is about."""
    return effect.side if effect.on.startswith("own") or effect.kind == "losses-add" else OTHER[effect.side]


@section("WR-12", "WR-13", "WR-14", title="Card: attack")
def extra_attack(game: WarGame, effect: Effect) -> Procedure[None]:
    """An attack besides the Combat roll: own modifiers, no re-roll, casualties at once (A-WR17)."""
    side = effect.side
    attack = CardAttack(side, 0)
    game.attack = attack
    attack.dice = attack.left = yield lambda: Count(
        "attack.dice",
        "How many dice does the card's attack have?",
        0,
        10,
        lambda dice: Bar("WR-X01", "Five dice at most, unless the card says more") if dice > MOST_DICE else None,
        default=proposed_dice(game.armies[side].units),
        unit="dice",
        one="die",
        rule="WR-20",
        tag="attack",
        **game.of_card(side),
    )
    if not attack.dice:
        game.rule(card_attack_ruling(game, attack))
        game.attack = None
        return
    attack.number = yield lambda: Count(
        "attack.number",
        Short("It hits on?", "On which number does it hit?"),
        2,
        6,
        default=game.base(side),
        unit="or more",
        rule="WR-13",
        tag="hits on",
        **game.of_card(side),
    )
    while attack.left:
        faces, hits = yield from throw(
            game,
            "attack",
            lambda: min(MOST_DICE, attack.left),
            partial(attack_aim, game, side),
            seat=game.seat_of(side),
            rule="WR-14",
            head=phrase("{} card", game.short(side)),
            foot=lambda: (count(attack.dice, "die", "dice"), "no re-roll"),
        )
        attack.faces += faces
        attack.hits += hits
        attack.left -= min(MOST_DICE, attack.left)
    effect.done = True
    game.armies[OTHER[side]].due = attack.hits
    yield from losses(game, OTHER[side])
    game.rule(card_attack_ruling(game, attack))
    game.attack = None
    wiped_out(game)


def proposed_dice(units: int) -> int:
    """Return the dice proposed for a card's attack: one a unit, five at most."""
    return min(MOST_DICE, max(1, units))


def attack_aim(game: WarGame, side: str) -> tuple[int, int]:
    """Return number to hit and modifier of a card's attack: the enemy card's modifiers do not touch it (WR-14)."""
    number = game.attack.number if game.attack is not None else 0
    return number or game.base(side), game.own_modifier(side)


EFFECTS = {
    "retreat": early_retreat,
    "forfeit": forfeit,
    "forfeit-dice": forfeit,
    "cancel": cancel,
    "cancel-hits": cancel_hits,
    "more-hits": more_hits,
    "misses": turn_misses,
    "leader": remove_leader,
    "losses": card_losses,
    "losses-add": card_losses,
    "attack-before": extra_attack,
    "attack-after": extra_attack,
}
"""What is asked for each kind of effect that has its moment; cancelling a card asks nothing."""
