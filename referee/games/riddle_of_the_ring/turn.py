"""A turn: the menu, what it bars, the Halls of Mandos, and the end of the game."""

from __future__ import annotations

from functools import lru_cache, partial

from referee.games.riddle_of_the_ring import battle, clairvoyance, moves, plays, riddles, taking
from referee.games.riddle_of_the_ring.characters import CHARACTER, NAME
from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.rulebook import Attempt, Bar, Choose, Option, Options, Over, Procedure, section

MENU = Options(
    (
        plays.MOVE,
        plays.BATTLE,
        plays.RIDDLE,
        plays.CLAIRVOYANCE,
        plays.TAKE,
        plays.END_TURN,
        plays.EXCHANGE,
        plays.GAME_OVER,
        plays.LEFT_HALLS,
        plays.FORCE,
    )
)
HALLS_MENU = Options(
    (
        plays.LEFT_HALLS,
        plays.END_TURN,
        plays.GAME_OVER,
        *(o for o in MENU if o.id not in ("left-halls", "end-turn", "game-over")),
    )
)

NOBODY = Option("nobody", "Nobody")

IN_HALLS = Bar("RR-X20", "You are in the Halls of Mandos", aside=True)
NOT_MOVED = Bar("RR-X05", "No battle before the first move of the turn")
NOT_THERE = Bar("RR-X21", "You are not in the Halls", firm=True, aside=True)
NO_BATTLE = Bar("RR-X21", "No battle is being fought", firm=True, aside=True)
NO_EXCHANGE = Bar("RR-X21", "No Friendly Exchange is open", firm=True, aside=True)

NOTES = (("RR-8", "What a card says comes first"),)
HALLS_NOTES = (("A-RR14", "A 6, a Wizard card or the 4th turn there frees"),)


@section("RR-1", "RR-2", "RR-3", "RR-6", "A-RR4", title="Turn")
def turn(game: RiddleGame) -> Procedure[None]:
    """Activity after activity, until the player ends the turn."""
    if game.in_halls[game.seat] and game.halls_turns[game.seat] == FREED and not game.pp_used:
        game.remind("A-RR14", f"{NAME[game.seat]} begins a 4th turn in the Halls: he leaves")
    while game.over is None and game.in_play(game.seat):
        choice = yield menu(game)
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


FREED = 4
"""The turn in the Halls at whose start a player leaves (A-RR14)."""


def menu(game: RiddleGame) -> Choose:
    """Return the menu of a turn, as it stands."""
    halls = game.in_halls[game.seat]
    return Choose(
        "turn.menu",
        "In the Halls of Mandos" if halls else lambda: f"What now? {game.status()}",
        HALLS_MENU if halls else MENU,
        partial(bar_menu, game),
        default=default(game),
        passing="end-turn",
        rule="A-RR14" if halls else "RR-2",
        head=NAME[game.seat],
        tag="Halls" if halls else game.status,
        notes=HALLS_NOTES if halls else NOTES,
    )


def default(game: RiddleGame) -> str:
    """Return where the encoder stands: a move first, then a battle where one is open."""
    if game.in_halls[game.seat]:
        return "left-halls" if game.halls_turns[game.seat] >= FREED else "end-turn"
    open_battle = game.stops and game.left and any(battle.bar_defender(game, p) is None for p in game.others())
    return "battle" if open_battle else "move"


def bar_menu(game: RiddleGame, entry: str) -> Bar | None:
    """Return why an activity is not open now: X20 (the user), X02, X05."""
    if entry in ("end-turn", "game-over"):
        return None
    if entry == "force":
        return NO_BATTLE
    if game.in_halls[game.seat]:
        return None if entry == "left-halls" else IN_HALLS
    if entry in plays.POWER_PLAYS:
        return _bar_power_play(game, entry)
    if entry == "friendly-exchange":
        return None if moves.unset(game) else NO_EXCHANGE
    return NOT_THERE if entry == "left-halls" else None


def _bar_power_play(game: RiddleGame, entry: str) -> Bar | None:
    if game.left < 1:
        return plays.SPENT
    return NOT_MOVED if entry == "battle" and game.stops < 1 else None


def game_over(game: RiddleGame) -> Procedure[None]:
    """The table declares the end: how the whole game is won is not for the referee to say."""
    winner = yield Choose(
        "game.winner",
        "Game over: who has won?",
        winners(game.players),
        partial(_bar_winner, game),
        default="nobody",
        rule="RR-8",
        head="Game over",
        tag="winner?",
    )
    if winner == "nobody":
        game.over = Over("declared", "The table ends the game")
    else:
        game.over = Over("declared", f"{NAME[winner]} has won", (winner,))


def _bar_winner(game: RiddleGame, who: str) -> Bar | None:
    return None if who == "nobody" or game.in_play(who) else plays.ABSENT


@lru_cache(maxsize=256)
def winners(players: tuple[str, ...]) -> Options:
    """Return the players, and nobody."""
    return Options((NOBODY, *(CHARACTER[p] for p in players)))


ACTIONS = {
    "clairvoyance": clairvoyance.clairvoyance,
    "riddle": riddles.riddle,
    "take-card": taking.take_card,
    "battle": battle.battle,
    "move": moves.move,
    "friendly-exchange": moves.exchange_now,
    "game-over": game_over,
}
