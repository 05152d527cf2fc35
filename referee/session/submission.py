"""An answer on its way from a key, a browser or a program to the journal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from referee.session.extra import Origin, Unused

Mode: TypeAlias = Literal["", "override", "reroll"]


@dataclass(frozen=True, slots=True)
class Submission:
    """An answer, with all that is known of how it was given.

    ``value``    the answer to the pending question; of a bundle its id, of a sequence all its answers
    ``n``        number of the question that was on the glass then; None: whichever is pending
    ``seat``     whose button it was; of questions in secret also whose it is, which may be in already: it then takes
                 the place of the answer before
    ``mode``     ``override``: a card says otherwise, so a barred option is taken; ``reroll``: the judge lets dice be
                 thrown again that stand from before an undo
    ``origins``  where each face of a throw came from, in their order; empty: all from ``source``
    ``unused``   what dice told for it that does not count
    ``source``   where it came from (keys, judge at the keys, box-dice, panel with role and pass, drive)
    ``at``       monotonic time, s
    """

    value: object
    n: int | None = None
    seat: str | None = None
    mode: Mode = ""
    origins: tuple[Origin, ...] = ()
    unused: tuple[Unused, ...] = ()
    source: str = ""
    at: float = 0.0

    @classmethod
    def of(cls, given: object) -> Submission:
        """Return what was given, a plain value as an answer of which nothing more is known."""
        return given if isinstance(given, cls) else cls(given)
