"""Bits of a small journal turned over in turn.

First each bit of its rows, as an export holds them, then each bit of the database file. Each time either the damage
is found and named (the game, the line or the entry of an export; the file of a journal), or what the journal says is
exactly what it said before.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

from referee.errors import RefereeError
from referee.journal import Journal
from referee.journal.export import export, read
from referee.journal.proof import verify
from referee.session import Session
from tests.components import MEMORY
from tests.journal.cuts import NAME
from tests.journal.reference import BOOKS, lasting


def small(folder: Path, strokes: int = 8) -> None:
    """Write a journal of one small game, all of it in the database file."""
    reference = lasting(BOOKS["skirmish"](), strokes)
    with Journal(folder / NAME) as journal:
        session = Session(reference.book, journal=journal, source="reference", wall=lambda: 1.7e9 + 0.25)
        for move in reference.moves:
            move(session)
        session.leave()


def exported(folder: Path) -> bytes:
    """Return the export of that game."""
    with Journal(folder / NAME, write=False) as journal:
        return "\n".join(export(journal, 1)).encode("ascii")


def content(folder: Path) -> Any:
    """Return all that a journal says, checked. Raises RefereeError."""
    with Journal(folder / NAME, write=False) as journal:
        proofs = verify(journal)
        return [(proof, list(journal.records(proof.game.game))) for proof in proofs]


def flipped(data: bytes, every: int) -> Iterator[tuple[str, bytes]]:
    """Yield the data with one bit turned over, for each bit (``every`` 1) or every so manieth; and which it is."""
    for bit in range(0, len(data) * 8, every):
        at, mask = bit // 8, 1 << bit % 8
        yield f"byte {at}, bit {bit % 8}", data[:at] + bytes((data[at] ^ mask,)) + data[at + 1 :]


PLACE = r"\b(game|line|entry) (\d|None)|there are no entries|a name is given twice"
"""How a reader of exports names what it found."""


def tried(
    read_it: Callable[[bytes], Any], data: bytes, every: int, errors: tuple[type[Exception], ...], named: str = PLACE
) -> Counter[str]:
    """Read every flipped variant; count what was detected and named, what says the same, and what was missed."""
    whole, counts = read_it(data), Counter[str]()
    for where, changed in flipped(data, every):
        try:
            same = read_it(changed) == whole
        except errors as fault:
            counts["detected" if re.search(named, str(fault)) else f"not named: {fault}"] += 1
            continue
        counts["says the same" if same else "missed"] += 1
        if not same:
            counts[f"missed at {where}"] += 1
    return counts


def run(every: int = 1, every_of_file: int = 1) -> dict[str, Counter[str]]:
    """Turn over each bit, or every so manieth."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        folder = Path(name)
        small(folder)
        lines, file = exported(folder), (folder / NAME).read_bytes()

        def opened(data: bytes) -> Any:
            (folder / NAME).write_bytes(data)
            return content(folder)

        return {
            "export": tried(lambda data: read(BytesIO(data)), lines, every, (RefereeError,)),
            "file": tried(
                opened, file, every_of_file, (RefereeError,), rf"^{re.escape(str(folder / NAME))}|\bgame \d"
            ),
        }
