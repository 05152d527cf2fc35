"""The sequence of play: battle after battle, round after round; and the dice alone."""

from __future__ import annotations

from referee.games.war_of_the_ring.cards import combat_cards
from referee.games.war_of_the_ring.casualties import casualties
from referee.games.war_of_the_ring.effects import effects
from referee.games.war_of_the_ring.ending import cease_or_retreat, stronghold, wiped_out
from referee.games.war_of_the_ring.order import order
from referee.games.war_of_the_ring.rolls import combat_roll, leader_reroll
from referee.games.war_of_the_ring.setup import armies, who_attacks
from referee.games.war_of_the_ring.state import WarGame
from referee.games.war_of_the_ring.verdict import roll_ruling, round_ruling
from referee.rulebook import MILESTONE, Attempt, Bundle, Choose, Count, Options, Over, Procedure, Short, section

PLAIN = (Bundle("plain", "5 or 6 hits, nothing added", (5, 0), "5+"),)
WHICH = Options((("both", "Both rolls"), ("combat", "Combat roll only"), ("reroll", "Leader re-roll only")))


@section("WR-1", title="War of the Ring")
def play(game: WarGame) -> Procedure[None]:
    """One battle after the other, until the players say that the game is over."""
    while game.over is None:
        yield MILESTONE
        yield from turn(game, more=True)


@section("WR-1", "WR-56", title="Battle", lasting=True)
def battle(game: WarGame) -> Procedure[None]:
    """One battle from its Armies to its end."""
    while not game.result:
        yield MILESTONE
        yield from turn(game, more=False)


def turn(game: WarGame, *, more: bool) -> Procedure[None]:
    """Declare a battle, or fight one round of it."""
    if game.stage == "setup":
        answer = yield who_attacks(more=more)
        if answer == "game-over":
            game.over = Over("declared", "The game is over")
            return
        game.attacker = answer
        with Attempt(game):
            yield from armies(game)
            game.stage = "round"
        if game.stage == "setup":
            game.clear()
        return
    yield from combat_round(game)
    if not game.result:
        game.round += 1
    elif more:
        game.clear()
        game.battle += 1


@section("WR-1", "WR-38", "WR-56", title="Combat round")
def combat_round(game: WarGame) -> Procedure[None]:
    """The five steps, both players in each before the next."""
    game.begin_round()
    wiped_out(game)
    if not game.result:
        yield from stronghold(game)
    if not game.result:
        yield from combat_cards(game)
        yield from order(game)
        yield from effects(game, "before")
    if not game.result:
        yield from combat_roll(game)
        yield from leader_reroll(game)
        yield from effects(game, "hits")
        yield from casualties(game)
        game.rule(round_ruling(game))
        yield from effects(game, "after")
        wiped_out(game)
    if not game.result:
        yield from cease_or_retreat(game)


@section("WR-20", "WR-21", "WR-22", title="Roll")
def roll(game: WarGame) -> Procedure[None]:
    """Dice and hits alone: number to hit, modifier, dice, Leadership."""
    game.stage = "roll"
    army = game.armies["attacker"]
    number = Short("The dice hit on?", "On which number do the dice hit?")
    game.by_hand["attacker"] = yield single("roll.number", number, 4, 6, 5, "or more", bundles=PLAIN)
    army.own_combat = yield single("roll.modifier", "Add how much to each die?", -5, 5, 0, "to each die")
    army.own_reroll = army.own_combat
    if army.own_combat:
        which = yield Choose(
            "roll.which",
            "Added to which roll?",
            WHICH,
            rule="WR-25",
            head="Roll",
            tag="which?",
        )
        if which == "combat":
            army.own_reroll = 0
        elif which == "reroll":
            army.own_combat = 0
    army.regulars = yield single("roll.dice", "How many dice?", 1, 5, 5, "dice", one="die")
    army.leadership = yield single(
        "roll.leadership", "How much Leadership (5 counts for more)?", 0, 5, 0, "Leadership"
    )
    yield from combat_roll(game, ("attacker",))
    yield from leader_reroll(game, ("attacker",))
    game.rule(roll_ruling(game, "attacker"))


def single(
    key: str,
    text: str,
    low: int,
    high: int,
    default: int,
    unit: str,
    *,
    one: str = "",
    bundles: tuple[Bundle, ...] = (),
) -> Count:
    """Return one question of the dice ruling (WR-21, WR-22)."""
    return Count(
        key,
        text,
        low,
        high,
        default=default,
        unit=unit,
        one=one,
        rule="WR-22" if key == "roll.leadership" else "WR-21",
        head="Roll",
        tag=unit,
        bundles=bundles,
    )
