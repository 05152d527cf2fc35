"""Games of each book on the simulated box, all dice of which are simulated Bluetooth dice that behave as dice do.

``python -m tests.hardware.dice.games --rolls 100 --seed 1`` plays each book until it has asked for so many rolls,
with lost connections, sleeping dice, phones, nudges and tilted dice between, and compares the journal with what
really fell, die by die. bleak is not touched: it speaks to a BlueZ on a private bus. A book without dice is played
for as many questions; what is thrown there must answer nothing.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from unittest.mock import patch

from hardware.dice import bluetooth, pixels
from referee.session import Prompt
from referee.station.dice import radio
from tests.components import MEMORY
from tests.hardware.dice import evening, mishaps
from tests.hardware.dice.bluez import BlueZ
from tests.hardware.dice.table import NAMES, SEATS, SPARE, Air, Attach, Box, DiceTable


class Game(evening.Game):
    """One game with Bluetooth dice; more often than not something happens to the first die of a roll."""

    _table: DiceTable

    def throw_early(self) -> None:
        """Throw a die where nobody asked for one."""
        self._table.throw_early()

    def throw(self, prompt: Prompt) -> None:
        """Throw what is asked for."""
        table, chance = self._table, self._table.chance
        dice = self._dice(prompt)
        if dice and chance.random() < 0.6:
            own = mishaps.GODICE if table.dice[dice[0]].kind == "godice" else mishaps.PIXELS
            dice = chance.choice((*mishaps.ANY, *own))(table, dice)
        table.early = None
        for die in dice:
            table.throw(die)
        pending = self._bench.prompt
        if pending is not None and pending.n == prompt.n:  # something is in doubt
            table.dismiss()
            self._bench.key("select")
            assert self._bench.prompt is not pending, f"not taken: {self._bench.text}"

    def _dice(self, prompt: Prompt) -> list[str]:
        """Return the dice to be thrown, once it is settled what becomes of one that fell too early."""
        table = self._table
        seat = self._bench.console.table.seat_keys.get(prompt.seat, "")
        own = [name for name in NAMES if SEATS.get(name[0]) == seat] if prompt.dice > len(SPARE) else list(SPARE)
        own = table.chance.sample(own, len(own))
        if table.early is None:
            return own[: prompt.dice]
        die, fell = table.early
        taken = table.chance.random() < 0.5
        table.note(die, fell._replace(mark="thrown before", counts=taken))
        if not taken:
            return own[: prompt.dice]
        self._bench.key("select")
        table.early = None
        return [name for name in own if name != die][: prompt.dice - 1]


def play(table: DiceTable, rolls: int) -> Counter[str]:
    """Play each book; return what was counted."""
    return evening.play(table, lambda book, wanted: Game(table, book, wanted), rolls)


@contextmanager
def opened(folder: Path, air: Air, attach: Attach, seed: int) -> Iterator[DiceTable]:
    """Open a box with its dice, until it is left."""
    with Box(folder / "journal.db") as bench, closing(DiceTable(bench, air, attach, seed)) as table:
        yield table
    assert bench.misfits == []


def run(rolls: int, seed: int) -> Counter[str]:
    """Play each book over the bus. The radio waits for nothing, and no answer of a die is late."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, closing(BlueZ(Path(folder))) as bluez:
        bus = patch.dict(os.environ, {"DBUS_SYSTEM_BUS_ADDRESS": bluez.address})
        patience = patch.object(pixels, "PATIENCE", 60.0)
        at_once = patch.object(bluetooth, "RETRY", (0.0, 0.0))
        with bus, patience, at_once, opened(Path(folder), bluez, radio.attach, seed) as table:
            return play(table, rolls)


if __name__ == "__main__":
    sys.exit(evening.command("python -m tests.hardware.dice.games", __doc__, 100, run))
