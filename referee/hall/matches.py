"""Which game was played for which match, as its box said when it began (``match``), or both seats on its slip.

A box keeps its table from round to round, and is moved: the latest game of a box need not be that of the players who
sit there now. A match is known by its round and its players. A game that a spare took over is the spare's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from referee.hall.uplink.intake import Arrival, Intake

SAY: Final = ("match", "slip")
"""Members of a note that name the match of its game; what the last slip of a game says counts."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match: the number of its round, and those of its players."""

    round: int
    players: frozenset[int]


@dataclass(frozen=True, slots=True)
class OfMatch:
    """A game of a match. ``box``: its key; ``first``: hash of entry 0; ``head``: of the entry a slip names, or ""."""

    box: str
    first: str
    match: Match
    head: str = ""


class Matches:
    """See the module. It is told every note beside a game, perhaps again."""

    def __init__(self, intake: Intake) -> None:
        self._intake = intake
        self._games: dict[tuple[str, str], OfMatch] = {}
        self._taken_over: set[tuple[str, str]] = set()

    def take(self, arrival: Arrival) -> None:
        """Take up what a note says of its game. Raises JournalError if that cannot be looked up."""
        extra = arrival.record["extra"]
        what = next((each for each in SAY if each in extra), "")
        match, of = _match(extra.get(what)), extra.get("of")
        digest = of.get("hash") if isinstance(of, dict) else None
        node = self._intake.find(arrival.key, digest) if match is not None and isinstance(digest, str) else None
        if match is None or node is None:
            return
        game = (arrival.key, node.first)
        if what == "slip":
            self._games[game] = OfMatch(*game, match, node.hash)
        elif game not in self._games:
            self._games[game] = OfMatch(*game, match)
            self._taken_over |= self._before(arrival.key, node.first)

    def _before(self, box: str, first: str) -> set[tuple[str, str]]:
        """Return the game that a spare's goes on with; none for another."""
        start = self._intake.find(box, first)
        origin = self._intake.records(start)[0].get("extra", {}).get("takeover") if start is not None else None
        key, digest = (str(origin.get(name)) for name in ("key", "hash")) if isinstance(origin, dict) else ("", "")
        last = self._intake.find(key, digest)
        return {(key, last.first)} if last is not None else set()

    def of(self, box: str, first: str) -> Match | None:
        """Return the match of a game, None where nobody has said."""
        game = self._games.get((box, first))
        return game.match if game is not None else None

    def games(self, match: Match) -> Iterator[OfMatch]:
        """Yield the games of a match, in the order in which the hall heard of them.

        One that a spare took over is the spare's, unless its own slip says what it came to.
        """
        for game, each in self._games.items():
            if each.match == match and (each.head or game not in self._taken_over):
                yield each


def _match(said: Any) -> Match | None:
    if not isinstance(said, Mapping):
        return None
    number, players = said.get("round"), said.get("players")
    if type(number) is not int or not isinstance(players, list) or not all(type(each) is int for each in players):
        return None
    return Match(number, frozenset(players))
