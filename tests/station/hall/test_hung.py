"""A hall that hangs in the middle of everything: found in seven seconds, and used again as soon as it goes on."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from referee.station.hall.talk import EVERY, LIMIT
from referee.station.virtual.bench import Bench
from tests.hall.served import Opened, token
from tests.ports import quiet_port
from tests.station.hall.test_link import Box, until


def start(folder: Path, port: int) -> tuple[subprocess.Popen[str], str]:
    """Start a hall; return it, and its certificate."""
    command = [sys.executable, "-m", "tests.hall.served", str(folder), str(port)]
    hall = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert hall.stdout is not None
    return hall, hall.stdout.readline().strip()


SLACK = 1.5  # what a machine that does other things may add, s


@pytest.mark.timed
def test_a_hall_that_is_stopped_is_found_and_its_poll_is_cut(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "hall").mkdir()
    port = quiet_port()
    hall, certificate = start(tmp_path / "hall", port)
    try:
        box = Box(bench, f"127.0.0.1:{port}", certificate, token(0))

        def polls() -> bool:
            return box.link._poll is not None and box.link._poll._connection.sock is not None

        until(lambda: box.link.reached() and polls())
        hall.send_signal(signal.SIGSTOP)
        stopped = time.monotonic()
        until(lambda: not box.link.reached())
        until(lambda: not polls())
        assert time.monotonic() - stopped < EVERY + LIMIT + SLACK
        bench.play("battle-of-the-ring")  # nobody waits
        hall.send_signal(signal.SIGCONT)
        until(box.link.reached)
        opened = Opened(tmp_path / "hall")
        until(lambda: bool(opened.games(token(0))))
        opened.close()
        box.link.stop()
    finally:
        hall.kill()
        hall.communicate()
