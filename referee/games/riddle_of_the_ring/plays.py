"""What all Power Plays share: their targets, what bars them, and how the result is announced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.games.riddle_of_the_ring.tables import NAME, others_first
from referee.rulebook import Bar, Choose, Option, Options, Reason, Ruling, Short, phrase, whole
from referee.rulebook.asks import BarFunction

CLAIRVOYANCE = Option("clairvoyance", "Clairvoyance", "Clairvoy")
RIDDLE = Option("riddle", "Riddle")
TAKE = Option("take-card", "Take a card", "Take")
BATTLE = Option("battle", "Battle")
MOVE = Option("move", "Start move", "Move")
EXCHANGE = Option("friendly-exchange", "Friendly Exchange", "Friendly")
END_TURN = Option("end-turn", "End turn")
LEFT_HALLS = Option("left-halls", "Has left the Halls", "Left")
FORCE = Option("force", "Lay a force", "Force")
GAME_OVER = Option("game-over", "Game over", "Over")
RESISTS = Option("resists", "Resist", "Resist")
ONLY_CARD = Option("only-card", "The Riddle is my only card", "Only")

POWER_PLAYS = ("clairvoyance", "riddle", "take-card", "battle")
"""The four kinds (RR-4)."""

ACTIVITIES = (CLAIRVOYANCE, RIDDLE, TAKE, BATTLE, MOVE, EXCHANGE, END_TURN, LEFT_HALLS, GAME_OVER)
_IDS = frozenset(option.id for option in ACTIVITIES)

RUNNING = Bar("RR-X03", "A Power Play is running: it ends first", firm=True, aside=True)
MOVING = Bar("RR-X04", "A move is under way: finish it first", firm=True, aside=True)
SPENT = Bar("RR-X02", "Both Power Plays are used")
YOURSELF = {c: Bar("RR-X09", phrase("You are {} yourself", NAME[c]), firm=True, aside=True) for c in NAME}
ABSENT = {c: Bar("RR-X09", phrase("Nobody plays {}", NAME[c]), firm=True, aside=True) for c in NAME}
IN_HALLS = {c: Bar("RR-X20", phrase("{} is in the Halls of Mandos", NAME[c])) for c in NAME}
NO_RESISTANCE = Bar("RR-X15", "Nobody resists a Wizard or a Spy", firm=True, aside=True)
NO_CARD_TO_LOSE = Bar("RR-X17", "The Riddle is your only card: you need one to lose", firm=True, aside=True)
NOBODY_LEFT = Bar("RR-X20", "Everybody else is in the Halls of Mandos")


@lru_cache(maxsize=256)
def among(*options: Option) -> Options:
    """Return the options of a question, then every activity of a turn, which `only` bars."""
    return Options((*options, *ACTIVITIES))


def only(bar: BarFunction | None = None, why: Bar = RUNNING) -> BarFunction:
    """Return a function that bars every activity of a turn with ``why`` (RR-5, RR-6) and asks ``bar`` of the rest."""

    def check(option: str) -> Bar | None:
        if option in _IDS:
            return why
        return bar(option) if bar is not None else None

    return check


def others(game: RiddleGame, *extra: Option) -> Options:
    """Return the other players in the order round the table, ``extra``, everybody else, and every activity."""
    return among(*others_first(game.players, game.seat, *extra))


def ask(
    game: RiddleGame,
    key: str,
    text: str,
    options: Options,
    bar: Callable[[RiddleGame, str], Bar | None] | None = None,
    *,
    why: Bar = RUNNING,
    **more: Any,
) -> Choose:
    """Return a question of whoever's turn it is, which comes before any other activity of it (RR-5, RR-6).

    ``why``: what bars those; ``more``: as `Choose` takes it.
    """
    check = only(partial(bar, game) if bar is not None else None, why)
    return Choose(key, text, options, check, **({"head": NAME.get(game.seat, "")} | more))


def targets(game: RiddleGame) -> tuple[str, ...]:
    """Return the players a Power Play can be aimed at: all others who are not in the Halls."""
    return tuple(who for who in game.others() if not game.in_halls[who])


def bar_target(game: RiddleGame, who: str) -> Bar | None:
    """Return why a player cannot be the target of a Power Play: X09, then X20."""
    if who == game.seat:
        return YOURSELF[who]
    if not game.in_play(who):
        return ABSENT[who]
    return IN_HALLS[who] if game.in_halls[who] else None


def announce(
    game: RiddleGame,
    result: str,
    headline: str,
    rules: tuple[str, ...],
    why: tuple[Reason, ...],
    data: Mapping[str, Any],
    *,
    to_do: tuple[str, ...] = (),
    changed: bool = True,
) -> None:
    """Give the ruling on a Power Play: `Ruling` with who played it and the Power Plays left, if they are counted."""
    foot = "" if game.single else game.status()
    if not game.single and not any(name in whole(headline) for name in NAME.values()):
        headline = phrase(Short("{1}", "{0}: {1}"), NAME[game.seat], headline)
    numbers = dict(data) if game.single else {**data, "user": game.seat, "power_plays": game.pp_used}
    game.rule(Ruling(result, headline, rules, why, numbers, changed=changed, foot=foot, to_do=to_do))
