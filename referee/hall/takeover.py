"""A spare box takes a table over: which game it goes on with, and which box it replaced.

Placing a box at a table that has one already is the judge's act (`BoxPlaced`). Everything here follows from the acts
and from what has arrived.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from referee.hall.branches import Branches
from referee.hall.desk import Desk
from referee.hall.follower import Live
from referee.hall.uplink.messages import MOST_BYTES, MOST_ENTRIES, Takeover
from referee.journal.chain import canonical, ends
from referee.journal.sequence import Place
from referee.tournament import Event
from referee.tournament.acts import Act, BoxPlaced


class Replacement(NamedTuple):
    """``number``: of the act in the record, from 1; ``old``: key of the box that stood at the table before.

    ``own_game``: the box goes on with its own game.
    """

    number: int
    table: int
    old: str
    own_game: bool = False


def replaced(acts: Iterable[Act]) -> dict[str, Replacement]:
    """Return whom each box that stands somewhere as a spare now has replaced; by its key."""
    boxes: dict[int, str] = {}
    before: dict[str, Replacement] = {}
    for number, act in enumerate(acts, 1):
        if isinstance(act, BoxPlaced) and boxes.get(act.table) != act.box:
            old = boxes.get(act.table, "")
            boxes = {table: box for table, box in boxes.items() if table != act.table and box != act.box}
            before = {box: before[box] for box in boxes.values() if box in before}
            if act.box:
                boxes[act.table] = act.box
                if old:
                    before[act.box] = Replacement(number, act.table, old, act.own_game)
    return before


def stood_before(acts: Iterable[Act], event: Event, table: int) -> tuple[str, ...]:
    """Return the keys of the boxes that were replaced at a table and stand nowhere now, the last one first."""
    placed = [act.box for act in acts if isinstance(act, BoxPlaced) and act.table == table]
    return tuple(dict.fromkeys(box for box in reversed(placed) if box in event.spent))


@dataclass(frozen=True, slots=True)
class Takeovers:
    """It is a `referee.hall.uplink.hall.Spares`. ``live``: what each box plays, by its key."""

    desk: Desk
    branches: Branches
    live: Mapping[str, Live]
    _done: set[tuple[str, Replacement]] = field(default_factory=set)

    def of(self, spare: str) -> list[Takeover]:
        """Return the messages by which a spare goes on with the game of the box it replaced; none if it has."""
        replacement = self._replaced().get(spare)
        live = self.live.get(replacement.old) if replacement is not None else None
        if (
            replacement is None
            or replacement.own_game
            or live is None
            or live.game is None
            or self._took(spare, replacement)
        ):
            return []
        records = live.game.records(0)
        if not records or ends(records[-1]):
            return []
        number, _, old, _ = replacement
        last = Place(live.game.number, records[-1]["seq"], records[-1]["hash"])
        clocks = self._clocks(old, live.game.number, records)
        return [Takeover(number, old, last, tuple(part), clocks) for part in _parts(records)]

    def table_of(self, old: str) -> int:
        """Return the table at which a spare took over from a box, 0 for none."""
        if old not in self.desk.event.spent:
            return 0
        return next((each.table for each in self._replaced().values() if each.old == old), 0)

    def _replaced(self) -> Mapping[str, Replacement]:
        return self.desk.once("replaced", lambda: replaced(self.desk.acts))

    def _clocks(self, old: str, game: int, records: Iterable[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
        """Return how the clocks of a game were set, and their newest record; nothing without clocks."""
        told = self.branches.intake.notes(old)
        notes = [each.record for each in told if self.branches.counts(old, each.hash)]
        beside = [each for each in notes if each.get("extra", {}).get("of", {}).get("game") == game]
        clocks = [each["extra"]["clock"] for each in (*beside, *records) if "clock" in each.get("extra", {})]
        set_so = [each for each in clocks if each.get("what") in ("set", "off")][-1:]
        return (*set_so, *[max(clocks, key=lambda each: int(each["no"]))][: len(set_so)]) if clocks else ()

    def _took(self, spare: str, replacement: Replacement) -> bool:
        """Whether the spare has a game that it took over then."""
        if (spare, replacement) in self._done:
            return True
        intake = self.branches.intake
        for end in intake.ends(spare)[:1]:
            for tail in intake.games(end):
                start = intake.find(spare, tail.first)
                extra = intake.records(start)[0].get("extra", {}) if start is not None else {}
                origin = extra.get("takeover", {})
                if (origin.get("act"), origin.get("key")) == (replacement.number, replacement.old):
                    self._done.add((spare, replacement))
                    return True
        return False


def _parts(records: Iterable[Mapping[str, Any]]) -> Iterator[list[Mapping[str, Any]]]:
    part: list[Mapping[str, Any]] = []
    size = 0
    for record in records:
        length = len(canonical(record))
        if part and (len(part) == MOST_ENTRIES or size + length > MOST_BYTES // 2):
            yield part
            part, size = [], 0
        part.append(record)
        size += length
    yield part
