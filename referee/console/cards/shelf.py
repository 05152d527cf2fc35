"""Without a game and after one: the shelf, the switches of a new game, the end, and the safe mode."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import partial
from typing import Any

from referee.console.buttons import Button
from referee.console.cards.lists import Action, Item, ListCard, ListPage
from referee.console.cards.people import people_page
from referee.console.cards.seating import open_event, open_slip
from referee.console.context import Context, Playing
from referee.console.drawing.screens import legible, note_pages
from referee.console.shelf import Unfinished
from referee.console.texts import Pages, Text
from referee.console.views import Band, Idle, View
from referee.errors import RefereeError
from referee.rulebook import Book, Short, Switch, joined


class ShelfCard(ListCard):
    """The games of the box."""

    listed = True

    def __init__(self, context: Context) -> None:
        self.notes: dict[str, str] = {}
        games = [(Item(*label), partial(self._open, label.id)) for label in context.table.shelf.labels()]
        super().__init__(context, Band("Referee", "which game?"), [*self._before(context), *games])

    def _before(self, context: Context) -> Iterator[tuple[Item, Action]]:
        """Yield the game that was left last, and the latest one once more; neither where they cannot be read."""
        table = context.table
        with contextlib.suppress(RefereeError):
            for left in context.table.shelf.unfinished()[:1]:
                self.notes["resume"] = ", ".join(left.where[1:])
                yield Item("resume", f"Resume {left.title}", "Resume"), partial(table.take_up, left.id)
            ended = context.table.shelf.ended()
            if ended is not None:
                names = legible(", ".join(ended.players.values()))
                self.notes["again"] = ended.book.title
                short = f"Again: {ended.book.short or ended.book.title}"
                yield Item("again", f"{names} again" if names else short, short), lambda: table.begin_again(ended)

    @property
    def buttons(self) -> tuple[Button, ...]:
        """What was played before, then the games, each with what it referees."""
        return tuple(
            button._replace(note=self.notes.get(item.id) or self._offers(item.id))
            for button, item in zip(super().buttons, self.deal.items, strict=True)
        )

    def _offers(self, game: str) -> str:
        with contextlib.suppress(RefereeError):  # choosing it says what is wrong
            return self.table.shelf.book(game).offers
        return ""

    def menu(self) -> None:
        """Without a game there is only this to do: what a table does in an event, or the people."""
        if self.context.event.seating is not None:
            open_event(self.context)
        else:
            self.stage.push(people_page(self.context))

    def _open(self, game: str) -> None:
        self.stage.attempt(lambda: self.stage.push(book_page(self.context, self.table.shelf.book(game))))


def book_page(context: Context, book: Book) -> ListPage:
    """Return what a book offers: its single rulings, a new game, and the games left before their end."""
    entries: list[tuple[Item, Action]] = []

    def ruling(name: str) -> None:
        settings = book.settings({})
        entries.append(
            (Item(name, name.replace("-", " ").capitalize()), lambda: context.table.begin(book, settings, name)),
        )

    def resume(left: Unfinished) -> None:
        name = Short(f"Resume {left.where[0]}", f"Resume {', '.join(left.where[1:])}")
        entries.append((Item(left.id, name, "Resume"), lambda: context.table.take_up(left.id)))

    if book.play is not None:
        new = partial(context.table.begin, book, {}, None)
        if book.switches:
            entries.append((Item("play", "New game", "New"), lambda: context.stage.push(switch_page(context, book))))
        else:
            entries.append((Item("play", "New game", "New"), new))
    for name in book.rulings:
        ruling(name)
    for left in context.table.shelf.unfinished():
        if left.title == book.title:
            resume(left)
    return ListPage(context, Band(Short(book.short or book.title, book.title)), entries[:11])


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
        entries: list[tuple[Item, Action]] = [(Item("start", "Start"), self._start)]
        entries += [self._entry(switch) for switch in self.book.switches]
        super().__init__(context, Band("New game", Short("switches", "By which rules?")), entries)
        self.deal.light(at)

    def _entry(self, switch: Switch) -> tuple[Item, Action]:
        value = self.settings[switch.name]
        mark = switch.says(value)
        return Item(
            switch.name, f"{switch.label} {mark}", switch.short and f"{switch.short} {mark}"
        ), lambda: self._next(switch)

    @property
    def buttons(self) -> tuple[Button, ...]:
        sentences = {each.name: each.text for each in self.book.switches}
        return tuple(
            button._replace(note=sentences.get(item.id, ""))
            for button, item in zip(super().buttons, self.deal.items, strict=True)
        )

    def _next(self, switch: Switch) -> None:
        values = switch.values
        here = values.index(self.settings[switch.name])
        self.settings[switch.name] = values[(here + 1) % len(values)]
        self._deal_again(self.context, self.deal.cursor or 0)

    def _start(self) -> None:
        self.table.begin(self.book, self.settings, None)


def switch_page(context: Context, book: Book) -> SwitchPage:
    """Return the switches of a new game."""
    return SwitchPage(context, book)


class OverCard(Pages, Playing):
    """The end. Turning tells why, Back still undoes, Select leads to what comes next."""

    select = "Go on"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        over = context.table.over
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
            for item, button in zip(page.deal.items, page.buttons, strict=True)
            if item.id != "report"  # the panel has it at hand
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
    entries: list[tuple[Item, Action]] = [
        (Item("rematch", "Rematch"), lambda: table.begin_again(ended)),
        (Item("swap", "Swap sides", "Swap"), lambda: table.begin_again(ended, swap=True)),
        (Item("report", "Report"), lambda: context.stage.push(_report(context))),
        (Item("shelf", "Shelf"), table.leave),
    ]
    if not ended.players:
        del entries[1]
    return ListPage(context, Band("The end", Short("next?", "What comes next?")), entries)


def _report(context: Context) -> Text:
    """Return where the report of the game is to be had."""
    address = context.visitors.address if context.visitors is not None else ""
    game = context.table.current.game_id
    lines = [f"{address.removeprefix('http://')}/report.html"] if address else []
    return Text(context.stage, "Report", (*lines, f"referee report {game}"))
