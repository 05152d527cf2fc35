"""Without a game and after one: the shelf, the switches of a new game, the end, and the safe mode."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from referee.console.buttons import Button
from referee.console.cards.lists import Item, ListCard, ListPage, item
from referee.console.cards.people import people_page
from referee.console.cards.seating import open_event, open_slip
from referee.console.context import Context, Playing
from referee.console.drawing.screens import legible, note_pages
from referee.console.table import Table
from referee.console.texts import Pages, Text
from referee.console.views import Band, Idle
from referee.errors import RefereeError
from referee.rulebook import Book, Label, Short, Switch, joined


class ShelfCard(ListCard):
    """The games of the box."""

    listed = True

    def __init__(self, context: Context) -> None:
        table = context.table
        kept: list[str] = []
        with contextlib.suppress(RefereeError):
            kept = [left.title for left in table.shelf.unfinished()]
        games = (
            Item(label.id, label.title, label.short, does=partial(self._open, label.id), note=_offers(label, kept))
            for label in table.shelf.labels()
        )
        super().__init__(context, Band("Referee", "which game?"), [*self._before(table), *games])

    @staticmethod
    def _before(table: Table) -> Iterator[Item]:
        """Yield the game that was left last, and the latest one once more; neither where they cannot be read."""
        with contextlib.suppress(RefereeError):
            for left in table.shelf.unfinished()[:1]:
                does = partial(table.take_up, left.id)
                yield item("resume", f"Resume {left.title}", does, short="Resume", note=", ".join(left.where[1:]))
            ended = table.shelf.ended()
            if ended is not None:
                names = legible(", ".join(ended.players.values()))
                short = f"Again: {ended.book.short or ended.book.title}"
                text = f"{names} again" if names else f"Again: {ended.book.title}"
                note = f"{ended.book.title}, a new game" if names else "A new game"
                yield item("again", text, lambda: table.begin_again(ended), short=short, note=note)

    def menu(self) -> None:
        """Without a game there is only this to do: what a table does in an event, or the people."""
        if self.context.event.seating is not None:
            open_event(self.context)
        else:
            self.stage.push(people_page(self.context))

    def _open(self, game: str) -> ListPage:
        return book_page(self.context, self.table.shelf.book(game))


def _offers(label: Label, kept: Sequence[str]) -> str:
    """Return what a game has to offer; of several that were left the shelf itself names only the last."""
    more = kept[1:].count(label.title)
    return f"{label.offers}. {more} more to resume" if more else label.offers


def book_page(context: Context, book: Book) -> ListPage:
    """Return what a book offers: its single rulings, a new game, and the games left before their end."""
    table, items = context.table, []
    if book.play is not None:
        new = partial(SwitchPage, context, book) if book.switches else partial(table.begin, book, {}, None)
        items.append(item("play", "New game", new, short="New", note=f"{book.covers[:1].upper()}{book.covers[1:]}"))
    for name in book.rulings:
        does = partial(table.begin, book, book.settings({}), name)
        items.append(item(name, name.replace("-", " ").capitalize(), does, note="A single ruling"))
    for left in table.shelf.unfinished():
        if left.title == book.title:
            text = Short(f"Resume {left.where[0]}", f"Resume {', '.join(left.where[1:])}")
            items.append(item(left.id, text, partial(table.take_up, left.id), short="Resume"))
    return ListPage(context, Band(Short(book.short or book.title, book.title)), items[:11])


class SwitchPage(ListPage):
    """The readings of the rules this table plays by; a key goes to the next value, the first one starts."""

    listed = True

    def __init__(self, context: Context, book: Book) -> None:
        self.book = book
        self.settings: dict[str, Any] = book.settings({})
        with contextlib.suppress(RefereeError):  # beginning says what is wrong
            self.settings = dict(context.table.shelf.settings(book))
        self._deal_again(context, 0)

    def _deal_again(self, context: Context, at: int) -> None:
        items = (item("start", "Start", self._start), *map(self._switch, self.book.switches))
        super().__init__(context, Band("New game", Short("switches", "By which rules?")), items)
        self.deal.light(at)

    def _switch(self, switch: Switch) -> Item:
        mark = switch.says(self.settings[switch.name])
        short = switch.short and f"{switch.short} {mark}"
        text = Short(f"{switch.label} {mark}", f"{switch.label}: {mark}")
        return item(switch.name, text, partial(self._next, switch), short=short, note=switch.text)

    def _next(self, switch: Switch) -> None:
        values = switch.values
        here = values.index(self.settings[switch.name])
        self.settings[switch.name] = values[(here + 1) % len(values)]
        self._deal_again(self.context, self.deal.cursor or 0)

    def _start(self) -> None:
        self.table.begin(self.book, self.settings, None)


class OverCard(Pages, Playing):
    """The end. Turning tells why, Back still undoes, Select leads to what comes next."""

    select = "Continue"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        over = context.table.current.over
        assert over is not None
        names = joined(Short(" ", " and "), map(context.table.seat_name, over.winners))
        wins = ("win" if len(over.winners) > 1 else "wins") if names else ""
        self.pages = [Idle(names or "Game over", wins, "Back: undo", "why: turn"), *note_pages("The end", over.text)]

    @property
    def buttons(self) -> tuple[Button, ...]:
        """What comes next, since a panel says why beside them; in an event its slip comes first."""
        if self.context.event.slip_due:
            return super().buttons
        page = next_page(self.context)
        return tuple(
            button._replace(key=f"Select {button.key}", lit=False)
            for each, button in zip(page.deal.items, page.buttons, strict=True)
            if each.id != "report"  # the panel has it at hand
        )

    def choose(self, number: int) -> None:
        next_page(self.context).choose(number)

    def click(self) -> None:
        if self.context.event.slip_due:
            open_slip(self.context)
        else:
            self.stage.push(next_page(self.context))


def next_page(context: Context) -> ListPage:
    """Return what a table can do after a game."""
    table = context.table
    ended = table.ended
    swap = item("swap", "Swap sides", lambda: table.begin_again(ended, swap=True), short="Swap")
    items = (
        item("rematch", "Rematch", lambda: table.begin_again(ended)),
        *([swap] if ended.players else []),
        item("report", "Report", lambda: _report(context)),
        item("shelf", "Shelf", table.leave),
    )
    return ListPage(context, Band("The end", Short("next?", "What comes next?")), items)


def _report(context: Context) -> Text:
    address = context.visitors.address if context.visitors is not None else ""
    game = context.table.current.game_id
    lines = [f"{address.removeprefix('http://')}/report.html"] if address else []
    return Text(context.stage, "Report", (*lines, f"referee report {game}"))
