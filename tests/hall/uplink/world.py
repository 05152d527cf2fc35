"""Many boxes and a hall on virtual time: messages are lost, late and out of order, everybody is killed at random."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path

from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.hall import HallSide, News
from referee.hall.uplink.intake import Intake
from referee.hall.uplink.term import Term
from referee.hall.uplink.times import Times
from tests.hall.uplink.memory import MemoryCopies, MemoryJournal, signer
from tests.hall.uplink.pair import CERTIFICATE, EVENT, HALL, shown

TIMES = Times(ping=4.0, patience=22.0, probe=11.0, grace=30.0, retry=4.0, refused=40.0)
"""For a network whose messages are up to five seconds late."""


@dataclass(frozen=True)
class Weather:
    """What goes wrong. Chances of a message being lost; s a message is late; s between kills of each kind."""

    loss: float = 0.3
    delay: float = 5.0
    box_kills: float = 400.0
    hall_kills: float = 60.0
    set_back: float = 0.3
    clones: float = 0.05


CALM = Weather(0.0, 0.1, 1e9, 1e9, 0.0, 0.0)


@dataclass
class Box:
    """A box of the world. ``journal`` outlives its program, ``side`` does not."""

    name: int
    journal: MemoryJournal
    side: BoxSide
    connection: int = 0
    starts: int = 0


@dataclass
class World:
    """See the module. What went wrong lies in ``faults``, what was done in ``tally``."""

    seed: int
    folder: Path
    boxes: int
    weather: Weather = Weather()
    now: float = 0.0
    faults: list[str] = field(default_factory=list)
    tally: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.seed)
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count(1)
        self._connections: dict[int, Box] = {}
        self.must_see: set[str] = set()
        self.copies: dict[str, MemoryCopies] = {}
        self.terms: dict[str, Term] = {}
        self.acknowledged: set[tuple[str, str]] = set()
        self.all: list[Box] = []
        self.hall = self._open_hall()
        for name in range(self.boxes):
            key = signer(self.seed * 1000 + name)
            self._admit(key.public)
            self._put(name, MemoryJournal(key))
        self.later(0.2, self._hall_works)
        self.later(self._until(self.weather.hall_kills), self._kill_hall)

    # -- time ----------------------------------------------------------------------------------------------------

    def later(self, delay: float, do: Callable[[], None]) -> None:
        """Do something after a delay, s."""
        heapq.heappush(self._events, (self.now + delay, next(self._numbers), do))

    def run(self, until: float) -> None:
        """Let so much time pass, s since the beginning."""
        while self._events and self._events[0][0] <= until:
            self.now, _, do = heapq.heappop(self._events)
            do()

    def _until(self, mean: float) -> float:
        return self.chance.expovariate(1 / mean)

    # -- the hall ------------------------------------------------------------------------------------------------

    def _admit(self, key: str) -> None:
        self.hall.intake.admit(key)

    def _open_hall(self) -> HallSide:
        intake = Intake(self.folder / "intake.db")
        return HallSide(intake, shown(), MemoryJournal(HALL), self._news, intake.admit, times=TIMES)

    def _news(self, news: News) -> None:
        self.tally[f"news {news.kind}"] += 1

    def _hall_works(self) -> None:
        self.hall.tick(self.now)
        self.hall.commit()
        self._post()
        self.later(0.2, self._hall_works)

    def _post(self) -> None:
        """Send what the hall has to say."""
        for number, text in self.hall.take_out():
            if text is None:
                self._carry(partial(self._drop, number))
            else:
                self._carry(partial(self._arrive, number, text))

    def _kill_hall(self) -> None:
        """Take the hall's power: what was not committed is gone, and every connection."""
        self.later(self._until(self.weather.hall_kills), self._kill_hall)
        if self.weather is CALM:
            return
        self.tally["hall killed"] += 1
        self.hall.intake.close()
        self.hall = self._open_hall()
        for number in list(self._connections):
            if self.chance.random() < 0.5:
                self._drop(number)
        self._connections.clear()
        self.count_losses()

    def count_losses(self) -> None:
        """Look for every entry that was ever acknowledged."""
        for key, digest in self.acknowledged:
            if self.hall.intake.find(key, digest) is None:
                self.faults.append(f"entry {digest[:16]} was acknowledged and is gone")

    # -- the network ---------------------------------------------------------------------------------------------

    def _carry(self, deliver: Callable[[], None]) -> None:
        self.tally["messages"] += 1
        if self.chance.random() < self.weather.loss:
            self.tally["lost"] += 1
        else:
            self.later(self.chance.random() * self.weather.delay, deliver)

    def _arrive(self, number: int, text: str) -> None:
        box = self._connections.get(number)
        if box is not None and box.connection == number:
            self._send(box, box.side.received(text, self.now))
            if box.side.durable is not None:
                self.acknowledged.add((box.journal.signer.public, box.side.durable.hash))

    def _drop(self, number: int) -> None:
        box = self._connections.get(number)
        if box is not None and box.connection == number:
            box.side.closed()

    def _send(self, box: Box, texts: list[str]) -> None:
        number = box.connection
        for text in texts:
            self._carry(partial(self._at_hall, number, text))

    def _at_hall(self, number: int, text: str) -> None:
        if number in self._connections:
            self.hall.received(number, text, self.now)
            self._post()

    # -- boxes ---------------------------------------------------------------------------------------------------

    def _put(self, name: int, journal: MemoryJournal) -> Box:
        box = Box(name, journal, self._side(journal))
        self.all.append(box)
        self.later(self.chance.random(), lambda: self._work(box))
        self.later(self._until(10.0), lambda: self._play(box))
        self.later(self._until(self.weather.box_kills), lambda: self._kill(box))
        return box

    def _side(self, journal: MemoryJournal) -> BoxSide:
        start = self.chance.randbytes(32).hex()
        key = journal.signer.public
        copies = self.copies.setdefault(key, MemoryCopies()).opened()
        term = self.terms.get(key, Term(0, "", ""))
        keep = partial(self.terms.__setitem__, key)
        return BoxSide(journal, journal.signer, EVENT, copies, term, keep, start, self.now, TIMES)

    def _work(self, box: Box) -> None:
        """Connect, or do what a connected box does once a second."""
        if box.side.over:
            if box.connection in self._connections and self.chance.random() < 0.7:
                self.hall.closed(box.connection)
                del self._connections[box.connection]
            if self.weather is CALM or self.chance.random() < 0.7:
                box.connection = next(self._numbers)
                self._connections[box.connection] = box
                self.hall.opened(box.connection, self.chance.randbytes(32).hex(), self.now)
                box.side.opened(CERTIFICATE, self.chance.randbytes(32).hex(), self.now)
                self._post()
            self.later(box.side.pause(self.chance.random()) + 0.1, lambda: self._work(box))
        else:
            self._send(box, box.side.tick(self.now))
            self.later(1.0, lambda: self._work(box))

    def _play(self, box: Box) -> None:
        self.later(self._until(10.0), lambda: self._play(box))
        if self.weather is not CALM and box.side.may_play(self.now):
            box.journal.play(self.chance)
            self.tally["entries"] += 1

    def _kill(self, box: Box) -> None:
        """Take a box's power; some come back with an older copy of their journal, or with a twin."""
        self.later(self._until(self.weather.box_kills), lambda: self._kill(box))
        if self.weather is CALM:
            return
        self.tally["box killed"] += 1
        key, log = box.journal.signer.public, box.journal.log
        if log and self.chance.random() < self.weather.set_back:
            length = self.chance.randrange(len(log))
            self.tally["set back"] += 1
            self.hall.commit()
            self._post()
            if self.hall.intake.find(key, log[length].place.hash) is not None:
                self.must_see.add(key)
            box.journal = box.journal.copy(length)
        elif log and self.chance.random() < self.weather.clones:
            self.tally["cloned"] += 1
            self._put(box.name, box.journal.copy(len(log)))
        if self.chance.random() < 0.5 and box.connection in self._connections:
            self.hall.closed(box.connection)
        self._connections.pop(box.connection, None)
        box.side = self._side(box.journal)
        box.connection = 0
