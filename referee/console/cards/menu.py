"""The menu behind a hold of Back: undo, odds, log, the card that says otherwise, the judge, pause."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.console.buttons import Button
from referee.console.cards.beside import open_odds
from referee.console.cards.clock import clock_page
from referee.console.cards.lists import ROOM, ConfirmPage, HeldPage, Item, ListPage, LongPage, item
from referee.console.cards.people import people_page
from referee.console.cards.seating import open_event
from referee.console.cards.throw import DiceCard, open_throw
from referee.console.context import Context
from referee.console.texts import Text
from referee.console.views import Band, Confirm, View
from referee.rulebook import Barred, Cell, OneOf, Range, Short, phrase, whole
from referee.session import Prompt, plain


def menu_page(context: Context) -> ListPage:
    """Return the menu for the table as it stands."""
    table = context.table
    prompt, odds = table.prompt, table.current.chances()
    last = item(
        "pause", "Pause", table.pause, "" if prompt else "The game is over", note="Nothing is asked until you go on"
    )
    if table.clocks.offered and table.clocks.possible:  # the pause is on its page, then
        last = item("clock", "Clock", lambda: clock_page(context))
    no_undo = "" if table.current.undoable else "Nothing to undo"
    no_card = "" if overridable(prompt) else "Nothing is crossed out"
    no_rules = "" if table.current.book.rules else "No rules listed"
    event = [item("event", "Event", lambda: open_event(context))] if context.event.seating is not None else []
    items = (
        item("undo", "Undo", table.undo, no_undo, note="Take an answer back"),
        item("odds", "Odds", lambda: open_odds(context), "" if odds.odds else odds.why, note="How it will come out"),
        item("log", "Log", lambda: open_log(context), note="What happened"),
        item("card", "Card", lambda: card_page(context), no_card, note="A card allows what is crossed out"),
        item("judge", "Judge", lambda: judge_page(context), note="Correct, concede, name players"),
        last,
        *event,
        item("shelf", "Shelf", table.leave, note="The game is kept"),
        item("rules", "Rules", lambda: rules_page(context), no_rules, note="Rules and tables to read"),
    )
    return ListPage(context, Band("Menu"), items)


def rules_page(context: Context) -> LongPage:
    """Return every printed table and every rule that the referee knows of this game, to be read."""
    book = context.table.current.book

    def look(name: str, title: str) -> Item:
        return item(name, title, lambda: Text(context.stage, Short("Table", title), _cells(book.printed()[name])))

    def read(rule: str, line: str) -> Item:
        return item(rule, f"{rule} {line}", lambda: Text(context.stage, rule, (line,)), short=rule)

    band = Band(Short("Rules", book.title), Short("which?", "Which rule?"))
    tables = (look(name, name.replace("-", " ").capitalize()) for name in book.tables)
    return LongPage(context, band, (*tables, *(read(*each) for each in book.rules.items())))


def _cells(cells: Sequence[Cell]) -> tuple[str, ...]:
    return tuple(f"{', '.join(filter(None, (cell.row, cell.column)))}: {cell.shares}" for cell in cells)


def overridable(prompt: Prompt | None) -> tuple[Barred, ...]:
    """Return what is barred now, but could be taken because a card says otherwise."""
    if prompt is None or prompt.secret or prompt.kind not in ("choose", "count"):
        return ()  # the menu is seen by all: what is answered in secret is not chosen there
    return tuple(entry for entry in prompt.barred if not entry.bar.firm and not entry.bar.aside)


def card_page(context: Context) -> ListPage:
    """Return what is barred now and could be taken because a card says otherwise."""
    prompt = context.table.prompt

    def allowed(entry: Barred) -> Item:
        def override() -> None:
            assert prompt is not None
            value = int(entry.option.id) if prompt.kind == "count" else entry.option.id
            context.table.answer(prompt.given(value, "override"))

        text, short = entry.option.text, entry.option.short or entry.option.text
        means = Short(f"{entry.bar.code}: {short}", phrase("The card allows it: {}", text).whole)
        page = ConfirmPage(context, "Card says", means, override)
        return item(entry.option.id, entry.option.text, lambda: page, short=entry.option.short)

    asked = "What does the card allow?"
    if prompt is not None and prompt.kind == "count":  # a number alone does not say what it counts
        asked = f"{whole(prompt.text)} {asked}"
    return ListPage(
        context, Band(Short("Card", "Card says"), Short("says", asked)), map(allowed, overridable(prompt))
    )


def judge_page(context: Context) -> ListPage:
    """Return what only a judge should do; what changes something takes a hold of one second."""
    table = context.table
    earlier = bool(table.prompt and table.prompt.stands)
    seat = table.prompt.seat if table.prompt else ""
    may_concede = seat in table.current.seats() and not table.current.over
    again = ConfirmPage(context, "Re-roll", "Roll these dice again", lambda: reroll(context))
    gives_up = phrase("{} gives up", table.seat_name(seat))
    concede = ConfirmPage(context, "Concede", gives_up, lambda: table.concede(seat))
    correct = ConfirmPage(context, "Correct", "Enter the last throw again", lambda: open_last(context))
    no_counters = "" if table.current.game.correctable else "No counters to set"
    items = (
        item("set", "Set", lambda: set_page(context), no_counters, note="Correct a count"),
        item(
            "re-roll", "Re-roll", lambda: again, "" if earlier else "Nothing to re-roll", note="The same dice again"
        ),
        item("concede", "Concede", lambda: concede, "" if may_concede else "No seat is asked", "Give up", gives_up),
        item(
            "die", "Die", lambda: correct, "" if table.last_throw else "No throw to correct", note="Of the last throw"
        ),
        item("people", "People", lambda: people_page(context), note="Names of players, browsers"),
    )
    return ListPage(context, Band("Judge"), items)


LOG_LINES = 60
"""Lines of the log that can be turned through on the glass; the panel and the journal hold all of them."""


def open_log(context: Context) -> None:
    """Lay the log, newest line first."""
    lines = context.table.current.log(newest=LOG_LINES)
    told = [f"{'undone: ' * line.undone}{line.text}" for line in reversed(lines)]
    context.stage.push(Text(context.stage, "Log", told, listed=True))


def reroll(context: Context) -> None:
    """Let an earlier throw be thrown anew."""
    prompt = context.table.prompt
    if prompt is not None:
        context.stage.clear()
        context.stage.push(DiceCard(context, prompt, anew=True))


def open_last(context: Context) -> None:
    """Let the throw entered last be corrected by the judge."""
    context.stage.clear()
    open_throw(context, "judge")


def set_page(context: Context) -> LongPage:
    """Return the counters the judge can set, each with its value."""

    def counter(path: str, limits: Range | OneOf) -> Item:
        game = context.table.current.game
        value, name = game.read(path), game.called(path)
        shorter = (f"{name} {plain(value)}", f"{name.rpartition(' ')[2]}: {plain(value)}")
        short = next((text for text in shorter if len(text) <= ROOM), plain(value))
        text = phrase("{}: {}", name, plain(value))
        return item(path, text, lambda: SetPage(context, path, name, limits, value), short=short)

    band = Band("Judge", Short("set", "Which counter?"))
    return LongPage(context, band, (counter(*each) for each in context.table.current.game.correctable.items()))


class SetPage(HeldPage):
    """Set one counter: turn to the value, hold Select."""

    def __init__(self, context: Context, path: str, name: str, limits: Range | OneOf, value: Any) -> None:
        """``name``: what people call it; ``value``: what it is now."""
        super().__init__(context)
        self.path = path
        self.name = name
        self.before = value
        self.values = tuple(range(limits.low, limits.high + 1)) if isinstance(limits, Range) else limits.values
        self.at = self.values.index(value) if value in self.values else 0

    @property
    def value(self) -> Any:
        return self.values[self.at]

    def view(self, bar: float | None) -> View:
        now, before = plain(self.value), plain(self.before)
        return Confirm(
            self.name, Short(f"{now} (was {before})", f"{now}, where it was {before}"), bar, "turn; hold 1 s"
        )

    def die(self, number: int) -> None:
        if number in self.values:
            self.at = self.values.index(number)

    def turn(self, steps: int) -> None:
        self.at = max(0, min(len(self.values) - 1, self.at + steps))

    @property
    def does(self) -> str:
        return f"Set to {plain(self.value)}"

    @property
    def buttons(self) -> tuple[Button, ...]:
        values = (Button(str(i), plain(value), chosen=i == self.at) for i, value in enumerate(self.values))
        return *values, *super().buttons

    def choose(self, number: int) -> None:
        self.at = number

    def long_hold(self) -> None:
        self.table.correct(self.path, self.value)
