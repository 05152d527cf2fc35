"""Faults of what the journal lies on, while a game is played."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from referee.console.drawing.screens import draw
from referee.station.picture import WAIT
from tests.faults.rig import LIMITS, Rig
from tests.journal.disk import FAILS, FULL, Disk, Op

READ_ONLY = 8

REFUSALS: dict[str, Callable[[Op], int]] = {
    "Disk is full": lambda op: FULL if op.kind == "write" else 0,
    "Disk is read-only": lambda op: READ_ONLY if op.kind in FAILS else 0,
    "Disk error": lambda op: FAILS["write"] if op.kind == "write" else 0,
    "Disk error. Press again": lambda op: FAILS["sync"] if op.kind == "sync" else 0,
}


@pytest.mark.parametrize("words", REFUSALS)
def test_what_a_disk_refuses_counts_once_it_does_not_any_more(memory: Path, words: str) -> None:
    with Disk(memory) as disk, Rig(memory) as rig:
        before = rig.console.table.current.entries, rig.console.table.prompt

        def refused() -> None:
            disk.refuse = lambda _, op: REFUSALS[words](op)
            rig.hold("die-2", 0.06)

        rig.inject(refused)
        rig.until_said("Not saved", words)
        for _ in range(3):  # it goes on being told, and nothing moves
            rig.key("select", "2")
            rig.until_seen("Not saved")
            assert (rig.console.table.current.entries, rig.console.table.prompt) == before
        disk.refuse = None
        rig.until_usable("select")
        rig.answer()


def test_while_the_disk_is_slow_keys_are_ignored(memory: Path) -> None:
    with Disk(memory) as disk, Rig(memory) as rig:
        wait = draw(WAIT, rig.glass.size)[0].convert(rig.glass.mode).tobytes()
        seen: list[float] = []
        before = rig.console.table.current.n

        def slowly(_: int, op: Op) -> int:
            """Let a sync take 2 s: only the display's thread runs, and fingers. Nothing here may raise."""
            if op.kind == "sync" and not seen:
                keys = ["die-2", "select", "die-1"]
                for _ in range(200):
                    rig.clock.now += 0.01
                    rig.beside(rig.clock.now)
                    if rig.glass.tobytes() == wait:
                        seen.append(rig.clock.now)
                        if keys:
                            rig.simulated.press(keys[0])
                            rig.simulated.release(keys.pop(0))
            return 0

        def pressed() -> None:
            disk.refuse = slowly
            rig.hold("die-2", 0.06)

        rig.inject(pressed)
        disk.refuse = None
        assert seen[0] - rig.injected_at <= LIMITS["Saving"]
        rig.wait(1)
        assert rig.console.table.current.n == before + 1, "a key pressed meanwhile was taken for the next question"
        rig.asked = before + 1
        rig.until_usable()
        rig.answer("5", "4")


def test_a_journal_that_another_program_locks_is_waited_for(memory: Path) -> None:
    with Rig(memory) as rig:
        other = sqlite3.connect(rig.path, isolation_level=None)
        before = rig.console.table.current.entries
        other.execute("BEGIN IMMEDIATE")
        began = time.perf_counter()
        rig.inject(lambda: rig.hold("die-2", 0.06))
        assert time.perf_counter() - began < 6
        rig.until_said("Not saved", "Journal in use")
        assert rig.console.table.current.entries == before
        other.close()
        rig.until_usable("select")
        rig.answer()


def test_a_journal_that_is_taken_away_can_be_put_back(memory: Path) -> None:
    with Rig(memory) as rig:

        def press() -> None:
            rig.path.rename(memory / "aside")
            rig.hold("die-2", 0.06)

        rig.inject(press)
        rig.until_said("Not saved", "The journal is missing")
        (memory / "aside").rename(rig.path)
        rig.until_usable("select")
        rig.answer()
