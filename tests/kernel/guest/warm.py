"""`referee` with everything imported: waits for its arguments, then is the command line that it always is.

The machine's state is saved while this waits, so that a power-on need not import it all again.
"""

from __future__ import annotations

import shlex
import sys
from importlib import import_module

for name in (
    "hardware.line.input_board",
    "referee.station.main",
    "referee.station.wiring",
    "referee.games.battle_of_the_ring",
    "gpiozero.pins.lgpio",
):
    import_module(name)
for name in ("luma.oled.device", "smbus2"):
    import_module(name)
from referee.cli import main  # noqa: E402

print("warm: waiting", flush=True)
sys.exit(main(shlex.split(sys.stdin.readline())))
