"""The console: presses in; answers to the session, screens, lamps and sounds out. No I/O, no clock, no thread.

What lies on the glass is a small stack of cards. The lowest one follows from the session: the shelf, a ruling
still to be read, whose turn it is, or the question that stands. Menu, refusals and confirmations lie on top of it.
Every change of the uppermost card is a new *screen*; a press counts only for the screen it was made on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from hardware.events import Click, Event, Hold, LongHold, Press, Release, Turn
from referee.console import grammar
from referee.console.cards.asks import DiceCard, ask_card
from referee.console.cards.base import Card
from referee.console.cards.menu import OddsPage, menu_page
from referee.console.cards.shelf import ShelfCard, book_page
from referee.console.cards.told import (
    AgainCard,
    FaultCard,
    LogCard,
    OverCard,
    PauseCard,
    RefusalCard,
    ReminderCard,
    RulingCard,
    TurnCard,
)
from referee.console.desk import Desk, Guests
from referee.console.grammar import Finger
from referee.console.sounds import FAULT_EVERY
from referee.console.views import View
from referee.errors import JournalError, RefereeError, Refused
from referee.rulebook import NO_ASSUMPTION, Book, Odds, Reminder, Ruling
from referee.rulebook import Event as Told
from referee.session import Outcome, Prompt, Session

BAR_FROM: Final = 0.300
"""Seconds into a hold before its bar is shown: a click is shorter."""

BAR_STEP: Final = 0.050
"""Seconds between two drawings of the bar."""

KEYS: Final = "keys"
"""What the journal calls the keys of the box as a source."""

LOG_LINES: Final = 60
"""Lines of the log that can be turned through on the glass; the panel and the journal hold all of them."""

TITLES: Final = {"thrown": "It stands", "over": "Game over", "malformed": "What?", "correction": "Not so"}


class Console:
    """One box: its session, what lies on the glass, and what is heard.

    ``sounds``  names of the sounds to make, taken away by whoever makes them
    ``screen``  number of the uppermost screen; `shown` tells when it reached the glass
    """

    def __init__(self, desk: Desk, home: Callable[[Console], Card] = ShelfCard) -> None:
        """``home``: what lies on the glass where there is no game."""
        self.desk = desk
        self.home = home
        self.session: Session | None = None
        self.sounds: list[str] = []
        self.screen = 0
        self.source = KEYS
        self.guests: Guests | None = None
        self._at = 0.0
        self._shown_at: float | None = None
        self._guard = grammar.Guard()
        self._pressed_on: dict[Finger, Card] = {}
        self._seat_down: tuple[Finger, float] | None = None
        self._pending: list[Told] = []
        self._last_ruling: Ruling | None = None
        self._begun = ""
        self._steps = 0
        self._fault_at: float | None = None
        self._stack: list[Card] = []
        self._base: Card = home(self)
        self._top: Card | None = None
        self._settle()

    # ------------------------------------------------------------------ inputs

    def feed(self, event: Event, source: str = KEYS) -> None:
        """Take one event of the keys, or of another ``source`` that the journal is to name.

        Never raises `RefereeError`: what is refused is shown.
        """
        self._at = event.at
        self.source = source
        if isinstance(event, Press):
            self._press(event.key, event.at)
        elif isinstance(event, Turn):
            self._turn(event)
        elif isinstance(event, Release):
            self._guard.release(Finger(event.key, source))
            self._seat_up(event)
        elif isinstance(event, (Click, Hold, LongHold)) and self._same_card(event.key):
            self._gesture(event)
        self._settle()

    def let_go(self, key: str) -> None:
        """Take a key that is stuck as not held: it must not keep the others from counting."""
        self._guard.release(Finger(key, KEYS))

    def due(self, now: float) -> None:
        """Do what is due by ``now``: a seat's button held long enough, a fault sounded again."""
        if self._seat_down is not None and now >= self._seat_down[1] + grammar.SEAT_MINIMUM:
            self._seat_down = None
            self.top.seat()
        if self._fault_at is not None and now >= self._fault_at:
            self._fault_at = now + FAULT_EVERY
            self.sound("fault")
        self._settle()

    def deadline(self, now: float) -> float | None:
        """Return when `due` or a new drawing is wanted next, or None."""
        times = [self._fault_at]
        if self._seat_down is not None:
            times.append(self._seat_down[1] + grammar.SEAT_MINIMUM)
        since = self._filling()
        if since is not None and now < since + 1.0:
            times.append(max(since + BAR_FROM, now + BAR_STEP))
        return min((at for at in times if at is not None), default=None)

    def shown(self, screen: int, at: float) -> None:
        """The glass shows this screen since ``at``."""
        if screen == self.screen and self._shown_at is None:
            self._shown_at = at

    # ------------------------------------------------------------------ outputs

    @property
    def top(self) -> Card:
        """The uppermost card."""
        return self._stack[-1] if self._stack else self._base

    def view(self, now: float) -> View:
        """Return what belongs on the glass now."""
        since = self._filling()
        bar = None if since is None or now < since + BAR_FROM else min(1.0, now - since)
        return self.top.view(bar)

    def lamps(self) -> dict[str, str]:
        """Return seat key -> "off", "on" (asked) or "blink" (asked to press this button)."""
        lamps = dict.fromkeys(self.seat_keys.values(), "off")
        if self.session is not None and self.session.prompt is not None:
            asked = self.seat_keys.get(self.session.prompt.seat)
            if asked:
                lamps[asked] = "on"
        woken = self.seat_keys.get(self.top.wakes)
        if woken:
            lamps = dict.fromkeys(lamps, "off") | {woken: "blink"}
        return lamps

    @property
    def seat_keys(self) -> Mapping[str, str]:
        """Which button belongs to which seat of the game."""
        seats = self.session.seats() if self.session is not None else {}
        return {seat: f"seat-{number}" for number, seat in enumerate(seats, 1)}

    def sound(self, name: str) -> None:
        """Ask for a sound."""
        self.sounds.append(name)

    @property
    def for_judges(self) -> bool:
        """Whether something is on the glass that players in browsers are not to touch."""
        return any(card.for_judges for card in self._stack)

    @property
    def telling(self) -> bool:
        """Whether a ruling or a reminder is still to be read before anything else."""
        return bool(self._pending)

    @property
    def asking(self) -> bool:
        """Whether the standing question is on the glass, or under what lies on it."""
        session = self.session
        if session is None or session.paused or session.prompt is None:
            return False
        return not self._pending and not self._handover()

    # ------------------------------------------------------------------ the session

    @property
    def table(self) -> Session:
        """The session; only cards that need one ask for it."""
        assert self.session is not None
        return self.session

    def seat_name(self, seat: str) -> str:
        """Return what people call a seat."""
        return self.session.seats().get(seat, "") if self.session is not None else ""

    @property
    def turn(self) -> str:
        """The seat whose turn it is; "" for a ruling desk, where nobody takes turns."""
        session = self.session
        return session.game.seat if session is not None and session.game.seat in session.seats() else ""

    def use(self, session: Session | None) -> None:
        """Show this session from here on, or the shelf."""
        self.session = session
        self._pending = list(session.opening) if session is not None else []
        self._last_ruling = None
        self._begun, self._steps = "", 0
        self._renew()

    def begin(self, book: Book, settings: Mapping[str, Any], ruling: str | None) -> None:
        """Begin a game or a ruling desk."""
        self._try(lambda: self.use(self.desk.begin(book, settings, ruling)))

    def open_book(self, book: Book) -> None:
        """Lay what a book offers; it looks into the journal for games left before their end."""
        self._try(lambda: self.lay(book_page(self, book)))

    def attempt(self, action: Callable[[], None]) -> None:
        """Do something that may be refused or fail; what went wrong is shown."""
        self._try(action)

    def take_up(self, game: str) -> None:
        """Go on with an unfinished game."""
        self._try(lambda: self.use(self.desk.resume(game)))

    def leave(self) -> None:
        """Back to the shelf; an unfinished game stays in the journal and can be taken up from there."""
        if self.table.over is None:
            self._try(self._put_away)
        self.use(None)

    def answer(self, prompt: Prompt, value: object, source: str = "", *, anew: bool = False) -> None:
        """Answer the question on the glass; ``anew``: in place of a throw that stands, as the judge allowed."""
        self._try(
            lambda: self._told(
                self.table.answer(value, n=prompt.n, source=source or self.source, reroll=anew, at=self._at)
            )
        )

    def bundle(self, prompt: Prompt, bundle: str) -> None:
        """Send a bundle of the question on the glass."""
        self._try(lambda: self._told(self.table.bundle(bundle, n=prompt.n, source=self.source, at=self._at)))

    def override(self, prompt: Prompt, value: object) -> None:
        """Take a barred option because a card says otherwise."""
        self._try(
            lambda: self._told(self.table.answer(value, n=prompt.n, override=True, source=self.source, at=self._at))
        )

    def reroll(self) -> None:
        """Let the throw that stands be thrown anew."""
        prompt = self.table.prompt
        if prompt is not None:
            self._stack.clear()
            self._base = DiceCard(self, prompt, anew=True)

    def correct(self, path: str, value: object) -> None:
        """Set a counter as the judge says."""
        source = "judge" if self.source == KEYS else self.source
        self._try(lambda: self._told(self.table.correct(path, value, source=source, at=self._at)))

    def concede(self) -> None:
        """The seat that is asked gives up."""
        prompt = self.table.prompt
        if prompt is not None:
            self._try(lambda: self._told(self.table.concede(prompt.seat, source=self.source, at=self._at)))

    def undo(self) -> None:
        """Take the last accepted thing back."""
        self._try(self._undo)

    def step_back(self) -> None:
        """Back: take the last answer of this turn back. What lies before the turn takes the menu."""
        if self._steps > 0:
            self.undo()
        elif self.table.undoable:
            self.explain("Earlier", "That was before this turn: hold Back, then 1 Undo", "", "any key")
        else:
            self.sound("late")

    def let_in(self) -> int:
        """Return how many browsers of the network were let in; none where that cannot be read."""
        try:
            return len(self.guests.listed()) if self.guests is not None else 0
        except RefereeError:
            return 0

    def put_out(self) -> None:
        """Send every browser that was let in away, at once."""
        guests = self.guests
        if guests is not None:
            self._stack.clear()
            self._try(guests.revoke)

    def pause(self) -> None:
        """Stop asking until somebody goes on."""
        self._try(lambda: self._told(self.table.pause(source=self.source, at=self._at)))

    def resume(self) -> None:
        """Go on after a pause."""
        self._try(lambda: self._told(self.table.unpause(source=self.source, at=self._at)))

    def last_choice(self, prompt: Prompt) -> str | None:
        """Return what was chosen last in the same context: where the encoder should stand.

        Never the option that ends or skips: a stray Select must not end a phase.
        """
        last = self.table.last_answer(prompt.ask, prompt.seat)
        return last if isinstance(last, str) and last != prompt.passing else None

    def notes(self, prompt: Prompt) -> tuple[tuple[str, str], ...]:
        """Return what can be read about a question: its reminders, then the rule it stands for."""
        line = self.table.book.rules.get(prompt.rule, "")
        return (*prompt.notes, *(((prompt.rule, line),) if line else ()))

    # ------------------------------------------------------------------ cards

    def lay(self, card: Card) -> None:
        """Lay a card on top."""
        self._stack.append(card)

    def lift(self, card: Card) -> None:
        """Take a card away, with all that lies on it."""
        if card in self._stack:
            del self._stack[self._stack.index(card) :]

    def withdraw(self, card: Card) -> None:
        """Take a card away from under whatever lies on it."""
        if card in self._stack:
            self._stack.remove(card)

    def lies(self, card: Card) -> bool:
        """Whether a card lies here, on top or under others."""
        return card in self._stack

    def next(self) -> None:
        """The ruling or reminder on the glass was read."""
        if self._pending:
            self._pending.pop(0)
        self._renew()

    def begin_turn(self) -> None:
        """The seat whose turn it is begins."""
        self._begun, self._steps = self.turn, 0
        self.sound("key")
        self._renew()

    def same_again(self) -> None:
        """Repeat the last action with new dice, where the next question offers it."""
        prompt = self.table.prompt
        if prompt is None or self._handover():
            self.sound("late")
        elif prompt.bundles:
            self.bundle(prompt, prompt.bundles[0].id)
        elif again := self.table.again():
            self._try(lambda: self._told(self.table.sequence(again, n=prompt.n, source=self.source, at=self._at)))
        else:
            self.sound("late")

    def explain(self, title: str, text: str, code: str, hint: str) -> None:
        """Lay a refusal."""
        self.sound("refusal")
        self.lay(RefusalCard(self, title, text, code, hint))

    def fault(self, title: str, text: str, now: float, *, about: str = "") -> None:
        """Say that something is wrong with the box, and go on saying it until a key is pressed.

        The news replaces what was said ``about`` the same part before (by default: under the same title).
        """
        self._fault_at = now + FAULT_EVERY
        self.sound("fault")
        told = FaultCard(self, title, text, about or title)
        if isinstance(self.top, FaultCard) and self.top.says == told.says:
            return  # whoever is about to press what stands there must not come too late
        for card in [each for each in self._stack if isinstance(each, FaultCard) and each.about == told.about]:
            self.withdraw(card)
        self.lay(told)
        self._settle()

    def open_menu(self) -> None:
        """Open the menu, if there is a game."""
        if self.session is not None:
            self.sound("key")
            self.lay(menu_page(self))

    def odds(self) -> Odds | None:
        """Return the odds of what is asked; where there are none, those of how it will all come out."""
        return self.table.odds() or self.table.outlook()

    def open_odds(self) -> None:
        """Show the odds."""
        odds = self.odds()
        if odds:
            self.lay(OddsPage(self, odds, NO_ASSUMPTION if self.table.odds() else self.table.book.assumes))

    def open_log(self) -> None:
        """Show the log."""
        self.lay(LogCard(self, self._log_lines()))

    def open_last_ruling(self) -> None:
        """Show the last ruling once more."""
        if self._last_ruling is not None:
            self.lay(AgainCard(self, self._last_ruling))

    # ------------------------------------------------------------------ inside

    def _log_lines(self) -> tuple[str, ...]:
        log = self.table.log(newest=LOG_LINES)
        return tuple(("undone: " if line.undone else "") + line.text for line in reversed(log))

    def _press(self, key: str, at: float) -> None:
        card = self.top
        finger = Finger(key, self.source)
        dropped = self._guard.press(finger, at, screen=self.screen, shown_at=self._shown_at, timed=card.timed)
        self._pressed_on[finger] = card
        if dropped is not None:
            self.sound("late")
            return
        self._fault_at = None
        if key.startswith("die-"):
            card.die(int(key.removeprefix("die-")))
        elif key.startswith("seat-"):
            if isinstance(card, RefusalCard):
                card.click()
            elif self.seat_keys.get(card.wakes) == key:
                self._seat_down = (finger, at)
            else:
                self.sound("late")

    def _seat_up(self, event: Release) -> None:
        """A seat's button came up: what was down long enough counts, though nobody looked at the clock meanwhile."""
        if self._seat_down is not None and self._seat_down[0] == Finger(event.key, self.source):
            self.due(event.at)
            self._seat_down = None

    def _turn(self, event: Turn) -> None:
        counts = self._guard.turn(event.at)
        if isinstance(self.top, RefusalCard) and grammar.late(event.at, self._shown_at):
            return
        if counts:
            self.top.turn(event.steps)

    def _same_card(self, key: str) -> bool:
        finger = Finger(key, self.source)
        return self._guard.counts(finger) and self._pressed_on.get(finger) is self.top

    def _gesture(self, event: Click | Hold | LongHold) -> None:
        card = self.top
        if isinstance(event, LongHold):
            if card.fills == event.key:
                card.long_hold()
            return
        actions: dict[tuple[str, type], Callable[[], None]] = {
            ("select", Click): card.click,
            ("select", Hold): card.hold,
            ("back", Click): card.back,
            ("back", Hold): card.menu,
        }
        action = actions.get((event.key, type(event)))
        if action is not None:
            action()

    def _filling(self) -> float | None:
        """When the hold began that fills the bar of the uppermost card."""
        holding = self._guard.holding(self.top.fills)
        return min((at for finger, at in holding.items() if self._pressed_on.get(finger) is self.top), default=None)

    def _try(self, action: Callable[[], object]) -> None:
        try:
            action()
        except Refused as refused:
            self.explain(TITLES.get(refused.code, "Not now"), refused.text, refused.code, "any key")
        except RefereeError as error:
            self._fault_at = float("-inf")  # sounded at the next look at the clock, then every five seconds
            words = error.words if isinstance(error, JournalError) else ""
            title = "Not saved" if words else "Fault"
            self.lay(FaultCard(self, title, words or str(error), "session", "nothing lost"))

    def _told(self, outcome: Outcome) -> None:
        before = self._begun
        self._steps += 1
        self._pending = list(outcome.events)
        rulings = [event for event in self._pending if isinstance(event, Ruling)]
        if rulings:
            self._last_ruling = rulings[-1]
            self.sound("change" if any(r.changed for r in rulings) else "none")
        elif self.turn != before and before:
            self.sound("seat")
        else:
            self.sound("key")
        self._renew()

    def _put_away(self) -> None:
        self.table.leave(source=self.source, at=self._at)

    def _undo(self) -> None:
        self.table.undo(source=self.source, at=self._at)
        self._steps = max(0, self._steps - 1)
        self._pending = []
        self.sound("key")
        self._renew()

    def _handover(self) -> bool:
        return self.turn != self._begun

    def _renew(self) -> None:
        """Clear the glass of everything but what follows from the session."""
        self._stack.clear()
        self._base = self._lowest()

    def _lowest(self) -> Card:
        session = self.session
        if session is None:
            return self.home(self)
        if session.paused:
            return PauseCard(self)
        if self._pending:
            first = self._pending[0]
            return ReminderCard(self, first) if isinstance(first, Reminder) else RulingCard(self, first)
        if session.prompt is None:
            return OverCard(self)
        if self._handover():
            return TurnCard(self)
        return ask_card(self, session.prompt)

    def _settle(self) -> None:
        """Number the screen anew if another card lies on top."""
        if self.top is not self._top:
            self._top = self.top
            self.screen += 1
            self._shown_at = None
