"""Verify a journal (its file is sound, every chain holds, no game before the last is missing), and judge it again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.errors import Diverged, JournalDamaged, OtherEdition, UnknownGame
from referee.journal import Journal, Recorded
from referee.session import Load, judged_again, same_edition
from referee.session.chain import walk


@dataclass(frozen=True)
class Proof:
    """What is proved of one game. ``game``: as the journal lists it; ``hashes``: of all its entries, in order."""

    game: Recorded
    hashes: tuple[str, ...]


def verify(journal: Journal) -> list[Proof]:
    """Check a whole journal. Raises JournalDamaged naming the first game or entry that does not hold."""
    proofs = [prove(journal, game) for game in journal.games()]
    journal.examine()
    for number, proof in enumerate(proofs, 1):
        if proof.game.game != number:
            raise JournalDamaged(f"game {number}: is missing; there is a game {proof.game.game}")
    return proofs


def prove(journal: Journal, game: Recorded) -> Proof:
    """Check one game. Raises JournalDamaged naming what does not hold."""
    walked = list(walk(game.game, journal.records(game.game)))
    if not walked:
        raise JournalDamaged(f"game {game.game}, entry 0: is missing")
    start = walked[0].entry
    began = start.answer if isinstance(start.answer, dict) else {}
    listed = (game.book, game.ruling, game.edition, game.began)
    if (began.get("book"), began.get("ruling"), start.edition, start.wall) != listed:
        raise JournalDamaged(f"{journal.path}: game {game.game} is listed with another game than in its entry 0")
    return Proof(game, tuple(chained.hash for chained in walked))


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
