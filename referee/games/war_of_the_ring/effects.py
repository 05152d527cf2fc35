"""What Combat cards do at their moment, one effect after the other: retreat, forfeit, cancel, attack."""

from __future__ import annotations

from functools import partial

from referee.games.war_of_the_ring.casualties import losses
from referee.games.war_of_the_ring.ending import finish, wiped_out
from referee.games.war_of_the_ring.rolls import throw
from referee.games.war_of_the_ring.state import Effect, WarGame
from referee.games.war_of_the_ring.tables import (
    BESIEGED,
    MANY_DICE,
    MOST_DICE,
    NO_REGION,
    OTHER,
    SEATS,
    TOO_MUCH,
)
from referee.games.war_of_the_ring.verdict import card_attack_ruling
from referee.rulebook import Bar, Choose, Count, Options, Procedure, section

LEAVES = Options(
    (
        ("retreat", "Retreat to a free region", "Retreat"),
        ("no-region", "No adjacent region is free", "No region"),
        ("stay", "Stay", "Stay"),
    )
)


@section("WR-5", "WR-6", title="Card effects")
def effects(game: WarGame, when: str) -> Procedure[None]:
    """Walk through the effects of one moment in their order; it ends when a battle ends."""
    while not game.result:
        effect = next((e for e in game.effects if e.when == when and not e.done), None)
        if effect is None:
            return
        effect.done = True
        if effect.kind == "retreat":
            yield from early_retreat(game, effect.side)
        elif effect.kind == "forfeit":
            yield from forfeit(game, effect.side)
        elif effect.kind == "cancel":
            yield from cancel(game, effect.side)
        elif all(army.units for army in game.armies.values()):
            yield from extra_attack(game, effect)


@section("WR-12", "WR-52", "WR-53", title="Card: retreat")
def early_retreat(game: WarGame, side: str) -> Procedure[None]:
    """An Army leaves before the Combat roll."""
    left = yield Choose(
        "card.retreat",
        f"{SEATS[game.seat_of(side)]} retreats?",
        LEAVES,
        partial(bar_leaving, game, side),
        default="retreat",
        passing="stay",
        seat=game.seat_of(side),
        rule="WR-52",
        head=f"{game.short(side)} card",
        tag="retreat",
    )
    if left != "stay":
        finish(game, f"{side}-retreated")


def bar_leaving(game: WarGame, side: str, entry: str) -> Bar | None:
    """Return why an Army cannot retreat: X07, then X08."""
    if entry == "retreat" and game.besieged(side):
        return BESIEGED
    return NO_REGION if entry == "no-region" else None


@section("WR-10", "WR-11", title="Forfeit")
def forfeit(game: WarGame, side: str) -> Procedure[None]:
    """Own Leadership that does not count this round: no more than is there and uncancelled."""
    army = game.armies[side]
    count = yield Count(
        "card.forfeit",
        "Forfeit how much Leadership?",
        0,
        max(6, army.leadership),
        lambda value: TOO_MUCH if value > game.armies[side].uncancelled else None,
        default=min(1, army.uncancelled),
        unit=f"of {army.uncancelled}",
        seat=game.seat_of(side),
        rule="WR-10",
        head=f"{game.short(side)} card",
        tag="forfeit",
    )
    game.armies[side].forfeited += count


@section("WR-11", title="Cancel")
def cancel(game: WarGame, side: str) -> Procedure[None]:
    """Enemy Leadership is cancelled; more than is left counts as all of it."""
    army = game.armies[OTHER[side]]
    count = yield Count(
        "card.cancel",
        "Cancel how much enemy Leadership?",
        0,
        max(6, army.leadership),
        default=1,
        unit=f"of {army.uncancelled}",
        seat=game.seat_of(side),
        rule="WR-11",
        head=f"{game.short(side)} card",
        tag="cancel",
    )
    army = game.armies[OTHER[side]]
    army.cancelled += min(count, army.uncancelled)


@section("WR-12", "WR-13", "WR-14", title="Card: attack")
def extra_attack(game: WarGame, effect: Effect) -> Procedure[None]:
    """An attack besides the Combat roll: own modifiers, no re-roll, casualties at once (A-WR17)."""
    side, seat = effect.side, game.seat_of(effect.side)
    head = f"{game.short(side)} card"
    game.attack_dice = yield Count(
        "attack.dice",
        "How many dice has the card's attack?",
        1,
        10,
        lambda dice: MANY_DICE if dice > MOST_DICE else None,
        default=min(MOST_DICE, max(1, game.armies[side].units)),
        unit="dice",
        seat=seat,
        rule="WR-20",
        head=head,
        tag="attack",
    )
    game.attack_number = yield Count(
        "attack.number",
        "It hits on?",
        2,
        6,
        default=game.base(side),
        unit="or more",
        seat=seat,
        rule="WR-13",
        head=head,
        tag="hits on",
    )
    game.card_attack, game.attack_hits, game.attack_faces = True, 0, ()
    game.attack_left = game.attack_dice
    while game.attack_left:
        dice = min(MOST_DICE, game.attack_left)
        faces, hits = yield from throw(
            game,
            "attack",
            dice,
            partial(attack_aim, game, side),
            seat=seat,
            rule="WR-14",
            head=head,
            foot=(f"{game.attack_dice} dice", "no re-roll"),
        )
        game.attack_faces += faces
        game.attack_hits += hits
        game.attack_left -= dice
    game.armies[OTHER[side]].due = game.attack_hits
    yield from losses(game, OTHER[side])
    game.rule(card_attack_ruling(game, side))
    game.card_attack = False
    wiped_out(game)


def attack_aim(game: WarGame, side: str) -> tuple[int, int]:
    """Return number to hit and modifier of a card's attack: the enemy card's modifiers do not touch it (WR-14)."""
    return game.attack_number, game.armies[side].own_combat
