"""Games judged again as their entries arrive, without processes: a request in, a reply out, both plain JSON."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from referee import games
from referee.errors import RefereeError
from referee.report import Sealed, page, tell
from referee.rulebook import Book, whole, written
from referee.session import Entry, Session, go_on, judged_again, step_by_step
from referee.session.board import MOST_TEXT, sentence, state_of, text_of

MOST_GAMES: Final = 256
"""Games that are held at once; the one that was asked for longest ago goes first."""
MOST_LINES: Final = 400
"""Lines of a log that are shown."""


class Docket:
    """The games that are judged. ``take`` answers one request, and never raises what a game has raised."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Session] = OrderedDict()

    def take(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the reply to a request.

        ``game``     the request's name of the game; ``have``: how many of its entries were sent before
        ``records``  entries that follow, as a journal has them
        ``log``      whether the log is wanted
        ``report``   where a report is wanted, and nothing else: as `report_of` says
        The reply has ``again`` where all entries are wanted, ``fault`` where it cannot be judged, else ``state``, or
        ``page``.
        """
        if "report" in request:
            return report_of(request["records"], request["report"])
        name, have = request["game"], request["have"]
        session = self._games.pop(name, None)
        if have and (session is None or session.n != have):
            return {"again": True}
        try:
            entries = [Entry.from_json(record) for record in request["records"]]
            session = _judged(session if have else None, entries)
            reply = {"state": state_of(session), "entries": session.n}
            if request["log"]:
                reply["log"] = log_of(session)
        except (RefereeError, RecursionError) as fault:
            return {"fault": str(fault)[:MOST_TEXT]}
        self._games[name] = session
        while len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)
        return reply


def _judged(session: Session | None, entries: Sequence[Entry]) -> Session:
    if session is not None:
        go_on(session, entries)
        return session
    return judged_again(_book(entries[0]), entries)


def _book(start: Entry) -> Book:
    answer = start.answer if isinstance(start.answer, dict) else {}
    book = games.load(str(answer.get("book", ""))[:MOST_TEXT])
    if start.edition != book.edition:
        raise RefereeError(f"edition {start.edition} of {book.title} is not here, but {book.edition}")
    return book


def report_of(records: Sequence[Mapping[str, Any]], wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Return the report of a whole game as ``page``, or why there is none as ``fault``.

    ``wanted``: ``match``, what the desk says of its match; ``players``, who plays, by what people call a seat;
    ``seal``, the members of a `referee.report.Sealed`, or None
    """
    try:
        entries = [Entry.from_json(record) for record in records]
        book = _book(entries[0])
        seats = next(step_by_step(book, entries[:1])).seats()
        players = {seat: wanted["players"].get(whole(name), "") for seat, name in seats.items()}
        seal = None if wanted["seal"] is None else Sealed(*wanted["seal"])
        story = tell(book, entries, records[-1]["hash"], players, sealed=seal)
        end = ". ".join(filter(None, (story.end, wanted["match"])))
        return {"page": page(replace(story, end=end))}
    # A time of day that is none, for example: what is told here comes from whoever wrote the journal.
    except (RefereeError, ValueError, OverflowError, OSError, RecursionError) as fault:
        return {"fault": str(fault)[:MOST_TEXT]}


def log_of(session: Session) -> list[dict[str, Any]]:
    """Return the newest lines of the log, the newest first, each with its reasons and dice."""
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
