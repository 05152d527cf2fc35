"""A spare box goes on with the game of another box, as a game of its own that names the other one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from referee.hall.uplink.taking import Taken
from referee.journal import Journal
from referee.journal.notes import Notes


def adopt(journal: Journal, takeover: Taken) -> str | None:
    """Write the game and its clocks into the journal; return its number as the shelf names it, None if all is there.

    Its entry 0 names the act, the key of the other box, and game, number and hash of the entry it goes on after.
    Raises JournalError; when it is called again it goes on from there.
    """
    game = _adopted(journal, takeover)
    if game is None:
        game, clocks = _adopt(journal, takeover), takeover.clocks
    else:
        clocks = _missing(Notes(journal, game), takeover)
        if not clocks:
            return None
    for clock in clocks:
        Notes(journal, game).add({"clock": clock})
    return str(game)


def _adopted(journal: Journal, takeover: Taken) -> int | None:
    for each in journal.games():
        (first,) = journal.records(each.game, 0, 0)
        origin = first.get("extra", {}).get("takeover", {})
        if (origin.get("act"), origin.get("key")) == (takeover.number, takeover.old):
            return each.game
    return None


def _adopt(journal: Journal, takeover: Taken) -> int:
    game, seq, digest = takeover.last
    origin = {"act": takeover.number, "key": takeover.old, "game": game, "seq": seq, "hash": digest}
    start, *rest = takeover.entries
    return journal.adopt([replace(start, extra={**start.extra, "takeover": origin}), *rest])


def _missing(notes: Notes, takeover: Taken) -> tuple[Mapping[str, Any], ...]:
    """Return the clocks that are not in the notes yet; none once the game has gone on."""
    there = tuple(note.extra.get("clock") for note in notes.read())
    return takeover.clocks[len(there) :] if there == takeover.clocks[: len(there)] else ()
