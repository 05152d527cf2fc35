"""The first half second of a real process: what comes before what, and that it can be ended at any moment of it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

WATCHED = """
import os, runpy, signal, sys
from importlib.abc import MetaPathFinder

class Watch(MetaPathFinder):
    "Looks on while modules are imported."
    def find_spec(self, name, path=None, target=None):
        seen(name)
        return None

sys.meta_path.insert(0, Watch())
"""

ENDS = """
def seen(name):
    if name == sys.argv[-1]:
        os.kill(os.getpid(), signal.{signal})
"""

LOOKS = """
WEB = {"starlette", "uvicorn", "websockets", "anyio", "h11", "referee.web.server", "referee.web.app"}
boxes = []

def seen(name):
    if name == "referee.station.main":
        from hardware.simulated.box import SimulatedBox
        made = SimulatedBox.__init__
        def kept(box, *given, **named):
            made(box, *given, **named)
            boxes.append(box)
        SimulatedBox.__init__ = kept
    if name in WEB:
        print(name, bool(boxes and boxes[0].glass().getbbox()), flush=True)
"""

RUN = """
sys.argv = ["referee", *sys.argv[1:-1]]
runpy.run_module("referee", run_name="__main__")
"""


def start(code: str, journal: Path, module: str = "") -> subprocess.Popen[str]:
    command = ["play", "--no-browser", "--port", "0", "--journal", str(journal), module]
    return subprocess.Popen(
        [sys.executable, "-c", WATCHED + code + RUN, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONUNBUFFERED": "1"},
    )


@pytest.mark.parametrize(
    ("module", "number"),
    [
        ("referee.cli", "SIGTERM"),
        ("referee.cli", "SIGINT"),
        ("luma.oled.device", "SIGTERM"),
        ("referee.web.server", "SIGTERM"),
    ],
)
def test_a_station_that_is_ended_while_it_starts_ends_well(tmp_path: Path, module: str, number: str) -> None:
    code = ENDS.format(signal=number).replace("sys.argv[-1]", repr(module))
    done = start(code, tmp_path / "j.db")
    out, err = done.communicate(timeout=60)
    assert (done.returncode, "Traceback" in err) == (0, False), out + err


def test_the_first_pixels_stand_before_the_web_stack_is_imported(tmp_path: Path) -> None:
    with start(LOOKS, tmp_path / "j.db") as station:
        assert station.stdout is not None
        lines: list[str] = []
        while not (lines and lines[-1].startswith("The panel is at")):
            lines.append(station.stdout.readline())
            assert lines[-1], "the station ended"
        station.send_signal(signal.SIGTERM)
        assert station.wait(timeout=60) == 0
    imported = dict(line.split() for line in lines[:-1])
    assert {"starlette", "uvicorn", "referee.web.server"} <= imported.keys()
    assert set(imported.values()) == {"True"}, imported
