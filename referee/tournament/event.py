"""The event: its players, stages and rounds. A value that never changes; an act makes another one.

Players have numbers and nothing else that names them: names stand in a table of the hall's, which is erased at
the event's end, and the record goes on without them. Times are whole milliseconds since 1970 UTC.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Literal, TypeAlias

from referee.errors import NotNow
from referee.tournament.results import Result
from referee.tournament.settings import Format, Match, Settings, Sides

MINUTE = 60_000  # milliseconds

PlayerState: TypeAlias = Literal["expected", "here", "dropped", "disqualified"]
RoundState: TypeAlias = Literal["draft", "published", "started", "ended"]
PenaltyKind: TypeAlias = Literal["warning", "game loss", "match loss", "points", "disqualification"]


def not_now(text: str) -> NotNow:
    """Return the refusal of what could be, and is not open at this moment."""
    return NotNow("not-now", text)


def lot(seed: int, *names: int) -> int:
    """Return the lot of something that these numbers name: the first 32 bits of SHA-256 of "seed:a:b".

    Everything that is drawn is drawn so, from a seed in the record: anybody can draw it again, in any language.
    """
    text = ":".join(map(str, (seed, *names)))
    return int.from_bytes(sha256(text.encode()).digest()[:4], "big")


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who plays. ``rating``: 0 where there is none."""

    number: int
    rating: int = 0
    state: PlayerState = "expected"


@dataclass(frozen=True, slots=True)
class Seats:
    """Who sits at a table, by seat, before a round is drafted. One player alone has a bye, and table 0."""

    table: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bid:
    """How the sides of one game were sold: ``player`` plays the side, the opponent gets ``tokens`` for it."""

    game: int
    player: int
    side: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Pairing:
    """Who plays at a table in a round. One player alone has a bye, and table 0; three and more are a pod.

    ``players``    by seat. Where sides are assigned, the first seat plays the first side (of a match's first game)
    ``former``     results that were taken back, the oldest first
    ``extension``  time added to the round for this table, ms
    ``entered``    when its result was entered, ms; ``challenged``: why it is challenged, "" while it is not
    """

    table: int
    players: tuple[int, ...]
    result: Result | None = None
    former: tuple[Result, ...] = ()
    bids: tuple[Bid, ...] = ()
    extension: int = 0
    entered: int = 0
    challenged: str = ""

    @property
    def bye(self) -> bool:
        """Whether its player has no opponent in this round."""
        return len(self.players) == 1

    @property
    def open(self) -> bool:
        """Whether a result is still to come."""
        return self.result is None and not self.bye


@dataclass(frozen=True, slots=True)
class Round:
    """A round of the event. ``number`` counts through all stages.

    ``started``  when its clock began, 0 before; later by as long as it was paused
    ``paused``   since when its clock stands still, 0: it runs
    ``extension``  time added for all tables, ms; each pairing has it, too
    """

    number: int
    stage: int
    seed: int
    pairings: tuple[Pairing, ...]
    state: RoundState = "draft"
    started: int = 0
    paused: int = 0
    extension: int = 0

    def at(self, table: int) -> Pairing:
        """Return the pairing at a table. Raises NotNow if nobody plays there."""
        for pairing in self.pairings:
            if pairing.table == table != 0:
                return pairing
        raise not_now(f"expected a table of round {self.number}, got {table}")

    def of(self, player: int) -> Pairing | None:
        """Return the pairing of a player, None for one who does not play in this round."""
        return next((pairing for pairing in self.pairings if player in pairing.players), None)


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the event with one format.

    ``players``   in the order of their seeds; who came later stands at the end
    ``rounds``    at most; 0 in an elimination, which has as many as it takes
    ``byes``      whether somebody has a bye where players do not come out in such pods; else pods are larger
    ``third``     whether the losers of the semifinals of a single elimination play for the third place
    ``cut``       whether its players were picked by a cut, so that nobody can enter late; ``seed``: of its lots
    """

    number: int
    format: Format
    match: Match
    sides: Sides
    players: tuple[int, ...]
    rounds: int
    pod: int
    byes: bool
    third: bool
    cut: bool
    seed: int


@dataclass(frozen=True, slots=True)
class Call:
    """A call for a judge. ``opened``: when; ``judge``: who claimed it, "" before; ``resolved``: when, 0 before."""

    number: int
    table: int
    opened: int
    judge: str = ""
    resolved: int = 0


@dataclass(frozen=True, slots=True)
class Penalty:
    """A penalty of a player. ``points``: match points taken from him in a stage."""

    player: int
    stage: int
    kind: PenaltyKind
    points: int = 0


@dataclass(frozen=True, slots=True)
class Event:
    """Everything that is known of an event after its acts.

    ``cut``    who goes on to the next stage, in the order of their seeds; none: everybody
    ``boxes``  by table; one without plays on paper. ``spent``: boxes that a spare has replaced, refused until placed
    ``ended``  when it ended, 0 before
    """

    settings: Settings = field(default_factory=Settings)
    players: Mapping[int, Player] = field(default_factory=dict)
    stages: tuple[Stage, ...] = ()
    rounds: tuple[Round, ...] = ()
    cut: tuple[int, ...] = ()
    calls: tuple[Call, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    boxes: Mapping[int, str] = field(default_factory=dict)
    spent: frozenset[str] = frozenset()
    ended: int = 0

    @property
    def stage(self) -> Stage:
        """The stage that is being played. Raises NotNow before the first."""
        if not self.stages:
            raise not_now("choose the format first")
        return self.stages[-1]

    def player(self, number: int) -> Player:
        """Return a player. Raises NotNow for a number that nobody has."""
        if number not in self.players:
            raise not_now(f"no player has the number {number}")
        return self.players[number]

    def round(self, number: int) -> Round:
        """Return a round. Raises NotNow for one that there is not."""
        if not 1 <= number <= len(self.rounds):
            raise not_now(f"expected a round from 1 to {len(self.rounds)}, got {number}")
        return self.rounds[number - 1]

    def rounds_of(self, stage: Stage, *, begun: bool = True) -> tuple[Round, ...]:
        """Return the rounds of a stage that have begun; or all, with what is only a draft or published."""
        states = ("started", "ended") if begun else ("draft", "published", "started", "ended")
        return tuple(each for each in self.rounds if each.stage == stage.number and each.state in states)

    def here(self) -> tuple[int, ...]:
        """Return the numbers of the players who are checked in and have not dropped, in their order."""
        return tuple(number for number in sorted(self.players) if self.players[number].state == "here")

    def playing(self, stage: Stage) -> tuple[int, ...]:
        """Return who of a stage is still in the event, in the order of their seeds."""
        return tuple(number for number in stage.players if self.players[number].state == "here")


def ends_at(event: Event, number: int, table: int) -> int:
    """Return when time is called at a table, ms since 1970 UTC; 0 where no clock runs. Raises NotNow for no table.

    While the round is paused it is when it would be if the clock had gone on at `Round.paused`.
    """
    round_, minutes = event.round(number), event.settings.minutes
    ends = round_.started + minutes * MINUTE + round_.at(table).extension
    return ends if round_.started and minutes else 0
