"""The board and the page of one table, for whoever runs the event."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from referee.hall.board import FILTERS, BoxState, Square, squares
from referee.hall.boxes import SHOWN, Boxes
from referee.hall.desk import Desk
from referee.hall.due import Begun, Due, due
from referee.hall.judging.judge import Judged
from referee.hall.pages.tables import whole
from referee.hall.reports import Report
from referee.hall.seatings import published
from referee.hall.takeover import stood_before
from referee.tournament import Round
from referee.tournament.acts import RoundPublished
from referee.tournament.words import in_words


class TableViews:
    """What both pages show. ``boxes``: None where none can connect."""

    def __init__(self, desk: Desk, boxes: Boxes | None) -> None:
        self._desk = desk
        self._boxes = boxes

    async def prepare(self, fields: Mapping[str, str]) -> None:
        """Have the game at a table judged once more, with its log."""
        key = self._desk.event.boxes.get(whole(fields.get("table", "")), "")
        if self._boxes is not None and key:
            await self._boxes.read_log(key)

    def due(self, desk: Desk, round_: Round | None) -> Due:
        """Return what is due in a round now."""
        published_at = _published_at(desk)

        def begun(table: int) -> Begun:
            key, now = desk.event.boxes.get(table, ""), time.monotonic()
            if not key:
                return "paper"
            box = self._seen(key, now)
            if box.live is not None and box.live.played >= published_at:
                return "begun"
            return "not connected" if box.state == "not connected" else "not begun"

        return due(desk.event, round_, desk.now(), begun)

    def timed(self, desk: Desk, values: dict[str, Any]) -> dict[str, Any]:
        """Return what a page shows of its ``round``, with what is due in it."""
        return values | {"times": self.due(desk, values["round"]), "now": desk.now()}

    def board(self, desk: Desk, fields: Mapping[str, str]) -> dict[str, Any]:
        """Every table of the published round, or those that meet a filter."""
        event, round_, now = desk.event, published(desk.event), time.monotonic()
        every = squares(event, round_, desk.names, lambda key: self._seen(key, now), now)
        show = fields.get("show", "")
        return {
            "round": round_,
            "show": show if show in FILTERS else "",
            "filters": [("", "all", len(every)), *((name, name, self._count(every, name)) for name in FILTERS)],
            "squares": [each for each in every if show not in FILTERS or show in each.marks],
            "words": self._words,
            "times": self.due(desk, round_),
            "forks": self._forks(),
            **self._moment(),
        }

    def table(self, desk: Desk, fields: Mapping[str, str]) -> dict[str, Any]:
        """One table: its match, its game, and the log with reasons and dice."""
        number, now = whole(fields.get("table", "")), time.monotonic()
        seen = self._seen(desk.event.boxes.get(number, ""), now)
        every = squares(desk.event, published(desk.event), desk.names, lambda key: self._seen(key, now), now)
        square = next((each for each in every if each.table == number), None)
        return {
            "round": published(desk.event),
            "square": square,
            "table": number,
            "reports": self._reports(square),
            "others": self._others(desk, number, now),
            "forks": [each for each in self._forks() if each[0] == number],
            "log": seen.judged.log if seen.judged is not None else (),
            "words": self._words,
            "times": self.due(desk, published(desk.event)),
            **self._moment(),
        }

    def _reports(self, square: Square | None) -> Sequence[Report]:
        round_ = published(self._desk.event)
        if self._boxes is None or square is None or round_ is None:
            return ()
        return self._boxes.reports.of(round_, square.pairing)

    def _others(self, desk: Desk, table: int, now: float) -> list[dict[str, Any]]:
        """Return the boxes that stood at a table before in this round, with what each plays; the last one first."""
        if self._boxes is None:
            return []
        boxes = [(key, self._boxes.plays(key, now)) for key in stood_before(desk.acts, desk.event, table)]
        return [
            {"key": key, "name": key[:SHOWN], "entries": seen.live.game.entries, "game": seen.judged or Judged()}
            for key, seen in boxes
            if seen.live is not None and seen.live.game is not None and seen.live.played >= _published_at(desk)
        ]

    def _forks(self) -> list[tuple[int, str, str]]:
        """Return the boxes of whose journal nobody has chosen a branch: table, 0 for none; key, and what names it."""
        tables = {box: table for table, box in self._desk.event.boxes.items()}
        keys = self._boxes.branches.open() if self._boxes is not None else []
        return sorted((tables.get(key, 0), key, key[:SHOWN]) for key in keys)

    def _seen(self, key: str, now: float) -> BoxState:
        return self._boxes.seen(key, now) if self._boxes is not None else BoxState()

    def _moment(self) -> dict[str, int]:
        changes = self._boxes.changes if self._boxes is not None else 0
        return {"now": self._desk.now(), "newest": len(self._desk.acts) + changes}

    def _words(self, square: Any) -> str:
        result = square.pairing.result
        return in_words(result, square.pairing, self._desk.names.player) if result is not None else ""

    @staticmethod
    def _count(every: tuple[Any, ...], name: str) -> int:
        return sum(name in each.marks for each in every)


def _published_at(desk: Desk) -> int:
    """Return when a round was published last, ms since 1970 UTC."""
    acts = desk.acts
    return desk.once(
        "published at", lambda: next((act.at for act in reversed(acts) if isinstance(act, RoundPublished)), 0)
    )
