"""A sign of life: on the glass before what takes long is imported, and before the journal is opened."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee.console.drawing.screens import SIZES
from referee.station.main import greeting
from tests.console.sheet import render
from tests.station.glass.greeting import GREETING

START = """
import json, os, sys
from pathlib import Path
from hardware import box
from hardware.glass.buses import I2cWire
from hardware.simulated.bus import SimulatedI2c
from hardware.simulated.controllers import Ssd1309

def lit():
    if bus.glass().getbbox():
        print(json.dumps([sorted(sys.modules), bus.glass().tobytes().hex(), journal.exists()]), flush=True)
        os._exit(0)

for name in [name for name in sys.modules if name.startswith(("gpiozero", "luma"))]:
    del sys.modules[name]  # the simulated bus is here to look on, and what it imports is not the station's
journal = Path(sys.argv[1])
bus = SimulatedI2c(Ssd1309(), address=0x3C, on_change=lit)
box.open_real.__kwdefaults__["bus"] = lambda number, address: I2cWire(bus, address)
sys.argv = ["referee", "run", "--no-panel", "--journal", sys.argv[1]]
from referee.__main__ import main
main()
"""


@pytest.mark.parametrize("size", SIZES)
def test_the_greeting_is_what_its_screen_looks_like(size: tuple[int, int]) -> None:
    assert greeting(size).tobytes() == render(GREETING, size).tobytes()


def test_the_greeting_stands_before_pins_games_and_journal(tmp_path: Path) -> None:
    journal = tmp_path / "j.db"
    command = [sys.executable, "-c", START, str(journal)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    modules, shown, exists = json.loads(done.stdout)
    assert bytes.fromhex(shown) == greeting((128, 64)).tobytes()
    assert not exists
    late = ("gpiozero", "sqlite3", "referee.console", "referee.games", "referee.journal", "referee.session")
    assert [name for name in modules if name.startswith(late)] == []
