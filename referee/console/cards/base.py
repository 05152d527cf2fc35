"""What several cards are made from: Back to the answer before, pages over other cards, text to turn through."""

from __future__ import annotations

from abc import abstractmethod
from typing import TypeVar

from referee.console.buttons import AFTER, BEFORE, Button
from referee.console.drawing.screens import paginate, problems
from referee.console.drawing.type import STATUS, TIGHT
from referee.console.host import Card, Host
from referee.console.views import Notice, View, Why

V = TypeVar("V", bound=View)


def fitting(*views: V) -> V:
    """Return the first view that loses nothing on the small glass, the last one if all do."""
    for view in views[:-1]:
        if not problems(view):
            return view
    return views[-1]


def note_pages(rule: str, text: str, seat: str = "") -> list[View]:
    """Return a rule or reminder as pages to read: one in large type if it fits, else several.

    ``seat``: who is asked meanwhile.
    """
    one = Notice(rule, text, seat=seat)
    if not problems(one):
        return [one]
    sheets = paginate((text,))
    return [Why(number, len(sheets), "", lines, title=rule, seat=seat) for number, lines in enumerate(sheets)]


class Playing(Card):
    """A card of the game itself: Back opens the last throw, or takes the last answer of this turn back."""

    def back(self) -> None:
        """Open the throw entered last, where the table may correct it; else take the last answer back."""
        if self.host.config.corrections == "table" and self.host.table.last_throw is not None:
            self.host.open_throw("table")
        else:
            self.step_back()

    def step_back(self) -> None:
        """Take the last answer back; what lies before this turn takes the menu."""
        table = self.host.table
        if table.may_step_back:
            table.undo()
        elif table.current.undoable:
            self.host.explain("Earlier", "That was before this turn: hold Back, then 1 Undo", "", "any key")
        else:
            self.host.sound("late")


class Page(Card):
    """A card over another one that Back takes away again."""

    def back(self) -> None:
        """Return to what lay below."""
        self.host.lift(self)

    def menu(self) -> None:
        """Holding Back here closes like pressing it."""
        self.host.lift(self)


class Sheets(Card):
    """A card of several pages, turned by the encoder or a browser's buttons, stopping at both ends.

    ``page``  the one on the glass
    ``last``  the number of the last one
    """

    page: int = 0

    @property
    @abstractmethod
    def last(self) -> int:
        """The number of the last page; the first is 0."""

    def turn(self, steps: int) -> None:
        """Turn pages."""
        self.page = max(0, min(self.last, self.page + steps))

    @property
    def buttons(self) -> tuple[Button, ...]:
        """What else can be pressed, and the pages there are before and after this one."""
        after = (Button(AFTER, "Next page", "turn"),) if self.page < self.last else ()
        before = (Button(BEFORE, "Page before", "turn"),) if self.page else ()
        return (*super().buttons, *after, *before)

    def tap(self, button: str) -> None:
        """Turn the page, or do what else was pressed."""
        if button in (AFTER, BEFORE):
            self.turn(1 if button == AFTER else -1)
        else:
            super().tap(button)


class Lines(Sheets, Page):
    """Pages of text. Select closes, as Back does."""

    select = "Close"

    def __init__(self, host: Host, lines: tuple[str, ...]) -> None:
        super().__init__(host)
        self.sheets = paginate(lines)

    @property
    def last(self) -> int:
        """That of the last page of text."""
        return len(self.sheets) - 1

    def click(self) -> None:
        """Close."""
        self.back()


def legible(text: str) -> str:
    """Return a text from outside, of a damaged file say, with "?" for what has no glyph.

    >>> legible("Éomer ☠")
    'Éomer ?'
    """
    for char in {*STATUS.missing(text), *TIGHT.missing(text)}:
        text = text.replace(char, "?")
    return text


class Text(Lines):
    """Something to read, on as many pages as it takes."""

    def __init__(self, host: Host, title: str, lines: tuple[str, ...]) -> None:
        super().__init__(host, tuple(map(legible, lines)))
        self.title = title

    def view(self, bar: float | None) -> View:
        """Return one page."""
        del bar
        return Why(
            self.page, len(self.sheets), "turn" if len(self.sheets) > 1 else "", self.sheets[self.page], self.title
        )
