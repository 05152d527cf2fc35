"""A whole station on a virtual clock: production loop, console, session, journal and drivers on simulated hardware.

Time passes only when the bench says so, so an evening takes seconds, and every run is the same run.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

from PIL import Image

from hardware.pins import Pins
from hardware.simulated.box import SimulatedBox
from hardware.simulated.reader import SimulatedReader
from referee.config import Config
from referee.console.console import Console
from referee.console.drawing.screens import fitting_size, problems
from referee.console.grammar import UNBIDDEN
from referee.console.shelf import BoxDice, Visitors
from referee.console.views import View
from referee.files.players import beside as names_beside
from referee.games import load
from referee.journal import Journal
from referee.session import Prompt
from referee.station.loop import Inbox, Loop
from referee.station.panel import Publisher, StationHub
from referee.station.picture import SlowDisk
from referee.station.shelf import StationShelf
from referee.station.virtual.screen import VirtualScreen
from referee.station.voice import Said, Voice

REACTION = 0.25
"""Seconds a player needs between seeing a screen and pressing."""
SPINS = 100
"""How often a station may ask for the same moment again, before a test is told that it would never stop."""


class Clock:
    """Seconds that pass on request."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._midnight = 1_790_000_000.0

    def __call__(self) -> float:
        """Return monotonic time, s."""
        return self.now

    def wall(self) -> float:
        """The time of day, s since 1970."""
        return self._midnight + self.now

    def step(self, seconds: float) -> None:
        """Set the clock on the wall; monotonic time does not care."""
        self._midnight += seconds


class Part(Protocol):
    """Something that happens beside the loop; in the station it has a thread of its own."""

    def deadline(self) -> float | None:
        """Return when `due` is wanted next."""

    def due(self, now: float) -> None:
        """Do what is due."""


class Bench:
    """Hands, eyes and a clock for one simulated box.

    ``presses``  how often the player pressed or turned
    ``sounds``   what was heard, by name
    ``faces``    what the box throws when it is asked to
    """

    def __init__(
        self,
        journal: Path,
        config: Config | None = None,
        *,
        bounce: bool = False,
        seed: int = 0,
        pins: Pins | None = None,
        bus_time: bool = False,
        visitors: Visitors | None = None,
        say: Callable[[str, Said], None] | None = None,
    ) -> None:
        """``bus_time``: what is drawn takes as long as its bytes take on the bus; else it is there at once.

        ``say``: what to do with the texts to be read aloud; None: this box has no voice.
        """
        self.clock = Clock()
        self.config = config or Config()
        self.faces: tuple[int, ...] = (3, 4)
        self.presses = 0
        self.sounds: list[str] = []
        self.misfits: list[str] = []
        self.views: list[View] = []
        self.simulated = SimulatedBox(bounce=bounce, seed=seed, pins=pins, clock=self.clock)
        self.inbox = Inbox()
        display = self.simulated.box.display
        bus = self.simulated.controller if bus_time else None
        self.screen = VirtualScreen(display, self.clock, bus)
        self.slow = SlowDisk(self.screen, fitting_size(display.size))
        self.parts: list[Part] = [self.screen]
        self.console = self.begin(
            journal, BoxDice(self.config.table.dice, lambda dice, _: self.faces[:dice]), visitors
        )
        invitation = visitors.invited if visitors is not None else str
        players = names_beside(journal.resolve())
        self.loop = Loop(
            self.simulated.box,
            self.console,
            self.config,
            inbox=self.inbox,
            screen=self.screen,
            slow=self.slow,
            voice=None if say is None else Voice(self.console, say, self.inbox.put),
            clock=self.clock,
        )
        self.hub = StationHub(self.loop, players=players, invitation=invitation)
        Publisher(self.hub, self.loop, simulated=True)
        self.loop.on_sound.append(self.sounds.append)
        self.loop.open()
        self.settle()

    def begin(self, journal: Path, dice: BoxDice, visitors: Visitors | None) -> Console:
        """Open the journal and return the console, as a start of the station does."""
        self.journal = Journal(journal, waiting=self.slow.waiting)
        self.shelf = StationShelf(self.journal, wall=self.clock.wall, clock=self.clock)
        return Console(self.shelf, dice, visitors=visitors, session=self.shelf.latest(), config=self.config)

    def play(self, game: str, ruling: str | None = None, **switches: Any) -> None:
        """Begin a game by its id, or its single rulings. Raises UnknownGame."""
        self.console.table.begin(load(game), switches, ruling)
        self.console.event.follow()  # as after each press
        self.settle()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Take the box apart, as the station does."""
        for peripheral in self.loop._peripherals:
            peripheral.device.close()
        self.simulated.close()
        self.journal.close()

    # -- time

    def settle(self) -> None:
        """Let the loop take all that is in its queue."""
        while (item := self.inbox.get(0)) is not None:
            self.loop.step(item, self.clock.now)
            self._look()

    def wait(self, seconds: float) -> None:
        """Let time pass, with every deadline on the way. Raises AssertionError where nothing is done that is due."""
        end = self.clock.now + seconds
        self.settle()
        last, again = -math.inf, 0
        while (at := self.deadline()) is not None and at <= end:
            last, again = at, again + 1 if at == last else 0
            assert again < SPINS, f"expected the station to do what was due at {at} s; it only asks again"
            self.clock.now = max(at, self.clock.now + 1e-6)
            self.beside(self.clock.now)
            self.loop.step(None, self.clock.now)
            self._look()
            self.settle()
        self.clock.now = max(end, self.clock.now)

    def deadline(self) -> float | None:
        """When something happens next by itself."""
        times = (self.loop.deadline(self.clock.now), *(part.deadline() for part in self.parts))
        return min((at for at in times if at is not None), default=None)

    def beside(self, now: float) -> None:
        """Let what runs beside the loop do what is due."""
        for part in self.parts:
            part.due(now)

    def _look(self) -> None:
        view = self.view
        if not self.views or self.views[-1].timeless() != view.timeless():
            self.views.append(view)
            self.misfits += [f"{view}: {problem}" for problem in problems(view)]

    def read(self) -> None:
        """Wait, without touching a key, until what gives way by itself has done so and presses count again."""
        while self.console.stage.top.gives_way_after is not None:
            self.wait(0.5)
        self.wait(UNBIDDEN)

    # -- hands

    def key(self, *names: str) -> None:
        """Press keys one after another as a player does: look, press, let go. "1" is a die key.

        Who is surprised by a screen that came by itself looks longer.
        """
        for name in names:
            self.wait(REACTION + 0.1)
            self.wait(max(0.0, (self.console.counts_from or 0.0) - self.clock.now))
            self.hold(f"die-{name}" if name.isdigit() else name, 0.06)

    def hold(self, name: str, seconds: float) -> None:
        """Hold a key down for so long."""
        self.presses += 1
        self.simulated.press(name)
        self.wait(seconds)
        self.simulated.release(name)
        self.wait(0.02)

    def turn(self, steps: int) -> None:
        """Turn the encoder one detent after another."""
        for _ in range(abs(steps)):
            self.presses += 1
            self.wait(0.12)
            self.simulated.turn(1 if steps > 0 else -1)
            self.settle()

    def reader(self) -> SimulatedReader:
        """Plug in a reader of dice, which the test writes the lines of; `settle` lets the station take them."""
        device = self.loop.attach("Reader", lambda report: SimulatedReader(report, self.clock), source="dice-reader")
        assert isinstance(device, SimulatedReader)
        return device

    # -- eyes

    @property
    def view(self) -> View:
        """What the console wants on the glass."""
        return self.console.view(self.clock.now)

    @property
    def text(self) -> str:
        """What is on the glass in words, as the panel reads it out."""
        return self.view.speech().spoken

    @property
    def prompt(self) -> Prompt | None:
        """The pending question, None without a game and at its end."""
        return self.console.table.prompt

    @property
    def lamps(self) -> dict[str, str]:
        """What the lamps of the seats do: on, off or blink. Their pins are switched in real time (``simulated``)."""
        return self.console.lamps()

    @property
    def glass(self) -> Image.Image:
        """What the simulated controller shows."""
        return self.simulated.glass()


__all__ = ["Bench", "Clock"]
