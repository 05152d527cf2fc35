"""What stands beside a question: its band, where who is asked and about what come first; and its odds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from referee.console.buttons import SELECT, Button
from referee.console.context import Context
from referee.console.drawing.draw import CLOCK_GAP, Lead, page_mark
from referee.console.drawing.screens import note_pages, problems
from referee.console.drawing.type import CLOSE, STATUS, Strike, steady
from referee.console.stage import Stage
from referee.console.table import Table
from referee.console.texts import Lines
from referee.console.views import Band, Odds, View
from referee.rulebook import NO_ASSUMPTION, Assumed, over_one
from referee.rulebook import Odds as Chances
from referee.session import Prompt

BAND: Final = 125
"""Columns of the band for its texts; a page mark takes some of them."""
PAGE_MARK: Final = 30
BAND_GAP: Final = 4


def band_of(
    table: Table,
    prompt: Prompt,
    words: Sequence[str] = (),
    *,
    sends: Sequence[str] = (),
    beside: str = "",
    pages: int = 1,
) -> Band:
    """Return the band: the seat that is asked and the head; on the right the first word with room, and a time.

    The name of the seat stands before a head that does not name it first. It is never cut: for what stands on the
    right its letters stand closer, and if that is not enough its short name takes its place; not so for the headline
    of the ruling before, which was read already.

    ``sends``: what Select sends, which comes before a time, as ``words`` do not; ``beside``: what stands there in any
    case; ``pages``: how many there are, one of which is marked.
    """
    leads = _leads(table, prompt)
    clock = table.clocks.beside(prompt.seat, f"{leads[0].tab} {leads[0].text}")
    least, usual = _room_for(clock)
    news = table.recent.headline if table.recent is not None else None
    tries = [*((word, room) for room in (least, 0) for word in sends), *((word, usual) for word in words)]
    for word, time in (*tries, ("", usual), ("", least), ("", 0)):
        right = time + sum(STATUS.width(text) + BAND_GAP for text in (word, beside) if text)
        for lead, strike in _forms(leads[:1] if word == news else leads):
            marks = 0 if pages == 1 else PAGE_MARK if strike is STATUS else page_mark(0, pages)
            if lead.width(strike) + right + marks <= BAND:
                return _band(lead, leads, word, clock, table.call)
    return _band(leads[-1], leads, "", clock, table.call)


def _room_for(clock: Sequence[str]) -> tuple[int, int]:
    """Return the columns that the shortest text of a time takes, and the one before it."""
    if not clock:
        return 0, 0
    rooms = [steady(text, STATUS) + CLOCK_GAP for text in clock]
    return rooms[-1], rooms[-min(2, len(rooms))]


def _band(lead: Lead, leads: Sequence[Lead], right: str, clock: tuple[str, ...], call: tuple[str, ...]) -> Band:
    name = leads[0].tab
    return Band(lead.text, right, clock, name, lead.tab if lead.tab != name else "", call)


def _leads(table: Table, prompt: Prompt) -> tuple[Lead, ...]:
    """Return what can stand on the left, the fullest first."""
    names = table.names
    if prompt.seat not in names:
        return (Lead("", prompt.head),)
    if not prompt.head:
        return (Lead("", names[prompt.seat][0]),)
    if first_named(prompt.head, names) == prompt.seat:
        return (Lead("", prompt.head),)
    return tuple(Lead(name, prompt.head) for name in names[prompt.seat])


def _forms(leads: Sequence[Lead]) -> Iterator[tuple[Lead, Strike]]:
    for lead in leads:
        yield lead, STATUS
        if lead.tab:
            yield lead, CLOSE


def first_named(text: str, names: Mapping[str, Sequence[str]]) -> str:
    """Return the seat that a text names first, by whatever name, "" if it names none.

    >>> first_named("Gollum→BR2", {"merry": ("Merry",), "br2": ("BR2",)})
    'br2'
    """
    at = {
        match.start(): seat
        for seat, called in names.items()
        for name in called
        if (match := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text))
    }
    return at[min(at)] if at else ""


def _four_at_a_time(band: Band, rows: tuple[tuple[str, float, str], ...]) -> Iterator[Odds]:
    for start in range(max(1, len(rows) - 3)):
        yield Odds(band, rows[start : start + 4])


class OddsPage(Lines):
    """Exact odds as bars: of the throw that is asked, or of how it will all come out.

    They are told out of 36, or of the sides of a single die, where all of them can be and fit, else in per cent:
    nobody compares 25/108 with 7/144.
    """

    def __init__(self, stage: Stage, odds: Chances, assumed: Assumed, sides: int = 0) -> None:
        """``assumed``: what the chances take for granted, told in the band and on a page behind them.

        ``sides``: of the one die they are thrown with, 0 for several dice.
        """
        super().__init__(stage)
        fractions = over_one(odds, sides)
        wholes = {fraction.partition("/")[2] for fraction in fractions} & {str(sides), "36"}
        unit = "turn ▶" if assumed.text else f"of {next(iter(wholes))}" if wholes else ""
        band = Band(assumed.short or "Odds", unit)
        rows = tuple((c.text, float(c.chance), fraction) for c, fraction in zip(odds, fractions, strict=True))
        pages: list[View] = list(_four_at_a_time(band, rows))
        if not wholes or any(map(problems, pages)):
            rows = tuple((c.text, float(c.chance), c.percent.replace(" ", "")) for c in odds)
            pages = list(_four_at_a_time(band, rows))
        self.pages = [*pages, *(note_pages("Assumed", assumed.text) if assumed.text else ())]

    def turn(self, steps: int) -> None:
        """Move through more than four outcomes; past either end the page closes."""
        if 0 <= self.page + steps < len(self.pages):
            self.page += steps
        else:
            self.back()

    @property
    def buttons(self) -> tuple[Button, ...]:
        return (Button(SELECT, self.select, "Select"),)  # all odds stand beside it

    def die(self, number: int) -> None:
        """Close; the face is not taken, it was pressed on another page."""
        self.back()


def open_odds(context: Context) -> None:
    """Lay the odds, if there are any."""
    odds, of_roll, _ = context.table.current.chances()
    if odds:
        prompt = context.table.prompt
        one_die = of_roll and prompt is not None and prompt.dice == 1
        assumed = NO_ASSUMPTION if of_roll else context.table.current.book.assumes
        context.stage.push(OddsPage(context.stage, odds, assumed, prompt.sides if prompt and one_die else 0))
