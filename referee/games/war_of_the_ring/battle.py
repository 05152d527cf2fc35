"""The sequence of play: battle after battle, round after round; and the dice alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from referee.games.war_of_the_ring.cards import combat_cards, order
from referee.games.war_of_the_ring.casualties import casualties
from referee.games.war_of_the_ring.effects import effects
from referee.games.war_of_the_ring.ending import cease_or_retreat, stronghold, wiped_out
from referee.games.war_of_the_ring.rolls import combat_roll, leader_reroll
from referee.games.war_of_the_ring.state import Effect, WarGame
from referee.games.war_of_the_ring.tables import GROUNDS, MOST_UNITS, OTHER_SEAT, SEATS, SIDES, units
from referee.games.war_of_the_ring.verdict import roll_ruling, round_ruling
from referee.rulebook import (
    ANYBODY,
    MILESTONE,
    Attempt,
    Bar,
    Bundle,
    Choose,
    Count,
    Notes,
    Option,
    Options,
    Over,
    Procedure,
    Short,
    phrase,
    section,
    unbarred,
)
from referee.rulebook.asks import Among

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
        answer = yield Choose(
            "battle.attacker",
            "Who attacks?",
            NEXT if more else ATTACKERS,
            passing="game-over" if more else None,
            seat=ANYBODY,
            rule="WR-1",
            head="Battle",
            tag="who?",
            bundles=tuple(same_armies(game)) if game.left else IN_THE_FIELD,
        )
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
        game.leave()
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
    modifier = yield single("roll.modifier", "Add how much to each die?", -5, 5, 0, "to each die")
    if modifier:
        which = yield Choose("roll.which", "Add it to which roll?", WHICH, rule="WR-25", head="Roll", tag="which?")
        game.effects = [Effect("attacker", "modifier", f"own-{which}", modifier)]
    army.regulars = yield single("roll.dice", "How many dice?", 1, 5, 5, "dice", one="die")
    army.leadership = yield single(
        "roll.leadership", "How much Leadership (5 counts for more)?", 0, 5, 0, "Leadership"
    )
    yield from combat_roll(game, ("attacker",))
    yield from leader_reroll(game, ("attacker",))
    game.rule(roll_ruling(game, "attacker"))


def single(key: str, text: str, low: int, high: int, default: int, unit: str, **more: Any) -> Count:
    """Return one question of the dice ruling (WR-21, WR-22)."""
    rule = "WR-22" if key == "roll.leadership" else "WR-21"
    return Count(key, text, low, high, default=default, unit=unit, rule=rule, head="Roll", tag=unit, **more)


STEPS = {"card": "WR-X11", "re-roll": "WR-X14", "cease": "WR-X14", "retreat": "WR-X14", "siege": "WR-X14"}
"""Entries of the five steps, and the code of one that comes in another step."""


def elsewhere(game: WarGame, ask: Among, entry: str) -> str:
    """Return the refusal code of an entry that another question takes: X07, X08, X09, X11, X12, X14 or X16."""
    if entry == "no-region" and ask.key in ("round.retreat", "card.retreat"):
        return "WR-X08"
    if entry == "no" and ask.key == "card.effect":
        return "WR-X16"
    if ask.key != "casualty" and not ask.key.startswith(("cards.", "round.")):
        return ""
    # A round begins, or the defender may leave: elsewhere the moment to leave has not come.
    leaving = ask.key == "round.retreat" or (ask.key.startswith("cards.") and not game.armies["attacker"].card)
    if leaving and entry == "siege" and game.ground != "stronghold":
        return "WR-X09"
    if leaving and entry == "retreat" and game.besieged("defender"):
        return "WR-X07"
    return "WR-X12" if entry == "re-roll" and game.attack is not None else STEPS.get(entry, "")


# -- before the first round: who attacks, on what ground, with what Armies

ATTACKERS = Options((("shadow", "Shadow", "Shadow"), ("free-peoples", "Free Peoples", "FP")))
NEXT = Options((*ATTACKERS, Option("game-over", "Game over", "End")))
GROUND_NOTES = (("WR-21", "City and Fortification: attacker hits on 6 in round 1. Siege: always on 6"),)

AGAIN = {"siege": ("{} assaults: {} against {}", "Assault"), "sortie": ("{} makes a sortie: {} against {}", "Sortie")}
"""What the same Armies do next, by the ground, and its label."""


IN_THE_FIELD = tuple(
    Bundle(f"{seat}-field", f"{name}, in the open field", (seat, "field"), f"{short} field", pinned=True)
    for seat, name, short in (("shadow", "Shadow", "Sh"), ("free-peoples", "Free Peoples", "FP"))
)
NO_CARDS = (Bundle("no-cards", "No Leadership, and nobody plays a card", (0, "none", "none"), "0, no card"),)


def same_armies(game: WarGame) -> Iterator[Bundle]:
    """Offer the Armies of the battle before once more: the same attacker, and a sortie or an assault of the other."""
    left = game.left
    if left is None or len(left.armies) < len(SIDES) or any(max(army) > MOST_UNITS for army in left.armies.values()):
        return
    if left.result not in ("attacker-ceased", "into-siege"):
        return
    ground = "siege" if left.result == "into-siege" else left.ground
    other = {"siege": "sortie", "sortie": "siege"}.get(ground)
    for attacker, where in ((left.attacker, ground), (OTHER_SEAT[left.attacker], other)):
        if where:
            mine, theirs = left.armies[attacker], left.armies[OTHER_SEAT[attacker]]
            form, label = AGAIN.get(where, ("{} attacks again: {} against {}", "Again"))
            text = form.format(SEATS[attacker], units(*mine[:2]), units(*theirs[:2]))
            yield Bundle(f"again-{where}", text, (attacker, where, *mine, *theirs), label, pinned=True)


@section("WR-21", "WR-40", title="Armies")
def armies(game: WarGame) -> Procedure[None]:
    """Ground, then both Armies, the attacker's first."""
    asked = partial(Choose, seat=ANYBODY, rule="WR-21", head="Battle", tag="ground", notes=GROUND_NOTES)
    game.ground = yield asked("battle.ground", "Where is the battle?", GROUNDS, default="field")
    for side in SIDES:
        yield from army(game, side)


@section("WR-20", "WR-22", title="Army")
def army(game: WarGame, side: str) -> Procedure[None]:
    """Regulars, Elites, Leadership."""
    there = game.armies[side]
    there.regulars = yield size(game, side, "regulars", "Regular", 1, survivors(game, side))
    there.elites = yield lambda: size(game, side, "elites", "Elite", int(not there.regulars))
    bundles = NO_CARDS if side == "defender" and game.ground != "stronghold" else ()
    there.leadership = yield size(game, side, "leadership", "Leadership", 0, bundles)


def survivors(game: WarGame, side: str) -> tuple[Bundle, ...]:
    """Offer what this player's Army had left in the battle before."""
    left = game.left.armies.get(game.seat_of(side)) if game.left else None
    if left is None or max(left) > MOST_UNITS:
        return ()
    regulars, elites, leadership = left
    text = f"The same as left: {units(regulars, elites)}, Leadership {leadership}"
    return (Bundle("survivors", text, left, "same"),)


def size(game: WarGame, side: str, name: str, word: str, default: int, bundles: tuple[Bundle, ...] = ()) -> Count:
    """Return the question for one number of an Army."""
    seat = game.seat_of(side)
    leadership = name == "leadership"
    no_units = Bar("WR-X13", "An Army needs a unit: figures without one are not drawn in", firm=True)
    words = word if leadership else f"{word}s"
    much = f"much {words}" if leadership else f"many {words}"
    return Count(
        f"army.{name}",
        Short(f"{SEATS[seat]}, {side}: {words}", f"How {much} does the {side} have?"),
        0,
        MOST_UNITS,
        (lambda elites: None if elites + game.armies[side].regulars else no_units) if name == "elites" else unbarred,
        default=default,
        unit=words,
        one=word,
        seat=seat,
        rule="WR-22" if leadership else "WR-20",
        head=phrase(Short("{} attacks", "{}") if side == "attacker" else Short("{} defends", "{}"), game.short(side)),
        notes=notes(game, side, name),
        bundles=bundles,
    )


def notes(game: WarGame, side: str, name: str) -> Notes:
    """Return what matters at one number and was not said at the one before."""
    if name == "regulars" and (game.besieged(side) or side == "attacker"):
        return (
            (
                "WR-21",
                "Five units at most in a besieged Stronghold"
                if game.besieged(side)
                else "Ten units at most in a region",
            ),
        )
    return ("WR-40",) if name == "leadership" and side == "attacker" else ()
