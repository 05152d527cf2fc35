"""The box that the card is in, and what is asked of it between two presses."""

from __future__ import annotations

import re
from pathlib import Path

from referee.config import Config, Glass, Table
from referee.console.console import Console
from referee.console.shelf import BoxDice, Visitors
from referee.station.glass.greeting import SIZE, greeting
from referee.station.starting.complaints import report_card
from referee.testing.station import Bench
from tests.card.board import Board
from tests.card.prepare import CARD, put
from tests.kernel.disk import Disk
from tests.kernel.eye import Blind
from tests.kernel.machine import Guest, MachineFault
from tests.kernel.sitting import Differs, Player

LONG = 1800.0
"""Seconds until a boot or an answer is taken for failed; a boot takes a minute on an idle machine."""

HOSTNAME = "table-3"

RIGHT = f"""\
[box]
hostname = "{HOSTNAME}"

[table]
ruling_seconds = 0

[glass]
dim_minutes = 0
drift_minutes = 0
"""
"""While the guest waits for the host its clock goes on, so nothing may leave or dim by itself."""

WRONG = RIGHT.replace("dim_minutes = 0", 'dim_minutes = "never"')

CONFIG = Config(table=Table(ruling_seconds=0), glass=Glass(dim_minutes=0, drift_minutes=0))

GROWN = 300
"""MiB that the third partition has at least, once it has grown from 64 to what the emulated card has left."""

SANDBOX = "pins=ok display=ok games=ok loopback=ok card=EPERM elsewhere=EROFS outside=EPERM netlink=EAFNOSUPPORT"


class Twin(Bench):
    """The twin of a station that has been told what is wrong with its text file."""

    def __init__(self, journal: Path, problems: Path | None = None) -> None:
        self._problems = problems
        super().__init__(journal, CONFIG)

    def begin(self, journal: Path, dice: BoxDice, visitors: Visitors | None) -> Console:
        """Open the journal and return the console, with the mistakes laid on it as the station does."""
        console = super().begin(journal, dice, visitors)
        if self._problems is not None:
            report_card(console, self._problems, self.clock.now)
        return console


class Box(Player):
    """One power-on of the card; the twin goes on with its own journal."""

    patience = LONG

    def __init__(self, guest: Guest, twin: Path, text: str, problems: Path | None = None) -> None:
        """`text`: what referee.txt on the card says. `problems`: what the twin is told of it."""
        put(guest.world / CARD, "referee.txt", text.encode())
        self._journal, self._problems = twin, problems
        bench = Twin(twin, problems)
        console = guest.world / "console"
        board = Board(guest, Disk(blank=True), console, mount=False, boot=LONG)
        self.board = board
        super().__init__(bench, board)

    def close(self) -> None:
        """Cut the power."""
        self.board.cut()
        self.twin.close()

    def again(self) -> None:
        """Let the twin start again as the station has, and compare the two. Raises Differs."""
        self.twin.close()
        self.twin = Twin(self._journal, self._problems)
        self.look()

    def ask(self, question: str, answer: str = "(.*)") -> str:
        """Return what the guest answers. Raises MachineFault."""
        return self.board.ask(question, answer, LONG)

    def started(self, state: str = "running, failed: ") -> str:
        """Wait until systemd has started everything. Raises Differs if another unit failed than that may."""
        return _equal(self.ask("state"), state)

    def card(self) -> str:
        """Look how the card is mounted. Raises Differs unless the system is read-only and the rest has grown."""
        seen = self.ask("card")
        match = re.fullmatch(rf"ro, (\d+) MiB, {HOSTNAME}", seen)
        if match is None or int(match[1]) < GROWN:
            raise Differs(f"the card is {seen!r}; expected 'ro, {GROWN} MiB, {HOSTNAME}' or more")
        return seen

    def first_light(self) -> dict[str, float]:
        """Return moments of the start, s of the guest's clock. Raises Differs unless the splash was there early."""
        try:
            shown, picture = self.eye.first(greeting(SIZE)), self.eye.first(self.twin.glass)
        except Blind as blind:
            raise Differs(f"splash or first picture: {blind}") from blind
        sysinit, station = (int(us) / 1e6 for us in self.ask("times").split(", "))
        if shown >= sysinit:
            raise Differs(f"the splash came at {shown} s; expected it before sysinit.target, at {sysinit} s")
        return {"splash": shown, "sysinit": sysinit, "station": station, "picture": picture}

    def crash(self, signal: str, restarts: int) -> str:
        """Let a signal end the station, or halt it until systemd ends it. Raises Differs unless it comes back.

        `restarts`: how often systemd has started it again since the power came on, this time included.
        """
        self.ask(f"kill {signal}", "(killed)")
        answer = self.ask(f"restarted {restarts}")
        self.again()
        return answer

    def sandbox(self) -> str:
        """Try from the station's sandbox what it may do and what it may not. Raises Differs."""
        return _equal(self.ask("sandbox"), SANDBOX)

    def update(self, version: str) -> str:
        """Install the newer package that is on the card. Raises Differs unless it comes back to the same question."""
        answer = _equal(self.ask("update"), f"{version}, active")
        self.again()
        return answer

    def stop(self) -> float:
        """Stop the station; return how long it took, s of the guest's clock. Raises Differs unless all is dark."""
        state, before, after = self.ask("stop").split(", ")
        took = round(float(after) - float(before), 1)
        if state != "inactive" or took > 5 or self.eye.image.getbbox() is not None:
            raise Differs(
                f"after a stop of {took} s the station is {state}; expected inactive within 5 s, glass dark"
            )
        return took

    def journal(self) -> str:
        """Let the end of the system's log be on the console, for whoever looks for a fault."""
        try:
            return self.ask("journal", "(end)")
        except MachineFault as fault:
            return str(fault)


def _equal(value: str, wanted: str) -> str:
    if value != wanted:
        raise Differs(f"{value!r} where {wanted!r} was to be")
    return value
