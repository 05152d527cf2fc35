"""The card every other card is made from: it shows itself and ignores every key."""

# ruff: noqa: B027 - a key that means nothing on a card does nothing there

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from referee.console.drawing.screens import paginate, problems
from referee.console.drawing.type import STATUS, TIGHT
from referee.console.views import Notice, View, Why

if TYPE_CHECKING:
    from referee.console.console import Console


class Card(ABC):
    """One screen and what the keys do on it.

    ``timed``  whether a press must come 150 ms after the card reached the glass (see `grammar.late`)
    ``fills``  the key whose hold of one second means something here, "" if none: a bar shows how far it has come
    ``wakes``  the seat that may press its own button here; its lamp blinks
    ``for_judges``  whether players in browsers may press nothing while it lies here, or under another card
    """

    timed: ClassVar[bool] = True
    for_judges: ClassVar[bool] = False

    def __init__(self, console: Console) -> None:
        self.console = console

    @property
    def fills(self) -> str:
        """The key whose hold of a second does something on this card."""
        return ""

    @property
    def wakes(self) -> str:
        """The seat whose button is heard on this card."""
        return ""

    @abstractmethod
    def view(self, bar: float | None) -> View:
        """Return what stands on the glass; ``bar`` is how far a hold of `fills` has come, 0 to 1."""

    def die(self, number: int) -> None:
        """A die key went down."""

    def turn(self, steps: int) -> None:
        """The encoder moved by so many detents."""

    def click(self) -> None:
        """Select was pressed and let go."""

    def hold(self) -> None:
        """Select has been down for 450 ms."""

    def long_hold(self) -> None:
        """The key in `fills` has been down for a second."""

    def back(self) -> None:
        """Back was pressed and let go."""

    def menu(self) -> None:
        """Back has been down for 450 ms."""
        self.console.open_menu()

    def seat(self) -> None:
        """The button of the seat in `wakes` was pressed."""


def fitting(*views: View) -> View:
    """Return the first view that loses nothing on the small glass, the last one if all do."""
    for view in views[:-1]:
        if not problems(view):
            return view
    return views[-1]


def note_pages(rule: str, text: str) -> list[View]:
    """Return a rule or reminder as pages to read: one in large type if it fits, else several."""
    one = Notice(rule, text)
    if not problems(one):
        return [one]
    sheets = paginate((text,))
    return [Why(number, len(sheets), "", lines, title=rule) for number, lines in enumerate(sheets)]


class Page(Card):
    """A card over another one that Back takes away again."""

    def back(self) -> None:
        """Return to what lay below."""
        self.console.lift(self)

    def menu(self) -> None:
        """Holding Back here closes like pressing it."""
        self.console.lift(self)


class Lines(Page):
    """Pages of text, turned by the encoder, stopping at both ends. Select closes, as Back does."""

    def __init__(self, console: Console, lines: tuple[str, ...]) -> None:
        super().__init__(console)
        self.sheets = paginate(lines)
        self.page = 0

    def turn(self, steps: int) -> None:
        """Turn pages."""
        self.page = max(0, min(len(self.sheets) - 1, self.page + steps))

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

    def __init__(self, console: Console, title: str, lines: tuple[str, ...]) -> None:
        super().__init__(console, tuple(map(legible, lines)))
        self.title = title

    def view(self, bar: float | None) -> View:
        """Return one page."""
        del bar
        return Why(
            self.page, len(self.sheets), "turn" if len(self.sheets) > 1 else "", self.sheets[self.page], self.title
        )
