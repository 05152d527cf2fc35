"""The board and the page of one table, for whoever runs the event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.hall.board import FILTERS, Square, squares
from referee.hall.boxes import SHOWN, Boxes, Shown
from referee.hall.desk import Desk
from referee.hall.due import Begun, Due, due
from referee.hall.pages.tables import whole
from referee.hall.reports import Report, Reports
from referee.hall.wishes import published, stood_before
from referee.tournament import Round
from referee.tournament.words import in_words


class TableViews:
    """What both pages show. ``boxes``, ``reports``: None where no box can connect."""

    def __init__(self, desk: Desk, boxes: Boxes | None, reports: Reports | None) -> None:
        self._desk = desk
        self._boxes = boxes
        self._of = reports
        self._log: Mapping[str, Any] = {}

    async def prepare(self, fields: Mapping[str, str]) -> None:
        """Have the game at a table replayed, for its log."""
        seen = self._seen(self._desk.event.boxes.get(table := whole(fields.get("table", "")), ""))
        self._log = {}
        if self._of is not None and seen.game:
            self._log = await self._of.log(self._desk.event.boxes[table], seen.game)

    def due(self, desk: Desk, round_: Round | None) -> Due:
        """Return what is due in a round now."""

        def begun(table: int) -> Begun:
            box = desk.event.boxes.get(table, "")
            if not box:
                return "paper"
            if self._seen(box).game:
                return "begun"
            return "not connected" if self._seen(box).state(desk.now()) == "not connected" else "not begun"

        return due(desk.event, round_, desk.now(), begun)

    def timed(self, desk: Desk, values: dict[str, Any]) -> dict[str, Any]:
        """Return what a page shows of its ``round``, with what is due in it."""
        return values | {"times": self.due(desk, values["round"]), "now": desk.now()}

    def board(self, desk: Desk, fields: Mapping[str, str]) -> dict[str, Any]:
        """Every table of the published round, or those that meet a filter."""
        round_ = published(desk.event)
        every = self._squares(round_)
        show = fields.get("show", "")
        return {
            "round": round_,
            "show": show if show in FILTERS else "",
            "filters": [("", "all", len(every)), *((name, name, self._count(every, name)) for name in FILTERS)],
            "squares": [each for each in every if show not in FILTERS or show in each.marks],
            "words": self._words,
            "times": self.due(desk, round_),
            **self._moment(),
        }

    def table(self, desk: Desk, fields: Mapping[str, str]) -> dict[str, Any]:
        """One table: its match, its game, and the log with reasons and dice."""
        number, round_ = whole(fields.get("table", "")), published(desk.event)
        square = next((each for each in self._squares(round_) if each.table == number), None)
        return {
            "round": round_,
            "square": square,
            "table": number,
            "reports": self._reports(round_, square),
            "others": self._others(desk, number),
            "log": self._log.get("log", ()),
            "why": self._log.get("fault", ""),
            "words": self._words,
            "times": self.due(desk, round_),
            **self._moment(),
        }

    def _squares(self, round_: Round | None) -> tuple[Square, ...]:
        return squares(self._desk.event, round_, self._desk.names, self._seen, self._desk.now())

    def _reports(self, round_: Round | None, square: Square | None) -> Sequence[Report]:
        return self._of.of(round_, square.pairing) if self._of and square and round_ else ()

    def _others(self, desk: Desk, table: int) -> list[dict[str, Any]]:
        """Return the boxes that stood at a table before, and have a game on the board; the last one first."""
        boxes = (
            [(box, self._boxes.shown(box)) for box in stood_before(desk.acts, desk.event, table)]
            if self._boxes
            else []
        )
        return [{"key": box, "name": box[:SHOWN], "game": shown.board} for box, shown in boxes if shown.game]

    def _seen(self, box: str) -> Shown:
        return self._boxes.seen(box) if self._boxes is not None else Shown()

    def _moment(self) -> dict[str, int]:
        changes = self._boxes.changes if self._boxes is not None else 0
        return {"now": self._desk.now(), "newest": len(self._desk.acts) + changes}

    def _words(self, square: Any) -> str:
        result = square.pairing.result
        return in_words(result, square.pairing, self._desk.names.player) if result is not None else ""

    @staticmethod
    def _count(every: tuple[Any, ...], name: str) -> int:
        return sum(name in each.marks for each in every)
