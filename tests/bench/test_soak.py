"""Seven days at one station, as `make soak` runs them: nothing grows but the journal, and that as computed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench import soak

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_seven_days_leave_nothing_behind_but_the_journal() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.soak", "--days", "7", "--gestures", "100"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=500,
        check=False,
        env=os.environ | {"PYTHONMALLOC": "malloc"},
    )
    figures = json.loads(done.stdout)
    assert done.returncode == 0, done.stdout
    assert figures["memory_growth_mib"]["value"] < 1
    assert figures["journal"]["entries"] > 300
    assert len([game for game, ended in figures["games_ended"].items() if ended]) >= 2


def test_what_is_kept_is_seen() -> None:
    before = soak.heap()
    ballast = bytearray(3 * soak.MIB)
    assert soak.heap() - before >= len(ballast)
