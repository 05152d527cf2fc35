"""The case: both parts are printable solids, and the lid has an opening for everything the pin map names."""

from __future__ import annotations

import subprocess
from itertools import permutations
from pathlib import Path

import pytest

from hardware.events import DIE_KEYS
from hardware.pins import load
from tests.pi.stl import Solid, read

MODEL = Path(__file__).parents[2] / "firmware" / "case" / "case.scad"
WINDOW, SCREWS, SLOTS = 1, 8, 5
SOCKETS, VENTS = 1, 13

CORNERS = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
TETRAHEDRON = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def rendered(openscad: str, part: str, folder: Path) -> Solid:
    file = folder / f"{part}.stl"
    command: list[str | Path] = [openscad, "-q", "-D", f'part="{part}"', "-o", file, MODEL]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, "WARNING" in done.stderr) == (0, False), done.stderr
    return read(file.read_text())


def test_the_lid_is_a_solid_with_an_opening_for_everything_on_it(openscad: str, tmp_path: Path) -> None:
    lid = rendered(openscad, "lid", tmp_path)
    pins = load()
    plain = [key for key in pins.keys if key not in pins.lamps and key != "select"]
    knob = 1
    assert lid.open_edges == 0
    assert lid.through_holes == WINDOW + SCREWS + SLOTS + len(plain) + len(pins.lamps) + knob
    assert set(DIE_KEYS) <= set(plain)
    assert lid.size == (168.0, 128.0, 3.0)
    assert 30_000 < lid.volume < 168 * 128 * 3


@pytest.mark.long
def test_the_box_is_a_solid_that_is_open_on_top(openscad: str, tmp_path: Path) -> None:
    box = rendered(openscad, "box", tmp_path)
    assert box.open_edges == 0
    assert box.through_holes == SOCKETS + VENTS
    assert box.size == (168.0, 128.0, 48.0)
    assert 0 < box.volume < 0.25 * 168 * 128 * 48


class TestReading:
    """The check itself: a tetrahedron is whole, and every way to spoil it is seen."""

    def solid(self, facets: list[tuple[int, int, int]]) -> Solid:
        return Solid(tuple((CORNERS[a], CORNERS[b], CORNERS[c]) for a, b, c in facets))

    def test_a_whole_one(self) -> None:
        whole = self.solid(TETRAHEDRON)
        assert (whole.open_edges, whole.through_holes, whole.size) == (0, 0, (1, 1, 1))
        assert whole.volume == pytest.approx(1 / 6)

    def test_a_missing_a_doubled_and_a_turned_facet(self) -> None:
        assert self.solid(TETRAHEDRON[1:]).open_edges == 3
        assert self.solid([*TETRAHEDRON, TETRAHEDRON[0]]).open_edges > 0
        assert self.solid([(0, 1, 2), *TETRAHEDRON[1:]]).open_edges > 0

    def test_one_that_is_inside_out(self) -> None:
        turned = self.solid([facet[::-1] for facet in TETRAHEDRON])
        assert (turned.open_edges, turned.volume < 0) == (0, True)

    def test_a_ring_has_one_hole(self) -> None:
        """A square ring of four cubes' walls: a torus."""
        inner = [(x, y) for x, y in ((1, 1), (2, 1), (2, 2), (1, 2))]
        outer = [(0, 0), (3, 0), (3, 3), (0, 3)]
        facets = []
        for i in range(4):
            j = (i + 1) % 4
            a, b, c, d = ((*outer[i], 0), (*outer[j], 0), (*inner[j], 0), (*inner[i], 0))
            top = [(x, y, 1) for x, y, _ in (a, b, c, d)]
            for q in ((d, c, b, a), tuple(top), (a, b, top[1], top[0]), (c, d, top[3], top[2])):
                facets += [(q[0], q[1], q[2]), (q[0], q[2], q[3])]
        ring = Solid(tuple(facets))
        assert (ring.open_edges, ring.through_holes) == (0, 1)
        assert ring.volume == pytest.approx(8)

    def test_what_is_no_solid(self) -> None:
        with pytest.raises(ValueError, match="expected three for each facet"):
            read("solid nothing\nendsolid\n")


def test_every_order_of_the_corners_of_a_facet_is_the_same_or_turned() -> None:
    whole = Solid(tuple((CORNERS[a], CORNERS[b], CORNERS[c]) for a, b, c in TETRAHEDRON))
    for order in permutations(range(3)):
        first = whole.facets[0]
        changed = Solid(((first[order[0]], first[order[1]], first[order[2]]), *whole.facets[1:]))
        even = order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        assert (changed.open_edges == 0) == even
