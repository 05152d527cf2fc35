"""Rulings with their reasons, reminders, and the end of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from referee.rulebook.wording import Short, phrase, whole, written

TO_DO = 2
"""Lines of a ruling for what the players now do: more would not stand on a small glass."""

Reason = str | tuple[str, str]
"""A line that explains a ruling, alone or as a pair (rule id, line); beside a short form the id is not drawn."""


class RulingDice(NamedTuple):
    """Dice that a ruling rests on. ``seat``: whose they are, "" where the ruling does not say."""

    seat: str
    faces: tuple[int, ...]
    sides: int = 6


class Ruling:
    """A decision. Raises ValueError for more than two orders in ``to_do``.

    ``result``    stable id for programs (``defender-eliminated``)
    ``rules``     ids of the rules it rests on
    ``headline``  the one big line ("Gondor out")
    ``changed``   whether anything on the table changes
    ``data``      the numbers, plain JSON values. Three names are drawn on the glass: ``faces``, a list, as dice (two
                  to ten of them) of ``sides`` (6 where it is left out), and ``total`` beside them, a number as "= 9",
                  words as they are. A ruling on throws of several seats has an object for each: ``seat``, ``faces``,
                  ``sides``, ``rerolled``
    ``why``       reasons, or a function of ``data`` that works them out when somebody asks; a pair (rule id, line)
                  reads "line (rule id)", its short form without the id
    ``need``      what was wanted, as it stood on the dice screen ("9+ kills")
    ``foot``      what changed, in a few letters ("Gondor 8>7")
    ``to_do``     what the players now do at the table, in order, each a short order ("Discard all cards laid");
                  it stands on the ruling itself: one a line, two at most; beside dice all in one line
    """

    __slots__ = ("_why", "changed", "data", "foot", "headline", "need", "result", "rules", "to_do")

    def __init__(
        self,
        result: str,
        headline: str,
        rules: tuple[str, ...],
        why: Callable[[Mapping[str, Any]], Sequence[Reason]] | Sequence[Reason] = (),
        data: Mapping[str, Any] | None = None,
        *,
        changed: bool = True,
        need: str = "",
        foot: str = "",
        to_do: tuple[str, ...] = (),
    ) -> None:
        if len(to_do) > TO_DO:
            raise ValueError(f"a ruling has {len(to_do)} things to do: expected at most {TO_DO}, one a line")
        self.result = result
        self.headline = headline
        self.rules = rules
        self.data: Mapping[str, Any] = {} if data is None else data
        self.changed = changed
        self.need = need
        self.foot = foot
        self.to_do = to_do
        self._why = why

    @property
    def faces(self) -> tuple[int, ...]:
        """Return the dice of its one throw, as the glass draws them; none where it rests on several, or on none."""
        return tuple(int(face) for face in self.data.get("faces") or ())

    @property
    def sides(self) -> int:
        """Return how many sides these dice have."""
        return int(self.data.get("sides", 6))

    @property
    def throws(self) -> tuple[RulingDice, ...]:
        """Return every throw it rests on, each with what was rolled again after it."""
        if self.faces:
            return (RulingDice(str(self.data.get("seat", "")), self.faces, self.sides),)
        parts = [each for each in self.data.values() if isinstance(each, Mapping) and each.get("faces")]
        return tuple(
            RulingDice(
                str(each.get("seat", "")), (*each["faces"], *(each.get("rerolled") or ())), int(each.get("sides", 6))
            )
            for each in parts
        )

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Return the reasons as the rulebook wrote them."""
        return tuple(self._why(self.data) if callable(self._why) else self._why)

    @property
    def why(self) -> tuple[str, ...]:
        """Return the reasons as lines to read, each with its rule where the rulebook names one."""
        return tuple(map(_line, self.reasons))

    @property
    def told(self) -> tuple[str, ...]:
        """Return the reasons as sentences, each with its rule; none that headline, foot or an order says already."""
        said = {written(each) for each in (self.headline, self.foot, *self.to_do)}
        new = [each for each in self.reasons if written(each if isinstance(each, str) else each[1]) not in said]
        return tuple(filter(None, map(written, map(_line, new))))

    def __repr__(self) -> str:
        return f"Ruling({self.result!r}, {self.headline!r})"


def _line(reason: Reason) -> str:
    if isinstance(reason, str):
        return reason
    rule, line = reason
    if not isinstance(line, Short):
        return phrase("{} ({})", line, rule)
    return Short(line, f"{whole(line)} ({rule})" if whole(line) else "")


@dataclass(frozen=True, slots=True)
class Reminder:
    """A rule the referee cannot check, shown at its moment: its id and one line. Nothing has to be answered."""

    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class Over:
    """Why a game ended: ``reason`` for programs, ``text`` for people; and the seats that won, none for a draw."""

    reason: str
    text: str
    winners: tuple[str, ...] = ()


Event = Ruling | Reminder
