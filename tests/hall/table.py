"""A table of an event: a hall, its desk, and a box that is played with keys."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from referee.hall.boxes import Boxes
from referee.hall.desk import Desk
from referee.hall.judging.docket import Docket
from referee.hall.uplink.outbox import JournalOutbox
from referee.journal import seal
from referee.journal.notes import Notes
from referee.session import Entry
from referee.station.inbox import Ordered, Seated
from referee.station.uplink import order_of, seating_of
from referee.testing.station import Bench
from referee.tournament.acts import BoxPlaced, RoundStarted
from tests.hall.uplink.pair import TERM, Hall, box, go_on, talk

MARK: Any = {"who": "judge 2", "at": 1_800_000_000_250, "why": "as ruled"}
TABLE = 3


class Here(Docket):
    """Judges here, and not in a process of its own."""

    async def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        return self.take(request)

    async def end(self) -> None: ...


class Floor:
    """A hall, its desk, and a box at table 3 that is played with keys."""

    def __init__(
        self, desk: Desk, folder: Path, bench: Bench, loop: asyncio.AbstractEventLoop, *, copied: bool = False
    ) -> None:
        """``copied``: the box copies the record of the desk."""
        self.bench, self.loop = bench, loop
        self.key = seal.signer(bench.journal.path.parent)
        self.side = box(JournalOutbox(bench.journal), self.key, term=desk.record.term if copied else TERM)
        self.connections = 0
        if copied:
            desk.record.admit(self.key.public)
        self.open(desk, folder, copied=copied)
        desk.perform(BoxPlaced(**MARK, table=TABLE, box=self.key.public), RoundStarted(**MARK, round=1))
        self.connect()

    def open(self, desk: Desk, folder: Path, *, copied: bool) -> None:
        """Open a hall that has this desk, and to which the box belongs."""
        self.desk = desk
        self.hall = Hall(folder / "intake.db", desk.record if copied else None)
        for key in desk.record.boxes() if copied else [self.key.public]:
            self.hall.intake.admit(key)
        self.boxes = Boxes(desk, self.hall.intake, self.hall.make, "192.0.2.7:8470", self.loop, Here())
        self.forget = desk.listen(self.boxes.seat)

    def connect(self) -> None:
        """Connect the box to the hall."""
        self.connections += 1
        talk(self.hall, self.connections, self.side)
        self.carry()

    def carry(self) -> None:
        """Carry what both sides have to say, and let the station take it."""
        for _ in range(2):
            self.hall.side.commit()
            go_on(self.hall, self.connections, self.side)
        if self.side.seating is not None:
            self.bench.inbox.put(Seated(seating_of(self.side.seating)))
            self.side.seating = None
        for order in self.side.take_news().orders:
            self.bench.inbox.put(Ordered(order_of(order)))
        self.bench.settle()

    def reconnect(self) -> None:
        """The line breaks, and comes back."""
        self.hall.side.closed(self.connections)
        self.side.closed()
        self.connect()

    @property
    def pairing(self) -> Any:
        return self.desk.event.rounds[0].at(TABLE)

    def notes(self, kind: str) -> list[dict[str, Any]]:
        """What the journal of the box says beside its game."""
        return [each.extra[kind] for each in Notes(self.bench.journal, 1).read() if kind in each.extra]

    def restarted(self) -> None:
        """The hall is started again on the same folder."""
        self.forget()
        self.hall.side.closed(self.connections)
        self.boxes = Boxes(self.desk, self.hall.intake, self.hall.make, "192.0.2.7:8470", self.loop, Here())
        self.forget = self.desk.listen(self.boxes.seat)
        self.reconnect()

    def write_note(self, extra: dict[str, Any]) -> None:
        """Write a note beside the game that says what no station says."""
        chain = self.bench.journal.notes_beside(1)
        assert chain is not None
        last, _ = self.bench.journal.head(chain)
        self.bench.journal.append(chain, [Entry(last + 1, "note", "1", extra=extra)], seal=True)

    def slip(self, *keys: str) -> None:
        """Key the slip: menu, event, result; then the keys."""
        self.bench.wait(1.0)
        self.bench.hold("back", 0.5)
        self.bench.key("6", "2", "2", *keys)
