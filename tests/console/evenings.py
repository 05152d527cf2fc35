"""What players see, hear and press in a stretch of each game at the box, as text that people can read.

``python -m tests.console.evenings`` writes the files again that stand beside this one, in ``kept``. Read the
difference: each changed line is a screen, a sentence, a lamp or a sound that players will meet changed.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from referee.station.virtual.bench import Bench
from tests.bench.hands import Hands
from tests.kept import keep

FOLDER = Path(__file__).parent / "kept"
GESTURES = 110
STRAY = 0.25
"""Share of gestures that are slips: they lead to the menu, the judge's pages and the log."""


def evening(game: str) -> str:
    """Return a line for each screen, sentence and signal that was not there before."""
    lines: list[str] = []
    seen: set[str] = set()
    for number, (bench, hands) in enumerate(moments(game)):
        before = len(bench.sounds)
        hands.act()
        lamps = [f"{seat} {state}" for seat, state in bench.lamps.items() if state != "off"]
        signals = ", ".join((*bench.sounds[before:], *lamps))
        told = f"  {bench.text}", f"  aloud: {bench.view.speech().aloud}", f"  signals: {signals}"
        fresh = [line for line in told if line not in seen]
        seen.update(fresh)
        lines += [f"-- {number}: {hands.presses} presses", *fresh] if fresh else []
    return "\n".join(lines) + "\n"


def moments(game: str, gestures: int = GESTURES) -> Iterator[tuple[Bench, Hands]]:
    """Yield the box and the hands for each gesture, which the caller makes."""
    with tempfile.TemporaryDirectory() as folder, Bench(Path(folder) / "journal.db") as bench:
        hands = Hands(bench, random.Random(f"{game}, an evening"), stray=STRAY, think=1.0)
        for _ in range(gestures):
            if bench.console.table.session is None:
                bench.play(game)
            yield bench, hands


if __name__ == "__main__":
    keep(FOLDER, evening)
