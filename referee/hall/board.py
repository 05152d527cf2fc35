"""The board: every table of a round as a square, with what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from referee.clock import COMMON, NOBODY, Clocks, Control, Customs, Seen
from referee.clock.words import clock_text
from referee.errors import Malformed
from referee.hall.follower import Live
from referee.hall.judging.judge import Judged
from referee.hall.names import Names
from referee.hall.seatings import sides_of
from referee.session import ms
from referee.tournament import Event, Pairing, Round, ends_at
from referee.tournament.event import Call

FILTERS: Final = ("open", "calling", "extended", "disputed")
SILENT: Final = 2.0
"""Seconds without a word after which a box counts as silent."""
NOTHING: Final[Mapping[str, Any]] = {}
MOST_NAME: Final = 40
"""Letters of a seat's name that are shown."""


@dataclass(frozen=True, slots=True)
class BoxState:
    """What is known of the box of a table. ``silent``: s since its last word, None: it is not connected."""

    silent: float | None = None
    live: Live | None = None
    judged: Judged | None = None

    @property
    def state(self) -> str:
        """How the box is doing, in a word."""
        if self.silent is None:
            return "not connected"
        return "silent" if self.silent > SILENT else "connected"


@dataclass(frozen=True, slots=True)
class Clock:
    """A seat clock. ``text``, ``shown``: what it shows, and that in ms.

    ``ends``  ms until it shows 0:00, where a page can count it down by itself; else 0
    """

    seat: str
    text: str
    shown: int
    ends: int


@dataclass(frozen=True, slots=True)
class Square:
    """One table. ``box``: how its box is doing, "paper" without one.

    ``ends``  of its round, ms since 1970 UTC; ``paused``: since when its clock stands still, 0: it runs
    ``game``  how its game stands, as `referee.hall.judging.docket.state_of` says; ``why``: why that is not known
    ``marks`` which of `FILTERS` it meets
    """

    pairing: Pairing
    players: tuple[tuple[str, str], ...]
    box: str
    ends: int
    paused: int
    call: Call | None
    clocks: tuple[Clock, ...]
    game: Mapping[str, Any]
    why: str
    marks: frozenset[str]

    @property
    def table(self) -> int:
        """Its number."""
        return self.pairing.table

    @property
    def grey(self) -> bool:
        """Whether what stands here may be old."""
        return self.box in ("silent", "not connected")


def squares(
    event: Event, round_: Round | None, names: Names, box_of: Callable[[str], BoxState], now: float
) -> tuple[Square, ...]:
    """Return every table of a round. ``box_of``: what is known of a box, by its key; ``now``: s, as `Live` has it."""
    if round_ is None:
        return ()
    assigned = event.stages[round_.stage - 1].sides == "assigned"
    return tuple(
        _square(event, round_, each, names, box_of, now, assigned=assigned) for each in round_.pairings if each.table
    )


def _square(
    event: Event,
    round_: Round,
    pairing: Pairing,
    names: Names,
    box_of: Callable[[str], BoxState],
    now: float,
    *,
    assigned: bool,
) -> Square:
    key = event.boxes.get(pairing.table, "")
    box = box_of(key) if key else None
    judged = (box.judged if box is not None else None) or Judged()
    call = next((each for each in event.calls if each.table == pairing.table and not each.resolved), None)
    sides = sides_of(event, pairing, assigned=assigned)
    return Square(
        pairing,
        tuple((names.player(number), sides.get(number, "")) for number in pairing.players),
        box.state if box is not None else "paper",
        ends_at(event, round_.number, pairing.table) if round_.state == "started" else 0,
        round_.paused,
        call,
        clocks(box.live, judged, now) if box is not None and box.live is not None else (),
        judged.state,
        judged.why,
        _marks(pairing, call),
    )


def _marks(pairing: Pairing, call: Call | None) -> frozenset[str]:
    marks = {"open": pairing.open, "calling": call is not None, "extended": bool(pairing.extension)}
    marks["disputed"] = bool(pairing.challenged)
    return frozenset(name for name, holds in marks.items() if holds)


def clocks(live: Live, judged: Judged, now: float) -> tuple[Clock, ...]:
    """Return the seat clocks of a game, none where it has none. What a box says of them was not judged."""
    try:
        control, customs = (
            Control.from_json(live.control.get("control")),
            Customs.from_json(live.control.get("customs")),
        )
        table = Clocks.from_json(control, live.clock, ms(live.at))
    except Malformed:
        return ()
    if live.answered:  # an entry says whose time ran before it; whose runs now follows from what is asked
        whose = Seen(str(judged.state.get("waits", NOBODY)), NOBODY, 0, 0).whose(customs, table.mover)
        table = table.run(whose if whose in (COMMON, *table.seats) else NOBODY, table.at)
    table = table.until(ms(now))
    names = judged.state.get("seats", NOTHING)
    return tuple(_clock(table, seat, str(names.get(seat, seat))[:MOST_NAME]) for seat in table.seats)


def _clock(table: Clocks, seat: str, name: str) -> Clock:
    time, up = table.seats[seat], table.control.mode == "count-up"
    shown = time.shown(table.control)
    alone = table.runs == seat and not table.paused and not up
    ends = time.until_passed(table.control) if alone and shown > 0 else None
    return Clock(name, clock_text(shown, up=up), shown, ends or 0)
