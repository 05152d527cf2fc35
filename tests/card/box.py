"""The box that the card is in, and what is asked of it between two presses."""

from __future__ import annotations

import re
from pathlib import Path

from referee.cli.exits import CONFIG as CONFIG_WRONG
from referee.config import Config, Glass, Table, parse
from referee.console.console import Console
from referee.console.drawing.screens import draw, fitting_size
from referee.console.shelf import BoxDice, Visitors
from referee.console.views import Notice, Refusal, Ruling
from referee.errors import ConfigError
from referee.station.main import SIZE, greeting
from referee.station.obstacle import obstacle
from referee.station.start import report_card
from referee.station.virtual.bench import Bench
from tests.card.board import Board
from tests.card.prepare import CARD, put
from tests.kernel.disk import Disk
from tests.kernel.eye import Blind
from tests.kernel.machine import Guest, MachineFault
from tests.kernel.sitting import Differs, Player

LONG = 1800.0
"""Seconds until a boot or an answer is taken for failed; a boot takes a minute on an idle machine."""
SHORT = 300.0
"""Seconds until no log is waited for, of a box that has failed already."""

HOSTNAME = "table-3"

RIGHT = f"""\
[box]
hostname = "{HOSTNAME}"
ssh_key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl anna@laptop"

[table]
ruling_seconds = 0

[glass]
dim_minutes = 0
drift_minutes = 0
"""
"""While the guest waits for the host its clock goes on, so nothing may leave or dim by itself."""

WRONG = RIGHT.replace("dim_minutes = 0", 'dim_minutes = "never"')

OBSTACLE = '[glass]\ndim_minutes = "never"\n'
OBSTACLE_FILE = "wrong.toml"
"""Settings with which no station starts, and where they are on the first partition."""
SETTINGS = "/etc/referee/referee.toml"

CONFIG = Config(table=Table(ruling_seconds=0), glass=Glass(dim_minutes=0, drift_minutes=0))

GROWN = 300
"""MiB that the third partition has at least, once it has grown from 64 to what the emulated card has left."""

CLOCK_KEPT = 40
"""Seconds by which the clock may have gone back: it is written down once a minute, and a start takes half of one."""

SANDBOX = (
    "pins=ok display=ok games=ok loopback=ok"
    " card=EPERM elsewhere=EROFS system=EROFS outside=EPERM netlink=EAFNOSUPPORT"
)


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
        """Let the twin start again as the station has, and compare the two. Raises Differs.

        The question on the glass before must be there again, once what a start has to say was taken away.
        """
        before = self.question()
        self.twin.close()
        self.twin = Twin(self._journal, self._problems)
        self.look()
        if self._problems:
            self.dismiss()
        self.on()
        if self.question() != before:
            raise Differs(f"{self.question()[0]} stands where {before[0]} was to be")

    def dismiss(self) -> None:
        """Take away what the glass says of the text file."""
        self.board.wait(1000)  # a screen that came by itself counts presses from 600 ms on
        self.key("select")

    def question(self) -> tuple[str, bytes]:
        """Return the question of a game, and how it is on the glass. Raises Differs if none is there."""
        prompt = self.twin.prompt
        if (
            prompt is None
            or self.twin.console.stage.top.wakes
            or isinstance(self.twin.view, (Notice, Refusal, Ruling))
        ):
            raise Differs(f"the twin shows {self.twin.text!r}, not the question of a game")
        return f"{prompt.n} {prompt.ask} {prompt.seat} {prompt.kind}", self.twin.glass.tobytes()

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
        """Return moments of the start, s of the guest's clock. Raises Differs if a picture came late."""
        try:
            shown, picture = self.eye.first(greeting(SIZE)), self.eye.first(self.twin.glass)
        except Blind as blind:
            raise Differs(f"splash or first picture: {blind}") from blind
        *kernels, sysinit, station = map(float, self.ask("times").split(", "))
        kernel, came, were_there = kernels
        ours, sysinit, station = were_there - came, sysinit / 1e6, station / 1e6
        if shown - ours > 2 * kernel or picture > 2 * sysinit:
            raise Differs(
                f"the splash came at {shown} s, the station's picture at {picture} s; expected the one within"
                f" twice the kernel's own {kernel} s and {ours:.2f} s for the test's drivers, the other within twice"
                f" the {sysinit} s to sysinit.target"
            )
        times = {"kernel": kernel, "the test's drivers": ours, "splash": shown, "sysinit": sysinit}
        return {name: round(at, 2) for name, at in {**times, "station": station, "picture": picture}.items()}

    def kept(self) -> tuple[str, int]:
        """Return by what others know the box, and its time of day."""
        names, clock = self.ask("kept").split(", ")
        return names, int(clock)

    def lasted(self, names: str, clock: int) -> int:
        """Return how much later than at the last power-off its clock is. Raises Differs if it is another box.

        Also if the clock is earlier than what systemd has kept of it.
        """
        now, later = self.kept()
        _equal(now, names)
        if later < clock - CLOCK_KEPT:
            raise Differs(f"the clock is {clock - later} s before the last power-off")
        return later - clock

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

    def obstacle(self) -> str:
        """Start the stopped station with wrong settings. Raises Differs unless glass, systemd and its log say so."""
        try:
            parse(OBSTACLE, SETTINGS)
        except ConfigError as error:
            said, view = str(error), obstacle(error)
        told = _equal(self.ask("obstacle"), f"{CONFIG_WRONG}; Not running: {said}; referee: {said}")
        try:
            self.eye.wait(draw(view, fitting_size(SIZE))[0], patience=self.patience)
        except Blind as blind:
            raise Differs(f"{view.title!r} and what to do: {blind}") from blind
        return told

    def journal(self) -> str:
        """Return the end of the system's log, else why it cannot be had."""
        try:
            return self.board.ask("journal", r"log\.\r?\n(?s:(.*))\r?\ntest: end", SHORT)
        except MachineFault as fault:
            return str(fault)


def _equal(value: str, wanted: str) -> str:
    if value != wanted:
        raise Differs(f"{value!r} where {wanted!r} was to be")
    return value
