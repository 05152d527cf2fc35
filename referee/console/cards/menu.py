"""The menu behind a hold of Back: undo, odds, log, the card that says otherwise, the judge, pause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final

from referee.console.buttons import BACK, DO, Button
from referee.console.cards.base import Page, Text, fitting, legible
from referee.console.cards.cells import Deal, Item
from referee.console.cards.notices import LogCard
from referee.console.cards.odds import open_odds
from referee.console.cards.throw import DiceCard
from referee.console.host import Card, Host
from referee.console.shelf import Visitors
from referee.console.slip import ROOM
from referee.console.views import Band, Code, Confirm, Count, View
from referee.errors import RefereeError
from referee.rulebook import Bar, Barred, OneOf, Range, Short, phrase
from referee.session import Prompt, plain

Action = Callable[[], None]


class ListCard(Card):
    """Cells, each with what it does; rows where a name is long, or always (``listed``). A bar says why."""

    listed: ClassVar[bool] = False

    def __init__(self, host: Host, band: Band, entries: Sequence[tuple[Item, Action]]) -> None:
        super().__init__(host)
        self.band = band
        self.deal = Deal([item for item, _ in entries])
        self.actions = {item.id: action for item, action in entries}

    def view(self, bar: float | None) -> View:
        """Return the cells."""
        del bar
        rows = self.deal.rows(self.band)
        return rows if self.listed else fitting(self.deal.grid(self.band), rows)

    @property
    def buttons(self) -> tuple[Button, ...]:
        """The entries of all pages."""
        return self.deal.buttons()

    def tap(self, button: str) -> None:
        """Do it."""
        self._do(self.deal.take(int(button)))

    def die(self, number: int) -> None:
        """Do what stands under that key."""
        self._do(self.deal.press(number))

    def turn(self, steps: int) -> None:
        """Move."""
        self.deal.turn(steps)

    def click(self) -> None:
        """Do what is lit."""
        self._do(self.deal.lit)

    def _do(self, item: Item | None) -> None:
        if item is None:
            return
        if item.bar is not None:
            self.host.explain("Not now", item.bar.text, item.bar.code, "any key")
        else:
            self.host.sound("key")
            self.actions[item.id]()


class ListPage(ListCard, Page):
    """Cells on a page over another card."""

    for_judges = True


class LongPage(ListPage):
    """A page of long names, a row each."""

    listed = True


def _item(id_: str, text: str, why_not: str = "", short: str = "") -> Item:
    return Item(id_, text, short, Bar("menu", why_not) if why_not else None)


def menu_page(host: Host) -> ListPage:
    """Return the menu for the table as it stands."""
    table = host.table
    prompt = table.prompt
    last = (_item("pause", "Pause", "" if prompt else "The game is over"), host.table.pause)
    if table.clocks.offered and table.clocks.possible:  # the pause is on its page, then
        last = (_item("clock", "Clock"), host.open_clocks)
    event = [(_item("event", "Event"), host.event.open)] if host.event.seating is not None else []
    return ListPage(
        host,
        Band("Menu"),
        [
            (_item("undo", "Undo", "" if table.current.undoable else "Nothing to undo yet"), host.table.undo),
            (_item("odds", "Odds", "" if host.table.odds() else "No roll pending"), lambda: open_odds(host)),
            (_item("log", "Log"), lambda: open_log(host)),
            (
                _item("card", "Card", "" if overridable(prompt) else "No option is barred"),
                lambda: host.lay(card_page(host)),
            ),
            (_item("judge", "Judge"), lambda: host.lay(judge_page(host))),
            last,
            *event,
            (_item("shelf", "Shelf"), table.leave),
            (
                _item("rules", "Rules", "" if table.current.book.rules else "No rules listed"),
                lambda: host.lay(rules_page(host)),
            ),
        ],
    )


def rules_page(host: Host) -> LongPage:
    """Return every rule that the referee knows of this game, to be read."""
    book = host.table.current.book

    def entry(rule: str, line: str) -> tuple[Item, Action]:
        return Item(rule, f"{rule} {line}", rule), lambda: host.lay(Text(host, rule, (line,)))

    band = Band(Short("Rules", book.title), Short("which?", "Which rule?"))
    return LongPage(host, band, [entry(*each) for each in book.rules.items()])


def overridable(prompt: Prompt | None) -> tuple[Barred, ...]:
    """Return what is barred now, but could be taken because a card says otherwise."""
    if prompt is None or prompt.secret or prompt.kind not in ("choose", "count"):
        return ()  # the menu is seen by all: what is answered in secret is not chosen there
    return tuple(entry for entry in prompt.barred if not entry.bar.firm and not entry.bar.aside)


def card_page(host: Host) -> ListPage:
    """Return what is barred now and could be taken because a card says otherwise."""
    prompt = host.table.prompt
    barred = overridable(prompt)

    def entry_of(entry: Barred) -> tuple[Item, Action]:
        def override() -> None:
            assert prompt is not None
            value = int(entry.option.id) if prompt.kind == "count" else entry.option.id
            host.table.answer(prompt.given(value, "override"))

        text, short = entry.option.text, entry.option.short or entry.option.text
        means = phrase("The card allows it: {}", text).whole
        forms = (form.format(entry.bar.code, text) for form in ("Override {}: {}", "{}: {}"))
        whats = *forms, f"Override {entry.bar.code}: {short}"
        page = ConfirmPage(host, "Card says", tuple(Short(what, means) for what in whats), override)
        return Item(entry.option.id, entry.option.text, entry.option.short), lambda: host.lay(page)

    return ListPage(
        host,
        Band(Short("Card", "Card says"), Short("says", "What does the card allow?")),
        [entry_of(entry) for entry in barred],
    )


def judge_page(host: Host) -> ListPage:
    """Return what only a judge should do; what changes something takes a hold of one second."""
    table = host.table
    earlier = bool(table.prompt and table.prompt.stands)
    seat = table.prompt.seat if table.prompt else ""
    may_concede = seat in table.current.seats() and not table.over
    return ListPage(
        host,
        Band("Judge"),
        [
            (
                _item("set", "Set", "" if table.current.game.correctable else "No counters to set"),
                lambda: host.lay(set_page(host)),
            ),
            (
                _item("re-roll", "Re-roll", "" if earlier else "No earlier throw here"),
                lambda: host.lay(ConfirmPage(host, "Re-roll", "Roll these dice again", lambda: reroll(host))),
            ),
            (
                _item("concede", "Concede", "" if may_concede else "No seat is asked", "Give up"),
                lambda: host.lay(
                    ConfirmPage(
                        host, "Concede", phrase("{} gives up", table.seat_name(seat)), lambda: table.concede(seat)
                    )
                ),
            ),
            (
                _item("die", "Die", "" if table.last_throw else "No throw just entered"),
                lambda: host.lay(
                    ConfirmPage(host, "Correct", "Key the last throw in again", lambda: open_last(host))
                ),
            ),
            (
                _item("people", "People"),
                lambda: host.lay(people_page(host)),
            ),
        ],
    )


def browsers(host: Host) -> int:
    """Return how many browsers of the network were let in; none where that cannot be read."""
    try:
        return len(host.visitors.listed()) if host.visitors is not None else 0
    except RefereeError:
        return 0


def people_page(host: Host) -> ListPage:
    """Return what can be done for the players, and for browsers of the network and against them."""
    count, address = browsers(host), host.visitors.address if host.visitors is not None else ""
    here = "Not on a network" if host.visitors is not None else "The panel is off"

    def join() -> None:
        if host.visitors is not None:
            host.lay(JoinCard(host, host.visitors))

    dice = [(_item("dice", "Dice"), host.open_dice)] if host.dice.case is not None else []
    return ListPage(
        host,
        Band("People"),
        [
            (
                _item("names", "Names", "" if host.table.nameable else "No seats to name"),
                lambda: host.lay(seats_page(host)),
            ),
            (_item("join", "Join", "" if address else here), join),
            (
                _item("disconnect", "Disconnect", "" if count else "No browser let in"),
                lambda: host.lay(disconnect_page(host, count)),
            ),
            *dice,
        ],
    )


def seats_page(host: Host) -> LongPage:
    """Return the seats of the game with who plays them."""
    players = host.table.players

    def entry(seat: str, name: str) -> tuple[Item, Action]:
        text = phrase("{}: {}", name, legible(players[seat])) if seat in players else name
        return Item(seat, text, name), lambda: host.attempt(lambda: host.lay(players_page(host, seat, page)))

    page = LongPage(
        host,
        Band("People", Short("names", "Whose name?")),
        [entry(*each) for each in host.table.current.seats().items()],
    )
    return page


MOST_NAMES: Final = 24
"""Names that can be picked on the glass."""


def players_page(host: Host, seat: str, below: Card) -> LongPage:
    """Return who can be picked for a seat: names of the configuration, those used before, and nobody.

    ``below``: the page of the seats, laid anew with the name.
    """
    table = host.table
    names = list(dict.fromkeys((*host.config.players, *table.players_before)))[:MOST_NAMES]

    def entry(name: str) -> tuple[Item, Action]:
        def pick() -> None:
            table.seat_player(seat, name)
            host.lift(below)
            host.lay(seats_page(host))

        shown = legible(name) or "Nobody"
        return Item(name, shown, shown[:ROOM]), lambda: host.attempt(pick)

    return LongPage(
        host, Band(table.seat_name(seat), Short("who?", "Who plays it?")), [entry(name) for name in (*names, "")]
    )


class JoinCard(Page):
    """The way to the panel: for a phone to scan, or to type address and code. Select closes it, as Back does.

    While it lies on the glass one browser after another may come in; nothing else lets one in.
    """

    select = "Close"

    def __init__(self, host: Host, visitors: Visitors) -> None:
        super().__init__(host)
        self.visitors = visitors
        visitors.invite()

    def view(self, bar: float | None) -> View:
        """Return the QR code once it is drawn, the digits and the address."""
        del bar
        code, address = self.visitors.invited(), self.visitors.address
        rows = self.visitors.modules(f"{address}/{code}")
        return Code(f"{code[:3]} {code[3:]}", address.removeprefix("http://"), rows)

    def click(self) -> None:
        """Close."""
        self.back()


def disconnect_page(host: Host, count: int) -> ConfirmPage:
    """Return what disconnects every browser of the network; ``count``: how many there are."""

    def disconnect() -> None:
        host.clear()
        if host.visitors is not None:
            host.attempt(host.visitors.revoke)

    what = "Disconnect the browser" if count == 1 else f"Disconnect {count} browsers"
    return ConfirmPage(host, "Panel", what, disconnect)


LOG_LINES = 60
"""Lines of the log that can be turned through on the glass; the panel and the journal hold all of them."""


def open_log(host: Host) -> None:
    """Lay the log, newest line first."""
    lines = host.table.current.log(newest=LOG_LINES)
    host.lay(LogCard(host, tuple(("undone: " if line.undone else "") + line.text for line in reversed(lines))))


def reroll(host: Host) -> None:
    """Let an earlier throw be thrown anew."""
    prompt = host.table.prompt
    if prompt is not None:
        host.clear()
        host.lay(DiceCard(host, prompt, anew=True))


def open_last(host: Host) -> None:
    """Let the throw entered last be corrected by the judge."""
    host.clear()
    host.open_throw("judge")


def set_page(host: Host) -> LongPage:
    """Return the counters the judge can set, each with its value."""

    def entry(path: str, limits: Range | OneOf) -> tuple[Item, Action]:
        game = host.table.current.game
        value, name = game.read(path), game.called(path)
        shorter = (f"{name} {plain(value)}", f"{name.rpartition(' ')[2]}: {plain(value)}")
        short = next((text for text in shorter if len(text) <= ROOM), plain(value))
        item = Item(path, phrase("{}: {}", name, plain(value)), short)
        return item, lambda: host.lay(SetPage(host, path, name, limits, value))

    return LongPage(
        host,
        Band("Judge", Short("set", "Set what?")),
        [entry(path, limits) for path, limits in host.table.current.game.correctable.items()],
    )


class HeldPage(Page):
    """A page for judges on which holding Select for a second does something."""

    for_judges = True

    @property
    def fills(self) -> str:
        """Select, held, does it."""
        return "select"

    @property
    def does(self) -> str:
        """What a browser's button for that says."""
        return "Yes"

    @property
    def buttons(self) -> tuple[Button, ...]:
        """What holding Select does, and the way back."""
        return Button(DO, self.does, "hold Select", held=True), Button(BACK, "No", "Back")

    def tap(self, button: str) -> None:
        """Do it, or leave things as they are."""
        if button == DO:
            self.long_hold()
        else:
            self.back()


class SetPage(HeldPage):
    """Set one counter: turn to the value, hold Select."""

    def __init__(self, host: Host, path: str, name: str, limits: Range | OneOf, value: Any) -> None:
        """``name``: what people call it; ``value``: what it is now."""
        super().__init__(host)
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
        """Return the number, or the named value."""
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
        """Set the number under that key, where it is one of the values."""
        if isinstance(self.limits, Range) and number in self.values:
            self.at = self.values.index(number)

    def turn(self, steps: int) -> None:
        """Go through the values."""
        self.at = max(0, min(len(self.values) - 1, self.at + steps))

    @property
    def does(self) -> str:
        """What would be set."""
        return f"Set to {plain(self.value)}"

    @property
    def buttons(self) -> tuple[Button, ...]:
        """Each value, then setting it, and the way back."""
        values = (Button(str(i), plain(value), chosen=i == self.at) for i, value in enumerate(self.values))
        return *values, *super().buttons

    def tap(self, button: str) -> None:
        """Go to a value, or do what else was pressed."""
        if button.isdigit():
            self.at = int(button)
        else:
            super().tap(button)

    def long_hold(self) -> None:
        """Set it."""
        self.host.table.correct(self.path, self.value)


class ConfirmPage(HeldPage):
    """Something that cannot be done by a stray press: hold Select for a second."""

    def __init__(self, host: Host, title: str, text: str | tuple[str, ...], action: Action) -> None:
        """``text``: what would be done; of several ways to say it the first that fits the glass."""
        super().__init__(host)
        texts = (text,) if isinstance(text, str) else text
        self.shown = fitting(*(Confirm(title, each) for each in texts))
        self.action = action

    def view(self, bar: float | None) -> View:
        """Return what would be done, and the filling bar."""
        return replace(self.shown, bar=bar)

    def long_hold(self) -> None:
        """Do it."""
        self.host.sound("key")
        self.action()
