"""The loop that owns the console and the session. All other threads only put items into its inbox.

It waits for the next item or the next deadline, whichever is first, and for nothing else: an idle station does not
wake up. Order matters: the answer is durable before the console returns, the frame goes to the display's thread
next, and only when it is on the glass are lamps' names, log and odds worked out for the browsers.
"""

from __future__ import annotations

import logging
import math
import queue
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from hardware.events import Chatter, Disturbed, Doubt, Edge, Event, Hold, InputEvent, Stuck, Thrown, Turn
from hardware.keys.debounce import Keys
from hardware.keys.quadrature import KNOB
from hardware.line.presence import Presence
from referee.config import Config
from referee.console.console import Console
from referee.console.drawing.type import rehearse
from referee.console.grammar import KEYS
from referee.errors import StationError
from referee.station.fingers import Fingers
from referee.station.notify import SILENT, Notifier, Pulse
from referee.station.peripherals import Device, Outputs, Peripheral, Report
from referee.station.picture import Picture, SlowDisk
from referee.station.screen import Alive, DisplayReport, Lost, Screen, Shown
from referee.station.visitors import COVER, VisitCards
from referee.station.voice import Voice
from referee.web.hub import Gesture, PanelTap, Visit

if TYPE_CHECKING:
    from hardware.box import Box

_logger = logging.getLogger(__name__)

FIRST_PICTURE: Final = 2.0
"""Seconds to wait for the first picture before continuing without it."""

DISPLAY: Final = "Display"

Item: TypeAlias = InputEvent | Callable[[], object]
"""An edge of a contact, a turn of the knob, or what another thread wants done on the loop's."""


class Inbox:
    """The loop's queue: the only way for other threads and for signal handlers to reach a station."""

    def __init__(self) -> None:
        self._items: queue.SimpleQueue[Item] = queue.SimpleQueue()

    def put(self, item: Item) -> None:
        """Put in an edge or a turn, or what is to be done."""
        self._items.put(item)

    def get(self, timeout: float | None) -> Item | None:
        """Return the next item, or None if there is none within that many seconds (None: wait without limit)."""
        try:
            return self._items.get(timeout=timeout)
        except queue.Empty:
            return None

    def __len__(self) -> int:
        """Return the number of items."""
        return self._items.qsize()


class Loop:
    """Runs a box until it is stopped; see the module.

    ``picture``   what is on the glass
    ``on_shown``  called when it may have changed; ``on_sound``: called with the name of each sound
    """

    def __init__(
        self,
        box: Box,
        console: Console,
        config: Config,
        *,
        inbox: Inbox,
        screen: Screen,
        slow: SlowDisk,
        notifier: Notifier = SILENT,
        voice: Voice | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``voice``: reads the glass aloud, if somebody wants that."""
        self.box = box
        self.console = console
        self.screen = screen
        self.inbox = inbox
        self._slow = slow
        self.picture = Picture(screen, slow, config.glass, clock, enlarged=config.table.glass == "large")
        self._outputs = Outputs(box, config.table.sounds)
        self.on_shown: list[Callable[[], None]] = []
        self.on_sound: list[Callable[[str], None]] = []
        self._pulse = Pulse(notifier, screen.ask)
        self._voice = voice
        self._keys = Keys(box.inputs.level)
        self._fingers = Fingers()
        self._peripherals: list[Peripheral] = []
        self._visits = VisitCards(console)
        self.clock = clock
        self._nothing_before = -math.inf
        self._over = False

    def open(self) -> None:
        """Draw the first picture and open the inputs."""
        self.screen.start(lambda report: self.inbox.put(partial(self._take_display, report)))
        self._output(self.clock())
        self.step(self.inbox.get(FIRST_PICTURE), self.clock())  # a display that hangs must not delay the keys
        self.picture.open()
        self._slow.prepare()
        self.box.inputs.open(self.inbox.put)
        self._pulse.have("keys", self.clock())

    def attach(
        self, name: str, make: Callable[[Callable[[Presence], None]], Device], *, source: str = KEYS
    ) -> Device:
        """Create a peripheral, open it, and return it; call before `run`. Raises what `make` raises.

        ``source``: what the journal names for what is entered on it.
        """
        peripheral = Peripheral(name, make, self._report, source=source)
        self._peripherals.append(peripheral)
        peripheral.device.open(peripheral.tell)
        if peripheral.lamps is not None:
            self._outputs.add(peripheral.lamps)
        return peripheral.device

    def run(self) -> None:
        """Run until it is stopped; set letters while idle. Raises the error that stopped it."""
        rehearsal, rehearsing = rehearse(), True
        while not self._over:
            now = self.clock()
            first = self.deadline(now)
            wait = None if first is None else max(0.0, first - now)
            item = self.inbox.get(0.0 if rehearsing else wait)
            if item is None and rehearsing and wait != 0.0:
                rehearsing = next(rehearsal, "over") is None
            else:
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
        if not len(self.inbox) and self.picture.hangs(now):  # what came while the disk was slow may say otherwise
            self._dark("Display hangs", "I2C bus stuck. Check its wires; no answer is lost.", now)
        self.console.keep_time(self.clock())  # later than now where the disk was slow, which costs nobody any time
        self._output(now)

    def deadline(self, now: float) -> float | None:
        """Return when `step` must run next even if the inbox is empty, or None."""
        parts = (self._keys, self._fingers, self._visits, self.picture, self._pulse)
        times = [part.deadline() for part in parts]
        times += [self.console.deadline(now), *(peripheral.keys.deadline() for peripheral in self._peripherals)]
        first = min((at for at in times if at is not None), default=None)
        self._nothing_before = math.inf if first is None else first
        return first

    # -- what other threads put into the inbox ---------------------------------------------------------------------

    def stop(self) -> None:
        """End the loop."""
        self._over = True

    def fail(self, failure: StationError) -> None:
        """End the loop with an error."""
        raise failure

    def learn(self, take: Callable[[], object]) -> None:
        """Let a part of the station take what another thread has found out for it, and show what follows."""
        self.picture.touched(self.clock())
        self.console.learn(take)

    def fault(self, title: str, text: str) -> None:
        """Say what has gone wrong beside the table."""
        self.console.stage.fault(title, text, self.clock())

    def take_over(self, begin: Callable[[], str | None]) -> None:
        """Go on with the game of another box: ``begin`` writes it and returns which it is, None if it was there."""

        def take_up() -> None:
            game = begin()
            if game is not None:
                self.console.table.take_up(game)

        self.console.learn(take_up)

    def touch(self, gesture: Gesture, source: str, at: float) -> None:
        """Take a gesture of a browser; ``source`` names who made it."""
        self.picture.touched(self.clock())
        if isinstance(gesture, PanelTap):
            self.console.tap(gesture.screen, gesture.button, at, source, held=gesture.held)
            return
        for felt in self._fingers.feed(gesture, source, at):
            self._feed(felt.event, felt.source)

    def visit(self, visit: Visit | None) -> None:
        """Show a visitor's request; None: remove it from the glass."""
        self.picture.touched(self.clock())
        self._visits.show(visit)

    # -- inside ----------------------------------------------------------------------------------------------------

    def _take(self, item: Item, now: float) -> bool:
        """Process an item; return whether it may have changed anything (the edges of a bounce do not)."""
        if not isinstance(item, (Edge, Turn, Chatter)):
            item()
            return True
        different = self.picture.touched(now)
        events = self._keys.feed(item)
        for event in events:
            self._feed(event, KEYS)
        return different or bool(events)

    def _report(self, peripheral: Peripheral, report: Report) -> None:
        """Take a report of a peripheral; on any thread."""
        self.inbox.put(partial(self._take_peripheral, peripheral, report))

    def _take_display(self, report: DisplayReport) -> None:
        if isinstance(report, Shown):
            self._shown(report)
        elif isinstance(report, Alive):
            self._pulse.answered()
        else:
            assert isinstance(report, Lost)
            _logger.error("display: %s", report.text)
            self._dark("Display lost", "It does not answer. Check its plug; no answer is lost.", self.clock())

    def _shown(self, shown: Shown) -> None:
        now = self.clock()
        if self.picture.shown(shown):
            _logger.warning("display answers again")
            self.console.stage.fault("Display back", "It was dark. No answer is lost.", now, about=DISPLAY)
        self.console.shown(shown.screen, shown.at)
        self._pulse.have("picture", now)
        for follow in self.on_shown:
            follow()

    def _take_peripheral(self, peripheral: Peripheral, report: Report) -> None:
        now = self.clock()
        if isinstance(report, (Edge, Turn, Chatter)):
            self.picture.touched(now)
            for event in peripheral.keys.feed(report):
                self._feed(event, peripheral.source)
            return
        if isinstance(report, (Thrown, Doubt, Disturbed)):
            self.picture.touched(now)
            self._feed(report, peripheral.source)
            return
        _logger.warning(peripheral.words(report))
        words = peripheral.say(report)
        if words is not None:
            self.console.stage.fault(*words, now, about=peripheral.name)

    def _dark(self, title: str, text: str, now: float) -> None:
        """Report a fault of the display by buzzer, panel and log."""
        _logger.error("%s: %s", title.lower(), text)
        self.picture.lost()
        self.console.stage.fault(title, text, now, about=DISPLAY)

    def _feed(self, event: Event, source: str) -> None:
        if isinstance(event, Stuck):
            self.console.let_go(event.key)
            self.console.stage.fault(
                "Key stuck", f"{event.key} is held or shorted. The other keys still work", event.at
            )
        elif isinstance(event, Chatter):
            if event.key in KNOB:
                title, text = "Knob chatters", "A loose wire, or noise on it. Turning is ignored until it stops"
            else:
                title, text = "Key chatters", f"{event.key} triggers by itself. It is ignored until it stops"
            self.console.stage.fault(title, text, event.at)
        else:
            if isinstance(event, Hold) and event.key == "back":
                self.picture.renew()
            self.console.feed(event, source)

    def _output(self, now: float) -> None:
        console = self.console
        cover = COVER if self._visits.covers(console.stage.top) else console.cover
        view = console.view(now)
        new = self.picture.put(console.stage.screen, view, now, cover)
        if self._voice is not None:
            self._voice.follow(view if cover is None else cover, now)
        if new and self.picture.dark:
            for follow in self.on_shown:
                follow()  # nobody will report it shown, but the panel can be read
        self._outputs.show(console.lamps())
        name = console.stage.take_sound()
        if name and self._outputs.play(name):
            for hear in self.on_sound:
                hear(name)
