"""``python -m tests.bench.instructions [TREE ...]``: instructions from the start of a station to its first pictures.

Valgrind counts them, so the load of the machine does not matter. Other trees (checkouts of this project) are counted
in the same run, and compared with this one. ``sign``: until the first lit pixel; ``picture``: until the first screen
of the station itself; ``imports``: a process that only imports the libraries of the box.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.start import IMPORTS

ROOT = Path(__file__).parents[2]

PROBE = """
import os, sys, tempfile
from pathlib import Path
last = int(sys.argv[1])
from hardware.simulated.box import SimulatedBox
pictures = []
def glass():
    picture = box.glass()
    if picture.getbbox() and picture.tobytes() not in pictures:
        pictures.append(picture.tobytes())
        if len(pictures) == last:
            os._exit(0)
box = SimulatedBox(on_glass=glass)
from referee.station.main import Options, play
play(Options(fallback=Path(sys.argv[2]) / "journal.db", panel=False, port=0, browser=False), box)
"""


def counted(tree: Path, script: str, *arguments: str) -> int:
    """Return the instructions that Python takes for a script in a tree, in millions."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={folder}/out"]
        command += [sys.executable, "-c", script, *(a.replace("FOLDER", folder) for a in arguments)]
        env = os.environ | {"PYTHONDONTWRITEBYTECODE": "", "PYTHONHASHSEED": "0", "XDG_STATE_HOME": folder}
        env["PYTHONPATH"] = str(tree)
        done = subprocess.run(command, cwd=tree, env=env, capture_output=True, text=True, timeout=900, check=False)
    total = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode != 0 or total is None:
        raise SystemExit(f"{tree}: {done.stderr[-2000:]}")
    return int(total[1].replace(",", "")) // 1_000_000


def signs(tree: Path) -> int:
    """Return which picture is the first of the station itself: the one after the greeting, where a tree has one."""
    return 2 if [*tree.glob("referee/station/glass/*.pbm")] else 1


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.instructions", description=__doc__)
    parser.add_argument("trees", nargs="*", type=Path, metavar="TREE", help="other checkouts, to compare")
    trees = [ROOT, *parser.parse_args().trees]
    if shutil.which("valgrind") is None:
        raise SystemExit("valgrind is missing; on Debian: apt install valgrind")
    bare = counted(ROOT, IMPORTS)
    figures: dict[str, dict[str, float]] = {}
    for tree in trees:
        for _ in range(2):  # the first one writes Python's compiled files
            picture = counted(tree, PROBE, str(signs(tree)), "FOLDER")
        sign = counted(tree, PROBE, "1", "FOLDER")
        ratios = {"sign_of_imports": round(sign / bare, 2), "picture_of_imports": round(picture / bare, 2)}
        figures[str(tree)] = {"sign_millions": sign, "picture_millions": picture, **ratios}
    for tree in trees[1:]:
        for what in ("sign", "picture"):
            share = figures[str(ROOT)][f"{what}_millions"] / figures[str(tree)][f"{what}_millions"]
            figures[str(ROOT)][f"{what}_of_{tree.name}"] = round(share, 3)
    print(json.dumps({"imports_millions": bare} | figures, indent=2))


if __name__ == "__main__":
    main()
