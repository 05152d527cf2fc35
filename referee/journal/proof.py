"""Verify a journal: its file is sound, every chain holds, and no game before the last is missing."""

from __future__ import annotations

from dataclasses import dataclass

from referee.errors import JournalDamaged
from referee.journal import Journal, Recorded
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
