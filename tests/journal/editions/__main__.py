"""Write a game of every book's edition of today: ``python -m tests.journal.editions [BOOK]...``.

Only for a new edition: a rulebook that judges a kept game otherwise needs one.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from referee import games
from referee.journal import Journal
from referee.journal.export import export
from referee.session import Session
from tests.journal.reference import lasting

STROKES = 60


def main() -> None:
    """Write the files."""
    for name in sys.argv[1:] or games.SHELF:
        reference = lasting(games.load(name), STROKES)
        with tempfile.TemporaryDirectory() as folder, Journal(Path(folder) / "journal.db") as journal:
            session = Session(reference.book, journal=journal, source="reference")
            for move in reference.moves:
                move(session)
            text = "".join(f"{line}\n" for line in export(journal, 1))
        path = Path(__file__).with_name(f"{name}-{reference.book.edition}.jsonl")
        path.write_text(text, encoding="ascii")
        print(path, session.n)


if __name__ == "__main__":
    main()
