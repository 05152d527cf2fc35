"""What a journal proves: its file is sound, every chain holds, every seal fits, and all games are one sequence.

The links give the order in which everything was written. Every run of a game ends where another goes on, or at
the end of the journal; so a game that was taken out or cut short leaves a link that names what is not there, or an
end that no link names. What chains prove and cannot is said in `referee.journal.chain`, of seals in
`referee.journal.seal`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from referee.errors import JournalDamaged
from referee.files.plain import counted
from referee.journal import Journal, Recorded, seal
from referee.journal.chain import Chained, ends, first_link, walk


@dataclass(frozen=True)
class Proof:
    """What is proved of one game.

    ``game``    as the journal lists it
    ``seals``   its seals; empty if it was begun before there was a key, or they were taken away
    ``links``   the links that entries carry, by the entry's number
    ``hashes``  of all its entries, in order
    """

    game: Recorded
    seals: tuple[seal.Seal, ...]
    links: Mapping[int, Mapping[str, Any]]
    hashes: tuple[str, ...]

    @property
    def before_links(self) -> bool:
        """Whether the game was begun before games were linked."""
        return 0 not in self.links

    @property
    def keys(self) -> tuple[str, ...]:
        """The public keys its seals were made with, in their order."""
        return tuple(dict.fromkeys(each.key for each in self.seals))

    @property
    def sealed(self) -> int | None:
        """The last sealed entry, None without seals."""
        return self.seals[-1].seq if self.seals else None


Watch: TypeAlias = Callable[[Sequence[Recorded]], Iterable[Recorded]]
"""Yields the games of a long work one by one, and may tell how far it has come."""


def verify(journal: Journal, keys: Collection[str] | None = None, watch: Watch = iter) -> list[Proof]:
    """Check a whole journal. Raises JournalDamaged naming the first game, entry, seal or link that does not hold.

    ``keys``: the public keys that may have sealed it; None: any. ``watch`` is given the games.
    """
    proofs = [prove(journal, game) for game in watch(journal.games())]
    journal.examine()
    check_links(proofs)
    for proof in proofs:
        if keys is not None:
            _sealed_by(keys, proof)
    return proofs


def check_links(proofs: Sequence[Proof]) -> None:
    """Raise JournalDamaged unless all games are one sequence, none missing and nothing twice."""
    games = {proof.game.game: proof for proof in proofs}
    for number in range(1, max(games, default=0) + 1):
        if number not in games:
            raise JournalDamaged(f"game {number}: is missing; there is a game {max(games)}")
    links = sorted(
        ((link["link"], proof, seq, link) for proof in proofs for seq, link in proof.links.items()),
        key=lambda each: each[:1],
    )
    for number, (there, proof, seq, _) in enumerate(links, 1):
        if there != number:
            what = "is there twice" if there < number else f"is missing; link {there} is in its place"
            raise JournalDamaged(f"link {min(number, there)}, game {proof.game.game}, entry {seq}: {what}")
    first = links[0][3] if links else {"games": len(games)}
    for proof in proofs[first["games"] :]:
        if proof.before_links:
            raise JournalDamaged(f"game {proof.game.game}: has no link, though games are linked since before it")
    if links:
        _check_first(proofs, first)
    end: tuple[int, int] | None = None
    for _, proof, seq, link in links:
        _check_link(games, f"game {proof.game.game}, entry {seq}", link, end)
        end = proof.game.game, _end(proof, seq)


def _end(proof: Proof, seq: int) -> int:
    """Return the last entry of the run that begins at this one."""
    return min((other for other in proof.links if other > seq), default=len(proof.hashes)) - 1


def _check_link(games: Mapping[int, Proof], where: str, link: Mapping[str, Any], end: tuple[int, int] | None) -> None:
    """Check that a link names the end of the run before it."""
    if end is None:
        return
    after, seq = link["game"], link["seq"]
    proof = games.get(after)
    if proof is None or not 0 <= seq < len(proof.hashes):
        raise JournalDamaged(f"{where}: follows entry {seq} of game {after}, which was taken out")
    if proof.hashes[seq] != link["hash"]:
        raise JournalDamaged(f"{where}: follows another entry {seq} of game {after} than the one here")
    if (after, seq) != end:
        raise JournalDamaged(f"{where}: follows entry {seq} of game {after}, not entry {end[1]} of game {end[0]}")


def _check_first(proofs: Sequence[Proof], first: Mapping[str, Any]) -> None:
    """Check that the games begun before there were links are as they were when the first was written."""
    rows = []
    for proof in proofs[: first["games"]]:
        entries = min(proof.links, default=len(proof.hashes))
        seals = sum(each.seq < entries for each in proof.seals)
        rows.append((proof.game.game, entries, proof.hashes[entries - 1], seals))
    if first_link(rows) != first:
        raise JournalDamaged(
            f"link 1: not all is as it was then of {counted(first['games'], 'game')} begun before games were linked"
        )


def prove(journal: Journal, game: Recorded) -> Proof:
    """Check one game. Raises JournalDamaged naming what does not hold."""
    walked = list(walk(game.game, journal.records(game.game)))
    start = walked[0][0]
    began = start.answer if isinstance(start.answer, dict) else {}
    listed = (game.book, game.ruling, game.edition, game.began)
    if (began.get("book"), began.get("ruling"), start.edition, start.wall) != listed:
        raise JournalDamaged(f"{journal.path}: game {game.game} is listed with another game than in its entry 0")
    seals = journal.seals(game.game)
    check_seals(game.game, walked, seals)
    links = {chained.entry.seq: chained.link for chained in walked if chained.link is not None}
    return Proof(game, tuple(seals), links, tuple(chained.hash for chained in walked))


def check_seals(game: int, walked: Sequence[Chained], seals: Sequence[seal.Seal], *, linked: bool = False) -> None:
    """Raise JournalDamaged naming the first seal that does not fit its entry, or that is missing.

    ``linked``: the game is known to be linked from its start, so ``walked`` may be any part of it.
    """
    hashes = {chained.entry.seq: chained.hash for chained in walked}
    there = set()
    for each in seals:
        where = f"game {game}, seal of entry {each.seq}"
        if type(each.seq) is not int or each.seq not in hashes:
            raise JournalDamaged(f"{where}: there is no such entry")
        if not seal.holds(each, game, hashes[each.seq]):
            raise JournalDamaged(f"{where}: does not match; it or an entry before it was rewritten")
        there.add(each.seq)
    # What was written before there were links may have been written before there was a key.
    first = next((place for place, chained in enumerate(walked) if chained.link is not None), len(walked))
    sealed = linked or any(chained.entry.seq in there for chained in walked[:first])
    for chained in walked[0 if sealed else first :]:
        if chained.entry.seq not in there and _needs_seal(chained):
            raise JournalDamaged(f"game {game}, seal of entry {chained.entry.seq}: is missing")


def _needs_seal(chained: Chained) -> bool:
    entry = chained.entry
    return entry.kind == "start" or chained.link is not None or ends(entry.as_json())


def _sealed_by(keys: Collection[str], proof: Proof) -> None:
    game = proof.game.game
    for each in proof.seals:
        if each.key not in keys:
            raise JournalDamaged(
                f"game {game}, seal of entry {each.seq}: was made with another key, {each.key};"
                " if the journal comes from another box, name that box's key with --key"
            )
