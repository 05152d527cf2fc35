"""The golden images of the screens: ``python -m tests.console.sheet [FOLDER]`` draws them anew.

Look at what changed, and commit only what was meant to.
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from referee.console.drawing.screens import SMALL, draw
from referee.console.views import View
from tests.console.specimens import SPECIMENS

GOLDEN = Path(__file__).parent / "golden"


def render(view: View, size: tuple[int, int] = SMALL) -> Image.Image:
    """Draw a view."""
    return draw(view, size)[0]


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


if __name__ == "__main__":
    for changed in write_golden(Path(sys.argv[1]) if len(sys.argv) > 1 else GOLDEN):
        sys.stdout.write(f"changed {changed}\n")
