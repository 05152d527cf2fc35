"""The loop that owns the console and the session. All other threads only put items into its inbox.

It waits for the next item or the next deadline, whichever is first, and for nothing else: an idle station does not
wake up. Order matters: the answer is durable before the console returns, the frame goes to the display's thread
next, and only when it is on the glass are lamps' names, log and odds worked out for the browsers.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from hardware.events import Chatter, Disturbed, Doubt, Edge, Event, Hold, InputEvent, Stuck, Thrown, Turn
from hardware.keys.debounce import Keys
from hardware.keys.quadrature import KNOB
from hardware.line.presence import Presence
from referee.config import Config
from referee.console.console import Console
from referee.console.drawing.rehearsal import rehearse
from referee.console.grammar import KEYS
from referee.station.fingers import Fingers, Touch
from referee.station.glass.picture import Picture
from referee.station.glass.screen import Alive, DisplayReport, Lost, Recovered, ScreenLike, Shown
from referee.station.glass.slow import SlowDisk
from referee.station.inbox import (
    Announce,
    Heard,
    Inbox,
    Item,
    Knock,
    Learned,
    Named,
    Stop,
    TakeOver,
    Trouble,
)
from referee.station.notify import SILENT, Notifier, Pulse
from referee.station.outputs import Outputs
from referee.station.panel import Publisher
from referee.station.peripherals import Device, Peripheral, PeripheralReport
from referee.station.starting.starts import Trial
from referee.station.status import Status
from referee.station.visits import COVER, VisitCards
from referee.station.voice import Silent, Voice
from referee.web.hub import PanelTap

if TYPE_CHECKING:
    from hardware.box import Box

_logger = logging.getLogger(__name__)

FIRST_PICTURE: Final = 2.0
"""Seconds to wait for the first picture before continuing without it."""

DISPLAY: Final = "Display"


class Loop:
    """Runs a box until it is stopped; see the module."""

    def __init__(
        self,
        box: Box,
        console: Console,
        config: Config,
        *,
        inbox: Inbox,
        screen: ScreenLike,
        slow: SlowDisk,
        publisher: Publisher | None = None,
        trial: Trial | None = None,
        notifier: Notifier = SILENT,
        trouble: Callable[[], str] = str,
        voice: Voice | None = None,
        board: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``publisher``: for the browsers, if there is a panel; ``trial``: decides whether this start succeeded.

        ``trouble``: what keeps the station in its safe mode, "" in good times.
        ``voice``: reads the glass aloud, if somebody wants that; ``board``: tells the hall how the board stands.
        """
        self.box = box
        self.console = console
        self.screen = screen
        self._inbox = inbox
        self._slow = slow
        self._picture = Picture(screen, slow, config.glass, clock)
        self._outputs = Outputs(box, config.table.sounds)
        self._publisher = publisher
        self._pulse = Pulse(notifier, screen.ask)
        self._status = Status(notifier, console.table, trouble)
        self._trial = trial
        self._voice = voice
        self._board = board
        self._keys = Keys(box.inputs.level)
        self._fingers = Fingers()
        self._peripherals: list[Peripheral] = []
        self._visits = VisitCards(console)
        self.clock = clock
        self._nothing_before = -math.inf

    def open(self) -> None:
        """Draw the first picture and open the inputs."""
        self.screen.start()
        self._output(self.clock())
        self.step(self._inbox.get(FIRST_PICTURE), self.clock())  # a display that hangs must not delay the keys
        self._picture.open()
        self._slow.prepare()
        self.box.inputs.open(self._inbox.put)
        self._pulse.have("keys", self.clock())

    def attach(
        self, name: str, make: Callable[[Callable[[Presence], None]], Device], *, source: str = KEYS
    ) -> Device:
        """Create a peripheral, open it, and return it; call before `run`. Raises what `make` raises.

        ``source``: what the journal names for what is entered on it.
        """
        peripheral = Peripheral(name, make, self._inbox.put, source=source)
        self._peripherals.append(peripheral)
        peripheral.device.open(peripheral.tell)
        if peripheral.lamps is not None:
            self._outputs.add(peripheral.lamps)
        return peripheral.device

    def run(self) -> None:
        """Run until it is stopped; rehearse drawings while idle. Raises the error that stopped it."""
        rehearsal, rehearsing = rehearse(self._slow.size), True
        while True:
            now = self.clock()
            first = self.deadline(now)
            wait = None if first is None else max(0.0, first - now)
            item = self._inbox.get(0.0 if rehearsing else wait)
            if item is None and rehearsing and wait != 0.0:
                rehearsing = next(rehearsal, "over") is None
                continue
            if isinstance(item, Stop):
                if item.failure is not None:
                    raise item.failure
                return
            self.step(item, self.clock())

    def step(self, item: Item | None, now: float) -> None:
        """Process one item of the inbox (None: only time has passed), and update glass, lamps and sounds."""
        if item is not None and not self._take(item, now) and now < self._nothing_before:
            return
        self._nothing_before = -math.inf
        for keys, source in (
            (self._keys, KEYS),
            *((peripheral.keys, peripheral.source) for peripheral in self._peripherals),
        ):
            for event in keys.due(now):
                self._feed(event, source)
        for felt in self._fingers.due(now):
            self._feed(felt.event, felt.source)
        self._visits.due(now)
        self.console.due(now)
        self._pulse.due(now)
        if not len(self._inbox) and self._picture.hangs(now):  # what came while the disk was slow may say otherwise
            self._dark("Display hangs", "I2C bus stuck. Check its wires; nothing accepted is lost.", now)
        self.console.keep_time(self.clock())  # later than now where the disk was slow, which costs nobody any time
        self._output(now)
        if self._trial is not None:
            self._trial.due(now)

    def deadline(self, now: float) -> float | None:
        """Return when `step` must run next even if the inbox is empty, or None."""
        parts = (self._keys, self._fingers, self._visits, self._picture, self._pulse)
        times = [part.deadline() for part in parts]
        times += [self.console.deadline(now), self._trial.deadline() if self._trial is not None else None]
        times += [peripheral.keys.deadline() for peripheral in self._peripherals]
        first = min((at for at in times if at is not None), default=None)
        self._nothing_before = math.inf if first is None else first
        return first

    def _take(self, item: Item, now: float) -> bool:
        """Process an item; return whether it may have changed anything (the edges of a bounce do not)."""
        if isinstance(item, (Edge, Turn, Chatter)):
            return self._take_key(item, now)
        if isinstance(item, (Touch, Heard, Named, Knock, Announce)):
            self._take_panel(item, now)
        elif isinstance(item, PeripheralReport):
            self._take_peripheral(item, now)
        elif isinstance(item, Trouble):
            self.console.fault(*item, now)
        elif isinstance(item, TakeOver):
            self.console.attempt(lambda: self._take_over(item))
        elif isinstance(item, Learned):
            self._picture.touched(now)
            self.console.learn(item.take)
        elif isinstance(item, Silent):
            assert self._voice is not None
            self._voice.silent(item)
        else:
            assert not isinstance(item, Stop)
            self._take_display(item, now)
        return True

    def _take_over(self, takeover: TakeOver) -> None:
        """Go on with the game of another box."""
        game = takeover.begin()
        if game is not None:
            self.console.table.take_up(game)

    def _take_key(self, item: InputEvent, now: float) -> bool:
        different = self._picture.touched(now)
        events = self._keys.feed(item)
        for event in events:
            self._feed(event, KEYS)
        return different or bool(events)

    def _take_panel(self, item: Touch | Heard | Named | Knock | Announce, now: float) -> None:
        if isinstance(item, Touch):
            self._picture.touched(now)
            if isinstance(item.gesture, PanelTap):
                tap = item.gesture
                self.console.tap(tap.screen, tap.button, item.at, item.source, held=tap.held)
                return
            for felt in self._fingers.feed(item):
                self._feed(felt.event, felt.source)
        elif isinstance(item, Heard):
            self.console.voice(item.source, item.at, speaks=item.speaks)
        elif isinstance(item, Knock):
            self._picture.touched(now)
            self._visits.show(item.visit)
        else:
            if isinstance(item, Named):
                self.console.name_player(item.key, item.name)
            if self._publisher is not None:
                self._publisher.announce()
                self._publisher.publish(self._picture)

    def _take_display(self, item: DisplayReport, now: float) -> None:
        if isinstance(item, Shown):
            self._shown(item, now)
        elif isinstance(item, Alive):
            self._pulse.answered()
        elif isinstance(item, Lost):
            _logger.error("display: %s", item.text)
            self._dark("Display lost", "It does not answer. Check its plug; nothing accepted is lost.", now)
        else:
            assert isinstance(item, Recovered)  # what a recovered display shows is reported next

    def _shown(self, shown: Shown, now: float) -> None:
        if self._picture.shown(shown):
            _logger.warning("display answers again")
            self.console.fault("Display back", "It was dark. Nothing accepted is lost.", now, about=DISPLAY)
        self.console.shown(shown.screen, shown.at)
        self._pulse.have("picture", now)
        if self._publisher is not None:
            self._publisher.publish(self._picture)
        self._board()

    def _take_peripheral(self, news: PeripheralReport, now: float) -> None:
        peripheral = news.peripheral
        if isinstance(news.event, (Edge, Turn, Chatter)):
            self._picture.touched(now)
            for event in peripheral.feed(news.event):
                self._feed(event, peripheral.source)
            return
        if isinstance(news.event, (Thrown, Doubt, Disturbed)):
            self._picture.touched(now)
            self._feed(news.event, peripheral.source)
            return
        _logger.warning(peripheral.words(news.event))
        words = peripheral.say(news.event)
        if words is not None:
            self.console.fault(*words, now, about=peripheral.name)

    def _dark(self, title: str, text: str, now: float) -> None:
        """Report a fault of the display by buzzer, panel and log."""
        _logger.error("%s: %s", title.lower(), text)
        self._picture.lost()
        self.console.fault(title, text, now, about=DISPLAY)

    def _feed(self, event: Event, source: str) -> None:
        if isinstance(event, Stuck):
            self.console.let_go(event.key)
            self.console.fault("Key stuck", f"{event.key} is held or shorted. The other keys still work", event.at)
        elif isinstance(event, Chatter):
            if event.key in KNOB:
                title, text = "Knob chatters", "A loose wire, or noise on it. Turning is ignored until it rests"
            else:
                title, text = "Key chatters", f"{event.key} makes contact by itself. It is ignored until it rests"
            self.console.fault(title, text, event.at)
        else:
            if isinstance(event, Hold) and event.key == "back":
                self._picture.renew()
            self.console.feed(event, source)

    def _output(self, now: float) -> None:
        console = self.console
        cover = COVER if self._visits.covers(console.top) else console.cover
        view = console.view(now)
        new = self._picture.put(console.screen, view, now, cover)
        if self._voice is not None:
            self._voice.follow(view if cover is None else cover, now)
        if new and self._picture.dark and self._publisher is not None:
            self._publisher.publish(self._picture)  # nobody will report it shown, but the panel can be read
        self._status.follow()
        self._outputs.show(console.lamps())
        name = console.take_sound()
        if name and self._outputs.play(name) and self._publisher is not None:
            self._publisher.sound(name)
