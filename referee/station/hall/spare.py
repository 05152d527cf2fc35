"""A spare box goes on with the game of another box, as a game of its own that names the other one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from referee.errors import JournalDamaged, Malformed
from referee.journal import Journal
from referee.journal.notes import Notes
from referee.session import Entry
from referee.session.chain import Chained, walk
from referee.session.wish import Continues, Have

MOST: Final = 20_000  # entries of a game that is taken over: many times the longest game


@dataclass(frozen=True, slots=True)
class Taken:
    """A game that is whole. ``clocks``: records of its seat clocks: how they were set, then the newest."""

    number: int
    game: Have
    entries: tuple[Entry, ...]
    clocks: tuple[Mapping[str, Any], ...]


@dataclass(slots=True)
class Taking:
    """What there is so far of the game that the hall wants to be continued."""

    wanted: Continues
    _walked: dict[str, list[Chained]] = field(default_factory=dict)

    def next(self) -> tuple[str, int] | None:
        """Return of which game entries are missing, and after which one; None where all is there."""
        for want in self._chains:
            last = len(self._walked.get(want.game, ())) - 1
            if last < want.last:
                return want.game, last
        return None

    @property
    def _chains(self) -> Sequence[Have]:
        return [self.wanted.game, *([self.wanted.notes] if self.wanted.notes is not None else [])]

    def take(self, game: str, records: Any) -> None:
        """Take entries that follow. Raises Malformed for what does not hold."""
        have = self._walked.setdefault(game, [])
        before = (have[-1].entry.seq, have[-1].hash) if have else (-1, "")
        try:
            if not isinstance(records, list) or not records or len(have) + len(records) > MOST:
                raise Malformed(f"entries: expected 1 to {MOST}")
            have += walk(records[0].get("game"), records, before)
            (want,) = (each for each in self._chains if each.game == game)
            if have[0].hash != game or (len(have) > want.last and have[want.last].hash != want.hash):
                raise Malformed("entries: expected those of the game")
        except (JournalDamaged, AttributeError, Malformed) as fault:
            have.clear()
            raise Malformed(f"entries: {fault}") from fault

    def taken(self) -> Taken:
        """Return the game."""
        want, notes = self.wanted.game, self.wanted.notes
        entries = tuple(each.entry for each in self._walked[want.game][: want.last + 1])
        beside = [each.entry for each in self._walked[notes.game]] if notes is not None else []
        clocks = [each.extra["clock"] for each in beside if "clock" in each.extra]
        put = [each for each in clocks if each.get("what") in ("set", "off")][-1:]
        return Taken(self.wanted.number, want, entries, (*put, *(each for each in clocks[-1:] if each not in put)))


def adopt(journal: Journal, taken: Taken) -> str | None:
    """Write the game and its clocks into the journal; return its number as the shelf names it, None if all is there.

    Its entry 0 names the act, and hash of entry 0, number and hash of the entry that it goes on after. Raises
    JournalError; when it is called again it goes on from there.
    """
    game = adopted(journal, taken.number, taken.game.game)
    if game is None:
        origin = {"act": taken.number, "game": taken.game.game, "seq": taken.game.last, "hash": taken.game.hash}
        start, *rest = taken.entries
        game = journal.adopt([start._replace(extra={**start.extra, "takeover": origin}), *rest])
        clocks = taken.clocks
    else:
        there = tuple(note.extra.get("clock") for note in Notes(journal, game).read())
        clocks = taken.clocks[len(there) :] if there == taken.clocks[: len(there)] else ()
        if not clocks:
            return None
    for clock in clocks:
        Notes(journal, game).add({"clock": clock})
    return str(game)


def adopted(journal: Journal, act: int, game: str) -> int | None:
    """Return the game by which this box has done an act of taking over, None if it has not."""
    for each in journal.games():
        (first,) = journal.records(each.game, 0, 0)
        origin = first.get("extra", {}).get("takeover", {})
        if (origin.get("act"), origin.get("game")) == (act, game):
            return each.game
    return None
