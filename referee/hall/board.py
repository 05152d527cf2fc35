"""The board: every table of a round as a square, with what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from referee.clock.words import clock_text
from referee.hall.boxes import Shown
from referee.hall.names import Names
from referee.hall.wishes import sides_of
from referee.tournament import Event, Pairing, Round, ends_at
from referee.tournament.event import Call

FILTERS: Final = ("open", "calling", "extended", "disputed")
MOST_NAME: Final = 40
"""Letters of a seat's name that are shown."""
MOST_SEATS: Final = 12


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
    ``game``  how its game stands, as `referee.session.board.state_of` says
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
    event: Event, round_: Round | None, names: Names, box_of: Callable[[str], Shown], now: int
) -> tuple[Square, ...]:
    """Return every table of a round. ``box_of``: what is known of a box; ``now``: ms since 1970 UTC."""
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
    box_of: Callable[[str], Shown],
    now: int,
    *,
    assigned: bool,
) -> Square:
    key = event.boxes.get(pairing.table, "")
    box = box_of(key) if key else None
    call = next((each for each in event.calls if each.table == pairing.table and not each.resolved), None)
    sides = sides_of(event, pairing, assigned=assigned)
    return Square(
        pairing,
        tuple((names.player(number), sides.get(number, "")) for number in pairing.players),
        box.state(now) if box is not None else "paper",
        ends_at(event, round_.number, pairing.table) if round_.state == "started" else 0,
        round_.paused,
        call,
        clocks(box.told, box.at, now) if box is not None else (),
        box.board if box is not None else {},
        _marks(pairing, call),
    )


def _marks(pairing: Pairing, call: Call | None) -> frozenset[str]:
    marks = {"open": pairing.open, "calling": call is not None, "extended": bool(pairing.extension)}
    marks["disputed"] = bool(pairing.challenged)
    return frozenset(name for name, holds in marks.items() if holds)


def clocks(told: Mapping[str, Any], at: int, now: int) -> tuple[Clock, ...]:
    """Return the seat clocks of a game, none where it has none. ``told``: by its box, ``at`` that time, ms."""
    try:
        gone = int(told["ago"]) + max(0, now - at)
        paused, up = bool(told["paused"]), bool(told["up"])
        return tuple(_clock(each, 0 if paused else gone, up=up) for each in told["seats"][:MOST_SEATS])
    except (KeyError, TypeError, ValueError, OverflowError):  # a box without clocks, or nonsense
        return ()


def _clock(seat: Mapping[str, Any], gone: int, *, up: bool) -> Clock:
    runs = bool(seat["runs"])
    used = max(0, gone - int(seat["free"])) if runs else 0
    shown = int(seat["ms"]) + (used if up else -used)
    ends = shown if runs and gone and not up and shown > 0 else 0
    return Clock(str(seat["name"])[:MOST_NAME], clock_text(shown, up=up), shown, ends)
