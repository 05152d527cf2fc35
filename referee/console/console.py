"""The console: what each press means. Gestures in; what belongs on the glass, lamps and sounds out. Pure.

On the stage lies a pile of cards. The lowest one follows from the table: the shelf, a ruling still to be read, whose
turn it is, or the pending question. Menu, refusals and confirmations lie on top of it. A press counts only for the
card it was made on; the uppermost card says what it means.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from hardware.events import Click, Disturbed, Doubt, Event, Hold, LongHold, Press, Reading, Release, Thrown, Turn
from referee.clock import Fall
from referee.clock.round import RoundNews
from referee.config import Config
from referee.console import grammar
from referee.console.buttons import MENU, SHELF, UNDO, Button
from referee.console.cards.clock import FlagCard
from referee.console.cards.menu import menu_page
from referee.console.cards.notices import PauseCard, ReminderCard, RulingCard, SecretCard, TurnCard
from referee.console.cards.shelf import OverCard, ShelfCard
from referee.console.cards.throw import DiceCard, ask_card, open_throw
from referee.console.context import Context, Home
from referee.console.event import TableAtEvent
from referee.console.gathering import Fallen
from referee.console.grammar import KEYS, AutoDismiss, Finger
from referee.console.shelf import BoxDice, Shelf, Visitors
from referee.console.stage import Card, RefusalCard, Stage
from referee.console.table import Table
from referee.console.views import View
from referee.errors import RefereeError, Refused
from referee.rulebook import Reminder
from referee.session import Origin, Right, Session, ms
from referee.session.wish import Wish

BAR_FROM: Final = 0.300
"""Seconds into a hold before its bar is shown: a click is shorter."""

BAR_STEP: Final = 0.050
"""Seconds between two drawings of the bar."""

USUAL: Final = Config()
"""How a table plays and keeps time that says nothing of it."""


class Console:
    """One box: it takes what is pressed to the card it was meant for.

    ``stage``    what lies on the glass, and what is heard
    ``table``    the game in progress, and what can be done with it
    ``event``    its part in an event
    ``context``  what cards work with
    """

    def __init__(
        self,
        shelf: Shelf,
        dice: BoxDice,
        home: Home = ShelfCard,
        visitors: Visitors | None = None,
        session: Session | None = None,
        config: Config = USUAL,
    ) -> None:
        """``home``: what lies on the glass without a game; ``visitors``: the browsers let in, None: nobody can be."""
        self._guard = grammar.Guard()
        self._pressed_on: dict[Finger, Card] = {}
        self._seat_down: tuple[Finger, float] | None = None
        self._auto_dismiss = AutoDismiss()
        self._source = KEYS
        self._tapped = -1, "", float("-inf")  # screen, button and time of the last tap
        self.stage = stage = Stage(self._lowest)
        self.table = Table(stage, shelf, dice, config)
        self.event = TableAtEvent(self.table)
        self.context = Context(self.table, self.event, visitors, home, self._open_menu, self._correct)
        stage.renew()
        stage.number()
        if session is not None:
            self.table.use(session)
            self._settle()

    def feed(self, event: Event, source: str = KEYS) -> None:
        """Take one event of the keys, or of another ``source`` that the journal is to name.

        Never raises `RefereeError`: what is refused is shown.
        """
        self._source = source
        self.table.acting(source, event.at)
        if isinstance(event, (Press, Thrown, Doubt)):
            self.table.clocks.keeper.touch()
        self.stage.attempt(partial(self._take, event, source))
        self._settle()

    def _take(self, event: Event, source: str) -> None:
        if isinstance(event, (Thrown, Doubt, Disturbed)):
            self._dice(event)
            return
        if self._guard.touched(source, event.at) and not isinstance(event, Release):
            if isinstance(event, Press):
                self._guard.refuse(Finger(event.key, source))
            self.stage.sound("late")
            return
        self._auto_dismiss.touched(event.at)
        self.stage.by_browser = grammar.in_browser(source)
        if isinstance(event, Press):
            self._press(event.key, event.at)
        elif isinstance(event, Turn):
            self._turn(event)
        elif isinstance(event, Release):
            self._guard.release(Finger(event.key, source))
            self._seat_up(event)
        elif isinstance(event, (Click, Hold, LongHold)):
            self._gesture(event)

    def name_player(self, key: str, name: str, at: float) -> None:
        """Take who plays the seat with this button, typed in a browser.

        A refusal only ticks, and a fault is told a few times a minute: names come whenever a browser likes.
        """
        seat = next((seat for seat, each in self.table.seat_keys.items() if each == key), "")
        try:
            self.table.seat_player(seat, name)
        except Refused:
            self.stage.sound("late")
        except RefereeError as error:
            self.stage.fault("Name not saved", str(error), at)
        self._settle()

    def tap(self, screen: int, button: str, at: float, source: str, *, held: bool) -> None:
        """Take one of the uppermost card's buttons, pressed in a browser that showed this screen.

        ``held``: whether whoever pressed it may hold a key. As with a key, what comes too early, twice, under a key
        that is held, or for another screen does nothing but tick.
        """
        self._source = source
        self.table.acting(source, at)
        self.table.clocks.keeper.touch()
        self._auto_dismiss.touched(at)
        stage = self.stage
        offered = any(each.id == button and each.held <= held for each in (*stage.top.buttons, *self.ways))
        bounced = self._tapped[:2] == (screen, button) and at < self._tapped[2] + grammar.DOUBLE_DIE
        late = screen != stage.screen or grammar.late(at, stage.shown_at, stage.after)
        waits = self._guard.touched(source, at) or not self._guard.idle
        if late or waits or not offered or bounced:
            self.stage.sound("late")
            return
        self._tapped = screen, button, at
        stage.by_browser = grammar.in_browser(source)
        stage.alarm.stop()
        ways = {UNDO: self.table.undo, MENU: stage.top.menu, SHELF: self.table.leave}
        if button in (UNDO, SHELF) and isinstance(stage.top, RefusalCard):
            stage.pop(stage.top)
        stage.attempt(ways.get(button, partial(stage.top.tap, button)))
        self._settle()

    def let_go(self, key: str) -> None:
        """Take a key that is stuck as not held: it must not keep the others from counting."""
        self._guard.release(Finger(key, KEYS))

    def due(self, now: float) -> None:
        """Do what is due by ``now``: a seat's button was held long enough, a ruling was read, a fault goes on."""
        if self._seat_down is not None and now >= self._seat_down[1] + grammar.SEAT_MINIMUM:
            self._seat_down = None
            self.stage.attempt(self.stage.top.seat)
            self._settle()
        gives_way_at = self._gives_way_at()
        if gives_way_at is not None and now >= gives_way_at:
            self.stage.top.give_way()
        self.stage.due(now)
        self._settle(unbidden=True)

    def keep_time(self, now: float) -> None:
        """Let the seat clocks follow what lies on the glass; call it after all else that was done by ``now``."""
        for fall in self.table.keep_time(now):
            self._flag(fall, now)
        self.event.hold(now)
        if self.table.clocks.round.see(ms(now)):
            self.event.call_time()
            self.stage.sound_alarm("flag", now)
        self._settle(unbidden=True)

    def deadline(self, now: float) -> float | None:
        """Return when `due` or a new drawing is wanted next, or None."""
        times = [self.stage.deadline(), self._gives_way_at(), self.table.clocks.deadline()]
        if self._seat_down is not None:
            times.append(self._seat_down[1] + grammar.SEAT_MINIMUM)
        since = self._filling()
        if since is not None and now < since + 1.0:
            times.append(max(since + BAR_FROM, now + BAR_STEP))
        return min((at for at in times if at is not None), default=None)

    def shown(self, screen: int, at: float) -> None:
        """The glass shows this screen since ``at``."""
        if self.stage.shown(screen, at):
            if isinstance(self.stage.top, DiceCard):
                self.table.rolls.shown(self.stage.top.prompt, at + self.stage.after)
            self.table.acting(self.table.source, at)
            self.stage.attempt(self.stage.top.on_glass)
            self._settle(unbidden=True)

    def voice(self, source: str, at: float, *, speaks: bool) -> None:
        """A voice has begun to read the glass aloud, or is silent again; ``source`` names it."""
        self._auto_dismiss.voice(source, at, speaks=speaks)

    def hear(self, wish: Wish, time: RoundNews, known: bool) -> None:  # noqa: FBT001 - as it is posted
        """Take all that the hall wishes of this table; see `TableAtEvent.hear`."""
        self.event.hear(wish, time, known=known)
        self._settle(unbidden=True)

    def learn(self, take: Callable[[], object]) -> None:
        """Take what another part of the box has found out, and show what follows."""
        self.stage.attempt(take)
        self._settle(unbidden=True)

    @property
    def counts_from(self) -> float | None:
        """When presses begin to count for the uppermost screen, None while it is on its way to the glass."""
        return None if self.stage.shown_at is None else self.stage.shown_at + self.stage.after

    def view(self, now: float) -> View:
        """Return what belongs on the glass now."""
        since = self._filling()
        bar = None if since is None or now < since + BAR_FROM else min(1.0, now - since)
        return self.stage.top.view(bar)

    @property
    def secret(self) -> str:
        """The seat that answers in secret now, "" for none."""
        return next((card.asks for card in self.stage if card.secret), "")

    @property
    def cover(self) -> View | None:
        """What browsers, screens and voices have in the place of what a seat does in secret, None: nothing is."""
        return self.stage.lowest.view(None) if self.secret else None

    def lamps(self) -> dict[str, str]:
        """Return seat key -> "off", "on" (asked) or "blink" (asked to press this button)."""
        keys = self.table.seat_keys
        lamps = dict.fromkeys(keys.values(), "off")
        prompt = self.table.prompt
        asked = self.secret or (prompt.seat if prompt is not None else "")
        if asked in keys:
            lamps[keys[asked]] = "on"
        woken = self._button(self.stage.top.wakes)
        if woken:
            lamps = dict.fromkeys(lamps, "off") | {woken: "blink"}
        return lamps

    @property
    def ways(self) -> tuple[Button, ...]:
        """What a browser can press beside the card's own buttons: take the last answer back, the menu, the shelf."""
        if self.table.session is None or self.secret:
            return ()
        menu = Button(MENU, "Menu", held=True)
        if len(self.stage) > isinstance(self.stage.top, RefusalCard):
            return (menu,)
        undo = Button(UNDO, "Undo", held=not self.table.may_step_back)
        return *((undo,) if self.table.current.undoable else ()), menu, Button(SHELF, "Shelf", held=True)

    @property
    def for_judges(self) -> bool:
        """Whether something is on the glass that players in browsers are not to touch."""
        return any(card.for_judges for card in (*self.stage, self.stage.top))

    def _button(self, wakes: str) -> str:
        """Return the button of what a card wakes: a seat of the game, or the button itself."""
        return self.table.seat_keys.get(wakes) or (wakes if wakes.startswith("seat-") else "")

    def _flag(self, fall: Fall, now: float) -> None:
        """Tell that a seat has used up its time."""
        if self.table.clocks.keeper.customs.flag == "lose":
            self.table.lose(fall.seat)
        self.stage.push(FlagCard(self.context, fall.seat))
        self.stage.sound_alarm("flag", now)

    def _settle(self, *, unbidden: bool = False) -> None:
        """Let the event and the number of the screen follow; ``unbidden``: no press has led there."""
        self.event.follow()
        self.stage.number(unbidden=unbidden)
        self.stage.by_browser = False

    def _open_menu(self) -> None:
        if self.table.session is not None:
            self.stage.sound("key")
            self.stage.push(menu_page(self.context))

    def _correct(self, right: Right) -> None:
        open_throw(self.context, right)

    def _lowest(self) -> Card:
        context, table = self.context, self.table
        if table.session is None:
            return context.home(context)
        if table.session.paused:
            return PauseCard(context)
        if table.pending:
            first = table.pending[0]
            return ReminderCard(context, first) if isinstance(first, Reminder) else RulingCard(context, first)
        if table.prompt is None:
            return OverCard(context)
        if table.handover:
            return TurnCard(context)
        return SecretCard(context, table.prompt) if table.prompt.sealed else ask_card(context, table.prompt)

    def _press(self, key: str, at: float) -> None:
        card = self.stage.top
        finger = Finger(key, self._source)
        stage = self.stage
        dropped = self._guard.press(finger, at, screen=stage.screen, shown_at=stage.shown_at, after=stage.after)
        self._pressed_on[finger] = card
        if finger.at_the_box and (card.by_browser or (dropped == "late" and stage.changed_by_browser)):
            self._guard.disturbed(at)
        if dropped is not None:
            self.stage.sound("late")
            return
        self.stage.alarm.stop()
        if key.startswith("die-"):
            card.die(int(key.removeprefix("die-")))
        elif key.startswith("seat-"):
            if isinstance(card, RefusalCard):
                card.click()
            elif self._button(card.wakes) != key:
                self.stage.sound("late")
            elif finger.at_the_box:
                self._seat_down = finger, at
            else:
                card.seat()  # nothing brushes a button on a page

    def _dice(self, event: Thrown | Doubt | Disturbed) -> None:
        """Take what dice tell: for the roll on the glass if they were thrown for it, else to be shown at the next."""
        if isinstance(event, Disturbed):
            if sound := self.table.rolls.disturb(Origin(self._source, event.die)):
                self.stage.sound(sound)
            return
        doubt = event.why if isinstance(event, Doubt) else ""
        dice = [
            Fallen(
                die.face,
                Origin(self._source, die.die, die.certainty, picture=die.picture),
                self._seat_of(die),
                doubt,
            )
            for die in event.dice
        ]
        for seat in dict.fromkeys(die.seat for die in dice):
            own = [die for die in dice if die.seat == seat]
            self.stage.attempt(partial(self._dice_of, seat, own, event.started))

    def _dice_of(self, seat: str, dice: list[Fallen], started: float) -> None:
        """Take what dice of one seat, or of none, tell together."""
        stage, prompt = self.stage, self.table.prompt
        step = self.table.rolls.step(seat, started, prompt)
        in_step = step is not None and stage.shown_at is not None
        if (in_step or not grammar.late(started, stage.shown_at, stage.after)) and stage.top.thrown(dice):
            return
        self.stage.sound("late" if step is None else "key")
        self.table.rolls.keep(dice, step, prompt)

    def _seat_of(self, die: Reading) -> str:
        """Return the seat of this game that a die was thrown for, "" if for none of them."""
        return next((seat for seat, key in self.table.seat_keys.items() if key == f"seat-{die.seat}"), "")

    def _seat_up(self, event: Release) -> None:
        """A seat's button came up: what was down long enough counts, though nobody looked meanwhile; else tick."""
        if self._seat_down is not None and self._seat_down[0] == Finger(event.key, self._source):
            self.due(event.at)
            if self._seat_down is not None:
                self.stage.sound("late")
            self._seat_down = None

    def _turn(self, event: Turn) -> None:
        counts = self._guard.turn(event.at)
        card, stage = self.stage.top, self.stage
        waits = isinstance(card, RefusalCard) or stage.after > grammar.LATE
        if counts and not (waits and grammar.late(event.at, stage.shown_at, stage.after)):
            card.turn(event.steps)

    def _gesture(self, event: Click | Hold | LongHold) -> None:
        card = self.stage.top
        finger = Finger(event.key, self._source)
        # The menu of the box is never out of reach, whatever has changed before or under the held key.
        menu = isinstance(event, Hold) and event.key == "back" and not grammar.in_browser(self._source)
        counts = self._guard.counts(finger) and self._pressed_on.get(finger) is card
        if not counts and not (menu and self._guard.alone(finger)):
            return
        while menu and card.by_browser:  # a browser could lay it there again and again
            self.stage.pop(card)
            card = self.stage.top
        if isinstance(event, LongHold):
            if card.fills == event.key:
                card.long_hold()
        elif event.key == "select":
            (card.click if isinstance(event, Click) else card.hold)()
        elif event.key == "back":
            (card.back if isinstance(event, Click) else card.menu)()

    def _gives_way_at(self) -> float | None:
        """When the uppermost card gives way by itself, None if it waits for a press or a key is down."""
        after, shown_at = self.stage.top.gives_way_after, self.stage.shown_at
        if after is None or shown_at is None or not self._guard.idle:
            return None
        return self._auto_dismiss.at(shown_at, after)

    def _filling(self) -> float | None:
        """When the hold began that fills the bar of the uppermost card."""
        holding = self._guard.holding(self.stage.top.fills)
        return min(
            (at for finger, at in holding.items() if self._pressed_on.get(finger) is self.stage.top), default=None
        )
