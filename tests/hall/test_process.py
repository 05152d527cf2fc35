"""The calls in a process of their own: killed, ended, refused."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from referee.station.hall.line import Line, Names
from tests.hall.served import token
from tests.hall.test_calls import Box
from tests.ports import quiet_port

PATIENCE = 30


class Process:
    """A hall in a folder, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, quiet_port()

    def start(self) -> None:
        """Start it."""
        command = [sys.executable, "-m", "tests.hall.served", str(self.folder), str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.certificate = self.process.stdout.readline().strip()

    def end(self, how: signal.Signals) -> int:
        self.process.send_signal(how)
        code = self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@pytest.mark.timed
def test_a_hall_ends_at_once_though_polls_wait(tmp_path: Path) -> None:
    hall = Process(tmp_path)
    hall.start()
    carries = {"Authorization": f"Bearer {token(0)}"}
    with closing(Line(Names("127.0.0.1", hall.port), hall.certificate, lambda: carries)) as line:
        box = Box(line)
        tag = box.say("GET", "/api/table").headers["etag"]
        timer = threading.Timer(0.5, hall.process.send_signal, [signal.SIGTERM])
        timer.start()
        assert box.say("GET", "/api/table?wait=25", **{"If-None-Match": tag}).status == 304
        timer.join()
    assert hall.process.wait(3) in (0, -signal.SIGTERM)
    hall.end(signal.SIGTERM)
