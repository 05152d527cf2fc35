"""Whether entries that came from a box are what its journal can hold there, and where they belong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from referee.errors import JournalDamaged, JournalError
from referee.hall.uplink.intake import Intake, Node
from referee.hall.uplink.messages import Entries
from referee.journal.chain import Chained, first_link, walk
from referee.journal.proof import check_seals
from referee.session.entries import FIELDS

MOST_BRANCHES: Final = 64
"""Branches of one box that are kept; what would be one more is refused."""

_MEMBERS = {*FIELDS, "game", "prev", "hash"}
_SOME = {"extra", "link"}


class Gap(JournalError):
    """Entries whose predecessor is not here."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """What became of a batch.

    ``hash``  of its last entry
    ``new``   how many of its entries were not here before
    ``kind``  "fork" where they follow an entry that has another successor, "anew" where they begin another journal
    ``text``  which, in words
    """

    hash: str
    new: int
    kind: str = ""
    text: str = ""


def accept(intake: Intake, key: str, batch: Entries) -> Accepted:
    """Check a batch from the box with this key, and write what is new of it. Nothing is committed yet.

    Raises JournalDamaged naming what does not hold, Gap if the entry before it is not here; then nothing is written.
    """
    walked = _checked(key, batch)
    last = walked[-1].hash
    known = 0
    while known < len(walked) and intake.find(key, walked[known].hash) is not None:
        known += 1
    if known == len(walked):
        return Accepted(last, 0)
    new = walked[known:]
    parent = _parent(intake, key, batch, new[0], walked[known - 1].hash if known else None)
    kind, text = _difference(intake, key, parent, batch.game, new[0])
    # Whole seconds may have come without their fraction, which is hashed with it: kept is what is hashed.
    records = [dict(record) | each.entry.as_json() for each, record in zip(new, batch.entries[known:], strict=True)]
    intake.add(key, parent, list(zip(new, records, strict=True)))
    hashes = {chained.entry.seq: chained.hash for chained in new}
    intake.add_seals(key, hashes, [seal for seal in batch.seals if seal.seq in hashes])
    return Accepted(last, len(new), kind, text)


def _checked(key: str, batch: Entries) -> Sequence[Chained]:
    """Return the entries of a batch, chain and seals checked within it."""
    records, game = batch.entries, batch.game
    seq, prev = records[0].get("seq"), records[0].get("prev")
    if type(seq) is not int or type(prev) is not str or seq < 0 or (seq == 0) != (prev == ""):
        raise JournalDamaged(f"game {game}: expected an entry with its number and the hash before it")
    walked = list(walk(game, records, (seq - 1, prev)))
    for record, chained in zip(records, walked, strict=True):
        if set(record) - _SOME != _MEMBERS:
            raise JournalDamaged(f"game {game}, entry {chained.entry.seq}: has unknown fields")
        if chained.link is not None and chained is not walked[0]:
            raise JournalDamaged(f"game {game}, entry {chained.entry.seq}: expected entries of one run")
    sealed = [seal.seq for seal in batch.seals]
    if len(set(sealed)) != len(sealed):
        raise JournalDamaged(f"game {game}: expected each entry sealed once")
    for seal in batch.seals:
        if seal.key != key:
            raise JournalDamaged(f"game {game}, seal of entry {seal.seq}: was made with another key, {seal.key}")
    check_seals(game, walked, batch.seals, linked=True)
    return walked


def _parent(intake: Intake, key: str, batch: Entries, new: Chained, known: str | None) -> Node | None:
    """Return the entry that was written before the first new one, None where that begins a journal.

    ``known``: hash of the entry before it in the batch, None where the batch begins with it.
    """
    where = f"game {batch.game}, entry {new.entry.seq}"
    prev = batch.entries[0]["prev"] if known is None else known
    if new.link is not None and new.link["link"] == 1:
        _check_root(where, new)
        return None
    parent = intake.find(key, prev if new.link is None else new.link["hash"])
    if parent is None:
        raise Gap(f"{where}: expected the entry that was written before it first")
    if not _follows(parent, batch.game, new):
        raise JournalDamaged(f"{where}: does not follow entry {parent.seq} of game {parent.game}")
    tail = intake.tail(parent, batch.game)
    if (new.entry.seq - 1, prev) != ((-1, "") if tail is None else (tail.seq, tail.hash)):
        raise JournalDamaged(f"{where}: does not follow the last entry of its game")
    return parent


def _check_root(where: str, first: Chained) -> None:
    if first.link != first_link([]):
        raise JournalDamaged(f"{where}: expected a journal that was begun with linked games; begin a new one")
    if first.entry.seq:
        raise JournalDamaged(f"{where}: expected a journal to begin with entry 0 of a game")


def _follows(parent: Node, game: int, first: Chained) -> bool:
    """Whether an entry says of itself that it was written after that one."""
    link = first.link
    if link is None:
        return (parent.game, parent.seq) == (game, first.entry.seq - 1)
    after: Mapping[str, Any] = {"link": parent.link + 1, "game": parent.game, "seq": parent.seq, "hash": parent.hash}
    return parent.game != game and link == after


def _difference(intake: Intake, key: str, parent: Node | None, game: int, first: Chained) -> tuple[str, str]:
    """Return kind and text of what these entries contradict, "" for nothing. Raises JournalDamaged."""
    ways = intake.following(key, parent)
    if not ways:
        return "", ""
    if len(intake.ends(key)) >= MOST_BRANCHES:
        raise JournalDamaged(f"expected a journal that goes on in at most {MOST_BRANCHES} ways")
    if parent is None:
        return "anew", f"the journal was begun anew: game {game} with entry 0 {first.hash[:16]}"
    other = ways[0]
    return "fork", (
        f"after entry {parent.seq} of game {parent.game} came entry {other.seq} of game {other.game}"
        f" ({other.hash[:16]}), and now entry {first.entry.seq} of game {game} ({first.hash[:16]})"
    )
