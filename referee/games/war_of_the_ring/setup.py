"""Before the first round: who attacks, on what ground, with what Armies."""

from __future__ import annotations

from functools import partial

from referee.games.war_of_the_ring.state import WarGame
from referee.games.war_of_the_ring.tables import GROUNDS, MOST_UNITS, NO_UNITS, SEATS, SIDES
from referee.rulebook import ANYBODY, Bar, Choose, Count, Option, Options, Procedure, Short, phrase, section

ATTACKERS = Options((("shadow", "Shadow", "Shadow"), ("free-peoples", "Free Peoples", "FP")))
NEXT = Options((*ATTACKERS, Option("game-over", "Game over", "Game over")))
NUMBERS_GROUND = GROUNDS.only("field", "city", "stronghold", "siege", "sortie")
GROUND_NOTES = (("WR-21", "City and Fortification: attacker hits on 6 in round 1. Siege: always on 6"),)
FIGURE_NOTES = (("WR-40", "Figures in a region without own Army units are not drawn into the battle"),)

REGION = "Ten units at most in a region"


def who_attacks(*, more: bool) -> Choose:
    """Return the first question of a battle; ``more``: one battle after the other, until the game is over."""
    return Choose(
        "battle.attacker",
        "Who attacks?",
        NEXT if more else ATTACKERS,
        passing="game-over" if more else None,
        seat=ANYBODY,
        rule="WR-1",
        head="Battle",
        tag="who?",
    )


@section("WR-21", "WR-40", title="Armies")
def armies(game: WarGame) -> Procedure[None]:
    """Ground, then both Armies, the attacker's first."""
    game.ground = yield ground(GROUNDS)
    if game.ground == "by-hand":
        game.ground = "field"
        for side in SIDES:
            game.by_hand[side] = yield Count(
                "battle.number",
                Short(f"The {side} hits on", f"On which number does the {side} hit?"),
                4,
                6,
                default=5,
                unit="or more",
                seat=ANYBODY,
                rule="WR-21",
                head=side.capitalize(),
                tag="hits on",
            )
        game.ground = yield ground(NUMBERS_GROUND)
    for side in SIDES:
        yield from army(game, side)


def ground(among: Options) -> Choose:
    """Return the question for the ground; a number entered by hand goes with any of them (A-WR1)."""
    return Choose(
        "battle.ground",
        "Where is the battle?",
        among,
        default="field",
        seat=ANYBODY,
        rule="WR-21",
        head="Battle",
        tag="ground",
        notes=GROUND_NOTES,
    )


@section("WR-20", "WR-22", title="Army")
def army(game: WarGame, side: str) -> Procedure[None]:
    """Regulars, Elites, Leadership."""
    there = game.armies[side]
    there.regulars = yield size(game, side, "regulars", "Regular", 1)
    there.elites = yield lambda: size(game, side, "elites", "Elite", int(not there.regulars))
    there.leadership = yield size(game, side, "leadership", "Leadership", 0)


def size(game: WarGame, side: str, name: str, word: str, default: int) -> Count:
    """Return the question for one number of an Army."""
    seat = game.seat_of(side)
    leadership = name == "leadership"
    words = word if leadership else f"{word}s"
    much = f"much {words}" if leadership else f"many {words}"
    return Count(
        f"army.{name}",
        Short(f"{SEATS[seat]}, {side}: {words}", f"{SEATS[seat]}: how {much} does the {side} have?"),
        0,
        MOST_UNITS,
        partial(bar_elites, game, side) if name == "elites" else None,
        default=default,
        unit=words,
        one=word,
        seat=seat,
        rule="WR-22" if leadership else "WR-20",
        head=phrase(Short("{} attacks", "{}") if side == "attacker" else Short("{} defends", "{}"), game.short(side)),
        notes=notes(game, side, name),
    )


def notes(game: WarGame, side: str, name: str) -> tuple[tuple[str, str], ...]:
    """Return what matters at one number and was not said at the one before."""
    if name == "regulars" and (game.besieged(side) or side == "attacker"):
        return (("WR-21", "Five units at most in a besieged Stronghold" if game.besieged(side) else REGION),)
    return FIGURE_NOTES if name == "leadership" and side == "attacker" else ()


def bar_elites(game: WarGame, side: str, elites: int) -> Bar | None:
    """Return WR-X13 for an Army without any unit."""
    return NO_UNITS if elites + game.armies[side].regulars == 0 else None
