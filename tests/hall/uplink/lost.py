"""Halls that lose everything: ``python -m tests.hall.uplink.lost --seeds 200``.

The world of world.py, with a hall that does something every few seconds, and whose folder is deleted at random. Then
a hall on an empty folder asks the boxes; it goes on once all of them were heard, or after ten minutes. Boxes are
killed meanwhile, messages lost and late. Afterwards nothing may be missing: neither an entry that was acknowledged,
nor an act that two boxes had when the folder was deleted, if no more than one box was not heard.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from referee.hall.event_key import save
from referee.hall.rebuilding import finish, side_of
from referee.hall.record import Record
from referee.hall.uplink.copies import CHAIN
from referee.hall.uplink.hall import HallSide
from referee.hall.uplink.intake import Intake
from referee.hall.uplink.outbox import JournalOutbox
from referee.hall.uplink.rebuild import RebuildSide
from referee.hall.uplink.term import identity
from referee.tournament.acts import PlayerAdded
from tests.components import MEMORY
from tests.hall.uplink.pair import CERTIFICATE, EVENT_KEY
from tests.hall.uplink.storms import pass_over, storms
from tests.hall.uplink.world import CALM, TIMES, Weather, World

STORM, AFTER = 1500.0, 1200.0
"""How long the storm lasts, and how long the boxes have afterwards at most, s of virtual time."""
LOSSES = 300.0
"""Between two losses of the folder, s; the mean."""
PATIENCE = 600.0
"""How long the organiser waits for boxes that were not heard, s."""
STORMY = Weather(set_back=0.0, clones=0.0)


@dataclass
class LosingWorld(World):
    """See the module."""

    weather: Weather = STORMY

    def __post_init__(self) -> None:
        self.number = 0
        self.players = 0
        self.rebuilding: RebuildSide | None = None
        self.sure: set[str] = set()
        """Hashes of entries of the record that must be there."""
        self.numbers: list[int] = []
        save(self._home, EVENT_KEY)
        super().__post_init__()
        self.later(self._until(3.0), self._act)
        self.later(self._until(LOSSES), self._lose)

    @property
    def _home(self) -> Path:
        home = self.folder / f"hall-{self.number}"
        home.mkdir(exist_ok=True)
        return home

    def _open_hall(self) -> HallSide:
        self.record = Record(self._home / "hall.db")
        if self.record.term.number not in self.numbers:
            self.numbers.append(self.record.term.number)
        intake = Intake(self._home / "intake.db")
        for key in self.record.boxes():
            if not intake.admitted(key):
                intake.admit(key)
        shows = identity(self.record.signer, self.record.event, self.record.term, CERTIFICATE)
        return HallSide(intake, shows, JournalOutbox(self.record.journal), self._news, intake.admit, times=TIMES)

    def _admit(self, key: str) -> None:
        self.record.admit(key)
        super()._admit(key)

    def _kill_hall(self) -> None:
        if self.rebuilding is None:
            if self.weather is not CALM:
                self.record.close()
            super()._kill_hall()
        else:
            self.later(self._until(self.weather.hall_kills), self._kill_hall)

    def count_losses(self) -> None:
        """What was acknowledged before the folder was lost comes back after the storm; till then it may be away."""
        if self.weather is CALM or self.number == 0:
            super().count_losses()

    def _act(self) -> None:
        self.later(self._until(3.0), self._act)
        if self.weather is not CALM and self.rebuilding is None:
            self.players += 1
            self.record.append([PlayerAdded(who="organiser", at=1, player=self.players)])
            self.tally["acts"] += 1

    def holders(self) -> Counter[str]:
        """Return how many boxes hold each entry of the record that is written now."""
        holders: Counter[str] = Counter()
        for copies in self.copies.values():
            newest = copies.stores[max(copies.stores)].log if copies.stores else []
            holders.update(each.place.hash for each in newest)
        return holders

    def _lose(self) -> None:
        """Delete the hall's folder; another laptop has the event key."""
        self.later(self._until(LOSSES), self._lose)
        if self.weather is CALM or self.rebuilding is not None:
            return
        self.tally["folders lost"] += 1
        there = {record["hash"] for record in self.record.journal.records(CHAIN)}
        self.sure = {digest for digest, boxes in self.holders().items() if boxes >= 2 and digest in there}
        self.record.close()
        self.hall.intake.close()
        shutil.rmtree(self._home)
        self.number += 1
        self.rebuilding = side_of(self._home, EVENT_KEY, CERTIFICATE)
        self.rebuilding.times = TIMES
        self._hang_up(self.rebuilding)
        self.later(1.0, partial(self._confirm, self.now + PATIENCE))

    def _hang_up(self, side: HallSide | RebuildSide) -> None:
        for number in list(self._connections):
            self._drop(number)
        self._connections.clear()
        self.hall = side  # type: ignore[assignment]

    def _confirm(self, until: float) -> None:
        """The organiser goes on once every box was heard, or after a while with those that were."""
        side = self.rebuilding
        assert side is not None
        missing = self.boxes - len(side.heard)
        if not side.chain.entries or (missing and self.now < until):
            self.later(1.0, partial(self._confirm, until))
            return
        self.faults += [f"a copy of box {key[:8]} does not hold: {why}" for key, why in side.wrong.items()]
        finish(self._home, EVENT_KEY, side)
        self.rebuilding = None
        self._hang_up(self._open_hall())
        self.tally["halls rebuilt"] += 1
        self.tally["boxes not heard"] += missing
        there = {record["hash"] for record in self.record.journal.records(CHAIN)}
        if missing <= 1 and self.sure - there:
            self.faults.append(f"{len(self.sure - there)} entries that two boxes had are gone from the record")
        self.players = len(self.record.acts())


def storm(seed: int, boxes: int) -> LosingWorld:
    """Return a world after its storm, judged."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        world = LosingWorld(seed, Path(folder), boxes)
        pass_over(world, STORM, AFTER, _at_rest)
        _judge(world)
        if world.rebuilding is None:
            world.record.close()
            world.hall.intake.close()
    return world


def _at_rest(world: LosingWorld) -> bool:
    if world.rebuilding is not None:
        return False
    end = JournalOutbox(world.record.journal).end()
    held = all(world.hall.copying.ends.get(box.journal.signer.public) == end for box in world.all)
    return held and all(box.side.durable == box.journal.end() for box in world.all)


def _judge(world: LosingWorld) -> None:
    if world.rebuilding is not None:
        if any(store.log for copies in world.copies.values() for store in copies.stores.values()):
            world.faults.append("the hall was not rebuilt")
        else:
            world.tally["lost before any box had a copy"] += 1
        return
    world.count_losses()
    if world.numbers != sorted(set(world.numbers)):
        world.faults.append(f"terms {world.numbers}")
    records = list(world.record.journal.records(CHAIN))
    for box in world.all:
        key = box.journal.signer.public
        if box.side.refused is not None:
            world.faults.append(f"box {box.name}: was refused: {box.side.refused}")
        copies = world.copies[key].stores
        if [each.record for each in copies[max(copies)].log] != records:
            world.faults.append(f"box {box.name}: has another record")
        node = world.hall.intake.find(key, end.hash) if (end := box.journal.end()) else None
        if end is not None and (node is None or node.at != len(box.journal.log)):
            world.faults.append(f"box {box.name}: the hall lacks entries")
        world.tally["compared"] += len(box.journal.log) + len(records)


if __name__ == "__main__":
    sys.exit(storms(storm, __doc__))
