"""Judge all games of a journal again with the installed rulebooks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.errors import Diverged, JournalDamaged, OtherEdition, UnknownGame
from referee.journal import Journal, Recorded
from referee.session import Load, judged_again, same_edition


@dataclass(frozen=True)
class Verdict:
    """What came of judging one game again.

    ``outcome``  "same", "diverged", "other edition" (the same so far, but it is not over), "damaged", or "unknown"
                 where no book of that name is on the shelf
    ``text``     for all but "same": the entry, what was recorded and what comes out now, in one line
    ``today``    edition of today's rulebook, "" where there is none
    """

    game: Recorded
    outcome: str
    text: str = ""
    today: str = ""


def check(journal: Journal, load: Load) -> Iterator[Verdict]:
    """Judge every game again, oldest first; yield a verdict for each. Raises JournalError if it cannot be read.

    Notes beside a game are no game.
    """
    for game in journal.games():
        if not game.notes:
            yield judge(journal, game, load)


def judge(journal: Journal, game: Recorded, load: Load) -> Verdict:
    """Judge one game again."""
    try:
        book = load(game.book)
    except UnknownGame as fault:
        return Verdict(game, "unknown", str(fault))
    try:
        same_edition(book, judged_again(book, journal.entries(game.game)))
    except OtherEdition as fault:
        return Verdict(game, "other edition", str(fault), book.edition)
    except Diverged as fault:
        return Verdict(game, "diverged", str(fault), book.edition)
    except JournalDamaged as fault:
        return Verdict(game, "damaged", str(fault), book.edition)
    return Verdict(game, "same", today=book.edition)
