"""The shelf: which game, a whole one or a single ruling, and its switches."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from functools import partial
from typing import Any

from referee.console.buttons import Button
from referee.console.cards.base import legible
from referee.console.cards.cells import Item
from referee.console.cards.menu import Action, ListCard, ListPage, people_page
from referee.console.host import Host
from referee.console.shelf import Unfinished
from referee.console.views import Band
from referee.errors import RefereeError
from referee.rulebook import Book, Short, Switch


class ShelfCard(ListCard):
    """The games of the box."""

    listed = True

    def __init__(self, host: Host) -> None:
        self.notes: dict[str, str] = {}
        games = [(Item(*label), partial(self._open, label.id)) for label in host.shelf.labels()]
        super().__init__(host, Band("Referee", "which game?"), [*self._before(host), *games])

    def _before(self, host: Host) -> Iterator[tuple[Item, Action]]:
        """Yield the game that was left last, and the latest one once more; neither where they cannot be read."""
        table = host.table
        with contextlib.suppress(RefereeError):
            for left in host.shelf.unfinished()[:1]:
                self.notes["resume"] = ", ".join(left.where[1:])
                yield Item("resume", f"Resume {left.title}", "Resume"), partial(table.take_up, left.id)
            ended = host.shelf.ended()
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
            return self.host.shelf.book(game).offers
        return ""

    def menu(self) -> None:
        """Without a game there is only this to do: what a table does in an event, or the people."""
        if self.host.event.seating is not None:
            self.host.event.open()
        else:
            self.host.lay(people_page(self.host))

    def _open(self, game: str) -> None:
        self.host.attempt(lambda: self.host.lay(book_page(self.host, self.host.shelf.book(game))))


def book_page(host: Host, book: Book) -> ListPage:
    """Return what a book offers: its single rulings, a new game, and the games left before their end."""
    entries: list[tuple[Item, Action]] = []

    def ruling(name: str) -> None:
        settings = book.settings({})
        entries.append(
            (Item(name, name.replace("-", " ").capitalize()), lambda: host.table.begin(book, settings, name)),
        )

    def resume(left: Unfinished) -> None:
        name = Short(f"Resume {left.where[0]}", f"Resume {', '.join(left.where[1:])}")
        entries.append((Item(left.id, name, "Resume"), lambda: host.table.take_up(left.id)))

    if book.play is not None:
        new = partial(host.table.begin, book, {}, None)
        if book.switches:
            entries.append((Item("play", "New game", "New"), lambda: host.lay(switch_page(host, book))))
        else:
            entries.append((Item("play", "New game", "New"), new))
    for name in book.rulings:
        ruling(name)
    for left in host.shelf.unfinished():
        if left.title == book.title:
            resume(left)
    return ListPage(host, Band(Short(book.short or book.title, book.title)), entries[:11])


class SwitchPage(ListPage):
    """The readings of the rules this table plays by; a key goes to the next value, the first one starts."""

    listed = True

    def __init__(self, host: Host, book: Book) -> None:
        self.book = book
        self.settings: dict[str, Any] = book.settings({})
        with contextlib.suppress(RefereeError):  # beginning says what is wrong
            self.settings = dict(host.shelf.settings(book))
        self._deal_again(host, 0)

    def _deal_again(self, host: Host, at: int) -> None:
        entries: list[tuple[Item, Action]] = [(Item("start", "Start"), self._start)]
        entries += [self._entry(switch) for switch in self.book.switches]
        super().__init__(host, Band("New game", Short("switches", "By which rules?")), entries)
        self.deal.light(at)

    def _entry(self, switch: Switch) -> tuple[Item, Action]:
        value = self.settings[switch.name]
        mark = switch.says(value)
        return Item(
            switch.name, f"{switch.label} {mark}", switch.short and f"{switch.short} {mark}"
        ), lambda: self._next(switch)

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Start, and the switches, each with its sentence."""
        sentences = {each.name: each.text for each in self.book.switches}
        return tuple(
            button._replace(note=sentences.get(item.id, ""))
            for button, item in zip(super().buttons, self.deal.items, strict=True)
        )

    def _next(self, switch: Switch) -> None:
        values = switch.values
        here = values.index(self.settings[switch.name])
        self.settings[switch.name] = values[(here + 1) % len(values)]
        self._deal_again(self.host, self.deal.cursor or 0)

    def _start(self) -> None:
        self.host.table.begin(self.book, self.settings, None)


def switch_page(host: Host, book: Book) -> SwitchPage:
    """Return the switches of a new game."""
    return SwitchPage(host, book)
