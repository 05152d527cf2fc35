"""Faults at random moments of an evening: each begins, is said within its limit, and ends again."""

from __future__ import annotations

import errno
import random
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from hardware.line.wire import GONE
from referee.station.glass.vigil import HANGS
from referee.station.virtual.bench import Bench
from tests.bench.usb import UsbBoard
from tests.bench.watch import Watch
from tests.journal.disk import FAILS, FULL, Disk, Op
from tests.reference import KEYS

SOON = 1.0
"""Seconds within which what is noticed at once must be said, whatever else goes on."""

DAY = 86_400.0


class Expected(NamedTuple):
    """Words that must be said after ``since``, at the latest at ``by``; of a display only once it had to draw."""

    words: str
    since: float
    limit: float
    frames: int | None


class Mischief:
    """``counts`` says how often each fault began."""

    def __init__(self, bench: Bench, board: UsbBoard, disk: Disk, watch: Watch, chance: random.Random) -> None:
        self.bench, self.board, self.disk, self.watch = bench, board, disk, watch
        self.counts: Counter[str] = Counter()
        self._chance = chance
        self._active: dict[str, tuple[float, Callable[[], None]]] = {}
        self._expected: list[Expected] = []
        self._drawn: dict[Expected, float] = {}
        self._kinds: list[tuple[str, Callable[[], None]]] = [
            ("display unplugged", self._unplug_display),
            ("display bus error", self._bus_error),
            ("display bus wedged", self._wedge),
            ("board unplugged", self._unplug_board),
            ("board frozen", self._freeze),
            ("board started again", self._reboot),
            ("line noise", self._noise),
            ("line flooded", self._flood),
            ("clock stepped", self._step_clock),
            ("disk fails once", self._disk_once),
            ("disk full", self._disk_full),
            ("disk slow", self._disk_slow),
            ("key stuck", self._stick),
            ("key chatters", self._chatter),
            ("edge missed", self._miss),
        ]

    def begin(self) -> None:
        """Let one more fault happen, if its part is whole."""
        name, start = self._chance.choice(self._kinds)
        part = name.split()[0]
        if part not in self._active:
            self.counts[name] += 1
            start()
            self.bench.settle()

    def due(self) -> None:
        """End what has lasted long enough, and hold the station to what it must have said."""
        now = self.bench.clock.now
        for part, (until, end) in list(self._active.items()):
            if now >= until:
                del self._active[part]
                end()
                self.bench.settle()
        for each in list(self._expected):
            if each.frames is not None and self.bench.screen.frames == each.frames:
                continue  # nothing had to be drawn yet
            since = self._drawn.setdefault(each, now if each.frames is not None else each.since)
            if self.watch.heard(each.words, each.since):
                self._expected.remove(each)
            elif now > since + each.limit:
                raise AssertionError(f"{each.words!r} was not said within {each.limit:g} s")

    def end(self) -> None:
        """End everything."""
        for part in list(self._active):
            _, end = self._active.pop(part)
            end()
        self.bench.settle()

    def _for(self, part: str, end: Callable[[], None], longest: float = 30.0) -> None:
        self._active[part] = (self.bench.clock.now + self._chance.uniform(0.05, longest), end)

    def _expect(self, words: str, limit: float, *, drawn: bool = False) -> None:
        frames = self.bench.screen.frames if drawn else None
        self._expected.append(Expected(words, self.bench.clock.now, limit, frames))

    # -- the display

    def _unplug_display(self) -> None:
        controller = self.bench.simulated.controller

        def plug() -> None:
            if self._chance.random() < 0.7:
                controller.power_cycle()
            controller.absent = False
            self._forget("Display")  # what had not been drawn by then need not have been noticed

        controller.absent = True
        self._expect("Display", SOON, drawn=True)
        self._for("display", plug)

    def _bus_error(self) -> None:
        code = self._chance.choice((errno.EIO, errno.EREMOTEIO, errno.ETIMEDOUT))
        self.bench.simulated.controller.fail_next(
            code, after=self._chance.randrange(4), sent=self._chance.randrange(9)
        )

    def _wedge(self) -> None:
        seconds = self._chance.uniform(0.5, 20.0)
        self.bench.simulated.controller.stall_next(seconds)
        if seconds > HANGS + SOON:
            self._expect("Display", HANGS + SOON, drawn=True)

        def let_go() -> None:
            self._forget("Display")
            self.bench.simulated.controller.stall_next()
            self.bench.screen.let_go()

        self._for("display", let_go)

    # -- the input board

    def _unplug_board(self) -> None:
        self.board.cable.pull()
        self._expect("Input board lost", SOON)

        def plug() -> None:
            self.board.cable.plug(f"ttyACM{self._chance.randrange(9)}")
            self._expect("Input board back", 2 * SOON)
            self._active["board"] = (self.bench.clock.now + 3 * SOON, lambda: None)

        self._for("board", plug)

    def _freeze(self) -> None:
        self.board.frozen = True
        self._expect("Input board lost", GONE / 1000 + SOON)

        def thaw() -> None:
            self._forget("Input board lost")
            self.board.frozen = False
            self._active["board"] = (self.bench.clock.now + 3 * SOON, lambda: None)

        self._for("board", thaw)

    def _reboot(self) -> None:
        self.board.boot()
        self._expect("Input board back", 2 * SOON)
        self._for("board", lambda: None, 4.0)

    def _noise(self) -> None:
        at = self._chance.random()
        self.board.cable.spoil = self._chance.choice(
            (lambda frame: frame[: int(len(frame) * at)], lambda frame: frame * 2, lambda frame: b"\xff" + frame[1:])
        )

    def _flood(self) -> None:
        for _ in range(5):
            self.board.cable.carry(self._chance.randbytes(20_000))
            self.bench.wait(0.02)

    # -- clock, disk

    def _step_clock(self) -> None:
        self.bench.clock.step(self._chance.choice((-1, 1)) * self._chance.choice((3600.0, 3650 * DAY)))

    def _disk_once(self) -> None:
        left = [self._chance.choice((-1, 1))]

        def refuse(_: int, op: Op) -> int:
            return left.pop() * FAILS[op.kind] if left and op.kind in FAILS else 0

        self._refuse(refuse)

    def _disk_full(self) -> None:
        self._refuse(lambda _, op: FULL if op.kind == "write" else 0)

    def _disk_slow(self) -> None:
        def slow(_: int, op: Op) -> int:
            if op.kind == "sync":
                self.bench.clock.now += 2.0
            return 0

        self._refuse(slow)

    def _refuse(self, refuse: Callable[[int, Op], int]) -> None:
        self.disk.refuse = refuse
        self._for("disk", lambda: setattr(self.disk, "refuse", None), 10.0)

    # -- keys

    def _stick(self) -> None:
        key = self._chance.choice(KEYS)
        self.bench.presses += 1
        self.bench.simulated.press(key)
        self.bench.wait(61)
        self._expect("Key stuck", SOON)
        self._for("key", lambda: self.bench.simulated.release(key), 90.0)

    def _chatter(self) -> None:
        key = self._chance.choice(KEYS)
        for _ in range(160):
            self.bench.presses += 1
            self.bench.simulated.press(key)
            self.bench.wait(0.002)
            self.bench.simulated.release(key)
            self.bench.wait(0.002)
        self._expect("Key chatters", SOON)
        self._expected[-1] = self._expected[-1]._replace(since=self.bench.clock.now - 1)

    def _miss(self) -> None:
        key = self._chance.choice(KEYS)
        pin = self.bench.simulated._contacts[key]._pin
        for move in self._chance.sample((True, False), 2) if self._chance.random() < 0.5 else (True, False):
            handler = pin.when_changed
            if self._chance.random() < 0.5:
                pin.when_changed = None
            (self.bench.simulated.press if move else self.bench.simulated.release)(key)
            pin.when_changed = handler
            self.bench.wait(self._chance.uniform(0.05, 0.5))
        self.bench.simulated.release(key)
        self.bench.presses += 1

    def _forget(self, words: str) -> None:
        self._expected = [each for each in self._expected if not each.words.startswith(words)]
