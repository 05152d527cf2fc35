"""Games judged again as their entries arrive, without processes: a request in, a reply out, both plain JSON."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from referee import games
from referee.errors import RefereeError
from referee.report import Sealed, page, tell
from referee.rulebook import Book, Odds, Pool, Ruling, whole, written
from referee.session import Entry, Session, go_on, judged_again, step_by_step, waits_for

MOST_GAMES: Final = 256
"""Games that are held at once; the one that was asked for longest ago goes first."""
MOST_LINES: Final = 400
"""Lines of a log that are shown."""
MOST_SHOWN: Final = 12
"""Counters, and chances, of one game that are shown."""
MOST_DICE: Final = 24
"""Dice of one throw that are shown."""
MOST_TEXT: Final = 300
"""Letters of any text that is shown."""


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


def state_of(session: Session) -> dict[str, Any]:
    """Return how a game stands, as the board shows it, in whole words: there is room, and it may be read aloud."""
    seats = session.seats()
    prompt, over, ruling = session.prompt, session.over, session.last_ruling
    thrown = session.last_thrown if ruling is None or not ruling.throws else None
    return {
        "title": session.book.title,
        "place": [*filter(None, map(_text, session.place))],
        "pools": [
            [_pool(pool, seats.get(pool.side, ""), session.short_names().get(pool.side, "")), pool.value, pool.cap]
            for pool in session.pools[:MOST_SHOWN]
        ],
        "seats": {_text(seat): _text(name) for seat, name in seats.items()},
        "asks": _text(prompt.text) if prompt is not None else "",
        "seat": _text(seats.get(prompt.seat, "")) if prompt is not None else "",
        "waits": _text(waits_for(session).asks),
        "paused": session.paused,
        "over": _sentence(over.text) if over is not None else "",
        "winners": [_text(seats.get(seat, seat)) for seat in over.winners] if over is not None else [],
        "odds": _odds(session.odds() or session.outlook()),
        "ruling": _sentence(ruling.headline) if ruling is not None else "",
        "dice": _dice(ruling, seats) if ruling is not None else [],
        "thrown": _sentence(thrown.headline) if thrown is not None else "",
        "thrown_dice": _dice(thrown, seats) if thrown is not None else [],
    }


def log_of(session: Session) -> list[dict[str, Any]]:
    """Return the newest lines of the log, the newest first, each with its reasons and dice."""
    seats = session.seats()
    return [
        {
            "seq": line.seq,
            "seat": "" if line.kind in ("ruling", "reminder", "over") else _text(seats.get(line.seat, "")),
            "kind": line.kind,
            "text": _sentence(line.after(seats.get(line.seat, ""))),
            "why": [*filter(None, map(_text, map(written, line.why)))],
            "rules": [_text(each) for each in line.rules],
            "dice": _text(line.dice),
            "undone": line.undone,
            "wall": line.wall,
        }
        for line in reversed(session.log(newest=MOST_LINES))
    ]


def _pool(pool: Pool, seat: str, short: str) -> str:
    """Return what a counter is called, and whose it is where its name does not say."""
    named = any(name and name in pool.name for name in (seat, short))
    return _text(pool.name) if named else f"{_text(seat)} {_text(pool.name)}".lstrip()


def _odds(odds: Odds | None) -> list[list[str]]:
    return [[_text(each.text), each.percent] for each in (odds or ())[:MOST_SHOWN]]


def _dice(ruling: Ruling, seats: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return the throws of a ruling; whose each is stands there only where there are several."""
    throws = ruling.throws[:MOST_SHOWN]
    return [
        {"seat": _text(seats.get(each.seat, "")) if len(throws) > 1 else "", "faces": each.faces[:MOST_DICE]}
        for each in throws
    ]


def _sentence(text: str) -> str:
    """Return the whole words of what stands by itself, with a capital."""
    words = _text(text)
    return words[:1].upper() + words[1:]


def _text(text: str) -> str:
    return whole(text)[:MOST_TEXT]
