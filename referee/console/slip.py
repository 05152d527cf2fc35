"""The slip of a match as it is keyed in at the table: what each game can come to, and what it comes to together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from referee.rulebook import Bar
from referee.session.wish import Player, Seating

ROOM: Final = 16
"""Letters of a row of the glass that fit beside a page mark, whichever they are."""


class Choice(NamedTuple):
    """One thing a game, or a place of a pod, can come to. ``value``: as the hall has it; ``short``: without names."""

    text: str
    short: str
    value: Any


def choices(seating: Seating, before: Sequence[Choice]) -> tuple[Choice, ...]:
    """Return what can be keyed next after what was; nothing where the slip is complete."""
    if len(seating.players) > 2:
        return _places(seating, before)
    if len(before) >= seating.games or _decided(seating, before):
        return ()
    return _games(seating)


def bar(seating: Seating, before: Sequence[Choice], choice: Choice) -> Bar | None:
    """Return why a choice cannot be keyed after what was: it would end without a winner a match that needs one."""
    now = (*before, choice)
    if seating.drawn or len(seating.players) > 2 or choices(seating, now):
        return None
    winners = [each.value["winner"] for each in now]
    wins = [winners.count(player.number) for player in seating.players]
    return Bar("slip", "This match needs a winner: call a judge") if wins[0] == wins[1] else None


def question(seating: Seating, before: Sequence[Choice]) -> str:
    """Return what is asked next, in two words."""
    if len(seating.players) > 2:
        return f"place {len(before) + 1}"
    return f"game {len(before) + 1}" if seating.games > 1 else "who won?"


def result(seating: Seating, keyed: Sequence[Choice]) -> dict[str, Any]:
    """Return the slip as the hall has a result."""
    if len(seating.players) == 2:
        return {"games": [each.value for each in keyed]}
    order = [each.value for each in keyed]
    return {"places": [order.index(each.number) + 1 for each in seating.players]}


def _decided(seating: Seating, before: Sequence[Choice]) -> bool:
    """Whether a best of three has a winner after two games."""
    winners = [each.value["winner"] for each in before]
    return seating.games == 3 and len(winners) == 2 and winners[0] == winners[1] != 0


def _places(seating: Seating, before: Sequence[Choice]) -> tuple[Choice, ...]:
    placed = {each.value for each in before}
    return tuple(
        Choice(f"{len(before) + 1}. {each.name}", _seat(seating, each), each.number)
        for each in seating.players
        if each.number not in placed
    )


def _games(seating: Seating) -> tuple[Choice, ...]:
    first, second = seating.players
    drawn = seating.drawn or seating.games > 1
    if seating.split:
        shares = (_share(seating, own) for own in range(seating.split, -1, -1))
        return tuple(each for each in shares if drawn or each.value["winner"])
    won = tuple(
        Choice(f"{each.name}: {kind}" if kind else f"{each.name} won", _short(seating, each, kind), value)
        for each in (first, second)
        for kind in seating.wins or ("",)
        for value in ({"winner": each.number, "kind": kind},)
    )
    return (*won, *((Choice("Draw", "Draw", {"winner": 0}),) if drawn else ()))


def _share(seating: Seating, own: int) -> Choice:
    first, second = seating.players
    other = seating.split - own
    winner = 0 if own == other else first.number if own > other else second.number
    return Choice(
        f"{first.name} {own}, {second.name} {other}", f"{own} - {other}", {"winner": winner, "points": [own, other]}
    )


def _short(seating: Seating, player: Player, kind: str) -> str:
    text = f"{_seat(seating, player)}: {kind or 'won'}"
    return text if len(text) <= ROOM else f"{text[: ROOM - 1]}…"


def _seat(seating: Seating, player: Player) -> str:
    return player.side.partition(" ")[0] or f"Seat {seating.players.index(player) + 1}"
