"""Exact odds as bars: of the throw that is asked, or of how it will all come out."""

from __future__ import annotations

from collections.abc import Iterator

from referee.console.cards.base import Page, note_pages
from referee.console.drawing.screens import problems
from referee.console.host import Host
from referee.console.views import Band, Odds, View
from referee.rulebook import NO_ASSUMPTION, Assumed, over_one
from referee.rulebook import Odds as Chances


def _four_at_a_time(band: Band, rows: tuple[tuple[str, float, str], ...]) -> Iterator[Odds]:
    for start in range(max(1, len(rows) - 3)):
        yield Odds(band, rows[start : start + 4])


class OddsPage(Page):
    """Exact odds as bars: of the throw that is asked, or of how it will all come out.

    They are told out of 36, or of the sides of a single die, where all of them can be and fit, else in per cent:
    nobody compares 25/108 with 7/144.
    """

    select = "Close"

    def __init__(self, host: Host, odds: Chances, assumed: Assumed, sides: int = 0) -> None:
        """``assumed``: what the chances take for granted, told in the band and on a page behind them.

        ``sides``: of the one die they are thrown with, 0 for several dice.
        """
        super().__init__(host)
        fractions = over_one(odds, sides)
        wholes = {fraction.partition("/")[2] for fraction in fractions} & {str(sides), "36"}
        unit = "turn ▶" if assumed.text else f"of {next(iter(wholes))}" if wholes else ""
        band = Band(assumed.short or "Odds", unit)
        rows = tuple((c.text, float(c.chance), fraction) for c, fraction in zip(odds, fractions, strict=True))
        self.views: list[View] = list(_four_at_a_time(band, rows))
        if not wholes or any(problems(page) for page in self.views):
            rows = tuple((c.text, float(c.chance), c.percent.replace(" ", "")) for c in odds)
            self.views = list(_four_at_a_time(band, rows))
        if assumed.text:
            self.views += note_pages("Assumed", assumed.text)
        self.at = 0

    def view(self, bar: float | None) -> View:
        """Return up to four outcomes at a time, then what they take for granted."""
        del bar
        return self.views[self.at]

    def turn(self, steps: int) -> None:
        """Move through more than four outcomes; past either end the page closes."""
        at = self.at + steps
        if 0 <= at < len(self.views):
            self.at = at
        else:
            self.back()

    def click(self) -> None:
        """Close."""
        self.back()

    def die(self, number: int) -> None:
        """Close; the face is not taken, it was pressed on another page."""
        del number
        self.back()


def open_odds(host: Host) -> None:
    """Lay the odds, if there are any."""
    odds = host.table.odds()
    if odds:
        of_roll, prompt = host.table.current.odds() is not None, host.table.prompt
        one_die = of_roll and prompt is not None and prompt.dice == 1
        assumed = NO_ASSUMPTION if of_roll else host.table.current.book.assumes
        host.lay(OddsPage(host, odds, assumed, prompt.sides if prompt and one_die else 0))
