"""Games of each book on the simulated box, all dice of which lie in a tray that a process of its own watches.

``python -m tests.tray.games --rolls 50 --seed 1`` plays each book until it has asked for so many rolls. Throws are
rendered, and read by the tray's process; what it proposes is taken with Select. Between them dice lean and are thrown
again or keyed in, one too many is thrown, dice fall early, and the process is killed while they roll. The journal is
compared with what fell, answer by answer.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from hardware.dice.tray import TrayDice
from hardware.events import Doubt, Thrown
from hardware.line.presence import Connected, Disconnected
from referee.session import Prompt
from referee.testing.station import Bench
from referee.tray import saved
from tests.components import MEMORY
from tests.hardware.dice import evening
from tests.hardware.dice.table import Fell, Table
from tests.tray import scenes
from tests.tray.cable import Camera
from tests.tray.render import Array
from tests.tray.trays import measured

SEED: Final = 4_000_000
"""Of the tray; the throws are of the seed that is asked for."""

MOVING, STILL = 2, 20
"""Frames of dice that roll, and of what lies still: more than a reading takes that does not become certain."""


class TrayTable(Table):
    """A table with a tray; ``early``: what lies there that nobody asked for, as it is told at the next roll."""

    def __init__(self, bench: Bench, folder: Path, seed: int) -> None:
        super().__init__(bench, "tray", seed)
        self._setting = scenes.setup(SEED)
        self._rng = np.random.default_rng([SEED, seed])
        self.early: list[Fell] = []
        self._empty = self._prepare(folder)
        self.camera = Camera(folder / "camera")
        words = ["env", "OPENBLAS_NUM_THREADS=1", sys.executable, "-m", "tests.tray.cable"]
        words += [str(folder / name) for name in ("camera", "calibration.json", "empty.png")]

        self.dice = bench.loop.attach(
            "Tray", lambda report: TrayDice(words, report, retry=0, clock=bench.clock), source="tray"
        )
        self.plug()

    def _prepare(self, folder: Path) -> Array:
        view, cube, empty = measured(self._setting, SEED)
        saved.Calibration(view, cube, (empty.shape[1], empty.shape[0])).save(folder / "calibration.json")
        cv2.imwrite(str(folder / "empty.png"), empty)
        return empty

    def close(self) -> None:
        """End the tray's process."""
        self.dice.close()
        self.camera.close()

    def plug(self) -> None:
        """Let the process begin to watch, with whatever lies in the tray."""
        self.camera.plug()
        self.camera.show(self._empty, STILL)
        self.hear(("Tray",), Connected)

    def pull(self) -> None:
        """Kill the process while dice roll; the glass says so, and it comes back."""
        self.counts["process killed"] += 1
        self.counts["throws"] += 1
        self.camera.show(self._picture(2)[1], MOVING)
        self.camera.kill()
        self.hear(("Tray",), Disconnected)
        self.plug()
        self.dismiss()

    def cast(self, dice: int, trick: str = "") -> list[Fell]:
        """Throw, and hear of it; return what every die is proposed as, in the order in which it is told.

        What is told for certain and is not what fell is wrong.
        """
        sounds = len(self.bench.sounds)
        thrown, picture = self._picture(dice, trick)
        self.bench.wait(3)  # so long did they roll and lie
        self.camera.show(self._empty, STILL)
        self.camera.show(picture, STILL)
        event = self.hear(("Tray",), Thrown, Doubt).event
        assert isinstance(event, Doubt), "what is told proposes"
        self.counts["throws"] += 1
        self.counts["silent"] += len(self.bench.sounds) == sounds
        self.counts["in doubt"] += event.why != "unsure"
        told, fell = Counter(die.face for die in event.dice), Counter(face for face, _, _ in thrown.faces)
        self.counts["wrong"] += event.why == "unsure" and (bool(trick) or told != fell)
        return [Fell(die.face, die.certainty, event.why) for die in event.dice]

    def _picture(self, dice: int, trick: str = "") -> tuple[scenes.Throw, Array]:
        thrown = scenes.throw(self._setting, self._rng, dice, trick)
        return thrown, scenes.picture(self._setting, thrown, self._rng)

    def record(self, dice: list[Fell], *, counts: bool) -> None:
        """Remember what is to stand in the journal of these dice; what does not count may have been refused."""
        for fell in dice:
            self.note("", fell._replace(counts=counts))
        if not counts:
            self.dismiss()

    def begin(self) -> int:
        """Nothing has fallen in the game that has begun; return its number."""
        self.early = []
        return super().begin()


def is_whole(fell: list[Fell], dice: int) -> bool:
    """Whether that many dice were read."""
    return len(fell) == dice and all(die.mark == "unsure" for die in fell)


def throw_all(table: TrayTable, dice: int) -> None:
    """Throw until every die is proposed with a face, and take that."""
    while not is_whole(fell := table.cast(dice), dice):
        table.record(fell, counts=False)
    table.record(fell, counts=True)
    table.bench.key("select")


def leaning(table: TrayTable, dice: int) -> None:
    """A die leans: all are thrown again."""
    table.counts["leaning"] += 1
    table.record(table.cast(dice, "cocked"), counts=False)
    throw_all(table, dice)


def keyed(table: TrayTable, dice: int) -> None:
    """A die leans: what was thrown is keyed in."""
    table.counts["leaning, keyed"] += 1
    table.record(table.cast(dice, "cocked"), counts=False)
    for _ in range(dice):
        table.key(3)


def corrected(table: TrayTable, dice: int) -> None:
    """Somebody knows better of the first die that is proposed, and lets the others count."""
    fell = table.cast(dice)
    if not is_whole(fell, dice):
        table.record(fell, counts=False)
        throw_all(table, dice)
        return
    table.counts["first die keyed"] += 1
    table.record(fell[:1], counts=False)
    table.key(6)
    table.record(fell[1:], counts=True)
    if dice > 1:
        table.bench.key("select")


def one_too_many(table: TrayTable, dice: int) -> None:
    """There is a die too many in the tray: none counts."""
    table.counts["one too many"] += 1
    table.record(table.cast(dice + 1), counts=False)
    throw_all(table, dice)


def killed(table: TrayTable, dice: int) -> None:
    """The process is killed while the dice roll; they are thrown again."""
    table.pull()
    throw_all(table, dice)


MISHAPS: Final[tuple[Callable[[TrayTable, int], None], ...]] = (leaning, keyed, corrected, one_too_many, killed)


class Game(evening.Game):
    """One game with a tray; more often than not something happens to a throw."""

    _table: TrayTable

    def throw_early(self) -> None:
        """Throw a die where nobody asked for one; it answers nothing."""
        table = self._table
        if table.early:
            return
        n = self._bench.console.table.current.n
        table.early = table.cast(1)
        table.counts["thrown early"] += 1
        table.counts["answered"] += self._bench.console.table.current.n != n

    def throw(self, prompt: Prompt) -> None:
        """Throw what is asked for."""
        table, dice = self._table, prompt.dice
        table.record(table.early, counts=False)
        for _ in table.early:
            self._bench.key("back")
        table.early = []
        table.chance.choice((*MISHAPS, throw_all, throw_all))(table, dice)
        assert self._bench.prompt is None or self._bench.prompt.n != prompt.n, f"not taken: {self._bench.text}"


def run(rolls: int, seed: int) -> Counter[str]:
    """Play each book."""
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, Bench(Path(folder) / "journal.db") as bench:
        with closing(TrayTable(bench, Path(folder), seed)) as table:
            counts = evening.play(table, lambda book, wanted: Game(table, book, wanted), rolls)
        assert bench.misfits == []
        return counts


if __name__ == "__main__":
    sys.exit(evening.command("python -m tests.tray.games", __doc__, 50, run))
