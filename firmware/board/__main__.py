"""``python -m firmware.board [FOLDER]``: the carrier board from hardware/pins.toml, with all that a maker needs.

Writes schematic, layout and order list. Where KiCad 9 is installed, it fills the pour of ground, checks electrical
and design rules, and writes Gerbers, drill files and pictures; 1 if KiCad finds a fault. KICAD_PYTHON: the Python
that has KiCad's own module.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from zipfile import ZipFile

from firmware.board.files import NAME, board, orders, project, schematic
from firmware.board.parts import parts
from firmware.board.route import route
from hardware.pins import Pins, load

FILL = """
import pcbnew, sys
board = pcbnew.LoadBoard(sys.argv[1])
pcbnew.ZONE_FILLER(board).Fill(board.Zones())
board.Save(sys.argv[1])
"""
LAYERS = "F.Cu,B.Cu,F.SilkS,B.SilkS,F.Mask,B.Mask,Edge.Cuts"


def write(folder: Path, pins: Pins) -> None:
    """Write what needs no KiCad. Raises Unroutable."""
    every = [*parts(pins)]
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (
        (f"{NAME}.kicad_pro", project()),
        (f"{NAME}.kicad_sch", schematic(every)),
        (f"{NAME}.kicad_pcb", board(every, route(every))),
        ("parts.csv", orders(every)),
    ):
        (folder / name).write_text(text, encoding="utf-8")


def check(folder: Path, kicad: str) -> list[str]:
    """Fill the pour and return what KiCad finds wrong, and what it is not sure of, a line each."""
    layout, circuit = folder / f"{NAME}.kicad_pcb", folder / f"{NAME}.kicad_sch"
    _run(os.environ.get("KICAD_PYTHON", "/usr/bin/python3"), "-c", FILL, layout)
    report = folder / "check.json"
    found = []
    for command, what in (
        (("sch", "erc"), circuit),
        (("pcb", "drc", "--schematic-parity"), layout),
    ):
        _run(kicad, *command, "--severity-all", "--format", "json", "-o", report, what)
        told = json.loads(report.read_text("utf-8"))
        faults = [fault for sheet in told.get("sheets", []) for fault in sheet["violations"]]
        for name in ("violations", "unconnected_items", "schematic_parity"):
            faults += told.get(name, [])
        for fault in faults:
            places = "; ".join(item["description"] for item in fault["items"])
            found.append(f"{fault['severity']}: {fault['type']}: {fault['description']}: {places}")
    report.unlink()
    return found


def plot(folder: Path, kicad: str) -> None:
    """Write Gerbers and drill files as one archive, and a picture of each side."""
    layout, gerbers = folder / f"{NAME}.kicad_pcb", folder / "gerbers"
    gerbers.mkdir(exist_ok=True)
    _run(kicad, "pcb", "export", "gerbers", "--layers", LAYERS, "-o", f"{gerbers}/", layout)
    _run(kicad, "pcb", "export", "drill", "-o", f"{gerbers}/", layout)
    with ZipFile(folder / "gerbers.zip", "w") as archive:
        for path in sorted(gerbers.iterdir()):
            archive.write(path, path.name)
    shutil.rmtree(gerbers)
    for side in ("top", "bottom"):
        _run(kicad, "pcb", "render", "--side", side, "-o", folder / f"{side}.png", layout)


def _run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command[:3]))}: {done.stdout}{done.stderr}")


def main(arguments: Sequence[str]) -> int:
    """Make the board; 1 if it breaks a rule."""
    folder = Path(arguments[0] if arguments else "dist/board").absolute()
    write(folder, load())
    kicad = shutil.which("kicad-cli")
    if kicad is None:
        print("kicad-cli is not installed: the rules were not checked, and no Gerbers were written", file=sys.stderr)  # noqa: T201
        return 0
    found = check(folder, kicad)
    print("\n".join([*found, f"{len(found)} faults and warnings"]))  # noqa: T201
    if any(line.startswith("error") for line in found):
        return 1
    plot(folder, kicad)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
