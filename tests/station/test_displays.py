"""A station on each display: the wiring in the pin map decides, and panel and glass show the same picture."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from hardware.pins import REFERENCE, DisplayWiring, I2cWiring, SpiWiring, load
from referee.console.drawing.screens import draw
from referee.errors import ConfigError
from referee.station.main import Options, play
from referee.station.virtual.bench import Bench

WIDE = 'controller = "ssd1322"\ninterface = "spi"\nbus = 0\nselect = 0\ndc = 3\nreset = 2\n'


def configured(folder: Path, display: str) -> Path:
    """A configuration whose pin map is that of the reference build, but for its display."""
    before, _, _ = REFERENCE.read_text(encoding="utf-8").partition("[display]")
    (folder / "pins.toml").write_text(f"{before}[display]\n{display}", encoding="utf-8")
    path = folder / "referee.toml"
    path.write_text(f'[pins]\npath = "{folder / "pins.toml"}"\n[panel]\nport = 0\nopen_browser = false\n')
    return path


@pytest.mark.parametrize(
    "wiring",
    [
        DisplayWiring("sh1106", I2cWiring(1, 0x3C), upside_down=True),
        DisplayWiring("sh1106", I2cWiring(1, 0x3C), upside_down=True, column_offset=0),  # P5
        DisplayWiring("ssd1309", SpiWiring(0, 0, 3, 2)),
        DisplayWiring("ssd1322", SpiWiring(0, 0, 3, 2), upside_down=True),
    ],
)
def test_what_the_console_draws_is_what_the_glass_shows(tmp_path: Path, wiring: DisplayWiring) -> None:
    with Bench(tmp_path / "j.db", pins=replace(load(), display=wiring)) as bench:
        for key in ("1", "2", "1", "2", "5", "4", "select"):
            bench.key(key)
            bench.wait(0.5)
            expected, _ = draw(bench.view, bench.simulated.box.display.size)
            assert bench.glass.tobytes() == expected.tobytes()
        assert bench.misfits == []


def test_a_display_that_cannot_be_wired_so_is_refused(tmp_path: Path) -> None:
    config = configured(tmp_path, 'controller = "ssd1322"\nbus = 1\naddress = 0x3C\n')
    with pytest.raises(ConfigError, match=r"pins\.toml: \[display\] \"interface\" is 'i2c': .* on \"spi\" only"):
        play(Options(fallback=tmp_path / "j.db", config=config, ready=lambda _: os.kill(os.getpid(), signal.SIGTERM)))
