"""The stage: cards over the one that follows from the table, why something was refused or failed, sounds. Pure."""

# ruff: noqa: B027 - a key that means nothing on a card does nothing there

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from referee.console.buttons import AFTER, AGAIN, BACK, BEFORE, BOX_ROLLS, DO, SELECT, Button
from referee.console.drawing.screens import fitting, legible, paginate, problems
from referee.console.gathering import Fallen
from referee.console.grammar import LATE, UNBIDDEN
from referee.console.sounds import Alarm
from referee.console.views import Refusal, View, Why
from referee.errors import BrokenRulebook, JournalError, RefereeError, Refused

OFTEN: Final = 6
"""News of one part of the box in a minute that are shown at once; of what comes after that, the last one later."""
MINUTE: Final = 60.0

TITLES: Final = {
    "thrown": "Already rolled",
    "over": "Game over",
    "malformed": "Not valid",
    "correction": "Can't set that",
}
"""What stands over a refusal, by its code; "Not now" over all others."""


class Card(ABC):
    """One screen and what the keys do on it.

    ``fills``  the key whose hold of one second means something here, "" if none: a bar shows how far it has come
    ``wakes``  the seat that may press its own button here, "" if none; its lamp blinks
    ``asks``  the seat that a question here is for, "" if none
    ``gives_way_after``  seconds on the glass after which the card gives way by itself, None: it waits for a press
    ``for_judges``  whether players in browsers may press nothing while it lies here, or under another card
    ``select``  what Select does, where a browser needs a button for it; ``key``: what that button names as its key
    ``secret``  whether nobody but the seat in ``asks`` may see what is done here
    ``by_browser``  whether something done in a browser has laid it here
    """

    for_judges: bool = False
    by_browser: bool = False
    secret: bool = False
    select: str = ""
    key: str = "Select"

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    @property
    def fills(self) -> str:
        return ""

    @property
    def wakes(self) -> str:
        return ""

    @property
    def asks(self) -> str:
        return ""

    @property
    def gives_way_after(self) -> float | None:
        return None

    @abstractmethod
    def view(self, bar: float | None) -> View:
        """Return what is on the glass; ``bar`` is how far a hold of `fills` has come, 0 to 1."""

    @property
    def buttons(self) -> tuple[Button, ...]:
        """What a browser can press here."""
        return (Button(SELECT, self.select, self.key),) if self.select else ()

    def tap(self, button: str) -> None:
        """One of the `buttons` was pressed, by its id: it does what its key does."""
        if button.isdigit():
            self.choose(int(button))
        elif button in (AFTER, BEFORE):
            self.turn(1 if button == AFTER else -1)
        elif button == AGAIN:
            self.hold()
        elif button in (DO, BOX_ROLLS):
            self.long_hold()
        elif button == BACK:
            self.back()
        else:
            self.click()

    def choose(self, number: int) -> None:
        """One of the `buttons` was pressed that have a number for their id."""

    def die(self, number: int, /) -> None:
        """A die key went down."""

    def thrown(self, dice: Sequence[Fallen]) -> bool:
        """Self-reading dice were thrown while this lay on the glass; return whether they were asked for."""
        return False

    def on_glass(self) -> None:
        """It has come onto the glass."""

    def turn(self, steps: int, /) -> None:
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

    def seat(self) -> None:
        """The button of the seat in `wakes` was pressed."""

    def give_way(self) -> None:
        """The time in `gives_way_after` is over, and nobody touches a key."""


class Page(Card):
    """A card over another one that Back takes away again."""

    def back(self) -> None:
        self.stage.pop(self)

    def menu(self) -> None:
        self.stage.pop(self)


class RefusalCard(Page):
    """Something was refused: every key takes it away and does nothing else."""

    select = "Close"

    def __init__(self, stage: Stage, title: str, text: str, code: str = "", hint: str = "any key") -> None:
        super().__init__(stage)
        shown = Refusal(title, text, code, hint)
        self.shown = fitting(shown, replace(shown, hint=""))

    def view(self, bar: float | None) -> View:
        return self.shown

    def die(self, number: int) -> None:
        self.back()

    turn = die

    def click(self) -> None:
        self.back()

    hold = click


class FaultCard(RefusalCard):
    """Something is wrong with the box. ``about``: the part; newer news of it takes this card's place.

    What is too long for one screen is read on pages by turning, since a part of it may mislead.
    """

    def __init__(self, stage: Stage, title: str, text: str, about: str, hint: str = "any key") -> None:
        text = legible(text)
        super().__init__(stage, title, text, "", hint)
        self.about = about
        self.says = (title, text)
        self.sheets = paginate((text,)) if problems(self.shown) else ()
        self.page = 0

    def view(self, bar: float | None) -> View:
        if not self.sheets:
            return super().view(bar)
        turn = "turn" if len(self.sheets) > 1 else ""
        return Why(self.page, len(self.sheets), turn, self.sheets[self.page], self.says[0])

    def turn(self, steps: int) -> None:
        if self.sheets:
            self.page = max(0, min(len(self.sheets) - 1, self.page + steps))
        else:
            super().turn(steps)


class Stage:
    """What lies on the glass and what is heard. Each change on top is a new screen.

    ``screen``    number of the uppermost card's screen; a press counts only for the screen it was made on
    ``shown_at``  since when that screen has been on the glass, None while it is on its way
    ``after``     seconds from then on after which a press counts for it
    ``alarm``     the sound that goes on until a key is pressed
    ``by_browser``  whether what is done now comes from a browser; ``changed_by_browser``: what led to this screen
    """

    def __init__(self, lowest: Callable[[], Card]) -> None:
        """``lowest`` returns the card that follows from the table; see `renew`."""
        self._make_lowest = lowest
        self._cards: list[Card] = []
        self._numbered: Card | None = None
        self.screen = 0
        self.shown_at: float | None = None
        self.after = LATE
        self.alarm = Alarm()
        self.by_browser = self.changed_by_browser = False
        self._sounds: list[str] = []
        self._told: dict[str, list[float]] = {}
        self._untold: dict[str, tuple[str, str]] = {}

    @property
    def lowest(self) -> Card:
        return self._cards[0]

    @property
    def top(self) -> Card:
        return self._cards[-1]

    def __iter__(self) -> Iterator[Card]:
        return iter(self._cards[1:])

    def __contains__(self, card: Card) -> bool:
        return card in self._cards[1:]

    def __len__(self) -> int:
        return len(self._cards) - 1

    def push(self, card: Card) -> None:
        card.by_browser = self.by_browser
        self._cards.append(card)

    def pop(self, card: Card) -> None:
        """Take a card away, with all that lies on it."""
        if card in self:
            del self._cards[self._cards.index(card) :]

    def remove(self, card: Card) -> None:
        """Take a card away from under whatever lies on it."""
        if card in self:
            self._cards.remove(card)

    def clear(self) -> None:
        del self._cards[1:]

    def renew(self, sound: str = "") -> None:
        """Show what follows from the table, and nothing else."""
        if sound:
            self.sound(sound)
        self._cards = [self._make_lowest()]

    def number(self, *, unbidden: bool = False) -> None:
        """Number the screen anew if another card lies on top; ``unbidden``: no press has laid it there."""
        if self.top is not self._numbered:
            self._numbered = self.top
            self.screen += 1
            self.shown_at = None
            self.after = UNBIDDEN if unbidden else LATE
            self.changed_by_browser = self.by_browser

    def shown(self, screen: int, at: float) -> bool:
        """The glass shows this screen since ``at``; return whether that is news."""
        news = screen == self.screen and self.shown_at is None
        if news:
            self.shown_at = at
        return news

    def sound(self, name: str) -> None:
        """Ask for a sound, one of `referee.config.SOUNDS`."""
        self._sounds.append(name)

    def take_sound(self) -> str:
        """Return the newest sound that was asked for since the last call, "" for none."""
        name = self._sounds[-1] if self._sounds else ""
        self._sounds.clear()
        return name

    def sound_alarm(self, sound: str, now: float) -> None:
        """Sound this now, and again and again until a key is pressed."""
        self.alarm.start(sound, now)
        self.sound(self.alarm.take(now))

    def attempt(self, action: Callable[[], object]) -> None:
        """Do something that may be refused or fail; what went wrong is shown."""
        try:
            action()
        except RefereeError as error:
            self.fail(error)

    def fail(self, error: RefereeError) -> None:
        if isinstance(error, Refused):
            self.explain(TITLES.get(error.code, "Not now"), error.text, error.code)
            return
        self.alarm.start("fault", float("-inf"))  # heard at the next look at the clock
        words = error.words if isinstance(error, (JournalError, BrokenRulebook)) else ""
        title = "Fault" if not words else "Not saved" if isinstance(error, JournalError) else "Not counted"
        self.push(FaultCard(self, title, words or str(error), "session", "nothing lost"))

    def explain(self, title: str, text: str, code: str = "", hint: str = "any key") -> None:
        self.sound("refusal")
        self.push(RefusalCard(self, title, text, code, hint))

    def fault(self, title: str, text: str, now: float, *, about: str = "") -> None:
        """Say that something is wrong with the box, and go on saying it until a key is pressed.

        The news replaces what was said ``about`` the same part before (by default: under the same title). A part that
        comes and goes all the time takes no more than a few keys a minute from the table.
        """
        about = about or title
        told = self._told[about] = [at for at in self._told.get(about, ()) if now < at + MINUTE]
        self._untold.pop(about, None)
        news = FaultCard(self, title, text, about)
        known = isinstance(self.top, FaultCard) and self.top.says == news.says
        if not known and len(told) >= OFTEN:
            self._untold[about] = title, text
            return
        self.sound_alarm("fault", now)
        if known:
            return  # whoever is about to press what is shown there must not come too late
        told.append(now)
        for card in self:
            if isinstance(card, FaultCard) and card.about == news.about:
                self.remove(card)
        self.push(news)
        self.number(unbidden=True)

    def due(self, now: float) -> None:
        """Say what came too often to be said at once, and sound the alarm again."""
        for about, (title, text) in list(self._untold.items()):
            if now >= self._told[about][0] + MINUTE:
                self.fault(title, text, now, about=about)
        if alarm := self.alarm.take(now):
            self.sound(alarm)

    def deadline(self) -> float | None:
        """Return when `due` has something to do, or None."""
        times = [self.alarm.due_at, *(self._told[about][0] + MINUTE for about in self._untold)]
        return min((at for at in times if at is not None), default=None)
