"""Cards that are only read, on as many pages as it takes."""

from __future__ import annotations

from abc import abstractmethod

from referee.console.buttons import AFTER, BEFORE, Button
from referee.console.drawing.screens import legible, paginate
from referee.console.stage import Card, Page, Stage
from referee.console.views import View, Why


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

    def __init__(self, stage: Stage, lines: tuple[str, ...]) -> None:
        super().__init__(stage)
        self.sheets = paginate(lines)

    @property
    def last(self) -> int:
        """That of the last page of text."""
        return len(self.sheets) - 1

    def click(self) -> None:
        """Close."""
        self.back()


class Text(Lines):
    """Something to read, whatever its letters."""

    def __init__(self, stage: Stage, title: str, lines: tuple[str, ...]) -> None:
        super().__init__(stage, tuple(map(legible, lines)))
        self.title = title

    def view(self, bar: float | None) -> View:  # noqa: ARG002
        """Return one page."""
        pages = len(self.sheets)
        return Why(self.page, pages, "turn" if pages > 1 else "", self.sheets[self.page], self.title)
