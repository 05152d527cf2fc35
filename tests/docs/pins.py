"""Keeps the documents on the pin map true: `python -m tests.docs.pins` writes them, `--check` only compares.

docs/wiring.yml is the source of the wiring diagram; a table stands between marks in docs/build.md. The drawing
docs/images/wiring.svg is made by `make wiring` and carries the hash of its source.
"""

from __future__ import annotations

import argparse
import sys
from hashlib import sha256
from pathlib import Path

from hardware.pins import Pins, load
from tests.docs.wiring import parts, yaml

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "docs" / "wiring.yml"
DRAWING = ROOT / "docs" / "images" / "wiring.svg"
GUIDE = ROOT / "docs" / "build.md"


def pin_table(pins: Pins) -> str:
    """Return every wire from the header, in the order of its pins, as a Markdown table."""
    rows = sorted((wire.pin, wire.label, part.name, wire.end) for part in parts(pins) for wire in part.wires)
    lines = ["| pin | is | goes to | there |", "|---:|---|---|---|"]
    return "\n".join(lines + [f"| {pin} | {label} | {part} | {end} |" for pin, label, part, end in rows])


def guide(text: str, pins: Pins) -> str:
    """Return the build guide with its table made anew. Raises ValueError where a mark is missing."""
    begin, end = "<!-- pins -->\n", "\n<!-- end of pins -->"
    before, outdated, rest = text.partition(begin)
    _, closed, after = rest.partition(end)
    if not outdated or not closed:
        raise ValueError(f"{GUIDE.name}: expected the marks {begin.strip()} and {end.strip()}")
    return before + begin + pin_table(pins) + end + after


def signature(source: str) -> str:
    """Return the comment that ties a drawing to its source."""
    return f"<!-- docs/wiring.yml {sha256(source.encode()).hexdigest()} -->"


def stale(pins: Pins) -> list[str]:
    """Return the documents that do not tell the truth about a pin map."""
    source = yaml(pins)
    outdated = [] if _read(SOURCE) == source else [str(SOURCE.relative_to(ROOT))]
    if _read(GUIDE) != guide(_read(GUIDE), pins):
        outdated.append(str(GUIDE.relative_to(ROOT)))
    if not _read(DRAWING).rstrip().endswith(signature(source)):
        outdated.append(str(DRAWING.relative_to(ROOT)))
    return outdated


def main() -> int:
    """Write the documents, or with ``--check`` say which are stale (exit code 1)."""
    parser = argparse.ArgumentParser(prog="python -m tests.docs.pins", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 if a document is stale")
    parser.add_argument(
        "--sign", metavar="SVG", type=Path, help="install a drawing of docs/wiring.yml, with its hash"
    )
    options = parser.parse_args()
    pins = load()
    if options.sign:
        DRAWING.write_text(options.sign.read_text().rstrip() + "\n" + signature(_read(SOURCE)) + "\n")
    elif not options.check:
        SOURCE.write_text(yaml(pins))
        GUIDE.write_text(guide(_read(GUIDE), pins))
    if not (options.check or options.sign):
        return 0
    outdated = stale(pins)
    for name in outdated:
        print(f"{name} is stale: `make wiring` makes it anew", file=sys.stderr)
    return 1 if outdated else 0


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
