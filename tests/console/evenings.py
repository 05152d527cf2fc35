"""What players see, hear and press in one evening of each game at the box, as text that people can read.

``python -m tests.console.evenings`` writes the files anew that stand beside this one, in ``kept``. Read the
difference: each changed line is a screen, a sentence, a lamp or a sound that players will meet changed. Of a picture
only a checksum is kept: where it alone has changed, the same screen looks different, and
``python -m tests.console.sheet`` draws it.
"""

from __future__ import annotations

import random
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from referee.console.aloud import aloud
from referee.console.drawing.screens import SIZES, draw
from referee.console.views import View
from referee.testing.station import Bench
from tests.bench.hands import Hands
from tests.kept import keep

FOLDER = Path(__file__).parent / "kept"
GESTURES = 300
STRAY = 0.25
"""Share of gestures that are slips: they lead to the menu, the judge's pages and the log."""


def evening(game: str) -> str:
    """Return one evening. What stood there before, word for word, is not repeated."""
    lines: list[str] = []
    seen: set[str] = set()
    for number, (bench, hands) in enumerate(moments(game)):
        before = len(bench.sounds), len(bench.views)
        hands.act()
        lines.append(f"-- {number}: {hands.presses} presses, {' '.join(bench.sounds[before[0] :])}")
        for line in _screens(bench, before[1]):
            if line not in seen:
                seen.add(line)
                lines.append(line)
    return "\n".join(lines) + "\n"


def moments(game: str) -> Iterator[tuple[Bench, Hands]]:
    """Yield the box and the hands for each gesture of one evening, which whoever is given them makes."""
    with tempfile.TemporaryDirectory() as folder, Bench(Path(folder) / "journal.db") as bench:
        hands = Hands(bench, random.Random(f"{game}, an evening"), stray=STRAY, think=1.0)
        for _ in range(GESTURES):
            if bench.console.table.session is None:
                bench.play(game)
            yield bench, hands


def _screens(bench: Bench, first: int) -> Iterator[str]:
    for view in bench.views[first:]:
        kind = type(view).__name__
        for field in fields(view):
            value = getattr(view, field.name)
            if value != (field.default if field.default is not MISSING else None):
                yield from (f"{kind}, {field.name}: {part}" for part in _parts(value))
        yield f"picture: {_checksum(view):08x}"
    yield f"aloud: {aloud(bench.view)}"
    yield f"read out: {bench.text}"
    yield f"lamps: {', '.join(f'{seat} {state}' for seat, state in bench.lamps.items() if state != 'off')}"


def _checksum(view: View) -> int:
    """Return a number that changes with any pixel on either glass, or with what answers the press."""
    crc = 0
    for size in SIZES:
        image, answers = draw(view, size)
        crc = zlib.crc32(repr(answers).encode(), zlib.crc32(image.tobytes(), crc))
    return crc


def _parts(value: Any) -> tuple[Any, ...]:
    return value if type(value) is tuple else (value,)


if __name__ == "__main__":
    keep(FOLDER, evening)
