"""The games of a box, and its players: who won against whom, what their dice showed, how often they won in a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt
from typing import Any, Final, NamedTuple

from referee.files.players import beside
from referee.journal import Journal, Recorded

EVENINGS: Final = 200
"""Latest games that are listed."""
MEAN: Final = 3.5
SPREAD: Final = sqrt(35 / 12)
"""Mean and standard deviation of a fair die."""


class Evening(NamedTuple):
    """A whole game. ``players``: by seat; ``winners``: who won, by seat where nobody is named."""

    game: int
    began: float
    book: str
    players: Mapping[str, str]
    winners: Sequence[str]
    over: bool

    @property
    def end(self) -> str:
        """Who won, or how far it is."""
        return f"{' and '.join(self.winners)} won" if self.winners else "over" if self.over else "not over"


class Player(NamedTuple):
    """Somebody who is named in the games: how many have ended, how many were won, and the most in a row.

    ``dice``, ``thrown``: their six-sided dice that count, and the sum.
    """

    name: str
    games: int
    won: int
    streak: int
    dice: int
    thrown: int

    @property
    def luck(self) -> str:
        """Thrown against expected, with the spread of fair dice."""
        expected = f"{MEAN * self.dice:.0f} ± {SPREAD * sqrt(self.dice):.0f}"
        return f"{self.thrown} with {self.dice} dice, expected {expected}" if self.dice else ""

    @property
    def wins(self) -> str:
        """How many games were won."""
        row = f", {self.streak} in a row" if self.streak > 1 else ""
        return f"won {self.won} of {self.games}{row}"


def evenings(journal: Journal) -> tuple[list[Evening], list[Player]]:
    """Return the latest whole games, newest first, and everybody who is named in them. Raises JournalError."""
    names = beside(journal.path)
    rows = [row for row in journal.games() if not row.notes and row.ruling is None][-EVENINGS:]
    played = [(_evening(journal, row, names.names(row.game)), row) for row in rows]
    faces: dict[str, list[int]] = {}
    for evening, row in played:
        if evening.players and evening.over:  # what is open may hold secrets
            for seat, shown in _faces(journal, row).items():
                faces.setdefault(evening.players.get(seat, ""), []).extend(shown)
    games = [evening for evening, _ in played]
    called = sorted({name for each in games for name in each.players.values()})
    return games[::-1], [_player(name, games, faces.get(name, [])) for name in called]


def _evening(journal: Journal, row: Recorded, players: Mapping[str, str]) -> Evening:
    winners: Sequence[str] = ()
    if row.over:
        (last,) = journal.records(row.game, row.entries - 1, row.entries - 1)
        winners = last["result"]["over"]["winners"]
    won = tuple(players.get(seat) or seat.replace("-", " ").title() for seat in winners)
    return Evening(row.game, row.began, row.book, players, won, row.over)


def _faces(journal: Journal, row: Recorded) -> dict[str, list[int]]:
    """Return the faces that count, by seat; none of a game with dice of more than six sides."""
    answers: dict[int, tuple[str, list[int]]] = {}
    for record in journal.records(row.game):
        answer: Any = record["answer"]
        if record["kind"] == "void":
            for seq in answer:
                answers.pop(seq, None)
        elif record["kind"] == "answer" and isinstance(answer, list) and all(type(face) is int for face in answer):
            answers[record["seq"]] = record["seat"], answer
    faces: dict[str, list[int]] = {}
    for seat, shown in answers.values():
        faces.setdefault(seat, []).extend(shown)
    return {} if any(face > 6 for shown in faces.values() for face in shown) else faces


def _player(name: str, games: Sequence[Evening], faces: Sequence[int]) -> Player:
    ended = [name in each.winners for each in games if each.over and name in each.players.values()]
    streak = longest = 0
    for won in ended:
        streak = streak + 1 if won else 0
        longest = max(longest, streak)
    return Player(name, len(ended), sum(ended), longest, len(faces), sum(faces))
