"""The console: what each press means. Gestures in; what belongs on the glass, lamps and sounds out. Pure.

On the glass lies a pile of cards. The lowest one follows from the table: the shelf, a ruling still to be read, whose
turn it is, or the pending question. Menu, refusals and confirmations lie on top of it. A press counts only for the
card it was made on; the uppermost card says what it means.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hardware.events import Click, Disturbed, Doubt, Event, Hold, LongHold, Press, Reading, Release, Thrown, Turn
from referee.clock import Fall
from referee.clock.round import RoundNews
from referee.clock.settings import OFF, Settings
from referee.config import Table as Customs
from referee.console import grammar
from referee.console.buttons import MENU, SHELF, UNDO, Button
from referee.console.cards.clock import clock_page
from referee.console.cards.correct import correction_card
from referee.console.cards.dice import dice_page
from referee.console.cards.flag import FlagCard, FrozenCard
from referee.console.cards.menu import menu_page
from referee.console.cards.notices import (
    FaultCard,
    PauseCard,
    RefusalCard,
    ReminderCard,
    RulingCard,
    TurnCard,
)
from referee.console.cards.over import OverCard
from referee.console.cards.secret import SecretCard
from referee.console.cards.shelf import ShelfCard
from referee.console.cards.throw import DiceCard, ask_card
from referee.console.event import TableAtEvent
from referee.console.gathering import Fallen, fallen
from referee.console.giving_way import GivingWay
from referee.console.grammar import KEYS, Finger, Tap
from referee.console.host import Card, Home
from referee.console.pile import Pile
from referee.console.rolls import Rolls
from referee.console.shelf import BoxDice, Shelf, Visitors
from referee.console.sounds import Alarm
from referee.console.table import Table
from referee.console.views import View
from referee.errors import BrokenRulebook, JournalError, RefereeError, Refused
from referee.rulebook import Reminder
from referee.session import Origin, Right, Session, ms
from referee.session.wish import Wish

BAR_FROM: Final = 0.300
"""Seconds into a hold before its bar is shown: a click is shorter."""

BAR_STEP: Final = 0.050
"""Seconds between two drawings of the bar."""

OFTEN: Final = 6
"""News of one part of the box in a minute that are shown at once; of what comes after that, the last one later."""
MINUTE: Final = 60.0

CUSTOMS: Final = Customs()
"""How a table plays that says nothing of it."""

TITLES: Final = {
    "thrown": "Already rolled",
    "over": "Game over",
    "malformed": "Not valid",
    "correction": "Can't set that",
}
"""What stands over a refusal, by its code; "Not now" over all others."""


class Console:
    """One box: what lies on its glass, and what is heard.

    ``table``   the game in progress, and what can be done with it
    ``shelf``   the games of this box
    ``dice``    whose dice count here
    ``config``  how this table plays
    ``visitors``  the browsers that were let in, None where nobody can be
    ``event``   its part in an event
    ``rolls``   which roll it is that dice were thrown for
    ``pile``    what lies on the glass
    ``sounds``  names of the sounds asked for, until `take_sound`
    """

    def __init__(
        self,
        shelf: Shelf,
        dice: BoxDice,
        home: Home = ShelfCard,
        visitors: Visitors | None = None,
        session: Session | None = None,
        config: Customs = CUSTOMS,
        clock: Settings = OFF,
        of_event: Settings | None = None,
    ) -> None:
        """``clock``: how this table keeps time; ``of_event``: how its event said that it does."""
        self.shelf = shelf
        self.config = config
        self.dice = dice
        self.visitors = visitors
        self.sounds: list[str] = []
        self._home = home
        self.event = TableAtEvent(self)
        self.rolls = Rolls()
        self._plays: Session | None = None
        self._guard = grammar.Guard()
        self._pressed_on: dict[Finger, Card] = {}
        self._seat_down: tuple[Finger, float] | None = None
        self._alarm = Alarm()
        self._giving_way = GivingWay()
        self._told: dict[str, list[float]] = {}
        self._untold: dict[str, tuple[str, str]] = {}
        self._source = KEYS
        self._tapped: Tap | None = None
        self.table = Table(shelf, self, clock, of_event)
        self.pile = Pile(home(self))
        if session is not None:
            self.table.use(session)
            self.pile.number()

    # ------------------------------------------------------------------ inputs

    def feed(self, event: Event, source: str = KEYS) -> None:
        """Take one event of the keys, or of another ``source`` that the journal is to name.

        Never raises `RefereeError`: what is refused is shown.
        """
        self._source = source
        self.table.acting(source, event.at)
        if isinstance(event, (Press, Thrown, Doubt)):
            self.table.clocks.keeper.touch()
        if isinstance(event, (Thrown, Doubt, Disturbed)):
            self._dice(event)
            self.pile.number()
            return
        if self._guard.touched(source, event.at) and not isinstance(event, Release):
            if isinstance(event, Press):
                self._guard.refuse(Finger(event.key, source))
            self.sound("late")
            return
        self._giving_way.touched(event.at)
        if isinstance(event, Press):
            self._press(event.key, event.at)
        elif isinstance(event, Turn):
            self._turn(event)
        elif isinstance(event, Release):
            self._guard.release(Finger(event.key, source))
            self._seat_up(event)
        elif isinstance(event, (Click, Hold, LongHold)):
            self._gesture(event)
        self.pile.number()

    def name_player(self, key: str, name: str) -> None:
        """Take who plays the seat with this button, typed in a browser; what goes wrong is shown."""
        seat = next((seat for seat, each in self.table.seat_keys.items() if each == key), "")
        self.attempt(lambda: self.table.seat_player(seat, name))
        self.pile.number()

    def tap(self, screen: int, button: str, at: float, source: str, *, held: bool) -> None:
        """Take one of the uppermost card's buttons, pressed in a browser that showed this screen.

        ``held``: whether whoever pressed it may hold a key. As with a key, what comes too early, twice, under a key
        that is held, or for another screen does nothing but tick.
        """
        self._source = source
        self.table.acting(source, at)
        self.table.clocks.keeper.touch()
        self._giving_way.touched(at)
        pile = self.pile
        tap = Tap(screen, button, at)
        offered = any(each.id == button and each.held <= held for each in (*pile.top.buttons, *self.ways))
        late = screen != pile.screen or grammar.late(at, pile.shown_at, pile.after)
        waits = self._guard.touched(source, at) or not self._guard.idle
        if late or waits or not offered or tap.doubles(self._tapped):
            self.sound("late")
            return
        self._tapped = tap
        self._alarm.stop()
        if button == UNDO:
            self.table.undo()
        elif button == MENU:
            pile.top.menu()
        elif button == SHELF:
            self.table.leave()
        else:
            pile.top.tap(button)
        pile.number()

    def let_go(self, key: str) -> None:
        """Take a key that is stuck as not held: it must not keep the others from counting."""
        self._guard.release(Finger(key, KEYS))

    def due(self, now: float) -> None:
        """Do what is due by ``now``: a seat's button was held long enough, a ruling was read, a fault goes on."""
        if self._seat_down is not None and now >= self._seat_down[1] + grammar.SEAT_MINIMUM:
            self._seat_down = None
            self.pile.top.seat()
            self.pile.number()
        calls_at = self._calls_at()
        if calls_at is not None and now >= calls_at:
            self.event.call_held(calls_at)
        gives_way_at = self._gives_way_at()
        if gives_way_at is not None and now >= gives_way_at:
            self.pile.top.give_way()
        for about, (title, text) in list(self._untold.items()):
            if now >= self._told[about][0] + MINUTE:
                self.fault(title, text, now, about=about)
        if alarm := self._alarm.take(now):
            self.sound(alarm)
        self.pile.number(unbidden=True)

    def keep_time(self, now: float) -> None:
        """Let the seat clocks follow what lies on the glass; call it after all else that was done by ``now``."""
        for fall in self.table.keep_time(now):
            self._flag(fall, now)
        self.event.hold(now)
        if self.table.clocks.round.see(ms(now)):
            self.event.call_time()
            self._sound_alarm("flag", now)
        self.pile.number(unbidden=True)

    def deadline(self, now: float) -> float | None:
        """Return when `due` or a new drawing is wanted next, or None."""
        times = [self._alarm.due_at, self._gives_way_at(), self._calls_at(), self.table.clocks.deadline()]
        times += [self._told[about][0] + MINUTE for about in self._untold]
        if self._seat_down is not None:
            times.append(self._seat_down[1] + grammar.SEAT_MINIMUM)
        since = self._filling()
        if since is not None and now < since + 1.0:
            times.append(max(since + BAR_FROM, now + BAR_STEP))
        return min((at for at in times if at is not None), default=None)

    def shown(self, screen: int, at: float) -> None:
        """The glass shows this screen since ``at``."""
        if self.pile.shown(screen, at):
            if isinstance(self.pile.top, DiceCard):
                self.rolls.shown(self.pile.top.prompt, at + self.pile.after)
            self.table.acting(self.table.source, at)
            self.pile.top.on_glass()
            self.pile.number(unbidden=True)

    def voice(self, source: str, at: float, *, speaks: bool) -> None:
        """A voice has begun to read the glass aloud, or is silent again; ``source`` names it."""
        self._giving_way.voice(source, at, speaks=speaks)

    def hear(self, wish: Wish, time: RoundNews, known: bool) -> None:  # noqa: FBT001 - as it is posted
        """Take all that the hall wishes of this table; see `TableAtEvent.hear`."""
        self.event.hear(wish, time, known=known)
        self.pile.number(unbidden=True)

    # ------------------------------------------------------------------ outputs

    @property
    def screen(self) -> int:
        """Number of the uppermost screen; `shown` tells when it reached the glass."""
        return self.pile.screen

    @property
    def counts_from(self) -> float | None:
        """When presses begin to count for the uppermost screen, None while it is on its way to the glass."""
        return None if self.pile.shown_at is None else self.pile.shown_at + self.pile.after

    @property
    def top(self) -> Card:
        """The uppermost card."""
        return self.pile.top

    def view(self, now: float) -> View:
        """Return what belongs on the glass now."""
        since = self._filling()
        bar = None if since is None or now < since + BAR_FROM else min(1.0, now - since)
        return self.pile.top.view(bar)

    @property
    def secret(self) -> str:
        """The seat that answers in secret now, "" for none."""
        return next((card.asks for card in self.pile if card.secret), "")

    @property
    def cover(self) -> View | None:
        """What browsers, screens and voices have in the place of what a seat does in secret, None: nothing is."""
        return self.pile.lowest.view(None) if self.secret else None

    def lamps(self) -> dict[str, str]:
        """Return seat key -> "off", "on" (asked) or "blink" (asked to press this button)."""
        keys = self.table.seat_keys
        lamps = dict.fromkeys(keys.values(), "off")
        prompt = self.table.prompt
        asked = self.secret or (prompt.seat if prompt is not None else "")
        if asked in keys:
            lamps[keys[asked]] = "on"
        woken = self._button(self.pile.top.wakes)
        if woken:
            lamps = dict.fromkeys(lamps, "off") | {woken: "blink"}
        return lamps

    def sound(self, name: str) -> None:
        """Ask for a sound."""
        self.sounds.append(name)

    @property
    def ways(self) -> tuple[Button, ...]:
        """What a browser can press beside the card's own buttons: take the last answer back, the menu, the shelf."""
        if self.table.session is None or self.secret:
            return ()
        menu = Button(MENU, "Menu", held=True)
        if len(self.pile):
            return (menu,)
        undo = Button(UNDO, "Undo", held=not self.table.may_step_back)
        return *((undo,) if self.table.current.undoable else ()), menu, Button(SHELF, "Shelf", held=True)

    @property
    def for_judges(self) -> bool:
        """Whether something is on the glass that players in browsers are not to touch."""
        return any(card.for_judges for card in (*self.pile, self.pile.top))

    def take_sound(self) -> str:
        """Return the newest sound that was asked for since the last call, "" for none."""
        name = self.sounds[-1] if self.sounds else ""
        self.sounds.clear()
        return name

    # ------------------------------------------------------------------ what lies on the glass

    def open(self, shelf: Shelf, home: Home, session: Session | None) -> None:
        """Go on with the games of another shelf."""
        self.shelf, self._home = shelf, home
        self.table.move(shelf, session)

    def changed(self, sound: str) -> None:
        """Show what follows from the table, and nothing else."""
        if sound:
            self.sound(sound)
        self.pile.renew(self._lowest())
        self.event.follow()

    def failed(self, error: RefereeError) -> None:
        """Show why something was refused, or what is wrong."""
        if isinstance(error, Refused):
            self.explain(TITLES.get(error.code, "Not now"), error.text, error.code, "any key")
            return
        self._alarm.start("fault", float("-inf"))  # heard at the next look at the clock
        words = error.words if isinstance(error, (JournalError, BrokenRulebook)) else ""
        title = "Fault" if not words else "Not saved" if isinstance(error, JournalError) else "Not counted"
        self.lay(FaultCard(self, title, words or str(error), "session", "nothing lost"))

    def attempt(self, action: Callable[[], object]) -> None:
        """Do something that may be refused or fail; what went wrong is shown."""
        self.table.attempt(action)

    def lay(self, card: Card) -> None:
        """Lay a card on top."""
        self.pile.lay(card)

    def lift(self, card: Card) -> None:
        """Take a card away, with all that lies on it."""
        self.pile.lift(card)

    def clear(self) -> None:
        """Take everything away that lies on the lowest card."""
        self.pile.clear()

    def withdraw(self, card: Card) -> None:
        """Take a card away from under whatever lies on it."""
        self.pile.withdraw(card)

    def lies(self, card: Card) -> bool:
        """Whether a card lies here, on top or under others."""
        return card in self.pile

    def explain(self, title: str, text: str, code: str, hint: str) -> None:
        """Lay a refusal."""
        self.sound("refusal")
        self.lay(RefusalCard(self, title, text, code, hint))

    def fault(self, title: str, text: str, now: float, *, about: str = "") -> None:
        """Say that something is wrong with the box, and go on saying it until a key is pressed.

        The news replaces what was said ``about`` the same part before (by default: under the same title). A part that
        comes and goes all the time takes no more than a few keys a minute from the table.
        """
        about = about or title
        told = self._told[about] = [at for at in self._told.get(about, ()) if now < at + MINUTE]
        self._untold.pop(about, None)
        news = FaultCard(self, title, text, about)
        top = self.pile.top
        known = isinstance(top, FaultCard) and top.says == news.says
        if not known and len(told) >= OFTEN:
            self._untold[about] = title, text
            return
        self._sound_alarm("fault", now)
        if known:
            return  # whoever is about to press what is shown there must not come too late
        told.append(now)
        for card in self.pile:
            if isinstance(card, FaultCard) and card.about == news.about:
                self.pile.withdraw(card)
        self.lay(news)
        self.pile.number(unbidden=True)

    def open_throw(self, right: Right) -> None:
        """Lay the throw entered last, if nothing was accepted since."""
        throw = self.table.last_throw
        if throw is not None:
            self.sound("key")
            self.lay(correction_card(self, throw, right))

    def open_dice(self) -> None:
        """Lay the page of the self-reading dice, where the box has some."""
        case = self.dice.case
        if case is not None:
            self.attempt(lambda: self.lay(dice_page(self, case)))

    def learn(self, take: Callable[[], object]) -> None:
        """Take what another part of the box has found out, and show what follows."""
        self.attempt(take)
        self.pile.number(unbidden=True)

    def open_clocks(self) -> None:
        """Lay the page of the clocks."""
        self.lay(clock_page(self))

    def open_menu(self) -> None:
        """Lay the menu, if there is a game."""
        if self.table.session is not None:
            self.sound("key")
            self.lay(menu_page(self))

    # ------------------------------------------------------------------ inside

    def _calls_at(self) -> float | None:
        """When a hold of Back that goes on calls for a judge, None if none does."""
        return self.event.calls_at(min(self._guard.holding("back").values(), default=None))

    def _button(self, wakes: str) -> str:
        """Return the button of what a card wakes: a seat of the game, or the button itself."""
        return self.table.seat_keys.get(wakes) or (wakes if wakes.startswith("seat-") else "")

    def _sound_alarm(self, sound: str, now: float) -> None:
        """Sound this now, and again and again until a key is pressed."""
        self._alarm.start(sound, now)
        self.sound(self._alarm.take(now))

    def _flag(self, fall: Fall, now: float) -> None:
        """Tell that a seat has used up its time."""
        if not fall.final:
            self.sound("flag")
            return
        keeper = self.table.clocks.keeper
        if keeper.customs.flag == "lose" and not self.table.lose(fall.seat):
            keeper.freeze(ms(now))
        if keeper.frozen:
            self.pile.renew(self._lowest())
        else:
            self.lay(FlagCard(self, fall.seat))
        self._sound_alarm("flag", now)

    def _lowest(self) -> Card:
        table = self.table
        if table.session is not self._plays:
            self._plays = table.session
            self.rolls.clear()
        if table.session is None:
            return self._home(self)
        if table.session.paused:
            return PauseCard(self)
        if table.clocks.keeper.frozen:
            return FrozenCard(self)
        if table.pending:
            first = table.pending[0]
            return ReminderCard(self, first) if isinstance(first, Reminder) else RulingCard(self, first)
        if table.prompt is None:
            return OverCard(self)
        if table.handover:
            return TurnCard(self)
        return SecretCard(self, table.prompt) if table.prompt.sealed else ask_card(self, table.prompt)

    def _press(self, key: str, at: float) -> None:
        card = self.pile.top
        finger = Finger(key, self._source)
        pile = self.pile
        dropped = self._guard.press(finger, at, screen=pile.screen, shown_at=pile.shown_at, after=pile.after)
        self._pressed_on[finger] = card
        if dropped is not None:
            self.sound("late")
            return
        self._alarm.stop()
        if key.startswith("die-"):
            card.die(int(key.removeprefix("die-")))
        elif key.startswith("seat-"):
            if isinstance(card, RefusalCard):
                card.click()
            elif self._button(card.wakes) != key:
                self.sound("late")
            elif finger.at_the_box:
                self._seat_down = finger, at
            else:
                card.seat()  # nothing brushes a button on a page

    def _dice(self, event: Thrown | Doubt | Disturbed) -> None:
        """Take what dice tell: for the roll on the glass if they were thrown for it, else to be shown at the next."""
        if isinstance(event, Disturbed):
            if sound := self.rolls.disturb(Origin(self._source, event.die)):
                self.sound(sound)
            return
        doubt = event.why if isinstance(event, Doubt) else ""
        dice = fallen(event.dice, self._source, doubt, self._seat_of)
        for seat in dict.fromkeys(die.seat for die in dice):
            self._dice_of(seat, [die for die in dice if die.seat == seat], event.started)

    def _dice_of(self, seat: str, dice: list[Fallen], started: float) -> None:
        """Take what dice of one seat, or of none, tell together."""
        pile, prompt = self.pile, self.table.prompt
        step = self.rolls.step(seat, started, prompt)
        in_step = step is not None and pile.shown_at is not None
        if (in_step or not grammar.late(started, pile.shown_at, pile.after)) and pile.top.thrown(dice):
            return
        self.sound("late" if step is None else "key")
        self.rolls.keep(dice, step, prompt)

    def _seat_of(self, die: Reading) -> str:
        """Return the seat of this game that a die was thrown for, "" if for none of them."""
        return next((seat for seat, key in self.table.seat_keys.items() if key == f"seat-{die.seat}"), "")

    def _seat_up(self, event: Release) -> None:
        """A seat's button came up: what was down long enough counts, though nobody looked meanwhile; else tick."""
        if self._seat_down is not None and self._seat_down[0] == Finger(event.key, self._source):
            self.due(event.at)
            if self._seat_down is not None:
                self.sound("late")
            self._seat_down = None

    def _turn(self, event: Turn) -> None:
        counts = self._guard.turn(event.at)
        card, pile = self.pile.top, self.pile
        waits = isinstance(card, RefusalCard) or pile.after > grammar.LATE
        if counts and not (waits and grammar.late(event.at, pile.shown_at, pile.after)):
            card.turn(event.steps)

    def _gesture(self, event: Click | Hold | LongHold) -> None:
        card = self.pile.top
        finger = Finger(event.key, self._source)
        # The menu of the box is never out of reach, whatever has changed before or under the held key.
        menu = isinstance(event, Hold) and event.key == "back" and not grammar.in_browser(self._source)
        counts = self._guard.counts(finger) and self._pressed_on.get(finger) is card
        if not counts and not (menu and self._guard.alone(finger)):
            return
        if isinstance(event, LongHold):
            if card.fills == event.key:
                card.long_hold()
        elif event.key == "select":
            (card.click if isinstance(event, Click) else card.hold)()
        elif event.key == "back":
            (card.back if isinstance(event, Click) else card.menu)()

    def _gives_way_at(self) -> float | None:
        """When the uppermost card gives way by itself, None if it waits for a press or a key is down."""
        after, shown_at = self.pile.top.gives_way_after, self.pile.shown_at
        if after is None or shown_at is None or not self._guard.idle:
            return None
        return self._giving_way.at(shown_at, after)

    def _filling(self) -> float | None:
        """When the hold began that fills the bar of the uppermost card."""
        holding = self._guard.holding(self.top.fills)
        return min((at for finger, at in holding.items() if self._pressed_on.get(finger) is self.top), default=None)
