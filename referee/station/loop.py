"""The one loop that owns the console and the session. Everything else only puts into its queue.

It waits for the next event or the next deadline, whichever is first, and for nothing else: an idle station does
not wake up. Order matters: the answer is durable before the console returns, the frame goes to the display's
thread next, and only when it is on the glass are lamps' names, log and odds worked out for the browsers.
"""

from __future__ import annotations

import contextlib
import logging
import queue
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from PIL import Image

from hardware.box import Box
from hardware.errors import HardwareError
from hardware.events import Chatter, Edge, Hold, Stuck, Turn
from hardware.keys.debounce import Keys
from hardware.line.presence import Report as Presence
from hardware.ports import Display, LampState
from referee.config import Config
from referee.console.console import KEYS, Console
from referee.console.drawing.screens import SIZES, SMALL, draw
from referee.console.drawing.type import preload
from referee.console.sounds import RHYTHMS
from referee.console.spoken import spoken
from referee.console.views import Notice, View
from referee.errors import StationError
from referee.station.aside import Aside, Device, Told
from referee.station.door import COVER, Door
from referee.station.fingers import Fingers, Touch
from referee.station.glass.care import Care
from referee.station.glass.screen import Alive, Found, Frame, Lost, Report, Screen, ScreenLike, Shown
from referee.station.glass.vigil import Vigil
from referee.station.notify import SILENT, Notifier, Pulse
from referee.station.panel import (
    StationHub,
    glass_message,
    lamps_message,
    log_message,
    place,
    sound_message,
    table_message,
)
from referee.station.starting.starts import Trial
from referee.web.hub import Gesture, Visit

_logger = logging.getLogger(__name__)


class Stop:
    """Put into the queue to end the loop."""


class Announce:
    """Put into the queue to publish everything once: a panel has been connected."""


class Knock(NamedTuple):
    """Put into the queue to show a browser that wants in, or to take it off the glass (None)."""

    visit: Visit | None


FIRST_PICTURE: Final = 2.0
"""Seconds to wait for the first picture before going on without it."""

DISPLAY: Final = "Display"

PATIENCE: Final = 0.5
"""Seconds a stroke may take to be written before the glass says that the disk is slow."""

NO_SCREEN: Final = -1
"""The number of a picture that is no screen of the console: no press can be meant for it."""

WAIT: Final = Notice("Wait", "The disk is slow. No key counts until this is gone.")

STOP: Final = Stop()
ANNOUNCE: Final = Announce()
Item = Edge | Turn | Report | Announce | Told | Knock | Touch


class Loop:
    """Runs a box until it is stopped; see the module."""

    def __init__(
        self,
        box: Box,
        console: Console,
        config: Config,
        *,
        simulated: bool = False,
        notifier: Notifier = SILENT,
        clock: Callable[[], float] = time.monotonic,
        screen: Callable[[Display, Callable[[Report], None]], ScreenLike] = Screen,
    ) -> None:
        """``clock`` and ``screen`` are the production ones except on a bench that runs faster than time."""
        self.queue: queue.SimpleQueue[Item | Stop] = queue.SimpleQueue()
        self.box = box
        self.console = console
        self.screen = screen(box.display, self.queue.put)
        self._pulse = Pulse(notifier, self.screen.ask)
        self.hub: StationHub | None = None
        self.glass: Callable[[], Image.Image] | None = None
        self._config = config
        self.simulated = simulated
        self._failure: StationError | None = None
        self._keys = Keys(box.inputs.level)
        self._fingers = Fingers()
        self._asides: list[Aside] = []
        self._door = Door(console)
        self._size = box.display.size if box.display.size in SIZES else SMALL
        self._wait = Frame(NO_SCREEN, Image.new("1", self._size), ())
        self._drawn: tuple[int, View] | None = None
        self._image: Image.Image | None = None
        self._public: Image.Image | None = None
        self._vigil = Vigil()
        self._blind = False
        self._lamps: dict[str, str] = {}
        self._published: object = None
        self._where: tuple[object, list[str]] = (None, [])
        self.trial: Trial | None = None
        self._clock = clock
        self._care = Care(config.glass, clock())
        self._look = self._care.look(clock())

    def open(self) -> None:
        """Put the first picture on the glass, then read in the rest of the type and listen to the keys."""
        self.screen.start()
        self._output(self._clock())
        with contextlib.suppress(queue.Empty):  # a display that hangs must not keep the keys from being heard
            self.step(self.queue.get(timeout=FIRST_PICTURE), self._clock())  # type: ignore[arg-type]
        self.screen.contrast(self._look.contrast)
        preload()
        self._wait = self._wait._replace(image=draw(WAIT, self._size)[0])
        self.box.inputs.open(self.queue.put)
        self._pulse.have("keys", self._clock())

    def attach(self, name: str, make: Callable[[Callable[[Presence], None]], Device]) -> Device:
        """Make a device beside the box, listen to it, and return it; before `run`. Raises what `make` raises."""
        aside = Aside(name, make, self.queue.put)
        self._asides.append(aside)
        aside.device.open(aside.tell)
        self._lamps.clear()  # its lamps are to be told what those of the box know
        return aside.device

    def run(self) -> None:
        """Run until `stop`, or raise what `fail` was told."""
        while not isinstance(item := self._next(), Stop):
            self.step(item, self._clock())
        if self._failure is not None:
            raise self._failure

    def step(self, item: Item | None, now: float) -> None:
        """Take one item of the queue, None if only time has passed, and bring glass, lamps and sounds up to date."""
        if item is not None:
            self._take(item, now)
        for keys in (self._keys, *(device.keys for device in self._asides)):
            for event in keys.due(now):
                self._feed(event)
        for felt in self._fingers.due(now):
            self._feed(felt.event, felt.source)
        self._door.due(now)
        self.console.due(now)
        self._pulse.due(now)
        if self.queue.empty() and self._vigil.due(now):  # what came while the disk was slow may say otherwise
            self._dark(
                "Display hangs", "Its bus does not let go. Check its wires; nothing that counted is lost.", now
            )
        self._output(now)
        if self.trial is not None:
            self.trial.due(now)

    def deadline(self, now: float) -> float | None:
        """Return when `step` is wanted next though nothing is in the queue; None: not before something is."""
        times = [self._keys.deadline(), self.console.deadline(now), self._care.deadline(), self._pulse.deadline()]
        times += [self._fingers.deadline(), self._door.deadline(), self._vigil.deadline()]
        times.append(self.trial.deadline() if self.trial is not None else None)
        times += [device.keys.deadline() for device in self._asides]
        return min((at for at in times if at is not None), default=None)

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """While this lasts, a disk that takes long is seen: the question goes off the glass until it has written."""
        self.screen.expect(self._wait, PATIENCE)
        try:
            yield
        finally:
            if self.screen.settle():
                self._drawn = None

    def stop(self) -> None:
        """End the loop; may be called from a signal handler or any thread."""
        self.queue.put(STOP)

    def fail(self, failure: StationError) -> None:
        """End the loop because of something it cannot do without; may be called from any thread."""
        self._failure = failure
        self.stop()

    def announce(self) -> None:
        """Publish everything once; may be called from any thread."""
        self.queue.put(ANNOUNCE)

    def visit(self, visit: Visit | None) -> None:
        """Show a browser that wants in, None: take it off the glass; may be called from any thread."""
        self.queue.put(Knock(visit))

    def touch(self, gesture: Gesture, source: str) -> None:
        """Take what somebody did in a browser, ``source`` being who; may be called from any thread."""
        self.queue.put(Touch(gesture, source, self._clock()))

    def _next(self) -> Item | Stop | None:
        now = self._clock()
        first = self.deadline(now)
        with contextlib.suppress(queue.Empty):
            return self.queue.get(timeout=None if first is None else max(0.0, first - now))
        return None

    def _take(self, item: Item, now: float) -> None:
        if isinstance(item, Shown):
            if self._vigil.shown(item):
                _logger.warning("display answers again")
                self.console.fault("Display back", "It was dark. Nothing that counted is lost.", now, about=DISPLAY)
            self.console.shown(item.screen, item.at)
            self._pulse.have("picture", now)
            self._publish()
        elif isinstance(item, Alive):
            self._pulse.answered()
        elif isinstance(item, Announce):
            self._published = None
            self._publish()
        elif isinstance(item, Knock):
            self._care.touched(now)
            self._door.show(item.visit)
        elif isinstance(item, Lost):
            _logger.error("display: %s", item.text)
            self._dark("Display lost", "It does not answer. Check its plug; nothing that counted is lost.", now)
        elif isinstance(item, Found):
            pass  # what it shows now is reported next
        elif isinstance(item, (Edge, Turn)):
            self._care.touched(now)
            for event in self._keys.feed(item):
                self._feed(event)
        elif isinstance(item, Touch):
            self._care.touched(now)
            for felt in self._fingers.feed(item):
                self._feed(felt.event, felt.source)
        else:
            self._take_aside(item, now)

    def _take_aside(self, told: Told, now: float) -> None:
        if isinstance(told.event, (Edge, Turn)):
            self._care.touched(now)
            for event in told.device.feed(told.event):
                self._feed(event)
            return
        _logger.warning(told.device.words(told.event))
        words = told.device.say(told.event)
        if words is not None:
            self.console.fault(*words, now, about=told.device.name)

    def _dark(self, title: str, text: str, now: float) -> None:
        """The glass cannot say it: the buzzer, the panel and the log do."""
        _logger.error("%s: %s", title.lower(), text)
        self._vigil.lost()
        self.console.fault(title, text, now, about=DISPLAY)

    def _feed(self, event: object, source: str = KEYS) -> None:
        if isinstance(event, Stuck):
            self.console.let_go(event.key)
            self.console.fault("Key stuck", f"{event.key} is down or shorted; the other keys go on", event.at)
        elif isinstance(event, Chatter):
            self.console.fault(
                "Key chatters", f"{event.key} makes contact by itself; it counts again once it rests", event.at
            )
        else:
            # Who sees nothing reaches for the menu: a panel that lost its power unnoticed comes back with it.
            self._blind |= isinstance(event, Hold) and event.key == "back"
            self.console.feed(event, source)  # type: ignore[arg-type]  # all other events are the console's

    def _output(self, now: float) -> None:
        self._picture(now)
        for key, state in self.console.lamps().items():
            self._lamp(key, state)
        for key in self._lamps.keys() - self.console.lamps().keys():
            self._lamp(key, "off")
        if self.console.sounds:
            names, self.console.sounds = self.console.sounds, []
            self._sound(names[-1])

    def _picture(self, now: float) -> None:
        view = self.console.view(now)
        look, before = self._care.look(now), self._look
        if self._drawn != (self.console.screen, view) or look.shift != before.shift or self._blind:
            self._drawn = (self.console.screen, view)
            image, answers = draw(view, self._size)
            self._image = self._public = look.moved(image)
            if self._door.covers(self.console.top):
                self._public = look.moved(draw(COVER, self._size)[0])
            renew = look.shift != before.shift or self._blind
            self._blind = False
            self.screen.put(Frame(self.console.screen, self._image, answers, renew, self._vigil.given(self._clock())))
            if self._vigil.dark:  # nobody will report it shown, but who watches the panel can read it
                self._publish()
        if look.contrast != before.contrast:
            self.screen.contrast(look.contrast)
        self._look = look

    def _lamp(self, key: str, state: str) -> None:
        if self._lamps.get(key) == state:
            return
        self._lamps[key] = state
        states: Mapping[str, LampState] = {"off": "off", "on": "on", "blink": "blink"}
        for lamps in (self.box.lamps, *(device.lamps for device in self._asides)):
            if lamps is not None and key in lamps.names:
                with self._faults("lamp"):
                    lamps.set(key, states[state])

    def _sound(self, name: str) -> None:
        if name not in self._config.table.sounds:
            return
        with self._faults("buzzer"):
            self.box.buzzer.play(RHYTHMS[name])
        if self.hub is not None:
            self.hub.publish(sound_message(name))

    def _publish(self) -> None:
        """Tell the browsers what is on the glass, and what changed at the table."""
        hub = self.hub
        if hub is None or self._image is None or self._public is None or self._drawn is None:
            return
        # What a simulated glass shows may still be the picture before: only judges look at that.
        hub.publish(glass_message(self._image if self.glass is None else self.glass()), glass_message(self._public))
        session = self.console.session
        names = {key: self.console.seat_name(seat) for seat, key in self.console.seat_keys.items()}
        hub.publish(lamps_message(self.console.lamps(), names, judges=self.console.for_judges))
        state = (session, session.n if session else 0, self._drawn)
        if state != self._published:
            self._published = state
            words, where, asked = spoken(self._drawn[1]), self._place(), self.console.asking
            table = table_message(session, spoken=words, simulated=self.simulated, asked=asked, where=where)
            hub.publish(table, table if self._public is self._image else {**table, "spoken": spoken(COVER)})
            hub.publish(log_message(session))

    def _place(self) -> list[str]:
        """Return where the game is for who looks at the glass: a ruling belongs to the place it was given at."""
        session = self.console.session
        if session is None:
            return []
        if self._where[0] is not session or not self.console.telling:
            self._where = session, place(session)
        return self._where[1]

    @contextlib.contextmanager
    def _faults(self, part: str) -> Iterator[None]:
        try:
            yield
        except HardwareError:
            _logger.exception("the %s does not work", part)
