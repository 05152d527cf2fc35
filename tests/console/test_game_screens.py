"""How each game looks: the first screens of its single ruling, pressed on the simulated box, against a golden sheet.

``python -m tests.console.test_game_screens`` draws the sheets anew; look at them before they are committed.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import pytest
from PIL import Image

from referee import games
from referee.console.views import Confirm, Count, Dice, Grid, Idle, Notice, Pick, Question, Refusal, Rows, Ruling, Why
from referee.rulebook import Book
from referee.station.virtual.bench import Bench

GOLDEN = Path(__file__).parent / "golden" / "games"
SCREENS = 16
ACROSS = 4
FACES = "5364152"


def sheet(book: Book) -> Image.Image:
    """Press through a game's first single ruling, and its first turn, and lay the screens side by side."""
    screens: list[Image.Image] = []
    with tempfile.TemporaryDirectory() as folder:
        for entry in ("2", "1"):
            with Bench(Path(folder) / f"{entry}.db") as bench:
                bench.key(str([b.id for b in games.books()].index(book.id) + 1), entry)
                for step in range(40):
                    glass = bench.glass.copy()
                    if all(glass.tobytes() != old.tobytes() for old in screens):
                        screens.append(glass)
                    if len(screens) >= (SCREENS // 2 if entry == "2" else SCREENS):
                        break
                    bench.key(_press(bench, step))
    rows = -(-len(screens) // ACROSS)
    image = Image.new("1", (ACROSS * 132, rows * 68), 1)
    for number, glass in enumerate(screens):
        image.paste(glass, (number % ACROSS * 132 + 2, number // ACROSS * 68 + 2))
    return image


def _press(bench: Bench, step: int) -> str:
    """Return the key a player tries next: a different open cell each time, faces in turn."""
    view = bench.view
    if isinstance(view, Grid | Rows | Question):
        open_cells = [i for i, cell in enumerate(view.cells, 1) if cell.text and not cell.barred]
        return str(open_cells[step % len(open_cells)]) if open_cells else "back"
    if isinstance(view, Dice):
        return FACES[step % len(FACES)]
    assert isinstance(view, Count | Pick | Idle | Notice | Ruling | Refusal | Why | Confirm)
    return "select"


@pytest.mark.parametrize("book", games.books(), ids=lambda book: book.id)
def test_a_game_looks_as_it_did(book: Book) -> None:
    golden = Image.open(GOLDEN / f"{book.id}.png")
    image = sheet(book)
    assert image.size == golden.size
    assert image.tobytes() == golden.convert("1").tobytes()


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for each in games.books():
        sheet(each).save(GOLDEN / f"{each.id}.png")
        sys.stdout.write(f"{GOLDEN / each.id}.png\n")
