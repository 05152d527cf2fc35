"""Why am I third? Where two players stand, in plain sentences, with the sums."""

from __future__ import annotations

from collections.abc import Iterator

from referee.errors import NotNow
from referee.tournament.event import Event, Stage
from referee.tournament.standings.ranking import Order, order_of, standings
from referee.tournament.standings.tiebreakers import all_met
from referee.tournament.standings.words import Name, Words


def numbered(player: int) -> str:
    """Return what a player is called where no names are known, or they are erased."""
    return f"Player {player}"


def why(event: Event, stage: Stage, one: int, other: int, name: Name = numbered) -> tuple[str, ...]:
    """Return sentences that say why one of two players stands before the other in a stage.

    First where they stand, then each criterion in order up to the one that decides, then its sums. Raises NotNow for
    a player who is not listed there.
    """
    rows = {row.player: row.place for row in standings(event, stage)}
    for player in (one, other):
        if player not in rows:
            raise NotNow("not-listed", f"expected a player in the standings of the stage; player {player} is not")
    if rows[other] < rows[one]:
        one, other = other, one
    order = order_of(event, stage)
    words = Words(event, stage, order.scores, name)
    return (_places(name, one, other, rows[one], rows[other]), *_criteria(order, words, one, other))


def _places(name: Name, one: int, other: int, first: int, second: int) -> str:
    if first == second:
        return f"{name(one)} and {name(other)} share the {ordinal(first)} place: nothing tells them apart."
    return f"{name(one)} is {ordinal(first)}, {name(other)} is {ordinal(second)}."


def ordinal(place: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, 11th ..."""
    last = 0 if place % 100 in (11, 12, 13) else place % 10
    return f"{place}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


def _criteria(order: Order, words: Words, one: int, other: int) -> Iterator[str]:
    """Yield what each criterion says of two, up to the one that tells them apart, and its sums."""
    tied = list(order.players)
    for criterion, compute in order.criteria:
        values = {player: compute(order.scores, player, tied) for player in tied}
        both = words.value(criterion, one, values[one])
        if values[one] != values[other]:
            yield (
                f"Decided by {criterion}: {words.name(one)} {both}, "
                f"{words.name(other)} {words.value(criterion, other, values[other])}."
            )
            sums = [words.sums(criterion, player, tied) for player in (one, other)]
            yield from filter(None, dict.fromkeys(sums))
            return
        if criterion == "head to head" and not all_met(order.scores, tied):
            yield "Head to head does not count: not all who are tied have met."
        else:
            yield f"{criterion.capitalize()}: both {both}."
        tied = [player for player in tied if values[player] == values[one]]
