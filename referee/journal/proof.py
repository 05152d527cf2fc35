"""What a journal proves: its file is sound, every chain holds, every seal fits, and by whose key.

What chains prove and cannot is said in `referee.journal.chain`, and of seals in `referee.journal.seal`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.errors import JournalDamaged
from referee.journal import Journal, Recorded, seal
from referee.journal.chain import Chained, walk


@dataclass(frozen=True)
class Proof:
    """What is proved of one game.

    ``game``    as the journal lists it
    ``seals``   its seals; empty if it was begun before there was a key, or they were taken away
    ``keys``    the public keys they were made with, in their order
    ``sealed``  the last sealed entry, None without seals
    """

    game: Recorded
    seals: tuple[seal.Seal, ...]

    @property
    def keys(self) -> tuple[str, ...]:
        """The public keys its seals were made with, in their order."""
        return tuple(dict.fromkeys(each.key for each in self.seals))

    @property
    def sealed(self) -> int | None:
        """The last sealed entry, None without seals."""
        return self.seals[-1].seq if self.seals else None


def verify(journal: Journal, key: str | None = None) -> list[Proof]:
    """Check a whole journal. Raises JournalDamaged naming the first game, entry or seal that does not hold.

    ``key``: public key that must have sealed every game, from its start on.
    """
    games = journal.games()
    proofs = [prove(journal, game) for game in games]
    journal.examine()
    for proof in proofs:
        if key is not None:
            _sealed_by(key, proof)
    return proofs


def prove(journal: Journal, game: Recorded) -> Proof:
    """Check one game. Raises JournalDamaged naming what does not hold."""
    walked = list(walk(game.game, journal.records(game.game)))
    start = walked[0][0]
    told = start.answer if isinstance(start.answer, dict) else {}
    listed = (game.book, game.ruling, game.edition, game.began)
    if (told.get("book"), told.get("ruling"), start.edition, start.wall) != listed:
        raise JournalDamaged(f"{journal.path}: game {game.game} is listed with another game than in its entry 0")
    seals = journal.seals(game.game)
    check_seals(game.game, walked, seals)
    return Proof(game, tuple(seals))


def check_seals(game: int, walked: Sequence[Chained], seals: Sequence[seal.Seal]) -> None:
    """Raise JournalDamaged naming the first seal that does not fit its entry, or that is missing."""
    there = set()
    for each in seals:
        where = f"game {game}, seal of entry {each.seq}"
        if type(each.seq) is not int or not 0 <= each.seq < len(walked):
            raise JournalDamaged(f"{where}: there is no such entry")
        if not seal.holds(each, game, walked[each.seq][1]):
            raise JournalDamaged(f"{where}: does not match; it or an entry before it was rewritten")
        there.add(each.seq)
    # What was written before there were links may have been written before there was a key.
    linked = next((chained.entry.seq for chained in walked if chained.link is not None), len(walked))
    since = 0 if any(seq < linked for seq in there) else linked
    for chained in walked[since:]:
        if chained.entry.seq not in there and _needs_seal(chained):
            raise JournalDamaged(f"game {game}, seal of entry {chained.entry.seq}: is missing")


def _needs_seal(chained: Chained) -> bool:
    entry = chained.entry
    ends = isinstance(entry.result, dict) and bool(entry.result.get("over"))
    return ends or entry.kind in ("start", "leave") or chained.link is not None


def _sealed_by(key: str, proof: Proof) -> None:
    game = proof.game.game
    if not proof.seals:
        raise JournalDamaged(f"game {game}: is not sealed")
    for each in proof.seals:
        if each.key != key:
            raise JournalDamaged(f"game {game}, seal of entry {each.seq}: was made with another key, {each.key}")
