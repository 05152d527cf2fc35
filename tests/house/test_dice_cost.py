"""Who has no dice by Bluetooth pays nothing for them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_station_imports_nothing_of_bluetooth_before_it_is_configured() -> None:
    code = (
        "import sys; import referee.station.wiring, referee.cli.dice, hardware.line.serial_dice;"
        "print([name for name in sys.modules if name.startswith(('bleak', 'dbus_fast', 'hardware.dice'))])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
