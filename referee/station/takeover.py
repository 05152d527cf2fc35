"""A spare box goes on with the game of another box, as a game of its own that names the other one."""

from __future__ import annotations

from dataclasses import replace

from referee.hall.uplink.taking import Taken
from referee.journal import Journal
from referee.journal.notes import Notes


def adopt(journal: Journal, takeover: Taken) -> str | None:
    """Write the game into the journal; return its number as the shelf names it, None if it is there already.

    Its entry 0 names the act, the key of the other box, and game, number and hash of the entry it goes on after.
    Raises JournalError with nothing written.
    """
    game, seq, digest = takeover.last
    origin = {"act": takeover.number, "key": takeover.old, "game": game, "seq": seq, "hash": digest}
    for each in journal.games():
        (first,) = journal.records(each.game, 0, 0)
        there = first.get("extra", {}).get("takeover", {})
        if (there.get("act"), there.get("key")) == (takeover.number, takeover.old):
            return None
    start, *rest = takeover.entries
    adopted = journal.adopt([replace(start, extra={**start.extra, "takeover": origin}), *rest])
    for clock in takeover.clocks:
        Notes(journal, adopted).add({"clock": clock})
    return str(adopted)
