"""Games of each book on the simulated box, all dice of which are simulated Bluetooth dice that behave as dice do.

``python -m tests.hardware.dice.games --rolls 100 --seed 1`` plays each book until it has asked for so many rolls,
with lost connections, sleeping dice, phones, nudges and tilted dice between, and compares the journal with what
really fell, die by die. bleak is not touched: it speaks to a BlueZ on a private bus. A book without dice is played
for as many questions; what is thrown there must answer nothing.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from hardware.dice import bluetooth, pixels
from referee import games
from referee.console.cards.asks import AskCard
from referee.journal.proof import verify
from referee.session import Prompt
from referee.station.dice import radio
from referee.testing.fits import some_answer
from tests.components import MEMORY
from tests.hardware.dice import mishaps
from tests.hardware.dice.bluez import BlueZ
from tests.hardware.dice.table import FAULTS, NAMES, SEATS, SPARE, Air, Attach, Box, DiceTable

DICELESS: Final = ("riddle-of-the-ring",)

ENDS: Final = ("over", "game-over")
"""Options that end a game."""

LIKED: Final = {
    "move.menu": ("done",),
    "attack.attacker": ("orc", "nazgul", "man-orc", "saruman"),
    "menu": ("check",),
    "cards.attacker": ("none",),
    "cards.defender": ("none",),
}
"""Options that lead to dice, by question: at random they are seldom chosen."""


class Game:
    """One game at a table, played at random to its end, or until it has asked for enough."""

    def __init__(self, table: DiceTable, book: str, wanted: int) -> None:
        """``wanted``: so many rolls are asked for, or so many questions in a game without dice."""
        self._table = table
        self._bench = table.bench
        self._book = book
        self._wanted = wanted
        self._bench.play(book)

    def play(self) -> int:
        """Play, and compare the journal; return how much is still wanted."""
        table = self._table
        number = table.begin()
        table.counts["games"] += 1
        while (prompt := self._question()) is not None and self._wanted > 0:
            table.counts["questions"] += 1
            (self._roll if prompt.kind == "roll" else self._answer)(prompt)
            self._wanted -= (prompt.kind == "roll") != (self._book in DICELESS)
        table.judge(number)
        return self._wanted

    def _question(self) -> Prompt | None:
        """Read on to the next question, and return it; None at the end of the game."""
        bench, console = self._bench, self._bench.console
        while True:
            bench.wait(1)
            if console.pile:
                bench.key("1")
            elif isinstance(console.top, AskCard):
                return console.table.prompt
            elif console.table.prompt is None and not console.table.pending:
                return None
            else:
                bench.key("select")

    def _answer(self, prompt: Prompt) -> None:
        if self._table.chance.random() < 0.1:
            self._table.throw_early()
        self._bench.console.table.answer(prompt, self._choice(prompt))
        self._bench.loop.step(None, self._bench.clock.now)

    def _choice(self, prompt: Prompt) -> Any:
        chance = self._table.chance
        if prompt.kind != "choose":
            return some_answer(prompt, chance)[1]
        ids = [option.id for option in prompt.options if option.id not in ENDS]
        liked = [each for each in ids if each in LIKED.get(prompt.ask, ())]
        return chance.choice(liked if liked and chance.random() < 0.8 else ids or ["back"])

    def _roll(self, prompt: Prompt) -> None:
        """Throw what is asked for; more often than not something happens to the first die."""
        table, chance = self._table, self._table.chance
        table.counts["rolls"] += 1
        table.ask()
        dice = self._dice(prompt)
        if dice and chance.random() < 0.6:
            made = mishaps.GODICE if table.dice[dice[0]].kind == "godice" else mishaps.PIXELS
            dice = chance.choice((*mishaps.ANY, *made))(table, dice)
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
    """Play each book; return what was counted. Raises JournalError where a journal is not whole."""
    for book in games.books():
        wanted = rolls
        while wanted > 0:
            wanted = Game(table, book.id, wanted).play()
    for proof in verify(table.bench.journal):
        table.counts["entries"] += proof.game.entries
    return table.counts


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


def main() -> int:
    """Print the figures; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.hardware.dice.games", description=__doc__)
    parser.add_argument("--rolls", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)  # what is lost on purpose
    counts = run(options.rolls, options.seed)
    print(", ".join(f"{name} {count}" for name, count in counts.items()))
    return int(any(counts[name] for name in FAULTS))


if __name__ == "__main__":
    sys.exit(main())
