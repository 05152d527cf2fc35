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


def log_text(
    row: Recorded, called: Mapping[str, str], players: Mapping[str, str], lines: Sequence[LogLine]
) -> Iterator[str]:
    """Yield what was answered in a game, what followed, and why; "x" marks what was taken back.

    ``called``: what people call each seat; ``players``: who plays.
    """
    seats = labelled(called, players)
    width = max([len(name) for name in seats.values()], default=5)
    yield f"Game {row.game}, {local(row.began, '%Y-%m-%d %H:%M') or 'date unknown'}"
    for line in lines:
        mark = "x" if line.undone else " "
        margin = f"{mark:{19 + width}}"
        if line.kind in SIGNS:
            rules = f"  ({', '.join(line.rules)})" if any(line.rules) else ""
            yield margin + SIGNS[line.kind] + whole(line.text) + rules
            yield from (f"{margin}   {why}" for why in filter(None, map(written, line.why)))
        else:
            by = seats.get(line.by, line.by) if line.by != line.seat else ""
            source = ", ".join(filter(None, (line.dice or line.source, by)))
            seat, time = seats.get(line.seat, line.seat), local(line.wall, "%H:%M:%S")
            said = line.after(called.get(line.seat, "")) + (f"  [{source}]" if source else "")
            yield f"{mark} {line.seq:>5} {time:8}  {seat:{width}}  {said}"
