"""The carrier board: its pins are those of the map, schematic and layout agree, it fits the Pi and the case."""

from __future__ import annotations

import csv
import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from hardware.events import DIE_KEYS
from hardware.pins import load
from tests.docs import wiring

ROOT = Path(__file__).parents[2]
BOARD = ROOT / "firmware" / "board"


def parsed(path: Path) -> Any:
    """Return an S-expression as lists."""
    stack: list[list[Any]] = [[]]
    for word in re.findall(r'"[^"]*"|[()]|[^\s()]+', path.read_text("utf-8")):
        if word == "(":
            stack.append([])
        elif word == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(word.strip('"'))
    return stack[0][0]


def named(value: list[Any], name: str) -> Iterator[list[Any]]:
    yield from (each for each in value if isinstance(each, list) and each[0] == name)


@cache
def layout() -> Any:
    return parsed(BOARD / "carrier.kicad_pcb")


def text(value: list[Any], name: str) -> str:
    """Return a property of a footprint or symbol, in the form of any KiCad from 7 on."""
    found = [each for kind in ("fp_text", "property") for each in named(value, kind) if each[1].lower() == name]
    return str(found[0][2])


def places() -> dict[str, tuple[float, float]]:
    """Return where each part is, in mm from the middle of the lid, y away from the players."""
    at = {text(each, "reference"): next(named(each, "at"))[1:3] for each in named(layout(), "footprint")}
    return {ref: (float(x) - 100, 100 - float(y)) for ref, (x, y) in at.items()}


def nets() -> dict[str, dict[str, str]]:
    """Return what each pad is on, by part and number; what is connected to nothing is left out."""
    found: dict[str, dict[str, str]] = {}
    for footprint in named(layout(), "footprint"):
        pads = found[text(footprint, "reference")] = {}
        for pad in named(footprint, "pad"):
            net = next(named(pad, "net"), [""])[-1]
            if net and not net.startswith("unconnected"):
                pads[pad[1]] = net
    return found


def test_every_pin_of_the_map_is_on_its_net() -> None:
    """The wiring diagram has a table of its own of the header's pins."""
    pins, names = load(), {"A": "encoder-a", "B": "encoder-b", "push (Select)": "select", "SCL": "scl", "SDA": "sda"}
    names |= {"VCC": "+3V3", "COM": "+5V"}
    lamps = {f"IN {each.channel}": each.part.replace("lamp of ", "lamp-") for each in wiring.driven(pins)}
    wires = [wire for part in wiring.parts(pins) for wire in part.wires]
    assert len(wires) == 29
    for wire in wires:
        assert nets()["J1"][str(wire.pin)] == (names | lamps).get(wire.end, wire.end)


def test_each_part_is_on_the_nets_it_is_for() -> None:
    on = nets()
    assert [on[f"SW{n}"] for n in range(1, 8)] == [{"1": key, "2": "GND"} for key in (*DIE_KEYS, "back")]
    knob = {"A": "encoder-a", "B": "encoder-b", "C": "GND", "S1": "select", "S2": "GND", "MP": "GND"}
    assert on["SW9"] == knob
    for seat in range(1, 5):
        assert on[f"J{seat + 10}"] == {"1": "GND", "2": f"seat-{seat}", "3": f"lamp-seat-{seat}-", "4": "+5V"}
        assert (on["U1"][str(seat)], on["U1"][str(19 - seat)]) == (f"lamp-seat-{seat}", f"lamp-seat-{seat}-")
    pulled = {net for array in ("RN1", "RN2") for pin, net in on[array].items() if pin != "1"}
    assert pulled == {*load().keys, "encoder-a", "encoder-b"}
    assert (on["Q1"], on["D1"]["1"]) == ({"1": "buzzer-", "2": "buzzer-base", "3": "GND"}, "+5V")
    assert [*on["J2"].values()] == ["GND", "+3V3", "scl", "sda"]
    assert [*on["J3"].values()] == ["GND", "+3V3", "sclk", "mosi", "sda", "scl", "ce0"]


def test_every_part_can_be_ordered_from_two_makers() -> None:
    with (BOARD / "parts.csv").open(encoding="utf-8") as file:
        rows = [*csv.DictReader(file)]
    assert all(row["one source"] and row["another"] for row in rows)
    ordered = [ref for row in rows for ref in row["on the board"].split()]
    assert sorted(ordered) == sorted(ref for ref, pads in nets().items() if pads)
    assert all(int(row["count"]) == len(row["on the board"].split()) for row in rows)


def test_the_pi_fits_the_socket_and_the_screws() -> None:
    """Its holes are 58 mm apart, and the header is in the middle of them (Raspberry Pi's mechanical drawings)."""
    at, holes = places(), {(x, y) for x in (-29, 29) for y in (0, 23, 49)}
    # Turned by half, its sockets away from the players: pin 1 right and inside.
    middle = at["J1"][0] - 19 * 1.27, at["J1"][1] - 1.27
    assert middle == pytest.approx((-8, 7.6))
    screws = {(round(x + 8, 3), round(y - 7.6, 3)) for ref, (x, y) in at.items() if not nets()[ref]}
    assert holes <= screws


def case() -> dict[str, Any]:
    """Return the numbers of the model of the case."""
    source = (ROOT / "firmware" / "case" / "case.scad").read_text("utf-8")
    found = re.findall(r"^(\w+) = (\[.*\]|[\d.-]+);", source, re.MULTILINE)
    return {name: tomllib.loads(f"v = {value}")["v"] for name, value in found if "for" not in value}


def test_the_board_fits_the_case() -> None:
    of, at = case(), places()
    corners = [each[1:] for line in named(layout(), "gr_line") for each in named(line, "start")]
    wide, high = ([abs(float(corner[axis]) - 100) for corner in corners] for axis in (0, 1))
    assert max(wide) < of["size"][0] / 2 - 2 * of["post"]
    assert max(high) < of["size"][1] / 2 - of["wall"] - 0.5
    columns, rows = of["key_pitch"]
    right, up = of["keys_at"]
    grid = [(right + columns * column / 2, up + rows * row) for row in (1, 0, -1) for column in (-1, 1)]
    fixed = [*grid, of["back_at"], of["encoder_at"], of["buzzer_at"], *of["spacers_at"]]
    refs = [*(f"SW{n}" for n in (*range(1, 8), 9)), "BZ1", *(f"H{n}" for n in range(1, 6))]
    assert [at[ref] for ref in refs] == [pytest.approx(tuple(each)) for each in fixed]


@pytest.mark.long
def test_kicad_finds_no_fault(kicad_cli: str, tmp_path: Path) -> None:
    """It compares schematic and layout, too."""
    done = subprocess.run([BOARD / "make.sh", tmp_path], capture_output=True, text=True, env=os.environ, check=False)
    assert (done.returncode, done.stdout) == (0, f"{tmp_path}: KiCad finds no fault\n"), (kicad_cli, done.stderr)
    with ZipFile(tmp_path / "gerbers.zip") as archive:
        ends = sorted(Path(name).suffix for name in archive.namelist())
    assert ends == [".drl", ".gbl", ".gbo", ".gbrjob", ".gbs", ".gm1", ".gtl", ".gto", ".gts"]
    assert (tmp_path / "top.png").stat().st_size > 10_000
