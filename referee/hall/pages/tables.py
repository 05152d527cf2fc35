"""Tables of pairings, results and standings, as the organiser's pages, the public ones and paper show them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from referee.hall.desk import Desk
from referee.hall.names import Names
from referee.hall.pages import slips
from referee.hall.pages.roster import filed
from referee.hall.wishes import sides_of
from referee.tournament import (
    Event,
    Pairing,
    Round,
    Row,
    Stage,
    apart,
    come_until,
    ends_at,
    final_standings,
    standings,
)
from referee.tournament.acts.matches import BID_FOR
from referee.tournament.settings import GAMES
from referee.tournament.standings.ranking import fates
from referee.tournament.standings.tiebreakers import Value
from referee.tournament.words import in_words, named_tables


def whole(text: str) -> int:
    """Return a number of the query, 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def in_ranges(numbers: Iterable[int]) -> str:
    """Return numbers as people write them.

    >>> in_ranges({1, 2, 3, 4, 7, 9, 10})
    '1 to 4, 7, 9, 10'
    """
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(f"{run[0]} to {run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs)


@dataclass(frozen=True, slots=True)
class Slip:
    """A table of a round, as the scorekeeper sees it.

    ``ends``   when time is called there, ms since 1970 UTC, 0 where no clock runs
    ``come``   until when who is missing there may come, 0 where nobody is waited for
    ``games``  for each game of the match what it can come to; ``other``: how the match can end otherwise
    ``drawn``  whether a game of it may end in a draw
    ``unsold`` games whose sides are still to be bid for
    """

    pairing: Pairing
    words: str
    former: tuple[str, ...]
    sides: tuple[str, ...]
    ends: int
    come: int
    games: tuple[Mapping[str, str], ...] = ()
    other: Mapping[str, str] | None = None
    unsold: tuple[int, ...] = ()
    drawn: bool = False

    @property
    def places(self) -> Mapping[str, str]:
        """What a seat of a pod can come to."""
        return slips.pod_choices(len(self.pairing.players))


def slips_of(event: Event, round_: Round, names: Names) -> tuple[Slip, ...]:
    """Return every table of a round."""
    stage = event.stages[round_.stage - 1]
    sided = stage.sides == "assigned"
    drawn = "elimination" not in stage.format
    result = []
    for pairing in round_.pairings:
        two = len(pairing.players) == 2
        words = in_words(pairing.result, pairing, names.player) if pairing.result else ""
        former = tuple(in_words(each, pairing, names.player) for each in pairing.former)
        choices = (
            slips.game_choices(event.settings, pairing, names.player, drawn=drawn or GAMES[stage.match] > 1)
            if two and pairing.open
            else {}
        )
        result.append(
            Slip(
                pairing,
                "Bye" if pairing.bye else words,
                former,
                _sides(event, pairing, assigned=sided),
                ends_at(event, round_.number, pairing.table) if pairing.table and round_.state == "started" else 0,
                come_until(event, round_.number, pairing.table) if pairing.open else 0,
                (choices,) * GAMES[stage.match] if choices else (),
                slips.other_choices(pairing, names.player, drawn=drawn) if choices else None,
                unsold(stage, pairing, GAMES[stage.match]) if choices else (),
                two and (drawn or GAMES[stage.match] > 1),
            )
        )
    return tuple(result)


def unsold(stage: Stage, pairing: Pairing, games: int) -> tuple[int, ...]:
    """Return for which of so many games of a match the sides are bid for and were not sold."""
    sold = {bid.game for bid in pairing.bids}
    return tuple(game for game in BID_FOR if game <= games and game not in sold) if stage.sides == "bid" else ()


def _sides(event: Event, pairing: Pairing, *, assigned: bool) -> tuple[str, ...]:
    """Return what each seat plays in the first game, where that is known, and the tokens that were bid for it."""
    sides = sides_of(event, pairing, assigned=assigned)
    sold = [bid for bid in pairing.bids if bid.game == 1]
    tokens = {
        player: f", {bid.tokens} {'token' if bid.tokens == 1 else 'tokens'}"
        for bid in sold
        for player in pairing.players
        if player != bid.player
    }
    return tuple(sides[player] + tokens.get(player, "") for player in pairing.players) if sides else ()


def round_ends(event: Event, round_: Round | None) -> int:
    """Return when time is called where a table has no extension of its own, ms since 1970 UTC; 0 without a clock."""
    if round_ is None or round_.state != "started":
        return 0
    tables = [pairing.table for pairing in round_.pairings if pairing.table]
    return min((ends_at(event, round_.number, table) for table in tables), default=0)


def without_result(rounds: Iterable[Round]) -> dict[int, list[int]]:
    """Return the tables of these rounds that have no result, by the number of the round."""
    tables = {each.number: [pairing.table for pairing in each.pairings if pairing.open] for each in rounds}
    return {number: each for number, each in tables.items() if each}


def missing_of(stage: Stage, rounds: Iterable[Round]) -> list[str]:
    """Return what follows from results that these rounds of a stage lack, a sentence a round without its point."""
    sentences = []
    for number, tables in without_result(rounds).items():
        one = len(tables) == 1
        points = f"{'its' if one else 'their'} players count 0 points"
        follows = "nobody goes on from there yet" if "elimination" in stage.format else points
        sentences.append(f"Round {number}, {named_tables(tables)} {'has' if one else 'have'} no result: {follows}")
    return sentences


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody plays. ``where``: the table, or what is said of who has none; ``seat``: from 0 on."""

    player: int
    table: int
    seat: int
    others: tuple[int, ...]
    where: str


def seats_by_name(event: Event, round_: Round, names: Names) -> list[Place]:
    """Return where everybody of a round's stage plays, or why nowhere, by name."""
    places = [
        Place(player, each.table, seat, tuple(other for other in each.players if other != player), where)
        for each in round_.pairings
        for where in [str(each.table or "bye")]
        for seat, player in enumerate(each.players)
    ]
    places += [Place(player, 0, 0, (), words) for player, words in apart(event, round_).items()]
    return sorted(places, key=lambda place: (filed(names.player(place.player)), place.player))


def table_of(desk: Desk, stage: Stage) -> dict[str, Any]:
    """Return the standings of a stage with each value in words."""
    return desk.once(("standings", stage.number), lambda: _table_of(desk.event, stage))


def _table_of(event: Event, stage: Stage) -> dict[str, Any]:
    rows = standings(event, stage)
    criteria = list(rows[0].values) if rows else []
    far = fates(event, stage) if "elimination" in stage.format else {}
    shown = [
        (row, [far[row.player].words if name == "how far" else _value(name, row.values[name]) for name in criteria])
        for row in rows
    ]
    begun = event.rounds_of(stage)
    over = [each for each in begun if each.state == "ended"]
    return {
        "stage": stage,
        "rows": shown,
        "criteria": criteria,
        "played": len(begun),
        "over": len(over) == len(begun),
        "late": missing_of(stage, over),
        "dropped": {number for number, player in event.players.items() if player.state == "dropped"},
    }


def whole_event(desk: Desk, stage: Stage) -> Sequence[Row]:
    """Return the places of everybody, the best first, after more than one stage. ``stage``: the last that counts."""
    if stage.number == 1:
        return ()
    event = replace(desk.event, stages=desk.event.stages[: stage.number])
    return desk.once(("whole event", stage.number), lambda: final_standings(event))


def _value(criterion: str, value: Value) -> str:
    if criterion in ("lot", "seed"):
        return str(-value[0])
    return " · ".join(str(part) if part.denominator == 1 else f"{float(part):.3f}" for part in value)
