"""The menu behind a hold of Back: undo, odds, log, the card that says otherwise, the judge, pause."""

from __future__ import annotations

from typing import Any

from referee.console.buttons import Button
from referee.console.cards.beside import open_odds
from referee.console.cards.clock import clock_page
from referee.console.cards.correct import open_throw
from referee.console.cards.lists import ROOM, Action, ConfirmPage, HeldPage, Item, ListPage, LongPage, item
from referee.console.cards.people import people_page
from referee.console.cards.seating import open_event
from referee.console.cards.throw import DiceCard
from referee.console.context import Context
from referee.console.drawing.screens import fitting
from referee.console.texts import LogCard, Text
from referee.console.views import Band, Confirm, Count, View
from referee.rulebook import Barred, OneOf, Range, Short, phrase
from referee.session import Prompt, plain


def menu_page(context: Context) -> ListPage:
    """Return the menu for the table as it stands."""
    table = context.table
    prompt = table.prompt
    last = (item("pause", "Pause", "" if prompt else "The game is over"), context.table.pause)
    if table.clocks.offered and table.clocks.possible:  # the pause is on its page, then
        last = (item("clock", "Clock"), lambda: context.stage.push(clock_page(context)))
    event = [(item("event", "Event"), lambda: open_event(context))] if context.event.seating is not None else []
    return ListPage(
        context,
        Band("Menu"),
        [
            (item("undo", "Undo", "" if table.current.undoable else "Nothing to undo yet"), context.table.undo),
            (item("odds", "Odds", "" if context.table.odds() else "No roll pending"), lambda: open_odds(context)),
            (item("log", "Log"), lambda: open_log(context)),
            (
                item("card", "Card", "" if overridable(prompt) else "No option is barred"),
                lambda: context.stage.push(card_page(context)),
            ),
            (item("judge", "Judge"), lambda: context.stage.push(judge_page(context))),
            last,
            *event,
            (item("shelf", "Shelf"), table.leave),
            (
                item("rules", "Rules", "" if table.current.book.rules else "No rules listed"),
                lambda: context.stage.push(rules_page(context)),
            ),
        ],
    )


def rules_page(context: Context) -> LongPage:
    """Return every rule that the referee knows of this game, to be read."""
    book = context.table.current.book

    def entry(rule: str, line: str) -> tuple[Item, Action]:
        return Item(rule, f"{rule} {line}", rule), lambda: context.stage.push(Text(context.stage, rule, (line,)))

    band = Band(Short("Rules", book.title), Short("which?", "Which rule?"))
    return LongPage(context, band, [entry(*each) for each in book.rules.items()])


def overridable(prompt: Prompt | None) -> tuple[Barred, ...]:
    """Return what is barred now, but could be taken because a card says otherwise."""
    if prompt is None or prompt.secret or prompt.kind not in ("choose", "count"):
        return ()  # the menu is seen by all: what is answered in secret is not chosen there
    return tuple(entry for entry in prompt.barred if not entry.bar.firm and not entry.bar.aside)


def card_page(context: Context) -> ListPage:
    """Return what is barred now and could be taken because a card says otherwise."""
    prompt = context.table.prompt
    barred = overridable(prompt)

    def entry_of(entry: Barred) -> tuple[Item, Action]:
        def override() -> None:
            assert prompt is not None
            value = int(entry.option.id) if prompt.kind == "count" else entry.option.id
            context.table.answer(prompt.given(value, "override"))

        text, short = entry.option.text, entry.option.short or entry.option.text
        means = phrase("The card allows it: {}", text).whole
        forms = (form.format(entry.bar.code, text) for form in ("Override {}: {}", "{}: {}"))
        whats = *forms, f"Override {entry.bar.code}: {short}"
        page = ConfirmPage(context, "Card says", tuple(Short(what, means) for what in whats), override)
        return Item(entry.option.id, entry.option.text, entry.option.short), lambda: context.stage.push(page)

    return ListPage(
        context,
        Band(Short("Card", "Card says"), Short("says", "What does the card allow?")),
        [entry_of(entry) for entry in barred],
    )


def judge_page(context: Context) -> ListPage:
    """Return what only a judge should do; what changes something takes a hold of one second."""
    table = context.table
    earlier = bool(table.prompt and table.prompt.stands)
    seat = table.prompt.seat if table.prompt else ""
    may_concede = seat in table.current.seats() and not table.over
    return ListPage(
        context,
        Band("Judge"),
        [
            (
                item("set", "Set", "" if table.current.game.correctable else "No counters to set"),
                lambda: context.stage.push(set_page(context)),
            ),
            (
                item("re-roll", "Re-roll", "" if earlier else "No earlier throw here"),
                lambda: context.stage.push(
                    ConfirmPage(context, "Re-roll", "Roll these dice again", lambda: reroll(context))
                ),
            ),
            (
                item("concede", "Concede", "" if may_concede else "No seat is asked", "Give up"),
                lambda: context.stage.push(
                    ConfirmPage(
                        context, "Concede", phrase("{} gives up", table.seat_name(seat)), lambda: table.concede(seat)
                    )
                ),
            ),
            (
                item("die", "Die", "" if table.last_throw else "No throw just entered"),
                lambda: context.stage.push(
                    ConfirmPage(context, "Correct", "Key the last throw in again", lambda: open_last(context))
                ),
            ),
            (
                item("people", "People"),
                lambda: context.stage.push(people_page(context)),
            ),
        ],
    )


LOG_LINES = 60
"""Lines of the log that can be turned through on the glass; the panel and the journal hold all of them."""


def open_log(context: Context) -> None:
    """Lay the log, newest line first."""
    lines = context.table.current.log(newest=LOG_LINES)
    context.stage.push(
        LogCard(context.stage, tuple(("undone: " if line.undone else "") + line.text for line in reversed(lines)))
    )


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

    def entry(path: str, limits: Range | OneOf) -> tuple[Item, Action]:
        game = context.table.current.game
        value, name = game.read(path), game.called(path)
        shorter = (f"{name} {plain(value)}", f"{name.rpartition(' ')[2]}: {plain(value)}")
        short = next((text for text in shorter if len(text) <= ROOM), plain(value))
        item = Item(path, phrase("{}: {}", name, plain(value)), short)
        return item, lambda: context.stage.push(SetPage(context, path, name, limits, value))

    return LongPage(
        context,
        Band("Judge", Short("set", "Set what?")),
        [entry(path, limits) for path, limits in context.table.current.game.correctable.items()],
    )


class SetPage(HeldPage):
    """Set one counter: turn to the value, hold Select."""

    def __init__(self, context: Context, path: str, name: str, limits: Range | OneOf, value: Any) -> None:
        """``name``: what people call it; ``value``: what it is now."""
        super().__init__(context)
        self.path = path
        self.name = name
        self.before = value
        self.values = tuple(range(limits.low, limits.high + 1)) if isinstance(limits, Range) else limits.values
        self.limits = limits
        self.at = self.values.index(value) if value in self.values else 0

    @property
    def value(self) -> Any:
        """The value that would be set."""
        return self.values[self.at]

    def view(self, bar: float | None) -> View:
        hint = f"was {plain(self.before)}"
        if isinstance(self.limits, Range) and bar is None:
            low, high = self.values[0], self.values[-1]
            sets = Short("set", "Set to which number?")
            bands = (Band(self.name, sets), Band(self.name))
            return fitting(*(Count(band, self.value, low, high, hint, "hold: set") for band in bands))
        return Confirm(
            self.name, Short(f"{plain(self.value)} ({hint})", f"{plain(self.value)}, where it {hint}"), bar
        )

    def die(self, number: int) -> None:
        if isinstance(self.limits, Range) and number in self.values:
            self.at = self.values.index(number)

    def turn(self, steps: int) -> None:
        self.at = max(0, min(len(self.values) - 1, self.at + steps))

    @property
    def does(self) -> str:
        """What would be set."""
        return f"Set to {plain(self.value)}"

    @property
    def buttons(self) -> tuple[Button, ...]:
        values = (Button(str(i), plain(value), chosen=i == self.at) for i, value in enumerate(self.values))
        return *values, *super().buttons

    def choose(self, number: int) -> None:
        self.at = number

    def long_hold(self) -> None:
        self.table.correct(self.path, self.value)
