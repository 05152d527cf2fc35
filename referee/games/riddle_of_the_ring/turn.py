"""A turn: the menu and what it bars, moves and stops, the Halls of Mandos, and the end of the game."""

from __future__ import annotations

from functools import lru_cache, partial

from referee.games.riddle_of_the_ring import battle, hands, plays, taking
from referee.games.riddle_of_the_ring.state import MANY, RiddleGame
from referee.games.riddle_of_the_ring.tables import CHARACTER, NAME
from referee.rulebook import (
    Attempt,
    Bar,
    Bundle,
    Choose,
    Option,
    Options,
    Over,
    Pick,
    Procedure,
    Short,
    decide,
    phrase,
    section,
)
from referee.rulebook.asks import Among

FINISHED = Options((("finished", "Name them", "Name"),))
OUTCOMES = Options((("done", "Done"), ("no-cards", "Somebody had no cards", "No cards"), ("not-yet", "Not yet")))

NOT_NAMED = {c: Bar("RR-X06", phrase("{} was not named at this stop", NAME[c]), aside=True) for c in NAME}
ENTERED = {c: Bar("RR-X21", phrase("The exchange with {} is entered already", NAME[c]), aside=True) for c in NAME}


@section("RR-5", "RR-41", title="Move")
def move(game: RiddleGame) -> Procedure[None]:
    """Nothing else happens until the marker stands; the usual stops are entered with the same press."""
    game.moving = True
    if plays.targets(game):
        yield lambda: plays.ask(
            game,
            "move.finished",
            Short("Moving. Press when your marker stands", "Move your marker. Who is on or beside it?"),
            FINISHED,
            default="finished",
            rule="RR-5",
            head=near_whom(game),
            bundles=stops_at_once(plays.targets(game)),
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
    named = yield lambda: Pick(
        "move.near",
        "Who is on or beside you?",
        plays.others(game),
        partial(plays.bar_target, game),
        rule="RR-41",
        head=near_whom(game),
        notes=("RR-44", "RR-45"),
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
    outcome = yield plays.ask(
        game,
        "move.exchange",
        phrase(Short("Friendly Exchange with {}", "Is the Friendly Exchange with {} done?"), NAME[who]),
        OUTCOMES,
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
    text, whom = "Friendly Exchange with whom?", plays.others(game)
    question = plays.ask(game, "move.exchange-with", text, whom, bar_exchange, rule="RR-41", tag="Exchange")
    yield from exchange(game, (yield from decide(question)))


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


@lru_cache(maxsize=256)
def stops_at_once(others: tuple[str, ...]) -> tuple[Bundle, ...]:
    """Offer the usual stops whole: with nobody near, or beside one player and the Friendly Exchange done."""
    return (
        Bundle("alone", "Nobody", ("finished", []), "Nobody"),
        *(
            Bundle(f"with-{p}", phrase("{}, exchange done", NAME[p]), ("finished", [p], "done"), NAME[p])
            for p in others
        ),
    )


# -- a turn: the menu, what it bars, the Halls of Mandos, and the end of the game

MENU = Options(
    (
        ("left-halls", "Has left the Halls", "Left"),
        ("move", "Start move", "Move"),
        ("battle", "Battle"),
        ("riddle", "Riddle"),
        ("clairvoyance", "Clairvoyance", "Clairvoy"),
        ("take-card", "Take a card", "Take"),
        ("friendly-exchange", "Friendly Exchange", "Friendly"),
        ("end-turn", "End turn"),
        ("game-over", "Game over", "Over"),
    )
)
"""What a turn offers. It fills six keys; the end of the game has none, and is reached by turning the encoder."""

PLAY_ON = Option("play-on", "Not over: play on", "Play on")
NOBODY = Option("nobody", "Nobody")

IN_HALLS = Bar("RR-X20", "You are in the Halls of Mandos", aside=True)
NOT_MOVED = Bar("RR-X05", "No battle before the first move of the turn")
NOT_THERE = Bar("RR-X21", "You are not in the Halls", firm=True, aside=True)
NO_EXCHANGE = Bar("RR-X21", "No Friendly Exchange is open", firm=True, aside=True)


@section("RR-1", "RR-2", "RR-3", "RR-6", "A-RR4", title="Turn")
def turn(game: RiddleGame) -> Procedure[None]:
    """Activity after activity, until the player ends the turn."""
    while game.over is None and game.in_play(game.seat):
        choice = yield lambda: menu(game)
        if choice == "end-turn":
            return
        if choice == "left-halls":
            game.in_halls[game.seat] = False
            game.halls_turns[game.seat] = 0
            continue
        game.busy = choice if choice in plays.POWER_PLAYS else "none"
        with Attempt(game):
            yield from ACTIONS[choice](game)
        game.clear_action()


ASKED_IN_HALLS = Short("In the Halls of Mandos", "Has {} left the Halls of Mandos?")


def menu(game: RiddleGame) -> Choose:
    """Return the menu of a turn."""
    in_halls = game.in_halls[game.seat]
    return Choose(
        "turn.menu",
        phrase(ASKED_IN_HALLS, NAME[game.seat]) if in_halls else phrase("What now? {}", game.status()),
        MENU,
        partial(bar_menu, game),
        default=default(game),
        passing="end-turn",
        rare="game-over",
        rule="RR-2",
        head=NAME[game.seat],
        tag="Halls" if in_halls else game.status(),
        notes=("A-RR14",) if in_halls else ("RR-8", "RR-25"),
    )


def default(game: RiddleGame) -> str:
    """Return the id of the activity that comes next by the rules; never the end of the turn."""
    if game.in_halls[game.seat]:
        return "left-halls"
    if unset(game):
        return "friendly-exchange"
    return "battle" if bar_menu(game, "battle") is None else "move"


def bar_menu(game: RiddleGame, entry: str) -> Bar | None:
    """Return why an activity is not open now: X20 (the user), X02, X05, then what bars every target."""
    if entry in ("end-turn", "game-over"):
        return None
    if game.in_halls[game.seat]:
        return None if entry == "left-halls" else IN_HALLS
    if entry in plays.POWER_PLAYS:
        return _bar_power_play(game, entry)
    if entry == "friendly-exchange":
        return None if unset(game) else NO_EXCHANGE
    return NOT_THERE if entry == "left-halls" else None


OUT_OF_PLACE = {
    **dict.fromkeys(("force", "stop", "surrender", "two-hands", "no-more"), "RR-X21"),
    "resists": "RR-X15",
    "only-card": "RR-X17",
    "too-far": "RR-X19",
    "far-city": "RR-X14",
    "no-points": "RR-X11",
    "other-character": "RR-X11",
}
"""Refusal codes of what nobody is asked for, or not at this question."""


def elsewhere(game: RiddleGame, ask: Among, entry: str) -> str:
    """Return the refusal code of an entry that is no option of the question: an activity has to wait (RR-5, RR-6)."""
    if ask.key == "game.winner" or not (game.started or game.single):
        return ""
    if entry in MENU.by_id:
        return "RR-X04" if ask.key == "move.finished" else "RR-X03"
    if entry in NAME:
        second = ask.key == "clairvoyance.target" and game.entry.seen
        return "RR-X02" if second and game.left < 1 else "RR-X09"
    if entry == "give":
        bar = taking.bar_mode(game, entry) if game.entry.card in NAME else None
        return bar.code if bar else "RR-X21"
    return OUT_OF_PLACE.get(entry, "")


def _bar_power_play(game: RiddleGame, entry: str) -> Bar | None:
    if game.left < 1:
        return plays.SPENT
    if entry == "battle" and game.stops < 1:
        return NOT_MOVED
    if not plays.targets(game):
        return plays.NOBODY_LEFT
    return battle.bar_battle(game) if entry == "battle" else None


def game_over(game: RiddleGame) -> Procedure[None]:
    """The table declares the end: how the whole game is won is not for the referee to say."""
    winner = yield Choose(
        "game.winner",
        "Game over. Who won?",
        winners(game.players),
        lambda who: None if who in ("play-on", "nobody") or game.in_play(who) else plays.ABSENT[who],
        default="play-on",
        rule="RR-8",
        head="Game over",
        tag="winner?",
    )
    if winner == "play-on":
        return
    if winner == "nobody":
        game.over = Over("declared", "The table ends the game")
    else:
        game.over = Over("declared", phrase("{} has won", NAME[winner]), (winner,))


@lru_cache(maxsize=256)
def winners(players: tuple[str, ...]) -> Options:
    """Return the way back, nobody, and the players."""
    return Options((PLAY_ON, NOBODY, *(CHARACTER[p] for p in players)))


ACTIONS = {
    "clairvoyance": hands.clairvoyance,
    "riddle": hands.riddle,
    "take-card": taking.take_card,
    "battle": battle.battle,
    "move": move,
    "friendly-exchange": exchange_now,
    "game-over": game_over,
}
