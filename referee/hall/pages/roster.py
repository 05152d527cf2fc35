"""A pasted list of players: one a line, or ``name, rating``. All of it is read, or it is told line by line."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from referee.errors import Malformed
from referee.files import outside

MAX_LINES: Final = 1000
MAX_NAME: Final = 60
MAX_RATING: Final = 9999
TOLD: Final = 20
"""Lines of which it is said what is wrong; then how many more."""
HEADS: Final = ("name", "player", "players")
"""What the first cell of a line with the names of the columns says."""
SIGNS: Final = {"\t": "a tab", ";": "a semicolon", ",": "a comma"}
"""What parts the cells of a line. The first line that has one says which it is in the whole list."""

_NUMBER: Final = re.compile("[0-9]+")
_NUMBERED: Final = re.compile(r"^[0-9]{1,4}[.)] +(?=\S)")
"""What a list that was numbered has before each name."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A player as somebody wrote him down. ``rating``: 0 for none."""

    name: str
    rating: int = 0


def folded(name: str) -> str:
    """Return a name as it is compared with others."""
    return unicodedata.normalize("NFKC", name).casefold()


def plain_letters(name: str) -> str:
    """Return a name as somebody on a phone types it.

    >>> plain_letters("Éowyn Zölä")
    'eowyn zola'
    """
    letters = unicodedata.normalize("NFKD", name)
    return "".join(each for each in letters if not unicodedata.combining(each)).casefold()


def filed(name: str) -> tuple[str, str]:
    """Return by what a name is put in order, as people look it up: É beside E, a as A, 2 before 10.

    >>> sorted(["Fox", "Éowyn", "anna", "Ek", "Player 10", "Player 2"], key=filed)
    ['anna', 'Ek', 'Éowyn', 'Fox', 'Player 2', 'Player 10']
    """
    return _NUMBER.sub(lambda number: number[0].zfill(MAX_NAME), plain_letters(name)), name


def read_roster(text: str, known: Iterable[str] = ()) -> list[Entered]:
    """Return the players of a list, as it was pasted or decoded. ``known``: names that are taken.

    Raises Malformed naming each line that is not as expected, and nobody is entered.
    """
    lines = outside.cleaned(text).split("\n")
    if len(lines) > MAX_LINES:
        raise Malformed(f"list: expected at most {MAX_LINES} lines, got {len(lines)}")
    sign = next((sign for line in lines for sign in SIGNS if sign in line), ",")
    taken = dict.fromkeys(map(folded, known), 0)
    players: list[Entered] = []
    wrong: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip(f' "{sign}') or (not players and not wrong and _is_head(line, sign)):
            continue
        try:
            player = read_player(line, sign)
            first = taken.setdefault(folded(player.name), number)
            if first != number:
                where = f"on line {first}" if first else "in the event"
                raise Malformed(f"{player.name} is {where} already; expected another name, or a nickname with it")
            players.append(player)
        except Malformed as fault:
            wrong.append(f"line {number}: {fault.text}")
    if wrong:
        more = [f"and {len(wrong) - TOLD} lines more"] if len(wrong) > TOLD else []
        raise Malformed("list: " + "\n".join([*wrong[:TOLD], *more]))
    if not players:
        raise Malformed("list: type a name on each line")
    return players


def read_player(line: str, sign: str) -> Entered:
    """Return the player of one line, its cells parted by ``sign``. Raises Malformed."""
    row = _NUMBERED.sub("", line.rstrip().lstrip(" "))  # a tab in front stays: there the cell of the name is empty
    try:
        cells = next(csv.reader([row], delimiter=sign, skipinitialspace=True, strict=True))
    except (csv.Error, StopIteration) as fault:
        raise Malformed("expected name, rating; quotation marks in pairs") from fault
    if len(cells) == 1 and row[:1] != '"' and any(other in row for other in SIGNS):
        raise Malformed(f"expected {SIGNS[sign]} between name and rating, as on the lines above")
    while len(cells) > 2 and not cells[-1].strip():  # a spreadsheet ends each line with those of its widest one
        cells.pop()
    if len(cells) > 2:
        raise Malformed("expected name, rating; a name with a comma stands in quotation marks")
    name, rating = (*cells, "")[:2]
    return Entered(name_of(name), rating_of(rating))


def name_of(text: str) -> str:
    """Return a player's name. Raises Malformed if nobody could read it."""
    try:
        name = outside.name(text, MAX_NAME)
    except Malformed as fault:
        raise Malformed(f"name: {fault.text}") from fault
    if not name:
        raise Malformed("name: type a name")
    return name


def rating_of(text: str) -> int:
    """Return a rating, 0 for none; spaces may part its thousands. Raises Malformed."""
    digits = "".join(text.split())
    if not digits:
        return 0
    if not (digits.isascii() and digits.isdigit() and int(digits[:9]) <= MAX_RATING):
        raise Malformed(f"rating: expected a whole number up to {MAX_RATING}, got {text.strip()[:20]!r}")
    return int(digits)


def _is_head(line: str, sign: str) -> bool:
    return line.partition(sign)[0].strip(' "').casefold() in HEADS or line.strip() == f"sep={sign}"
