"""Faults of the process itself: killed at any moment, and killed again and again."""

from __future__ import annotations

import random
import re
import sqlite3
import time
from pathlib import Path
from typing import Any

from tests.faults.live import Live
from tests.faults.table import Row, scenario, within
from tests.faults.witness import Answer

KILLS = 6
GROUP = "The station's process"
UNIT = Path(__file__).parents[2] / "firmware" / "pi" / "referee.service"


def _recorded(journal: Path) -> set[Answer]:
    db = sqlite3.connect(journal)
    try:
        return {*db.execute("SELECT game, seq, answer FROM entries")}
    finally:
        db.close()


def _prompt(live: Live) -> tuple[Any, ...]:
    prompt = live.table["prompt"]
    return (prompt["n"], prompt["kind"], prompt["text"]) if prompt else ()


def _accepted(live: Live) -> int:
    """Return how many entries the panel has shown as accepted."""
    return max((entry["seq"] + 1 for entry in live.log), default=0)


def _read(live: Live) -> None:
    """Read what is told and begin the turn, up to the question."""
    for _ in range(6):
        if live.table["prompt"]:
            return
        live.press("select")
    raise AssertionError(f"no question after {live.read_out}")


@scenario(GROUP, "killed when memory runs out (SIGKILL), at random moments of a game")
def killed(folder: Path) -> Row:
    """Each time the next start must show the question that stood, or the one the answer under way led to."""
    chance = random.Random(7)
    journal = folder / "journal.db"
    lost = doubled = 0
    slowest = 0.0
    stood: tuple[Any, ...] = ()
    accepted = 0
    for number in range(KILLS + 1):
        with Live(journal) as live:
            slowest = max(slowest, time.perf_counter() - live.begun)
            if number:
                recorded = len(_recorded(journal))
                lost += max(0, accepted - recorded)
                doubled += max(0, recorded - accepted - 1)
                live.until(lambda: _accepted(live) == recorded)  # noqa: B023 - within this round
                _read(live)
                assert (_prompt(live) == stood) == (recorded == accepted), (_prompt(live), stood)
            else:
                for key in ("die-1", "die-1", "die-1"):  # a whole game of the first book
                    live.press(key)
                _read(live)
            live.press("die-1")
            _read(live)
            stood, accepted = _prompt(live), _accepted(live)
            live.click("die-1")
            end = time.perf_counter() + chance.uniform(0, 0.03)
            while time.perf_counter() < end:
                pass
            live.kill()
    after = re.search(r"^Restart=on-failure\nRestartSec=(\d+)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)
    assert after is not None, "nobody starts it again"
    return Row(
        "by the service, at once",
        "a dark glass, then the pending question",
        f"the service restarting it {after[1]} s later",
        within(slowest, 15),
        lost,
        doubled,
    )


@scenario(GROUP, "a crash loop: three starts in a row are killed before anything was answered")
def crash_loop(folder: Path) -> Row:
    journal = folder / "journal.db"
    with Live(journal) as live:
        for key in ("die-1", "die-2", "die-1"):
            live.press(key)
        stood = _prompt(live)
    before = _recorded(journal)
    for _ in range(3):
        with Live(journal) as live:
            assert _prompt(live) == stood
            live.kill()
    with Live(journal) as live:
        seconds = time.perf_counter() - live.begun
        seen = live.read_out
        assert seen.startswith("Safe mode. The box failed to start 3 times"), seen
        live.press("select")
        for key in ("die-3", "select"):
            live.press(key)
        assert live.table["prompt"] is None
        assert (folder / "export-1" / "game-1.jsonl").exists()
        began = time.perf_counter()
        live.again("die-2")
        live.until(lambda: live.table["prompt"] is not None)
        usable = time.perf_counter() - began
        assert _prompt(live) == stood
        assert _recorded(journal) == before
        live.press("die-1")
        accepted = _accepted(live)
    after = _recorded(journal)
    assert after >= before
    return Row(
        f"the fourth start, {within(seconds, 15)}",
        seen,
        "Try again; Export and Set aside are offered too",
        within(usable, 10),
        max(0, accepted - len(after)),
        max(0, len(after) - accepted),
    )
