"""Rounds, slips and standings as pages and paper show them; what is keyed of a slip."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, get_args

from referee.errors import Malformed
from referee.hall.desk import Desk, Names
from referee.hall.pages.forms import Form
from referee.hall.pages.players import filed
from referee.hall.wishes import sides_of
from referee.tournament import (
    Event,
    Game,
    Pairing,
    Result,
    Round,
    Row,
    Settings,
    Stage,
    apart,
    bracket,
    ends_at,
    final_standings,
    standings,
)
from referee.tournament.acts.matches import BID_FOR
from referee.tournament.settings import GAMES, Format
from referee.tournament.standings import Value, fates
from referee.tournament.words import FAULTS, in_words, named_tables

FORMATS = {each: each for each in get_args(Format)} | {"swiss": "Swiss", "pods": "tables of three and more"}
"""What people call a format."""


@dataclass(frozen=True, slots=True)
class Slip:
    """A table of a round, as the scorekeeper sees it.

    ``match``: of an elimination, "" for none; ``ends``: when time is called there, ms since 1970 UTC, or 0
    ``games``, ``other``, ``places``: what each game, the match and each seat of a pod can come to, as forms have it
    ``drawn``: whether a game may be; ``unsold``: games whose sides are still to be bid for
    """

    pairing: Pairing
    match: str
    words: str
    former: tuple[str, ...]
    sides: tuple[str, ...]
    ends: int
    games: tuple[Mapping[str, str], ...]
    other: Mapping[str, str]
    places: Mapping[str, str]
    drawn: bool
    unsold: tuple[int, ...]


def slips_of(event: Event, round_: Round, names: Names) -> tuple[Slip, ...]:
    """Return every table of a round."""
    stage, matches, name = event.stages[round_.stage - 1], matches_of(event, round_), names.player
    count = GAMES[stage.match]

    def slip(pairing: Pairing) -> Slip:
        players = pairing.players
        two = len(players) == 2
        drawn = two and ("elimination" not in stage.format or count > 1)
        games = game_choices(event.settings, players, drawn=drawn) if two and pairing.open else {}
        other = other_choices(players) if games else {}

        def words(result: Result) -> str:
            return in_words(result, pairing, name)

        return Slip(
            pairing,
            matches.get(frozenset(players), ""),
            "Bye" if pairing.bye else words(pairing.result) if pairing.result else "",
            tuple(map(words, pairing.former)),
            _sides(event, pairing, assigned=stage.sides == "assigned"),
            ends_at(event, round_.number, pairing.table) if pairing.table and round_.state == "started" else 0,
            ({key: words(Result(games=(each,))) for key, each in games.items()},) * (count if games else 0),
            {key: words(each) for key, each in other.items()},
            {} if two else pod_choices(len(players)),
            drawn,
            unsold_games(stage, pairing, count) if games else (),
        )

    return tuple(map(slip, round_.pairings))


def unsold_games(stage: Stage, pairing: Pairing, games: int) -> tuple[int, ...]:
    """Return for which of so many games of a match the sides are bid for and were not sold."""
    sold = {bid.game for bid in pairing.bids}
    return tuple(game for game in BID_FOR if game <= games and game not in sold) if stage.sides == "bid" else ()


def _sides(event: Event, pairing: Pairing, *, assigned: bool) -> tuple[str, ...]:
    """Return what each seat plays in the first game, where that is known, and the tokens that were bid for it."""
    sides = sides_of(event, pairing, assigned=assigned)
    sold = next((bid for bid in pairing.bids if bid.game == 1), None)

    def said(player: int) -> str:
        if sold is None or player == sold.player:
            return sides[player]
        return f"{sides[player]}, gets {sold.tokens} token{'' if sold.tokens == 1 else 's'}"

    return tuple(map(said, pairing.players)) if sides else ()


def matches_of(event: Event, round_: Round) -> dict[frozenset[int], str]:
    """Return which match of its bracket each pairing of a round of an elimination is, by its players."""
    stage = event.stages[round_.stage - 1]
    if "elimination" not in stage.format:
        return {}
    earlier = replace(event, rounds=tuple(each for each in event.rounds if each.number < round_.number))
    return {
        frozenset(player for player in match.players if player): match.name
        for match in bracket(earlier, stage)
        if match.ready
    }


def round_title(event: Event, round_: Round) -> str:
    """Return what a round is called: "Round 2 of 4", "Round 5: final, match for third place"."""
    stage = event.stages[round_.stage - 1]
    names = dict.fromkeys(matches_of(event, round_).values())
    if names:
        return f"Round {round_.number}: {', '.join(names)}"
    before = event.rounds_of(stage, begun=False)[0].number - 1
    if stage.rounds and not before:
        return f"Round {round_.number} of {stage.rounds}"
    return f"Round {round_.number}"


def round_ends(event: Event, round_: Round | None) -> int:
    """Return when time is called where a table has no extension of its own, ms since 1970 UTC; 0 without a clock."""
    if round_ is None or round_.state != "started":
        return 0
    tables = [pairing.table for pairing in round_.pairings if pairing.table]
    return min((ends_at(event, round_.number, table) for table in tables), default=0)


def missing(round_: Round) -> str:
    """Return the tables of a round that have no result, in words; "" where all have one."""
    tables = [each.table for each in round_.pairings if each.open]
    return named_tables(tables) if tables else ""


def missing_of(stage: Stage, rounds: Iterable[Round]) -> list[str]:
    """Return what follows from results that these rounds of a stage lack, a sentence a round without its point."""
    counts = "nobody goes on from there yet" if "elimination" in stage.format else "that counts 0 points"
    lacking = ((each.number, missing(each)) for each in rounds)
    return [f"No result of round {number}, {tables}: {counts}" for number, tables in lacking if tables]


class Place(NamedTuple):
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
    of = f" of {stage.rounds}" if stage.rounds else ""
    told = f"after round {len(over)}{of}" if len(over) == len(begun) else f"round {len(begun)}{of} is played"
    return {
        "stage": stage,
        "format": FORMATS[stage.format],
        "rows": shown,
        "criteria": criteria,
        "heads": [
            " · ".join(event.settings.wins) if each == "kind of win" else each.capitalize() for each in criteria
        ],
        "placed": any(row.place for row in rows),
        "moment": told if begun else "no round was played yet",
        "late": missing_of(stage, over),
        "dropped": {number for number, player in event.players.items() if player.state == "dropped"},
    }


def whole_event(desk: Desk, stage: Stage) -> tuple[Row, ...]:
    """Return the places of everybody, the best first, after more than one stage. ``stage``: the last that counts."""
    if stage.number == 1:
        return ()
    event = replace(desk.event, stages=desk.event.stages[: stage.number])
    return desk.once(("whole event", stage.number), lambda: final_standings(event))


def _value(criterion: str, value: Value) -> str:
    if criterion in ("lot", "seed"):
        return str(-value[0])
    return " · ".join(str(part) if part.denominator == 1 else f"{float(part):.3f}" for part in value)


def game_choices(settings: Settings, players: tuple[int, ...], *, drawn: bool = True) -> dict[str, Game]:
    """Return what a game of two can come to, by its value in the form. ``drawn``: whether it may be a draw."""
    split, choices = settings.points.split, dict[str, Game]()
    if split:
        for own in range(split, -1, -1):
            winner = 0 if 2 * own == split else players[2 * own < split]
            choices[f"{own}-{split - own}"] = Game(winner, points=(own, split - own))
    else:
        for seat, player in enumerate(players, 1):
            for at, kind in list(enumerate(settings.wins, 1)) or [(0, "")]:
                choices[f"{seat}:{at}"] = Game(player, kind)
        choices["draw"] = Game()
    return {value: game for value, game in choices.items() if drawn or game.winner}


def other_choices(players: tuple[int, ...]) -> dict[str, Result]:
    """Return how a match of two can end without having been played out, by its value in the form."""
    choices = {"double loss": Result("double loss")}
    for outcome, _ in FAULTS:
        for seat, player in enumerate(players, 1):
            choices[f"{outcome}:{seat}"] = Result(outcome, fault=(player,))
    return choices | {"no-show:12": Result("no-show", fault=players)}


def pod_choices(players: int) -> dict[str, str]:
    """Return what a seat at a table of three and more can come to: its place, or why it has none."""
    return {str(place): str(place) for place in range(1, players + 1)} | dict(FAULTS)


def read_slip(form: Form, event: Event, stage: Stage, pairing: Pairing) -> Result:
    """Return the result that was keyed. Raises Malformed naming the field."""
    players = pairing.players
    if len(players) > 2:
        return _pod(form, players)
    games, others = game_choices(event.settings, players), other_choices(players)
    played = [form.choice(f"game{number}", ("", *games)) for number in range(1, GAMES[stage.match] + 1)]
    other = form.choice("otherwise", ("", *others))
    if any(played) and other:
        raise Malformed("otherwise: choose only one of them: what the game came to, or how the match ended otherwise")
    return others[other] if other else Result(games=tuple(games[value] for value in played if value))


def _pod(form: Form, players: tuple[int, ...]) -> Result:
    choices, seats = pod_choices(len(players)), []
    for seat in range(1, len(players) + 1):
        if form.text(f"place{seat}") not in choices:
            raise Malformed(f"place{seat}: choose a place, or why there is none")
        seats.append(form.text(f"place{seat}"))
    outcomes = {value for value in seats if not value.isdigit()}
    if len(outcomes) > 1:
        raise Malformed("place1: choose the same reason for all who have no place; a penalty says what each did")
    fault = tuple(player for player, value in zip(players, seats, strict=True) if value in outcomes)
    places = tuple(int(value) if value.isdigit() else 0 for value in seats)
    return Result(outcomes.pop() if outcomes else "played", fault=fault, places=places)  # type: ignore[arg-type]
