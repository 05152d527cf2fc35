"""An evening from a seed: hands, faults, power cuts and restarts, all on virtual time.

``python -m tests.bench.evening --seed N`` plays one and repeats it exactly; ``--seeds 1000`` plays many, and prints
how many virtual hours they were, which faults were injected, and what was lost.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from referee.console.drawing.screens import compose
from referee.journal.check import verify
from referee.station.virtual.bench import Bench
from tests.bench.hands import Hands
from tests.bench.mischief import Mischief
from tests.bench.usb import UsbBoard
from tests.bench.watch import Watch
from tests.components import MEMORY
from tests.journal.disk import Disk
from tests.journal.power import NAME, TAILS, Medium, write

GESTURES = 60
"""Gestures of one evening."""


@dataclass
class Tally:
    """What came of some evenings."""

    evenings: int = 0
    hours: float = 0.0
    gestures: int = 0
    answers: int = 0
    faults: Counter[str] = field(default_factory=Counter)
    lost: int = 0
    doubled: int = 0
    failures: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON value."""
        return self.__dict__ | {"hours": round(self.hours, 1), "faults": dict(sorted(self.faults.items()))}


class WatchedBench(Bench):
    """A bench with eyes on it."""

    watch: Watch | None = None

    def _look(self) -> None:
        super()._look()
        assert not self.misfits, self.misfits[0]
        if self.watch is not None:
            self.watch.look()


class Evening:
    """One evening; ``tally`` takes what came of it. Raises AssertionError where something is not as it must be."""

    def __init__(self, seed: int, tally: Tally) -> None:
        self.chance = random.Random(seed)
        self.tally = tally
        self.accepted: dict[tuple[int, int], tuple[str, str]] = {}
        self._number = 0

    def play(self, gestures: int) -> None:
        """Play so many gestures."""
        with tempfile.TemporaryDirectory(dir=MEMORY) as root:
            self._root = Path(root)
            self._medium = Medium(self.chance)
            self._enter(self._next_folder())
            try:
                for _ in range(gestures):
                    self._gesture()
                self._settle_down()
            finally:
                self._leave()

    # -- the station

    def _next_folder(self) -> Path:
        self._number += 1
        folder = self._root / str(self._number)
        folder.mkdir()
        return folder

    def _enter(self, folder: Path) -> None:
        self.folder, self._fed = folder, 0
        self.disk = Disk(folder)
        self.disk.__enter__()
        self._boot()

    def _boot(self) -> None:
        chance = self.chance
        self.bench = bench = WatchedBench(
            self.folder / NAME, bounce=True, seed=chance.randrange(1 << 30), bus_time=True
        )
        bench.faces = tuple(chance.randint(1, 6) for _ in range(10))
        self.board = UsbBoard(bench.clock, random.Random(chance.random()))
        bench.parts.append(self.board)
        bench.loop.attach("Input board", self.board.make)
        self.watch = bench.watch = Watch(bench, self.accepted)
        self.hands = Hands(bench, chance)
        self.mischief = Mischief(bench, self.board, self.disk, chance)
        self._began = bench.clock.now
        bench.wait(2)
        lost, more = self.watch.compare()
        assert (lost, more) == (0, 0), f"after a start {lost} accepted entries are lost, {more} were never accepted"

    def _halt(self) -> None:
        """Switch the station off, without looking at it any more."""
        self.tally.hours += (self.bench.clock.now - self._began) / 3600
        self.tally.faults += self.mischief.counts
        self.bench.watch = None
        self.disk.refuse = None
        self.bench.close()

    def _leave(self) -> None:
        self._halt()
        self.disk.__exit__(None, None, None)

    def _feed_medium(self) -> None:
        for op in self.disk.ops[self._fed :]:
            self._medium.do(op)
        self._fed = len(self.disk.ops)

    # -- what happens

    def _gesture(self) -> None:
        roll = self.chance.random()
        if roll < 0.12:
            self.mischief.begin()
        elif roll < 0.13:
            self._cut_power()
        elif roll < 0.14:
            self._restart()
        elif roll < 0.22:
            self._press_board()
        else:
            self.hands.act()
        self.tally.gestures += 1
        self.mischief.end()

    def _press_board(self) -> None:
        key = self.chance.choice(sorted(self.board.contacts))
        for closed in (True, False):
            self.board.move(key, closed=closed)
            self.bench.wait(self.chance.uniform(0.02, 0.2))

    def _standing(self) -> tuple[Any, ...]:
        session = self.bench.console.table.session
        if session is None or session.game_id is None:
            return ()
        return (session.game_id, session.n, session.prompt, session.paused)

    def _cut_power(self) -> None:
        self.tally.faults["power cut"] += 1
        before = self._standing()
        self._feed_medium()
        files = self._medium.after_cut(self.chance.choice(TAILS))
        lock = {f"{NAME}.lock": (self.folder / f"{NAME}.lock").read_bytes()}
        self._leave()
        folder = self._next_folder()
        write(folder, files | lock)
        self._medium = Medium.holding(files, self.chance)
        self._enter(folder)
        self._compare_standing(before)

    def _restart(self) -> None:
        self.tally.faults["restart"] += 1
        before = self._standing()
        self._halt()
        self._boot()
        self._compare_standing(before)

    def _compare_standing(self, before: tuple[Any, ...]) -> None:
        session = self.bench.console.table.session
        if before and before[2] is not None and session is not None:
            assert self._standing() == before, "another question stands than before"

    def _settle_down(self) -> None:
        """End every fault; the table must be usable again, and nothing may be missing."""
        self.mischief.end(all_of_them=True)
        bench = self.bench
        bench.wait(6)
        self.hands.tap("back", 0.6)  # who sees nothing holds Back: the display may have lost its power unnoticed
        for _ in range(40):
            if not bench.console.stage:
                break
            self.hands.tap("back", 0.06)
            bench.wait(0.5)
        assert not bench.console.stage, f"not to be got rid of: {bench.view.speech().spoken}"
        bench.wait(1)
        wanted = bench.loop.picture.moved(compose(bench.view, bench.glass.size)).image()
        assert bench.glass.tobytes() == wanted.convert(bench.glass.mode).tobytes(), "the glass shows something else"
        self._answer_something()
        for proof in verify(bench.journal):
            self.tally.answers += proof.game.entries
        lost, more = self.watch.compare()
        self.tally.lost += lost
        self.tally.doubled += more
        assert (lost, more) == (0, 0), f"{lost} accepted entries are lost, {more} were never accepted"

    def _answer_something(self) -> None:
        before = len(self.accepted)
        for _ in range(400):
            if len(self.accepted) > before:
                return
            self.hands.act()
        raise AssertionError(f"no answer is taken any more: {self.bench.view.speech().spoken}")


def play(seed: int, gestures: int, tally: Tally) -> None:
    """Play one evening; a failure says how to repeat it."""
    tally.evenings += 1
    try:
        Evening(seed, tally).play(gestures)
    except Exception as fault:
        again = f"python -m tests.bench.evening --seed {seed} --gestures {gestures}"
        tally.failures.append(f"seed {seed}: {type(fault).__name__}: {fault}; repeat it with: {again}")
        raise AssertionError(tally.failures[-1]) from fault


def main() -> int:
    """Play evenings; print what came of them as JSON, and return 1 if anything was not as it must be."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.evening", description=__doc__)
    options.add_argument("--seed", type=int, help="one evening, with its traceback")
    options.add_argument("--seeds", type=int, default=20, help="so many evenings")
    options.add_argument("--first", type=int, default=0, help="seed of the first of them")
    options.add_argument("--gestures", type=int, default=GESTURES)
    arguments = options.parse_args()
    logging.disable(logging.CRITICAL)
    tally, began = Tally(), time.monotonic()
    if arguments.seed is not None:
        play(arguments.seed, arguments.gestures, tally)
    else:
        for seed in range(arguments.first, arguments.first + arguments.seeds):
            try:
                play(seed, arguments.gestures, tally)
            except AssertionError as fault:
                print(fault, file=sys.stderr, flush=True)
    print(json.dumps(tally.as_json() | {"seconds": round(time.monotonic() - began, 1)}, indent=2))
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
