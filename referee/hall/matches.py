"""Which game was played for which match, as its box said when it began (``match``), or both seats on its slip.

A box keeps its table from round to round, and is moved: the latest game of a box need not be that of the players who
sit there now. A match is known by its round and its players. A game that a spare took over is the spare's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from referee.hall.branches import Branches
from referee.hall.uplink.intake import Arrival

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
    """See the module. It is told every note beside a game, perhaps again; those of branches that count are heard."""

    def __init__(self, branches: Branches) -> None:
        self._intake = branches.intake
        self._branches = branches
        self._said: dict[tuple[str, str], dict[str, OfMatch]] = {}
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
        if game not in self._said:
            self._taken_over |= self._before(*game)
        head = node.hash if what == "slip" else ""
        self._said.setdefault(game, {})[arrival.hash] = OfMatch(*game, match, head)

    def _before(self, box: str, first: str) -> set[tuple[str, str]]:
        """Return the game that a spare's goes on with; none for another."""
        start = self._intake.find(box, first)
        origin = self._intake.records(start)[0].get("extra", {}).get("takeover") if start is not None else None
        key, digest = (str(origin.get(name)) for name in ("key", "hash")) if isinstance(origin, dict) else ("", "")
        last = self._intake.find(key, digest)
        return {(key, last.first)} if last is not None else set()

    def of(self, box: str, first: str) -> Match | None:
        """Return the match of a game, None where nobody has said."""
        game = self._counts(box, first)
        return game.match if game is not None else None

    def games(self, match: Match) -> Iterator[OfMatch]:
        """Yield the games of a match, in the order in which the hall heard of them.

        One that a spare took over is the spare's, unless its own slip says what it came to.
        """
        for game in self._said:
            each = self._counts(*game)
            if each is not None and each.match == match and (each.head or game not in self._taken_over):
                yield each

    def _counts(self, box: str, first: str) -> OfMatch | None:
        """Return what the last slip of a game says; before it, what was said first."""
        said = self._said.get((box, first), {})
        counted = [each for note, each in said.items() if self._branches.counts(box, note)]
        slips = [each for each in counted if each.head]
        return slips[-1] if slips else next(iter(counted), None)


def _match(said: Any) -> Match | None:
    if not isinstance(said, Mapping):
        return None
    number, players = said.get("round"), said.get("players")
    if type(number) is not int or not isinstance(players, list) or not all(type(each) is int for each in players):
        return None
    return Match(number, frozenset(players))
