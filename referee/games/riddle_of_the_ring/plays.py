"""What all Power Plays share: their targets, what bars them, and how the result is announced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any

from referee.games.riddle_of_the_ring.state import RiddleGame
from referee.games.riddle_of_the_ring.tables import CHARACTER, NAME
from referee.rulebook import Bar, Choose, Option, Options, Reason, Ruling, Short, phrase, unbarred, whole

POWER_PLAYS = ("clairvoyance", "riddle", "take-card", "battle")
"""The four kinds (RR-4)."""

SPENT = Bar("RR-X02", "Both Power Plays are used")
ABSENT = {c: Bar("RR-X09", phrase("Nobody plays {}", NAME[c]), firm=True, aside=True) for c in NAME}
IN_HALLS = {c: Bar("RR-X20", phrase("{} is in the Halls of Mandos", NAME[c])) for c in NAME}
NOBODY_LEFT = Bar("RR-X20", "Everybody else is in the Halls of Mandos")


@lru_cache(maxsize=256)
def _named(players: tuple[str, ...], also: tuple[Option, ...]) -> Options:
    return Options((*(CHARACTER[player] for player in players), *also))


def others(game: RiddleGame, *also: Option) -> Options:
    """Return the other players still in play, in the order round the table, then what else can be answered."""
    return _named(game.others(), also)


def ask(
    game: RiddleGame,
    key: str,
    text: str,
    options: Options,
    bar: Callable[[RiddleGame, str], Bar | None] | None = None,
    **more: Any,
) -> Choose:
    """Return a question of whoever's turn it is; ``more``: as `Choose` takes it."""
    check = unbarred if bar is None else partial(bar, game)
    return Choose(key, text, options, check, **({"head": NAME.get(game.seat, "")} | more))


def targets(game: RiddleGame) -> tuple[str, ...]:
    """Return the players a Power Play can be aimed at: all others who are not in the Halls."""
    return tuple(who for who in game.others() if not game.in_halls[who])


def bar_target(game: RiddleGame, who: str) -> Bar | None:
    """Return why a player cannot be the target of a Power Play: X09 of one who has given up meanwhile, then X20."""
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
