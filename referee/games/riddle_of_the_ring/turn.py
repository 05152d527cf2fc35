"""A turn: the menu, what it bars, the Halls of Mandos, and the end of the game."""

from __future__ import annotations

from functools import lru_cache, partial

from referee.games.riddle_of_the_ring import battle, clairvoyance, moves, plays, riddles, taking
from referee.games.riddle_of_the_ring.characters import CHARACTER, NAME
from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.rulebook import Attempt, Bar, Choose, Option, Options, Over, Procedure, Short, phrase, section

MENU = Options(
    (
        plays.LEFT_HALLS,
        plays.MOVE,
        plays.BATTLE,
        plays.RIDDLE,
        plays.CLAIRVOYANCE,
        plays.TAKE,
        plays.EXCHANGE,
        plays.END_TURN,
        plays.GAME_OVER,
        plays.FORCE,
        plays.RESISTS,
        plays.ONLY_CARD,
    )
)
"""What a turn offers. It fills six keys; the end of the game has none, and is reached by turning the encoder."""

PLAY_ON = Option("play-on", "Not over: play on", "Play on")
NOBODY = Option("nobody", "Nobody")

IN_HALLS = Bar("RR-X20", "You are in the Halls of Mandos", aside=True)
NOT_MOVED = Bar("RR-X05", "No battle before the first move of the turn")
NOT_THERE = Bar("RR-X21", "You are not in the Halls", firm=True, aside=True)
NO_BATTLE = Bar("RR-X21", "No battle is being fought", firm=True, aside=True)
NO_EXCHANGE = Bar("RR-X21", "No Friendly Exchange is open", firm=True, aside=True)

NOTES = (("RR-8", "What a card says comes first"), ("RR-25", "No Riddle with your only card"))
HALLS_NOTES = (("A-RR14", "A 6 or a Wizard card frees you, and the 4th turn there"),)


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
        notes=HALLS_NOTES if in_halls else NOTES,
    )


def default(game: RiddleGame) -> str:
    """Return the id of the activity that comes next by the rules; never the end of the turn."""
    if game.in_halls[game.seat]:
        return "left-halls"
    if moves.unset(game):
        return "friendly-exchange"
    return "battle" if bar_menu(game, "battle") is None else "move"


def bar_menu(game: RiddleGame, entry: str) -> Bar | None:
    """Return why an activity is not open now: X20 (the user), X02, X05, then what bars every target."""
    if entry in ("end-turn", "game-over"):
        return None
    if entry in OUT_OF_PLACE:
        return OUT_OF_PLACE[entry]
    if game.in_halls[game.seat]:
        return None if entry == "left-halls" else IN_HALLS
    if entry in plays.POWER_PLAYS:
        return _bar_power_play(game, entry)
    if entry == "friendly-exchange":
        return None if moves.unset(game) else NO_EXCHANGE
    return NOT_THERE if entry == "left-halls" else None


OUT_OF_PLACE = {"force": NO_BATTLE, "resists": plays.NO_RESISTANCE, "only-card": plays.NO_CARD_TO_LOSE}


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
        "Game over: who has won?",
        winners(game.players),
        partial(_bar_winner, game),
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


def _bar_winner(game: RiddleGame, who: str) -> Bar | None:
    return None if who in ("play-on", "nobody") or game.in_play(who) else plays.ABSENT[who]


@lru_cache(maxsize=256)
def winners(players: tuple[str, ...]) -> Options:
    """Return the way back, nobody, and the players."""
    return Options((PLAY_ON, NOBODY, *(CHARACTER[p] for p in players)))


ACTIONS = {
    "clairvoyance": clairvoyance.clairvoyance,
    "riddle": riddles.riddle,
    "take-card": taking.take_card,
    "battle": battle.battle,
    "move": moves.move,
    "friendly-exchange": moves.exchange_now,
    "game-over": game_over,
}
