"""An attack at the table, on real pins and with bouncing keys, ruled and written down; then a display unplugged."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from referee.rulebook import whole
from tests.kernel.disk import Disk
from tests.kernel.journals import accepted, recover
from tests.kernel.machine import Guest
from tests.kernel.prepare import PROJECT
from tests.kernel.sitting import Differs, Sitting

BOUNCES = 3
VARIED = 12
"""Attacks after which the dice have no effect any more, so that there is always somebody left to attack."""

MOST = 25
"""Attacks a side has in a turn."""


def measure(folder: Path, guest: Guest, attacks: int, seed: int) -> dict[str, Any]:
    """Play a turn of at most MOST attacks, end, read the journal. Raises Differs, MachineFault."""
    disk = Disk()
    with Sitting(guest, disk, folder / "twin.db", bounces=BOUNCES, steady=True) as sitting:
        sitting.begin()
        sitting.lamps()
        headlines = [sitting.attack().headline]
        sitting.lamps()
        for attack in range(1, attacks):
            sitting.hold("select")  # the same again
            first = 1 + (seed + attack) % 6 if attack < VARIED else 2 + attack % 2
            headlines.append(sitting.throw(str(first), "4").headline)
        _unplug(sitting)
        sitting.lamps()
        if sitting.unclean:
            raise Differs(f"{sitting.unclean} of {sitting.presses} presses were held up in the middle of a bounce")
        sitting.stop()
        wanted = accepted(sitting.twin.journal)
    disk.cut()
    journal = recover(disk, folder / "after")
    if accepted(journal) != wanted:
        raise Differs(f"the journals differ: {accepted(journal)} where {wanted} was to be")
    read(journal, headlines)
    return {
        "presses": sitting.presses,
        "entries": len(wanted),
        "rulings": len(headlines),
        "edge_to_drawn_ms": [1000 * s for s in sitting.drawn],
        "edge_to_answer_ms": [1000 * s for s in sitting.answered],
        "edge_to_ruling_durable_and_drawn_ms": [1000 * s for s in sitting.ruled],
        "slowest_ms": slowest(sitting.changes, sitting.drawn),
        "slowest_answer_ms": slowest(sitting.changes, sitting.answered),
        "host_ms_per_press": [1000 * s for s in sitting.took],
    }


def read(journal: Path, headlines: list[str]) -> None:
    """Read the journal as people do. Raises Differs unless it verifies and its log has what the glass said."""
    log = _referee("log", journal)
    rulings = [line.split("=> ")[1].split("  (")[0] for line in log.splitlines() if "=> " in line]
    if rulings != (wanted := [*map(whole, headlines)]):
        raise Differs(f"ruled was {wanted}, but the log has {rulings}:\n{log}")
    _referee("verify", journal)


def slowest(changes: list[str], seconds: list[float]) -> dict[str, float]:
    """Return for each kind of change the longest time, ms."""
    return {
        change: 1000 * max(s for s, each in zip(seconds, changes, strict=True) if each == change)
        for change in changes
    }


def _unplug(sitting: Sitting) -> None:
    """Take the display off its bus, press on, and plug it in again: the press has counted."""
    machine = sitting.machine
    machine.tell("glass 0")
    name = "select"
    sitting.twin.key(name)
    machine.tap(sitting.pins.keys[name], lead=500)
    machine.hear("(display lost)")
    machine.tell("glass 1")
    machine.hear("(display answers again)")
    machine.tap(sitting.pins.keys[name], lead=1000)  # a screen that came by itself counts presses from 600 ms on
    sitting.look()


def _referee(command: str, journal: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "referee", command, "--journal", str(journal)],
        capture_output=True,
        text=True,
        cwd=PROJECT,
        check=False,
    )
    if done.returncode:
        raise Differs(f"referee {command} ended with {done.returncode}: {done.stderr}")
    return done.stdout
