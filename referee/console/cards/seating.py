"""The table in an event: its number, the round, and who sits there."""

from __future__ import annotations

from referee.console.cards.base import Text
from referee.console.host import Host
from referee.console.seating import Seating


class SeatingCard(Text):
    """Shown before a game begins; Select or Back leads to the shelf."""

    select = "To the shelf"

    def __init__(self, host: Host, seating: Seating) -> None:
        lines = [f"{each.side}: {each.name}" if each.side else each.name for each in seating.players]
        round_ = f", round {seating.round}" if seating.round else ""
        super().__init__(host, f"Table {seating.table}{round_}", tuple(lines) or ("No match here yet",))
