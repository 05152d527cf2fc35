"""Text from outside, as it may be shown on a terminal."""

from __future__ import annotations

import unicodedata


def plain(text: str) -> str:
    r"""Return a line in which nothing moves a cursor, changes colours or turns letters round.

    Control characters, line ends, invisible marks and lone surrogates are spelt out as JSON spells them, so that a
    line of JSON stays that line of JSON.

    >>> plain("seat \x1b[2J north")
    'seat \\u001b[2J north'
    """
    return text if text.isprintable() else "".join(map(_spelt, text))


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
