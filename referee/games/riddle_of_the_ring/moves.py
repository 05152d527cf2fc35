"""Moves and stops: when the marker stands, who is near, and the Friendly Exchanges there."""

from __future__ import annotations

from functools import lru_cache, partial

from referee.games.riddle_of_the_ring import plays
from referee.games.riddle_of_the_ring.characters import NAME, others_first
from referee.games.riddle_of_the_ring.state import MANY, RiddleGame
from referee.rulebook import Bar, Bundle, Choose, Option, Pick, Procedure, Short, decide, phrase, section

FINISHED = plays.among(Option("finished", "Move finished", "Finished"))
OUTCOMES = plays.among(
    Option("done", "Done"), Option("no-cards", "Somebody had no cards", "No cards"), Option("not-yet", "Not yet")
)

NOT_NAMED = {c: Bar("RR-X06", phrase("{} was not named at this stop", NAME[c]), aside=True) for c in NAME}
ENTERED = {c: Bar("RR-X21", phrase("The exchange with {} is entered already", NAME[c]), aside=True) for c in NAME}

EXCHANGING = Bar("RR-X03", "Enter the Friendly Exchange first", firm=True, aside=True)

NEAR_NOTES = (
    ("RR-44", "Across rivers and at sea too"),
    ("RR-45", "A River Dot touches 3 spaces"),
)


@section("RR-5", "RR-41", title="Move")
def move(game: RiddleGame) -> Procedure[None]:
    """Nothing else happens until the marker stands; the usual stops are entered with the same press."""
    game.moving = True
    if plays.targets(game):
        yield lambda: Choose(
            "move.finished",
            Short("Moving. Press when your marker stands", "Move your marker. Does it stand?"),
            FINISHED,
            plays.only(why=plays.MOVING),
            default="finished",
            rule="RR-5",
            head=near_whom(game),
            bundles=stops_at_once(game),
        )
    game.moving = False
    game.stops = min(MANY, game.stops + 1)
    game.new_stop()
    game.counted()
    yield from beside(game)


@section("RR-44", "RR-45", "RR-48", title="Stop")
def beside(game: RiddleGame) -> Procedure[None]:
    """Who is on or beside the mover; then a Friendly Exchange with each (A-RR19)."""
    if not plays.targets(game):
        return
    named = yield Pick(
        "move.near",
        "Who is on or beside you?",
        others_first(game.players, game.seat),
        partial(plays.bar_target, game),
        rule="RR-41",
        head=near_whom(game),
        notes=NEAR_NOTES,
    )
    game.entry.seen = list(named)
    for who in named:
        game.near[who] = True
    for who in game.entry.seen:
        if game.near[who] and game.fe[who] == "unset" and plays.bar_target(game, who) is None:
            yield from exchange(game, who)


def near_whom(game: RiddleGame) -> str:
    """Return the question of a stop for the band of the glass, "On/by Sam?", and for the ear the player alone."""
    return phrase(Short("On/by {}?", "{}"), NAME[game.seat])


@section("RR-43", title="Friendly Exchange")
def exchange(game: RiddleGame, who: str) -> Procedure[None]:
    """No Power Play; without it there is no battle."""
    outcome = yield Choose(
        "move.exchange",
        phrase(Short("Friendly Exchange with {}", "Is the Friendly Exchange with {} done?"), NAME[who]),
        OUTCOMES,
        plays.only(why=EXCHANGING),
        default="done",
        rule="RR-43",
        head=phrase(Short("{}-{}", "{} and {}"), NAME[game.seat], NAME[who]),
        tag="Exchange",
    )
    if outcome == "not-yet":
        game.remind("A-RR19", "The Exchange is compulsory and comes before anything else")
    else:
        game.fe[who] = outcome


@section("RR-41", "RR-47", title="Friendly Exchange")
def exchange_now(game: RiddleGame) -> Procedure[None]:
    """Enter a Friendly Exchange that was put off at this stop."""
    if not unset(game):
        return
    who = yield from decide(
        Choose(
            "move.exchange-with",
            "Friendly Exchange with whom?",
            plays.among(*others_first(game.players, game.seat)),
            plays.only(partial(bar_exchange, game), EXCHANGING),
            rule="RR-41",
            head=NAME[game.seat],
            tag="Exchange",
        )
    )
    yield from exchange(game, who)


def unset(game: RiddleGame) -> tuple[str, ...]:
    """Return those beside the mover with whom no Friendly Exchange is entered yet."""
    return tuple(p for p in game.others() if game.near[p] and game.fe[p] == "unset" and not game.in_halls[p])


def bar_exchange(game: RiddleGame, who: str) -> Bar | None:
    """Return why no Friendly Exchange with that player is open: X09, X20, X06, X21."""
    bar = plays.bar_target(game, who)
    if bar is not None:
        return bar
    if not game.near[who]:
        return NOT_NAMED[who]
    return None if game.fe[who] == "unset" else ENTERED[who]


def stops_at_once(game: RiddleGame) -> tuple[Bundle, ...]:
    """Offer the usual stops whole: alone, or beside one player and the exchange done."""
    others = plays.targets(game)
    return bundles_for(others) if others else ()


@lru_cache(maxsize=256)
def bundles_for(others: tuple[str, ...]) -> tuple[Bundle, ...]:
    """Return the bundle of a stop with nobody near, and one for each player with the Friendly Exchange done."""
    return (
        Bundle("alone", "Nobody", ("finished", []), "Nobody"),
        *(
            Bundle(f"with-{p}", phrase("{}, exchange done", NAME[p]), ("finished", [p], "done"), NAME[p])
            for p in others
        ),
    )
