"""Cards that are only read, on as many pages as it takes."""

from __future__ import annotations

from collections.abc import Sequence

from referee.console.buttons import AFTER, BEFORE, Button
from referee.console.drawing.screens import legible, paginate
from referee.console.stage import Card, Page, Stage
from referee.console.views import View, Why


class Pages(Card):
    """A card of several pages, turned by the encoder or a browser's buttons, stopping at both ends.

    ``page``  the number of the one on the glass
    """

    pages: Sequence[View]
    page: int = 0

    def view(self, bar: float | None) -> View:
        return self.pages[self.page]

    def turn(self, steps: int) -> None:
        self.page = max(0, min(len(self.pages) - 1, self.page + steps))

    @property
    def buttons(self) -> tuple[Button, ...]:
        after = (Button(AFTER, "Next page", "turn"),) if self.page + 1 < len(self.pages) else ()
        before = (Button(BEFORE, "Previous page", "turn"),) if self.page else ()
        return (*super().buttons, *after, *before)


class Lines(Pages, Page):
    """Pages of text. Select closes, as Back does."""

    select = "Close"

    def click(self) -> None:
        self.back()


class Text(Lines):
    """Something to read, whatever its letters. ``listed``: see `Why`."""

    def __init__(self, stage: Stage, title: str, lines: Sequence[str], *, listed: bool = False) -> None:
        super().__init__(stage)
        sheets = paginate(tuple(map(legible, lines)))
        hint = "turn" if len(sheets) > 1 and not listed else ""
        self.pages = [Why(n, len(sheets), hint, sheet, title, listed=listed) for n, sheet in enumerate(sheets)]
