"""Who has no dice by Bluetooth and no tray pays nothing for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.bench.start import station

ROOT = Path(__file__).parents[2]
FOREIGN = ("bleak", "dbus_fast", "asyncio", "numpy", "cv2", "hardware.dice.tray", "hardware.dice.bluetooth")


def test_readers_import_nothing_into_the_station() -> None:
    code = (
        "import sys; import referee.station.wiring, referee.cli.records, referee.cli.tray, referee.cli.machine;"
        "import referee.station.readers, referee.station.dice, hardware.dice.reader;"
        f"print([name for name in sys.modules if name.startswith({FOREIGN})])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


@pytest.mark.long
def test_a_station_without_dice_imports_nothing_for_them() -> None:
    modules = station(panel=False, idle=0.0)["modules"]
    assert "referee" in modules
    assert {*FOREIGN, "hardware.dice"} & set(modules) == set()
