"""The case: both parts are printable solids, and the lid has an opening for everything the pin map names."""

from __future__ import annotations

import subprocess
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from hardware.events import DIE_KEYS
from hardware.pins import load

MODEL = Path(__file__).parents[2] / "firmware" / "case" / "case.scad"
WINDOW, SCREWS, SLOTS = 1, 8, 5
SOCKETS, VENTS = 1, 13
BUZZER, SPACERS = 1, 5


class Solid(NamedTuple):
    """``open_edges``: that two facets do not share in opposite directions; ``holes`` through it; ``size`` in mm."""

    open_edges: int
    holes: float
    size: tuple[float, ...]


def rendered(openscad: str, part: str, folder: Path, *, carrier: bool = False) -> Solid:
    file, given = folder / f"{part}.stl", f'part="{part}"; carrier={str(carrier).lower()}'
    command: list[str | Path] = [openscad, "-q", "-D", given, "-o", file, MODEL]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, "WARNING" in done.stderr) == (0, False), done.stderr
    words = (line.split() for line in file.read_text().splitlines())
    corners = [tuple(map(float, each[1:])) for each in words if each and each[0] == "vertex"]
    facets = [corners[i : i + 3] for i in range(0, len(corners), 3)]
    edges = Counter(edge for facet in facets for edge in pairwise((*facet, facet[0])))
    opened = sum(count != 1 or edges[edge[1], edge[0]] != 1 for edge, count in edges.items())
    holes = (2 - (len(set(corners)) - len(facets) / 2)) / 2  # Euler's V - E + F = 2 - 2g, where E is F * 3 / 2
    return Solid(opened, holes, tuple(round(max(axis) - min(axis), 3) for axis in zip(*corners, strict=True)))


def test_the_lid_has_an_opening_for_everything_on_it(openscad: str, tmp_path: Path) -> None:
    pins = load()
    plain = [key for key in pins.keys if key not in pins.lamps and key != "select"]
    knob = 1
    holes = WINDOW + SCREWS + SLOTS + len(plain) + len(pins.lamps) + knob
    assert rendered(openscad, "lid", tmp_path) == Solid(0, holes, (168.0, 128.0, 3.0))
    assert set(DIE_KEYS) <= set(plain)
    assert rendered(openscad, "lid", tmp_path, carrier=True).holes == holes - SLOTS + BUZZER + SPACERS


@pytest.mark.long
def test_the_box_is_a_solid_that_is_open_on_top(openscad: str, tmp_path: Path) -> None:
    assert rendered(openscad, "box", tmp_path) == Solid(0, SOCKETS + VENTS, (168.0, 128.0, 48.0))
    assert rendered(openscad, "box", tmp_path, carrier=True).holes == SOCKETS + VENTS
