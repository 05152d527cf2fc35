"""A battle: who is attacked, force against force, and how it ends."""

from __future__ import annotations

from functools import lru_cache, partial

from referee.games.riddle_of_the_ring import laying, plays
from referee.games.riddle_of_the_ring.characters import HOBBIT, NAME, RIDER, others_first
from referee.games.riddle_of_the_ring.forces import ATTACKER, CEILING, DEFENDER, FORCES, allowed, hand_of_forces
from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.games.riddle_of_the_ring.verdict import no_battle, tie, win
from referee.rulebook import ANYBODY, Attempt, Bar, Choose, Conceded, Option, Options, Procedure, section

ATTACKED = Bar("RR-X08", "He was attacked already this turn")
NO_EXCHANGE = Bar("RR-X06", "No Friendly Exchange with him at this stop")
FAILED_EXCHANGE = Bar("RR-X07", "No cards for the Friendly Exchange: no battle")

WHO = Options(
    (
        ("hobbit-rider", "Hobbit attacks Rider", "Hobbit>R"),
        ("rider-hobbit", "Rider attacks Hobbit", "Rider>H"),
        ("hobbit-hobbit", "Hobbit attacks Hobbit", "Hob>Hob"),
        ("rider-rider", "Rider attacks Rider", "Rid>Rid"),
    )
)
KINDS = {
    "hobbit-rider": (HOBBIT, RIDER),
    "rider-hobbit": (RIDER, HOBBIT),
    "hobbit-hobbit": (HOBBIT, HOBBIT),
    "rider-rider": (RIDER, RIDER),
}
SPOILS = plays.among(Option("taken", "1 card taken", "Taken"), Option("empty", "The hand was empty", "Empty"))

ATTACK_NOTES = (
    ("A-RR13", "Star Good, eye Evil, triangle Neutral"),
    ("RR-57", "Points: Armies, Ring, Eagles, Beasts, most characters"),
)
DEFEND_NOTES = (("RR-65", "Nobody must lay a force"),)
CITY_NOTES = (("RR-54", "Near either of you will do"), ("RR-55", "Never a Neutral city"))


@section("RR-40", "RR-41", "RR-42", "RR-46", "RR-47", "RR-56", title="Battle")
def battle(game: RiddleGame) -> Procedure[None]:
    """The player whose turn it is attacks another: one Power Play, once the first force lies (A-RR6)."""
    defender = yield Choose(
        "battle.defender",
        "Attack whom?",
        plays.with_activities(others_first(game.players, game.seat)),
        plays.only(partial(bar_defender, game)),
        rule="RR-46",
        head=NAME[game.seat],
        tag="attacks",
    )
    game.open_battle(game.seat, defender)
    yield from rounds(game)


@section("RR-51", "RR-52", "RR-56", title="Battle")
def single_battle(game: RiddleGame) -> Procedure[None]:
    """One battle by itself, known by the kinds of both sides; nothing is counted."""
    game.single = True
    kinds = yield Choose("battle.kinds", "Who attacks whom?", WHO, rule="RR-51", head="Battle", tag="who?")
    game.open_battle(ATTACKER, DEFENDER, KINDS[kinds])
    yield from rounds(game)


def bar_defender(game: RiddleGame, who: str) -> Bar | None:
    """Return why a player cannot be attacked: X09, X20, X08, X07, X06 in that order."""
    bar = plays.bar_target(game, who)
    if bar is not None:
        return bar
    if game.battled[who]:
        return ATTACKED
    if game.fe[who] == "no-cards":
        return FAILED_EXCHANGE
    return None if game.fe[who] == "done" else NO_EXCHANGE


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
    """Ask one side for one force, or for none; a city is named by its letter."""
    fight = game.battle
    while True:
        name = yield from force(game)
        if name in ("stop", "surrender"):
            fight.result = "win" if name == "surrender" else "tie" if fight.forces else "none"
            return
        fight.city = ""
        if FORCES[name].city:
            with Attempt(game):
                fight.city = yield city(game, name)
            if not fight.city:
                continue  # taken back: another force may be laid
        if not fight.forces:
            game.spend("battle")
            if fight.defender in game.battled:
                game.battled[fight.defender] = True
        laying.add(game, name, fight.city)
        return


def force(game: RiddleGame) -> Procedure[str]:
    """Ask for a force. A side that has given up the game lays none."""
    fight = game.battle
    attacks = fight.mover == ATTACKER
    who = fight.attacker if attacks else fight.defender
    none = "stop" if attacks else "surrender"
    if who in game.conceded:
        return none
    try:
        name = yield force_question(game, who, none)
    except Conceded:
        return none
    return str(name)


def force_question(game: RiddleGame, who: str, none: str) -> Choose:
    """Return the question for one force; Select sends the pass."""
    fight = game.battle
    attacks = fight.mover == ATTACKER
    return Choose(
        "battle.attack" if attacks else "battle.match",
        lambda: f"{game.name(who)} {'lays' if attacks else 'matches'}: {game.score}",
        options(fight.mover, allowed(fight.mover, fight.defender_kind)),
        plays.only(partial(laying.bar_force, game)),
        default=none,
        passing=none,
        seat=ANYBODY if game.single else who,
        rule="RR-51" if attacks else "RR-52",
        head=lambda: f"{game.name(who)} {game.score}",
        tag=f"v {game.name(fight.defender)}" if attacks else "match",
        notes=ATTACK_NOTES if attacks else DEFEND_NOTES,
        bundles=partial(laying.pairs, game),
    )


@lru_cache(maxsize=256)
def options(mover: str, kind: str) -> Options:
    """Return the options of a side, with what a running battle bars."""
    return plays.with_activities(hand_of_forces(mover, kind))


def city(game: RiddleGame, name: str) -> Choose:
    """Return the question which city it is; each serves once (A-RR10)."""
    fight = game.battle
    attacks = fight.mover == ATTACKER
    return Choose(
        "battle.city",
        "Which city, on or beside either of you?",
        laying.CITIES,
        plays.only(partial(laying.bar_city, game, FORCES[name].kind)),
        seat=ANYBODY if game.single else fight.attacker if attacks else fight.defender,
        rule="A-RR10",
        head=FORCES[name].option.text.removesuffix(" (1)"),
        tag="near?",
        notes=CITY_NOTES,
        bundles=partial(laying.two_cities, game, name),
    )


@section("RR-64", "RR-65", "RR-66", "RR-67", "RR-68", "RR-69", "A-RR8", "A-RR16", "A-RR17", title="End of the battle")
def end(game: RiddleGame) -> Procedure[None]:
    """The loser's hand and the Halls first, then the cards on the table (A-RR7)."""
    fight = game.battle
    if fight.result == "none":
        if game.single:
            no_battle(game)
        return
    if fight.result == "tie":
        tie(game)
        return
    taken = yield Choose(
        "battle.spoils",
        spoils_text(game),
        SPOILS,
        plays.only(),
        default="taken",
        seat=ANYBODY if game.single else fight.attacker,
        rule="RR-68",
        head=f"{game.name(fight.attacker)} wins",
        tag=f"{fight.att_total}-{fight.def_total}",
        notes=(("A-RR7", laying.order_text(game)),),
    )
    fight.taken = taken == "taken"
    game.send_to_halls(fight.defender)
    win(game)


def spoils_text(game: RiddleGame) -> str:
    """Return what the winner does now."""
    return f"See the hand of {game.name(game.battle.defender)}, take 1"
