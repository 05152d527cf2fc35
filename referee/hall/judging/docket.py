"""Games judged again as their entries arrive, without processes: a request in, a reply out, both plain JSON."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from referee import games
from referee.errors import RefereeError
from referee.rulebook import Odds, Pool
from referee.session import Entry, Session, go_on, judged_again, waits_for

MOST_GAMES: Final = 256
"""Games that are held at once; the one that was asked for longest ago goes first."""
MOST_LINES: Final = 400
"""Lines of a log that are shown."""
MOST_SHOWN: Final = 12
"""Counters, and chances, of one game that are shown."""
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
        The reply has ``again`` where all entries are wanted, ``fault`` where it cannot be judged, else ``state``.
        """
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
    answer = entries[0].answer if isinstance(entries[0].answer, dict) else {}
    book = games.load(str(answer.get("book", ""))[:MOST_TEXT])
    if entries[0].edition != book.edition:
        raise RefereeError(f"edition {entries[0].edition} of {book.title} is not here, but {book.edition}")
    return judged_again(book, entries)


def state_of(session: Session) -> dict[str, Any]:
    """Return how a game stands, as the board shows it."""
    seats = session.seats()
    prompt, over = session.prompt, session.over
    return {
        "title": session.book.title,
        "place": [_text(each) for each in session.place],
        "pools": [
            [_pool(pool, seats.get(pool.side, ""), session.short_names().get(pool.side, "")), pool.value, pool.cap]
            for pool in session.pools[:MOST_SHOWN]
        ],
        "seats": {_text(seat): _text(name) for seat, name in seats.items()},
        "asks": _text(prompt.text) if prompt is not None else "",
        "seat": _text(seats.get(prompt.seat, "")) if prompt is not None else "",
        "waits": _text(waits_for(session).asks),
        "paused": session.paused,
        "over": _text(over.text) if over is not None else "",
        "winners": [_text(seats.get(seat, seat)) for seat in over.winners] if over is not None else [],
        "odds": _odds(session.odds() or session.outlook()),
        "ruling": _text(session.last_ruling.headline) if session.last_ruling is not None else "",
        "dice": _faces(session.last_ruling.data.get("faces")) if session.last_ruling is not None else [],
    }


def log_of(session: Session) -> list[dict[str, Any]]:
    """Return the newest lines of the log, the newest first, each with its reasons and dice."""
    seats = session.seats()
    return [
        {
            "seat": _text(seats.get(line.seat, "")),
            "kind": line.kind,
            "text": _text(line.text),
            "why": [_text(each) for each in line.why],
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
    return _text(pool.name if named else f"{seat} {pool.name}".lstrip())


def _odds(odds: Odds | None) -> list[list[str]]:
    return [[_text(each.text), each.percent] for each in (odds or ())[:MOST_SHOWN]]


def _faces(faces: object) -> list[int]:
    """Return the dice of a ruling, as its rulebook has named them; none where it has not."""
    shown = faces if isinstance(faces, (list, tuple)) else ()
    return [face for face in shown[:MOST_SHOWN] if isinstance(face, int) and 1 <= face <= 6]


def _text(text: str) -> str:
    return text[:MOST_TEXT]
