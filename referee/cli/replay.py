"""Replay one game in a process of its own, because a box may send hostile entries.

``python -m referee.cli.replay`` reads a request as JSON from stdin and writes the reply to stdout.
"""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from referee import games
from referee.errors import RefereeError
from referee.report import page, tell
from referee.rulebook import Book, whole, written
from referee.session import Entry, Session, judged_again, step_by_step
from referee.session.board import MOST_TEXT, sentence, text_of
from referee.station.picture import picture_of

MOST_LINES: Final = 400
"""Lines of a log that are shown."""
MEMORY: Final = 768 * 1024 * 1024
"""Bytes of address space; a game that wants more is not replayed."""


def reply(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the reply to a request: ``log`` or ``page``, or why there is none as ``fault``.

    ``records``  the entries of a game, as a journal has them
    ``report``   what is wanted of it, None: its log, the newest line first. ``match``: what the desk says of its
                 match; ``players``: who plays, by what people call a seat
    """
    try:
        records, wanted = request["records"], request["report"]
        entries = [Entry.from_json(record) for record in records]
        book = _book(entries[0])
        if wanted is None:
            return {"log": _log(judged_again(book, entries))}
        seats = next(step_by_step(book, entries[:1])).seats()
        players = {seat: wanted["players"].get(whole(name), "") for seat, name in seats.items()}
        story = tell(book, entries, records[-1]["hash"], players)
        end = ". ".join(filter(None, (story.end, wanted["match"])))
        return {"page": page(replace(story, end=end), picture_of)}
    # A time of day that is none, for example: what is told here comes from whoever wrote the journal.
    except (RefereeError, ValueError, LookupError, OverflowError, OSError, RecursionError) as fault:
        return {"fault": str(fault)[:MOST_TEXT]}


def _book(start: Entry) -> Book:
    answer = start.answer if isinstance(start.answer, dict) else {}
    book = games.load(str(answer.get("book", ""))[:MOST_TEXT])
    if start.edition != book.edition:
        raise RefereeError(f"edition {start.edition} of {book.title} is not here, but {book.edition}")
    return book


def _log(session: Session) -> list[dict[str, Any]]:
    seats = session.seats()
    return [
        {
            "seq": line.seq,
            "seat": "" if line.kind in ("ruling", "reminder", "over") else text_of(seats.get(line.seat, "")),
            "kind": line.kind,
            "text": sentence(line.after(seats.get(line.seat, ""))),
            "why": [*filter(None, map(text_of, map(written, line.why)))],
            "rules": [text_of(each) for each in line.rules],
            "dice": text_of(line.dice),
            "undone": line.undone,
            "wall": line.wall,
        }
        for line in reversed(session.log(newest=MOST_LINES))
    ]


def main() -> None:
    """Answer one request."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # it writes no files
    sys.stdout.write(json.dumps(reply(json.load(sys.stdin))))


if __name__ == "__main__":
    main()
