"""The pictures of the glass in README and docs/build.md.

``glass.png`` is what the simulated controller shows while somebody plays, on virtual time, so it comes out the same
everywhere and a test compares it; ``first.png`` likewise, from the moment when the box is switched on.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from PIL import Image

from referee.console.views import Idle
from referee.station.main import greeting
from referee.station.virtual.bench import Bench

FOLDER = Path(__file__).parents[2] / "docs" / "images"
GLASS = FOLDER / "glass.png"
FIRST = FOLDER / "first.png"

SCALE = 3
COLUMNS = 2
GAP = 18
RIM = 9
DESK, BEZEL, DARK, LIT = "#5d564c", "#16181b", "#05070a", "#d9ecff"


def choose(bench: Bench, label: str) -> None:
    """Press the key under which this stands, turning pages until it is there."""
    for _ in range(6):
        match = re.search(rf"(\d) {re.escape(label)}(?: \(|\.|$)", bench.view.speech().spoken)
        if match:
            bench.key(match[1])
            return
        bench.key("6")
    raise LookupError(f"{label!r} is not in {bench.view.speech().spoken!r}")


def go_on(bench: Bench) -> None:
    """Read what is told, up to the next question."""
    while not re.search(r"\. 1 |roll|, from \d", bench.view.speech().spoken):
        bench.key("select")


def hold(bench: Bench, key: str) -> None:
    """Hold a key once the screen has been looked at."""
    bench.wait(0.4)
    bench.hold(key, 0.6)


def played(bench: Bench) -> Iterator[Image.Image]:
    """Play the beginning of a game for two; yield the pictures on the glass that are worth showing."""
    yield bench.glass
    for label in ("Battle of the Ring", "New game", "Players 3", "Start"):
        choose(bench, label)
    hold(bench, "select")  # all pieces are placed
    while not isinstance(bench.view, Idle):
        bench.key("select")
    yield bench.glass
    go_on(bench)
    choose(bench, "Moves done, all else as before")
    go_on(bench)
    choose(bench, "Orc")
    yield bench.glass
    choose(bench, "Gondor")
    choose(bench, "No helper, fortress or river")
    bench.key("5")
    yield bench.glass
    bench.key("5")
    yield bench.glass
    bench.turn(1)
    yield bench.glass
    bench.key("back", "back", "back", "back")  # opened: both dice; undone: the throw, and where the defender stands
    choose(bench, "Orc has a helper")
    choose(bench, "Not adjacent, or a mountain hexside")
    yield bench.glass
    bench.key("select")
    hold(bench, "back")
    yield bench.glass


def begun(bench: Bench) -> Iterator[Image.Image]:
    """Switch a box on and ask for a first ruling; yield the pictures on the glass."""
    yield greeting(bench.glass.size)
    yield bench.glass
    for key in ("1", "2", "1", "2", "5", "4"):
        bench.key(key)
        yield bench.glass


def glass(play: Callable[[Bench], Iterator[Image.Image]] = played) -> Image.Image:
    """Return the screens side by side, each pixel of the glass three wide, in their bezels."""
    with tempfile.TemporaryDirectory() as folder, Bench(Path(folder) / "journal.db") as bench:
        pictures = []
        for picture in play(bench):
            pictures.append(picture.copy())
            bench.wait(0.3)
        assert not bench.misfits, bench.misfits
    wide, high = pictures[0].width * SCALE, pictures[0].height * SCALE
    step_x, step_y = wide + 2 * RIM + GAP, high + 2 * RIM + GAP
    rows = -(-len(pictures) // COLUMNS)
    sheet = Image.new("RGB", (COLUMNS * step_x + GAP, rows * step_y + GAP), DESK)
    for index, picture in enumerate(pictures):
        left, top = GAP + index % COLUMNS * step_x, GAP + index // COLUMNS * step_y
        sheet.paste(BEZEL, (left, top, left + wide + 2 * RIM, top + high + 2 * RIM))
        mask = picture.convert("L").resize((wide, high), Image.Resampling.NEAREST)
        lit = Image.composite(Image.new("RGB", mask.size, LIT), Image.new("RGB", mask.size, DARK), mask)
        sheet.paste(lit, (left + RIM, top + RIM))
    return sheet.quantize(4)
