"""Pictures of the screens for people: ``python -m tests.console.sheet OUT.png``.

Every game is played at a simulated box, and the first picture of each kind of screen and of each question is shown.
With ``--golden [FOLDER]`` the golden images of the tests are drawn anew (default ``tests/console/golden``); look at
what changed, and commit only what was meant to. ``--wide`` shows the 256x64 glass.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from PIL import Image

from referee import games
from referee.console.drawing.screens import LARGE, SMALL, draw, problems
from referee.console.views import View
from referee.station.virtual.bench import Bench
from tests.bench.hands import Hands
from tests.console.specimens import SPECIMENS

_SCALE = 2
_GAP = 8
_GREY = 90
_GESTURES = 400
"""Gestures of one game."""


def render(view: View, size: tuple[int, int] = SMALL) -> Image.Image:
    """Draw a view."""
    return draw(view, size)[0]


def played(game: str, gestures: int = _GESTURES) -> Iterator[View]:
    """Play a game with seeded hands and yield the first view of each kind of screen and of each question."""
    seen: set[tuple[type[View], str]] = set()
    with tempfile.TemporaryDirectory() as folder, Bench(Path(folder) / "journal.db") as bench:
        bench.play(game)
        hands = Hands(bench, random.Random(game), stray=0.15, think=1.0)
        for _ in range(gestures):
            prompt = bench.console.table.prompt
            name = (type(bench.view), prompt.ask if prompt else "")
            if name not in seen:
                seen.add(name)
                yield bench.view
            hands.act()
            if bench.console.table.session is None:
                bench.play(game)


def contact_sheet(views: Iterable[View], size: tuple[int, int] = SMALL, columns: int = 6) -> Image.Image:
    """Return these views side by side on grey, each pixel two wide."""
    shown = [*views]
    wide, high = size[0] * _SCALE + _GAP, size[1] * _SCALE + _GAP
    lines = -(-len(shown) // columns)
    sheet = Image.new("L", (columns * wide + _GAP, lines * high + _GAP), _GREY)
    for index, view in enumerate(shown):
        picture = render(view, size).convert("L").resize((wide - _GAP, high - _GAP), Image.Resampling.NEAREST)
        sheet.paste(picture, (_GAP + index % columns * wide, _GAP + index // columns * high))
    return sheet


def write_golden(folder: Path) -> list[Path]:
    """Draw every specimen into `folder`, remove pictures of no specimen, return what changed."""
    folder.mkdir(parents=True, exist_ok=True)
    changed: list[Path] = []
    wanted: set[Path] = set()
    for name, view in SPECIMENS.items():
        path = folder / f"{name}.png"
        wanted.add(path)
        picture = render(view)
        if not path.exists() or not same(path, picture):
            picture.save(path, optimize=True)
            changed.append(path)
    for path in sorted(set(folder.glob("*.png")) - wanted):
        path.unlink()
        changed.append(path)
    return changed


def same(path: Path, picture: Image.Image) -> bool:
    """Tell whether the image file holds exactly these pixels."""
    with Image.open(path) as stored:
        return stored.size == picture.size and stored.convert("1").tobytes() == picture.tobytes()


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return 1 when a specimen has problems."""
    parser = argparse.ArgumentParser(prog="python -m tests.console.sheet", description=__doc__)
    parser.add_argument("out", nargs="?", type=Path, help="PNG to write the contact sheet to")
    parser.add_argument("--wide", action="store_true", help="show the 256x64 glass")
    parser.add_argument(
        "--golden", nargs="?", type=Path, const=Path("tests/console/golden"), metavar="FOLDER", help="redraw these"
    )
    arguments = parser.parse_args(argv)
    if arguments.out is None and arguments.golden is None:
        parser.error("expected OUT.png or --golden")
    if arguments.out is not None:
        views = (view for book in games.books() for view in played(book.id))
        contact_sheet(views, LARGE if arguments.wide else SMALL, 3 if arguments.wide else 6).save(arguments.out)
    if arguments.golden is not None:
        for path in write_golden(arguments.golden):
            sys.stdout.write(f"changed {path}\n")
    misfits = [f"{name}: {line}" for name, view in SPECIMENS.items() for line in problems(view, LARGE)]
    sys.stderr.write("".join(f"{line}\n" for line in misfits))
    return 1 if misfits else 0


if __name__ == "__main__":
    raise SystemExit(main())
