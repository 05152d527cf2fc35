"""Faults at random moments of an evening: each begins, and ends again. That each is said, `tests.faults` shows."""

from __future__ import annotations

import errno
import random
from collections import Counter
from collections.abc import Callable

from referee.station.virtual.bench import Bench
from tests.bench.usb import UsbBoard
from tests.journal.disk import FAILS, FULL, Disk, Op
from tests.reference import KEYS

DAY = 86_400.0


class Mischief:
    """``counts`` says how often each fault began."""

    def __init__(self, bench: Bench, board: UsbBoard, disk: Disk, chance: random.Random) -> None:
        self.bench, self.board, self.disk = bench, board, disk
        self.counts: Counter[str] = Counter()
        self._chance = chance
        self._active: dict[str, tuple[float, Callable[[], None]]] = {}
        self._kinds: list[tuple[str, Callable[[], None]]] = [
            ("display unplugged", self._unplug_display),
            ("display bus error", self._bus_error),
            ("display bus wedged", self._wedge),
            ("board unplugged", self._unplug_board),
            ("board frozen", self._freeze),
            ("board started again", self.board.boot),
            ("line noise", self._noise),
            ("clock stepped", self._step_clock),
            ("disk fails once", self._disk_once),
            ("disk full", lambda: self._refuse(lambda _, op: FULL if op.kind == "write" else 0)),
            ("disk slow", self._disk_slow),
            ("key stuck", self._stick),
            ("key chatters", self._chatter),
            ("edge missed", self._miss),
        ]

    def begin(self) -> None:
        """Let one more fault happen, if its part is whole."""
        name, start = self._chance.choice(self._kinds)
        if name.split()[0] not in self._active:
            self.counts[name] += 1
            start()
            self.bench.settle()

    def end(self, *, all_of_them: bool = False) -> None:
        """End what has lasted long enough, or everything."""
        for part, (until, end) in list(self._active.items()):
            if all_of_them or self.bench.clock.now >= until:
                del self._active[part]
                end()
                self.bench.settle()

    def _for(self, part: str, end: Callable[[], None], longest: float = 30.0) -> None:
        self._active[part] = (self.bench.clock.now + self._chance.uniform(0.05, longest), end)

    # -- the display

    def _unplug_display(self) -> None:
        controller = self.bench.simulated.controller

        def plug() -> None:
            if self._chance.random() < 0.7:
                controller.power_cycle()
            controller.absent = False

        controller.absent = True
        self._for("display", plug)

    def _bus_error(self) -> None:
        code = self._chance.choice((errno.EIO, errno.EREMOTEIO, errno.ETIMEDOUT))
        self.bench.simulated.controller.fail_next(
            code, after=self._chance.randrange(4), sent=self._chance.randrange(9)
        )

    def _wedge(self) -> None:
        self.bench.simulated.controller.stall_next(self._chance.uniform(0.5, 20.0))

        def let_go() -> None:
            self.bench.simulated.controller.stall_next()
            self.bench.screen.let_go()

        self._for("display", let_go)

    # -- the input board

    def _unplug_board(self) -> None:
        self.board.cable.pull()
        self._for("board", lambda: self.board.cable.plug(f"ttyACM{self._chance.randrange(9)}"))

    def _freeze(self) -> None:
        self.board.frozen = True
        self._for("board", lambda: setattr(self.board, "frozen", False))

    def _noise(self) -> None:
        at = self._chance.random()
        self.board.cable.spoil = self._chance.choice(
            (lambda frame: frame[: int(len(frame) * at)], lambda frame: frame * 2, lambda frame: b"\xff" + frame[1:])
        )

    # -- clock, disk

    def _step_clock(self) -> None:
        self.bench.clock.step(self._chance.choice((-1, 1)) * self._chance.choice((3600.0, 3650 * DAY)))

    def _disk_once(self) -> None:
        left = [self._chance.choice((-1, 1))]

        def refuse(_: int, op: Op) -> int:
            return left.pop() * FAILS[op.kind] if left and op.kind in FAILS else 0

        self._refuse(refuse)

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
        self._for("key", lambda: self.bench.simulated.release(key), 90.0)

    def _chatter(self) -> None:
        key = self._chance.choice(KEYS)
        for _ in range(160):
            self.bench.presses += 1
            self.bench.simulated.press(key)
            self.bench.wait(0.002)
            self.bench.simulated.release(key)
            self.bench.wait(0.002)

    def _miss(self) -> None:
        key = self._chance.choice(KEYS)
        pin = self.bench.simulated._contacts[key]._pin
        for move in (True, False):
            handler = pin.when_changed
            if self._chance.random() < 0.5:
                pin.when_changed = None
            (self.bench.simulated.press if move else self.bench.simulated.release)(key)
            pin.when_changed = handler
            self.bench.wait(self._chance.uniform(0.05, 0.5))
        self.bench.presses += 1
