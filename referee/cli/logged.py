"""The log of a game as people read it, a line a part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from referee.cli.text import local
from referee.journal import Recorded
from referee.rulebook import whole, written
from referee.session import LogLine
from referee.session.board import labelled

SIGNS: Final = {"ruling": "=> ", "reminder": "! ", "over": "## "}
NARROW: Final = 8
"""Columns that what belongs to a ruling is moved in."""


class LogText:
    """The log of one game as lines of text."""

    def __init__(self, row: Recorded, called: Mapping[str, str], players: Mapping[str, str]) -> None:
        """``called``: what people call each seat; ``players``: who plays."""
        self._row = row
        self._called = called
        self._seats = labelled(called, players)
        self._width = max([len(name) for name in self._seats.values()], default=5)

    def log(self, lines: Sequence[LogLine]) -> Iterator[str]:
        """Yield what was answered, what followed, and why; "x" marks what was taken back."""
        yield self._title()
        margin = " " * len(self._head(LogLine(0, "", "", "")))
        for line in lines:
            mark = _mark(line)
            if line.kind in SIGNS:
                yield mark + margin[1:] + SIGNS[line.kind] + whole(line.text) + _rules(line)
                yield from (f"{mark}{margin[1:]}   {why}" for why in filter(None, map(written, line.why)))
            else:
                yield self._head(line) + line.after(self._called.get(line.seat, "")) + self._source(line)

    def rulings(self, lines: Sequence[LogLine]) -> Iterator[str]:
        """Yield rulings alone: when and for whom, at which place of the game, and why."""
        yield self._title()
        place: tuple[str, ...] = ()
        for line in lines:
            if line.place != place:
                place = line.place
                yield from ("", ", ".join(map(whole, place)))
            yield self._head(line) + SIGNS["ruling"] + whole(line.text) + _rules(line)
            yield from (f"{_mark(line):{NARROW}}{why}" for why in filter(None, map(written, line.why)))
        if not lines:
            yield "There is no ruling"

    def _title(self) -> str:
        return f"Game {self._row.game}, {local(self._row.began, '%Y-%m-%d %H:%M') or 'date unknown'}"

    def _head(self, line: LogLine) -> str:
        seat, time = self._seats.get(line.seat, line.seat), local(line.wall, "%H:%M:%S")
        return f"{_mark(line)} {line.seq:>5} {time:8}  {seat:{self._width}}  "

    def _source(self, line: LogLine) -> str:
        by = self._seats.get(line.by, line.by) if line.by != line.seat else ""
        source = ", ".join(filter(None, (line.dice or line.source, by)))
        return f"  [{source}]" if source else ""


def _mark(line: LogLine) -> str:
    return "x" if line.undone else " "


def _rules(line: LogLine) -> str:
    return f"  ({', '.join(line.rules)})" if any(line.rules) else ""
