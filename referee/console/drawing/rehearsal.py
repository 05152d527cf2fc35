"""Draws in advance while idle, to load fonts, letters and library code that a first drawing would wait for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from referee.console.drawing.screens import draw
from referee.console.drawing.type import BARRED_CELLS, HEADLINES
from referee.console.views import (
    Band,
    Cell,
    Clock,
    Clocks,
    Code,
    Confirm,
    Count,
    Dice,
    Grid,
    Idle,
    Log,
    Notice,
    Odds,
    Pick,
    Question,
    Refusal,
    Rows,
    Ruling,
    View,
    Why,
)

_LETTERS: Final = 19
"""Letters per step: a fifth of a keyboard."""

_WORDS: Final = "Éowyn of Rohan → Barad-dûr"
_BAND: Final = Band("Sauron", "who?")
_CELLS: Final = (Cell("Orc"), Cell(_WORDS, "Rohan"), Cell("Elf", barred=True), Cell("Ent", chosen=True))

SCREENS: Final[tuple[View, ...]] = (
    Grid(_BAND, (*_CELLS, Cell("more", extra=True)), lit=0, pages=2),
    Rows(_BAND, _CELLS[:3], lit=1),
    Question(_BAND, _WORDS, _CELLS[:2], lit=0),
    Pick(_BAND, _CELLS, lit=0, count="1 of 2"),
    Dice(_BAND, (1, None), "9+", "kills", "fort", "2-3 lose"),
    Count(_BAND, 3, 0, 9, "Select: this", "turn"),
    Ruling(
        "Gondor out", changed=True, faces=(5, 4), total="9", need="9+ kills", foot_left="Gondor", foot_right="why"
    ),
    Why(0, 2, "R-1", (_WORDS, _WORDS)),
    Log(0, 2, (_WORDS, _WORDS)),
    Refusal("Not now", _WORDS, "R-X1", "any key"),
    Idle("Sauron", "Attack", "Round 4", "Orc 25"),
    Notice("R-1", _WORDS, "Select", 0, 2),
    Odds(_BAND, (("Kills", 0.25, "25 %"),)),
    Confirm("Undo?", _WORDS, 0.5),
    Code("Join", "10.0.0.1:8080", (b"\1\0", b"\0\1")),
    Clocks(_BAND, (Clock("Sauron", "1:00:00", runs=True), Clock(_WORDS[:5], "59:59"))),
)
"""One screen of each kind."""


def rehearse(size: tuple[int, int]) -> Iterator[None]:
    """Draw one screen of each kind for a glass of this size, then set the usual letters; pause after each step."""
    for view in SCREENS:
        draw(view, size)
        yield
    for strike in (*HEADLINES, *BARRED_CELLS):
        for first in range(ord(" "), ord("~") + 1, _LETTERS):
            for code in range(first, first + _LETTERS):
                strike.width(chr(code))
            yield
