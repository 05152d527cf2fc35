"""Everything a game can ask, refuse or rule fits both glasses, with a glyph for every letter.

A session is driven with random answers; every question, every reason why something is barred, every note, ruling,
page of reasons and reminder on the way is laid on the console and looked at on 128x64, large type too, and 256x64.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from referee.console.cards.beside import OddsPage, open_odds
from referee.console.cards.lists import ListPage
from referee.console.cards.menu import card_page, judge_page, menu_page, open_log, rules_page, set_page
from referee.console.cards.notices import ReminderCard, RulingCard, SecretCard, TurnCard
from referee.console.cards.shelf import OverCard, SwitchPage, book_page
from referee.console.cards.throw import ask_card
from referee.console.console import Console
from referee.console.drawing.screens import SIZES, problems
from referee.console.shelf import BoxDice, Ended, Unfinished
from referee.console.stage import RefusalCard
from referee.console.texts import Text
from referee.console.views import Grid, Question, Rows, View
from referee.errors import Refused
from referee.rulebook import Book, Event, Label, Reminder, Ruling
from referee.session import Prompt, Session

DICE: Final = BoxDice("either", lambda dice, sides: (sides,) * dice)


ODDS_EVERY: Final = 6
"""Questions from one whose odds are looked at to the next: how it will all come out may take long to work out."""


class Bare:
    """A shelf without a journal."""

    def __init__(self, *books: Book) -> None:
        self._books = books

    def labels(self) -> list[Label]:
        """Return the rulebooks on the shelf."""
        return [book.label for book in self._books]

    def book(self, game: str) -> Book:
        """Return the rulebook of a game."""
        return next(book for book in self._books if book.id == game)

    def begin(self, book: Book, settings: Any, ruling: str | None, source: str) -> Session:
        """Begin it."""
        return Session(book, settings, ruling, repeat=ruling is not None, source=source)

    def notebook(self, session: Session | None) -> None:
        """Nothing is written here."""

    players = None

    def unfinished(self) -> list[Unfinished]:
        """Return a game of each that was left."""
        return [Unfinished("12", book.title, ("no. 12",)) for book in self._books]

    def ended(self) -> Ended | None:
        """Return a game of the first."""
        return Ended(self._books[0], self._books[0].settings({}), {}) if self._books else None

    def settings(self, book: Book) -> dict[str, Any]:
        """Return the switches as the book has them."""
        return book.settings({})

    def resume(self, game: str) -> Session:
        """Nothing is resumed here."""
        raise AssertionError(game)


class Looker:
    """Notes what does not fit, looking at every different screen once."""

    def __init__(self) -> None:
        self.misfits: dict[str, None] = {}
        self._seen: set[View] = set()

    def __call__(self, view: View) -> None:
        """Look at a screen."""
        if view in self._seen:
            return
        self._seen.add(view)
        name = type(view).__name__
        for size in SIZES:
            self.misfits.update(dict.fromkeys(f"{size[0]}: {name}: {p}" for p in problems(view, size)))
        lit = (
            [replace(view, lit=n) for n in range(len(view.cells))] if isinstance(view, (Grid, Rows, Question)) else []
        )
        for each in (view, *lit):
            self.misfits.update(dict.fromkeys(f"large: {name}: {p}" for p in problems(each, enlarged=True)))


def misfits(book: Book, settings: Mapping[str, Any], ruling: str | None, answers: int) -> tuple[str, ...]:
    """Return what does not fit of all that so many random answers bring up."""
    chance = random.Random(f"{book.id}{settings}{ruling}")  # noqa: S311 - a table that can be repeated, not a secret
    console = Console(Bare(book), DICE)
    look = Looker()
    session = Session(book, settings, ruling, repeat=ruling is not None)
    console.table.use(session)
    for number in range(answers):
        prompt = session.prompt
        if prompt is None:
            look(OverCard(console.context).view(None))
            session = Session(book, settings, ruling, repeat=ruling is not None)
            console.table.use(session)
            continue
        for view in views_of(console, prompt):
            look(view)
        if number % ODDS_EVERY == 0:
            for view in odds_of(console):
                look(view)
        how, value = some_answer(prompt, chance)
        try:
            outcome = session.bundle(value) if how == "bundle" else session.answer(value)
        except Refused as refused:
            look(RefusalCard(console.stage, "Not now", refused.text, refused.code).view(None))
        else:
            look_at_all(look, console, outcome.events)
    look_at_pages(look, console)
    return tuple(look.misfits)


def misfits_of_the_shelf(book: Book) -> tuple[str, ...]:
    """Return what does not fit of the shelf, the game's page and its switches."""
    console = Console(Bare(book), DICE)
    look = Looker()
    look(console.stage.top.view(None))
    for page in (book_page(console.context, book), SwitchPage(console.context, book)):
        for view in pages_of(page):
            look(view)
    return tuple(look.misfits)


def some_answer(prompt: Prompt, chance: random.Random) -> tuple[str, Any]:
    """Return a legal answer, a bundle, or an answer that is barred: ("answer" or "bundle", value)."""
    if prompt.bundles and chance.random() < 0.15:
        return "bundle", chance.choice(prompt.bundles).id
    if prompt.kind == "choose":
        if prompt.barred and chance.random() < 0.1:
            return "answer", chance.choice(prompt.barred).option.id
        options = [o.id for o in prompt.options if o.id != prompt.passing or chance.random() < 0.25]
        return "answer", chance.choice(options or [o.id for o in prompt.options] or ["back"])
    if prompt.kind == "pick":
        many = chance.randint(prompt.low, min(prompt.high, len(prompt.options)))
        return "answer", chance.sample([o.id for o in prompt.options], many)
    if prompt.kind == "count":
        barred = {b.option.id for b in prompt.barred}
        return "answer", chance.choice([v for v in range(prompt.low, prompt.high + 1) if str(v) not in barred])
    return "answer", list(prompt.stands or [chance.randint(1, prompt.sides) for _ in range(prompt.dice)])


def views_of(console: Console, prompt: Prompt) -> Iterator[View]:
    """Every screen this question can bring up by itself."""
    if prompt.sealed:
        yield SecretCard(console.context, prompt).view(None)
    card = ask_card(console.context, prompt)
    yield card.view(None)
    yield card.view(0.5)
    for barred in prompt.barred:
        if not barred.bar.aside:
            yield RefusalCard(console.stage, "Not now", barred.bar.text, barred.bar.code).view(None)
    yield from behind(console, card_page(console.context))
    pages = len(console.table.notes(prompt))
    for _ in range(min(80, len(prompt.among) + pages + 2)):
        card.turn(1)
        yield card.view(None)
    if console.table.turn:
        yield TurnCard(console.context).view(None)


def odds_of(console: Console) -> Iterator[View]:
    """Every page of the odds, or of how it will all come out."""
    open_odds(console.context)
    if isinstance(console.stage.top, OddsPage):
        yield from console.stage.top.pages
        console.stage.clear()


def look_at_all(look: Looker, console: Console, events: tuple[Event, ...]) -> None:
    """Look at rulings with every page of their reasons, and at reminders."""
    for event in events:
        if isinstance(event, Reminder):
            look(ReminderCard(console.context, event).view(None))
        elif isinstance(event, Ruling):
            card = RulingCard(console.context, event)
            for _ in range(len(card.sheets) + 1):
                look(card.view(None))
                card.turn(1)


def look_at_pages(look: Looker, console: Console) -> None:
    """Look at the log and at all that the menu leads to."""
    open_log(console.context)
    log = console.stage.top
    assert isinstance(log, Text)
    console.stage.pop(log)
    for _ in log.pages:
        look(log.view(None))
        log.turn(1)
    if console.table.prompt is not None:
        for page in (menu_page, judge_page, set_page, card_page, rules_page):
            for view in pages_of(page(console.context)):
                look(view)
        for page in (judge_page, set_page, rules_page):
            for view in behind(console, page(console.context)):
                look(view)


def behind(console: Console, page: ListPage) -> Iterator[View]:
    """What each open line of a page leads to, where that changes nothing yet."""
    for item in page.deal.items:
        if item.bar is None:
            page.take(item)
            yield console.stage.top.view(None)
            console.stage.clear()


def pages_of(page: ListPage) -> Iterator[View]:
    """Every page of a list."""
    for _ in page.deal.items:
        yield page.view(None)
        page.turn(1)
