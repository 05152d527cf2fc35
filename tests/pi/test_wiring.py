"""WireViz draws the committed source."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from hardware.pins import load
from tests.docs.pins import SOURCE
from tests.docs.wiring import parts


@pytest.mark.usefixtures("dot")
def test_wireviz_draws_the_source_with_every_wire(wireviz: str, tmp_path: Path) -> None:
    command: list[str | Path] = [wireviz, "-f", "gs", "-o", tmp_path, "-O", "wiring", SOURCE]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    drawn = (tmp_path / "wiring.svg").read_text()
    wires = [wire for part in parts(load()) for wire in part.wires]
    assert [wire for wire in wires if f"Raspberry Pi:{wire.pin}:{wire.label}" not in drawn] == []
