"""Make text from outside safe to print on a terminal."""

from __future__ import annotations

import unicodedata
from typing import Final

JOINERS: Final = "\u200c\u200d"
"""Letters without a width: words of some languages need them between letters, and they make one emoji of several."""


def plain(text: str) -> str:
    r"""Return a line in which nothing moves a cursor, changes colours or turns letters round.

    Control characters, line ends, invisible marks and lone surrogates are spelt out as JSON spells them, so that a
    line of JSON stays that line of JSON.

    >>> plain("seat \x1b[2J north")
    'seat \\u001b[2J north'
    """
    if text.isprintable():
        return text
    return "".join(letter if joins(text, at) else _spelt(letter) for at, letter in enumerate(text))


def joins(text: str, at: int) -> bool:
    """Return whether a joiner stands there as one: between two letters beyond ASCII, which has no use for it."""
    beside = text[at - 1 : at] + text[at + 1 : at + 2]
    return text[at] in JOINERS and len(beside) == 2 and all(each.isprintable() and each > "~" for each in beside)


def counted(number: int, one: str, more: str = "") -> str:
    """Return "1 game", "2 games"; ``more`` where it is not ``one`` with an s.

    >>> counted(1, "entry", "entries"), counted(0, "game")
    ('1 entry', '0 games')
    """
    return f"{number} {one if number == 1 else more or one + 's'}"


def _spelt(letter: str) -> str:
    if letter.isprintable() or unicodedata.category(letter) == "Zs":
        return letter
    units = letter.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
