"""From an edge on a mock pin to the last byte handed to the display bus, the journal's fsync included.

The production loop, console, session, journal and display thread run on real threads and real time; only the pins
and the far end of the bus are simulated.
"""

from __future__ import annotations

import queue
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from hardware.simulated.box import SimulatedBox
from referee import games
from referee.config import Config, PanelSettings, TableSettings
from referee.console.drawing.raster import Raster
from referee.journal import Journal
from referee.session import Session
from referee.station.loop import Loop
from referee.station.panel import Publisher, StationHub
from referee.station.screen import DisplayReport, Shown
from referee.station.shelf import StationShelf
from referee.station.wiring import tune
from tests.bench.wired import console_on, wired
from tests.bench.yardstick import Yardstick

BETWEEN = 0.32
"""Seconds between two presses: later than the guards against late and doubled presses."""

ATTACK = ("die-1", "die-2", "die-5", "die-4", "select")
"""Column, position, two faces, on: one round at the ruling desk."""


def ruling_desk(shelf: StationShelf) -> Session:
    """Return a session of single attacks."""
    return shelf.begin(games.load("battle-of-the-ring"), {}, "attack", "keys")


class Live:
    """A station on real threads, with a player who notes when what he did has reached the bus."""

    def __init__(
        self,
        folder: Path,
        *,
        begin: Callable[[StationShelf], Session] = ruling_desk,
        panel: bool = False,
        plug_in: Callable[[Loop], object] = lambda _: None,
    ) -> None:
        """``begin``: returns what is played; ``plug_in``: attaches what is beside the box."""
        self.shown: queue.SimpleQueue[Shown] = queue.SimpleQueue()
        self.simulated = SimulatedBox()
        self.journal = Journal(folder / "journal.db")
        session = begin(StationShelf(self.journal))
        # A ruling that gives way on a slow machine would leave the next press without an answer.
        table = TableSettings(ruling_seconds=0)
        self.config = replace(Config(), panel=PanelSettings(serve=panel, open_browser=False), table=table)
        self.console = console_on(self.journal, session, self.config)
        self.loop, self.inbox = wired(self.simulated.box, self.console, self.config, shown=self._shown)
        self.hub = StationHub(self.loop)
        Publisher(self.hub, self.loop, simulated=True, glass=lambda: Raster.of(self.simulated.glass()))
        self.loop.open()
        plug_in(self.loop)
        self._tuned = ExitStack()
        tune(self._tuned)  # as the station does
        self._thread = threading.Thread(target=self.loop.run, name="loop")
        self._thread.start()

    def _shown(self, what: DisplayReport) -> None:
        if isinstance(what, Shown):
            self.shown.put(what)

    def press(self, key: str) -> tuple[float, int]:
        """Tap a key; return seconds until its last byte was on the bus, and how many bytes there were."""
        while not self.shown.empty():
            self.shown.get()
        before = self.simulated.bytes_sent
        at = time.monotonic()
        self.simulated.press(key)
        if key == "select":  # acts when it is let go
            at = time.monotonic()
        self.simulated.release(key)
        shown = self.shown.get(timeout=5)
        return shown.at - at, self.simulated.bytes_sent - before

    @property
    def thread(self) -> int:
        """Which thread the loop is."""
        assert self._thread.ident is not None
        return self._thread.ident

    def close(self) -> None:
        """Take it apart."""
        self.inbox.put(self.loop.stop)
        self._thread.join()
        self.loop.screen.stop()
        self.simulated.close()
        self.journal.close()
        self._tuned.close()


def measure(rounds: int, yardstick: Yardstick) -> dict[str, list[float]]:
    """Return ms from edge to last byte: of all presses, of those that answer a question, and of keyed faces.

    The yardstick is taken before each press.
    """
    pause = threading.Event()
    times: dict[str, list[float]] = {"all": [], "accepted": [], "face": []}
    with tempfile.TemporaryDirectory() as folder:
        live = Live(Path(folder))
        try:
            pause.wait(BETWEEN)
            for _ in range(rounds):
                for step, key in enumerate(ATTACK):
                    yardstick.take()
                    seconds, _ = live.press(key)
                    times["all"].append(seconds * 1000)
                    times["face" if step == 2 else "accepted"].append(seconds * 1000)
                    pause.wait(BETWEEN)
        finally:
            live.close()
    return times
