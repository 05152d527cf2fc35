"""A game on the simulated box, played at random to its end or until it has asked for enough rolls."""

from __future__ import annotations

import argparse
import logging
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from referee import games
from referee.console.cards.asks import AskCard
from referee.journal.proof import verify
from referee.session import Prompt
from referee.testing.fits import some_answer
from tests.hardware.dice.table import FAULTS, Table

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


class Game(ABC):
    """One game at a table."""

    def __init__(self, table: Table, book: str, wanted: int) -> None:
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

    @abstractmethod
    def throw(self, prompt: Prompt) -> None:
        """Throw what is asked for, until it is answered."""

    @abstractmethod
    def throw_early(self) -> None:
        """Throw where nobody asked for dice."""

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

    def _roll(self, prompt: Prompt) -> None:
        self._table.counts["rolls"] += 1
        self._table.ask()
        self.throw(prompt)

    def _answer(self, prompt: Prompt) -> None:
        if self._table.chance.random() < 0.1:
            self.throw_early()
        self._bench.console.table.answer(prompt.given(self._choice(prompt)))
        self._bench.loop.step(None, self._bench.clock.now)

    def _choice(self, prompt: Prompt) -> Any:
        chance = self._table.chance
        if prompt.kind != "choose":
            return some_answer(prompt, chance)[1]
        ids = [option.id for option in prompt.options if option.id not in ENDS]
        liked = [each for each in ids if each in LIKED.get(prompt.ask, ())]
        return chance.choice(liked if liked and chance.random() < 0.8 else ids or ["back"])


def play(table: Table, begin: Callable[[str, int], Game], rolls: int) -> Counter[str]:
    """Play each book; return what was counted. Raises JournalError where a journal is not whole.

    ``begin`` begins a game of a book that is to ask for so many rolls.
    """
    for book in games.books():
        wanted = rolls
        while wanted > 0:
            wanted = begin(book.id, wanted).play()
    for proof in verify(table.bench.journal):
        table.counts["entries"] += proof.game.entries
    return table.counts


def command(prog: str, text: str | None, rolls: int, run: Callable[[int, int], Counter[str]]) -> int:
    """Play as the command line says, and print the figures; return 1 if anything was wrong."""
    parser = argparse.ArgumentParser(prog=prog, description=text)
    parser.add_argument("--rolls", type=int, default=rolls)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)  # what is lost on purpose
    counts = run(options.rolls, options.seed)
    print(", ".join(f"{name} {count}" for name, count in counts.items()))
    return int(any(counts[name] for name in FAULTS))
