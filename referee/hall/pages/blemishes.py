"""What an organiser is told of a round that is not as it should be, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from referee.tournament.pairing.review import Blemish, BlemishKind
from referee.tournament.words import listed

SENTENCES: Final[Mapping[BlemishKind, str]] = {
    "rematch": "{} have met before",
    "same sides": "{} have met on the same sides",
    "second bye": "{} has a bye again",
    "sides": "{}: one side too often for one of them",
    "friendly fire": "{} are of the same club",
}
"""What is not as it should be at a table, with its players."""


def remark(blemish: Blemish) -> str:
    """Return what is not as it should be at a table; players by number."""
    players = listed(f"player {number}" for number in blemish.players)
    where = f"Table {blemish.table}: " if blemish.table else ""
    avoidable = "could be avoided" if blemish.avoidable else "cannot be avoided"
    return f"{where}{SENTENCES[blemish.kind].format(players)} – {avoidable}"
