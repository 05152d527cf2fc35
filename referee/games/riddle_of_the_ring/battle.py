"""A battle: who is attacked, force against force, and how it ends."""

from __future__ import annotations

from functools import lru_cache, partial

from referee.games.riddle_of_the_ring import forces, plays
from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.games.riddle_of_the_ring.tables import ATTACKER, CEILING, DEFENDER, FORCES, NAME, allowed, hand_of_forces
from referee.rulebook import (
    ANYBODY,
    Attempt,
    Bar,
    Choose,
    Conceded,
    Count,
    Options,
    Procedure,
    Short,
    decide,
    phrase,
    section,
)

ATTACKED = {c: Bar("RR-X08", phrase("{} was attacked in this turn already", NAME[c])) for c in NAME}
NO_EXCHANGE = {c: Bar("RR-X06", phrase("No Friendly Exchange with {} at this stop", NAME[c])) for c in NAME}
FAILED_EXCHANGE = {c: Bar("RR-X07", phrase("No cards for the exchange with {}: no battle", NAME[c])) for c in NAME}
REASONS = ("RR-X06", "RR-X07", "RR-X08", "RR-X20")
"""Why a player cannot be attacked; what can still be put right comes first."""

WHO = Options(
    (
        ("hobbit-rider", "Hobbit attacks Rider", "Hob→Rid"),
        ("rider-hobbit", "Rider attacks Hobbit", "Rid→Hob"),
        ("hobbit-hobbit", "Hobbit attacks Hobbit", "Hob→Hob"),
        ("rider-rider", "Rider attacks Rider", "Rid→Rid"),
    )
)
SPOILS = Options((("taken", "1 card taken", "Taken"), ("empty", "The hand was empty", "Empty")))

TAKE_ONE = Short("See the hand of {}, take 1 card", "See the hand of {}. Was a card taken?")


@section("RR-40", "RR-41", "RR-42", "RR-46", "RR-47", "RR-56", title="Battle", lasting=True)
def battle(game: RiddleGame) -> Procedure[None]:
    """The player whose turn it is attacks another: one Power Play, once the first force lies (A-RR6)."""
    whom = plays.ask(
        game, "battle.defender", "Attack whom?", plays.others(game), bar_defender, rule="RR-46", tag="attacks"
    )
    game.open_battle(game.seat, (yield from decide(whom)))
    yield from rounds(game)


@section("RR-51", "RR-52", "RR-56", title="Battle", lasting=True)
def single_battle(game: RiddleGame) -> Procedure[None]:
    """One battle by itself, known by the kinds of both sides; nothing is counted."""
    game.single = True
    kinds = yield Choose("battle.kinds", "Who attacks whom?", WHO, rule="RR-51", head="Battle", tag="who?")
    attacker, _, defender = kinds.partition("-")
    game.open_battle(ATTACKER, DEFENDER, (attacker, defender))
    yield from rounds(game)


def bar_defender(game: RiddleGame, who: str) -> Bar | None:
    """Return why a player cannot be attacked: X09, X20, X08, X07, X06 in that order."""
    bar = plays.bar_target(game, who)
    if bar is not None:
        return bar
    if game.battled[who]:
        return ATTACKED[who]
    if game.fe[who] == "no-cards":
        return FAILED_EXCHANGE[who]
    return None if game.fe[who] == "done" else NO_EXCHANGE[who]


def bar_battle(game: RiddleGame) -> Bar | None:
    """Return why nobody can be attacked: of the reasons at this stop the one most easily put right."""
    bars: dict[str, Bar] = {}
    for who in game.others():
        bar = bar_defender(game, who)
        if bar is None:
            return None
        bars[who] = bar
    near = [bar for who, bar in bars.items() if game.near[who]] or [*bars.values()]
    return min(near, key=lambda bar: REASONS.index(bar.code))


@section("RR-60", "RR-61", "RR-62", "RR-63", "RR-64", title="Rounds")
def rounds(game: RiddleGame) -> Procedure[None]:
    """One force against as many as match it, round after round, until one side stops or both stand at five."""
    fight = game.battle
    while not fight.result:
        fight.mover = DEFENDER if fight.def_total < fight.att_total else ATTACKER
        if fight.mover == ATTACKER and fight.att_total >= CEILING:
            fight.result = "tie"
        else:
            yield from lay(game)
    yield from end(game)


@section("RR-50", "RR-53", "RR-54", "RR-60", "RR-61", "RR-65", "A-RR3", "A-RR9", title="Force")
def lay(game: RiddleGame) -> Procedure[None]:
    """Ask one side for one force, or for none; a side that has given up the game lays none."""
    fight = game.battle
    fight.laid = ""
    try:
        while not fight.laid:
            yield from force(game)
    except Conceded:
        fight.laid = passing(game)
    if fight.laid in ("stop", "surrender"):
        fight.result = "win" if fight.laid == "surrender" else "tie" if fight.forces else "none"
        return
    if not fight.forces:
        game.spend("battle")
        if fight.defender in game.battled:
            game.battled[fight.defender] = True
    forces.add(game, fight.laid, fight.points, fight.city)


def force(game: RiddleGame) -> Procedure[None]:
    """Ask for a force; until its city and points are entered, it can be dropped and another laid.

    Raises Conceded if the side has given up the game.
    """
    if side(game) in game.conceded:
        raise Conceded
    name = yield lambda: force_question(game)
    if name not in FORCES:
        game.battle.laid = name
        return
    with Attempt(game):
        yield from particulars(game, name)
        game.battle.laid = name


def particulars(game: RiddleGame, name: str) -> Procedure[None]:
    """Ask which city it is, once one is used in this battle, and how many points a card has."""
    fight, kind = game.battle, FORCES[name]
    fight.city, fight.points = "", kind.points
    if kind.city:
        fight.city = (yield lambda: city(game, name)) if forces.used_letters(game) else forces.LETTERS[0]
    if kind.asks:
        fight.points = yield from decide(lambda: points(game))


def side(game: RiddleGame) -> str:
    """Return the player who lays a force now."""
    fight = game.battle
    return fight.attacker if fight.mover == ATTACKER else fight.defender


def seat(game: RiddleGame) -> str:
    """Return who answers for the side that lays a force now; a single battle knows no players."""
    return ANYBODY if game.single else side(game)


def passing(game: RiddleGame) -> str:
    """Return the option by which the side lays nothing more."""
    return "stop" if game.battle.mover == ATTACKER else "surrender"


def force_question(game: RiddleGame) -> Choose:
    """Return the question for one force. Select sends the usual one: neither side ends a battle by a stray press."""
    fight = game.battle
    attacks = fight.mover == ATTACKER
    kind = allowed(fight.mover, fight.defender_kind)
    return plays.ask(
        game,
        "battle.attack" if attacks else "battle.match",
        phrase(
            Short("{} {}: {}", "Which force does {0} {1}?"),
            game.name(side(game)),
            Short("attacks", "attack with") if attacks else Short("matches", "match with"),
            game.score,
        ),
        options(fight.mover, kind, 0 if attacks or fight.att_total < CEILING else forces.gap(game)),
        forces.bar_force,
        default=f"{kind}-army",
        passing=passing(game),
        seat=seat(game),
        rule="RR-51" if attacks else "RR-52",
        head=phrase(Short("{} {}", "{}: {}"), game.name(side(game)), game.score),
        tag=phrase("v {}", game.name(fight.defender)) if attacks else f"needs {forces.gap(game)}",
        notes=("A-RR13", "RR-57") if attacks else ("RR-65",),
    )


@lru_cache(maxsize=256)
def options(mover: str, kind: str, last: int) -> Options:
    """Return the forces and the pass of a side.

    ``last``: the points with which both stand at five, a tie; 0 where none do. A force of so many says so.
    """
    offered = hand_of_forces(mover, kind)
    ends = {force.option.id for force in FORCES.values() if 0 < last == force.points and not force.asks}
    return Options(each._replace(text=f"{each.text}: a tie") if each.id in ends else each for each in offered)


def city(game: RiddleGame, name: str) -> Choose:
    """Return the question which city it is: each serves once, whatever kind is entered (A-RR10)."""
    return plays.ask(
        game,
        "battle.city",
        f"{forces.used_text(game)}. Which city is this?",
        forces.CITIES,
        forces.bar_city,
        default=next(iter(forces.free_letters(game)), ""),
        seat=seat(game),
        rule="A-RR10",
        head=phrase(Short("{} {}", "{}: {}"), game.name(side(game)), game.score),
        tag=FORCES[name].option.text.removesuffix(" (1)"),
        notes=("RR-54", "RR-55"),
    )


def points(game: RiddleGame) -> Count:
    """Return the question how many Battle Points a card has (RR-53)."""
    return Count(
        "battle.points",
        "How many Battle Points does the card have?",
        2,
        CEILING,
        partial(forces.bar_points, game),
        unit="points",
        seat=seat(game),
        rule="RR-53",
        head=phrase(Short("{} {}", "{}: {}"), game.name(side(game)), game.score),
        tag="points?",
    )


@section("RR-64", "RR-65", "RR-66", "RR-67", "RR-68", "RR-69", "A-RR8", "A-RR16", "A-RR17", title="End of the battle")
def end(game: RiddleGame) -> Procedure[None]:
    """The loser's hand and the Halls first, then the cards on the table (A-RR7)."""
    fight = game.battle
    if fight.result == "none":
        if game.single:
            forces.no_battle(game)
        return
    if fight.result == "tie":
        forces.tie(game)
        return
    spoils = yield plays.ask(
        game,
        "battle.spoils",
        phrase(TAKE_ONE, game.name(fight.defender)),
        SPOILS,
        default="taken",
        seat=ANYBODY if game.single else fight.attacker,
        rule="RR-68",
        head=phrase("{} wins", game.name(fight.attacker)),
        tag=f"{fight.att_total}-{fight.def_total}",
        notes=(("A-RR7", forces.order_text(game)),),
    )
    fight.taken = spoils == "taken"
    game.send_to_halls(fight.defender)
    forces.win(game)
