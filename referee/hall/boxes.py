"""The boxes of an event: who is paired, who is connected, what came from them, and what people must know of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import InitVar, dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

from referee.errors import JournalError, NotNow
from referee.hall.again import again
from referee.hall.board import BoxState
from referee.hall.branches import Branches
from referee.hall.desk import Desk
from referee.hall.floor import Floor
from referee.hall.follower import Follower, Live
from referee.hall.judging.judge import Judge, Worker
from referee.hall.judging.process import Process
from referee.hall.matches import Match, Matches
from referee.hall.orders import orders
from referee.hall.reports import SECONDS, Reports
from referee.hall.round_clock import round_clock
from referee.hall.seatings import published, seatings
from referee.hall.takeover import Takeovers
from referee.hall.uplink.certificate import certificate
from referee.hall.uplink.hall import HallSide, News, Spares
from referee.hall.uplink.intake import Arrival, Intake
from referee.hall.uplink.messages import Clock
from referee.hall.uplink.outbox import JournalOutbox
from referee.hall.uplink.server import UplinkServer
from referee.hall.uplink.term import identity
from referee.tournament import Event
from referee.tournament.acts import Act, BranchChosen, BranchTakenBack, RoundPublished

WAIT: Final = 120.0
"""How long the organiser waits for a box that is to be paired, s."""
_PATIENCE: Final = 10.0
LOOK: Final = 0.25
"""How often it is seen which boxes are silent, s."""
ENOUGH: Final = 2
"""Boxes that hold a publication, so that the loss of this computer does not undo it."""
COPYING_MS: Final = 5000
"""How long a publication may be on its way to boxes that are connected before the desk warns, ms."""
SHOWN: Final = 8
"""Digits of a box's key that name it."""

T = TypeVar("T")
MakeSide: TypeAlias = Callable[[Callable[[News], None], Spares, Callable[[str], Clock | None]], HallSide]
"""Makes the core that talks with boxes, of who is told its news, which boxes take over from which, and the clock."""


@dataclass(slots=True)
class Boxes:
    """See the module. ``address``: host and port, for `[hall] address` of a box. It belongs to the loop's thread.

    ``intake``   what has arrived from boxes
    ``make``     makes ``side``, the core that talks with them
    ``worker``   judges; None: a process of its own, and another one for reports, which take longer
    ``changes``  counts what pages may show otherwise from then on
    """

    desk: Desk
    intake: Intake
    make: InitVar[MakeSide]
    address: str
    loop: asyncio.AbstractEventLoop
    worker: InitVar[Worker | None] = None
    changes: int = 0
    trouble: str = ""
    """Why what boxes send cannot be kept, "" as long as it can."""
    side: HallSide = field(init=False)
    branches: Branches = field(init=False)
    judge: Judge = field(init=False)
    floor: Floor = field(init=False)
    matches: Matches = field(init=False)
    reports: Reports = field(init=False)
    follower: Follower = field(init=False)
    _listeners: list[Callable[[], None]] = field(default_factory=list)
    _silent: frozenset[str] = frozenset()
    _rejected: frozenset[str] = frozenset()
    _behind: bool = False

    def __post_init__(self, make: MakeSide, worker: Worker | None) -> None:
        self.judge = Judge(self.changed, worker or Process())
        self.branches = Branches(self.intake, lambda: self.desk.event.branches)
        self.floor = Floor(self.desk, self.branches)
        self.matches = Matches(self.branches)
        self.reports = Reports(self.desk, self.branches, self.matches, worker or Process(seconds=SECONDS))
        self.follower = Follower(self.intake, self.judge.want, self._noted, now=self.desk.now, branches=self.branches)
        self.follower.begin()
        spares = Takeovers(self.desk, self.branches, self.follower.live)
        self.side = make(self.heard, spares, partial(round_clock, self.desk))
        self.side.counts = self.branches.counts
        self.seat()

    def seat(self, act: Act | None = None, *_: object) -> None:
        """Tell every box where it stands, and what was decided about its table; show the branch that was chosen.

        ``act``: what was done just now.
        """
        if isinstance(act, (BranchChosen, BranchTakenBack)):
            self._choose(act.box)
        event = self.desk.event
        self.side.seat(seatings(event, self.desk.names))
        self._rejected = self._rejects()
        self.side.order(orders(event, self.desk.acts, self.floor.ordered, self._rejected, self.floor.turned.values()))

    def heard(self, news: News) -> None:
        """Something has come from a box, or it has come or gone."""
        if news.kind == "superseded":
            self.desk.supersede()
        if news.kind == "failed":
            self.trouble = news.text
        if news.kind == "entries":
            self.trouble = ""
            self._follow()
        if self._rejects() != self._rejected:
            self.seat()
        self.changed()

    def _rejects(self) -> frozenset[str]:
        """Return the boxes that are connected and stand on a branch in whose place a judge chose another."""
        forked = {box for box, _ in self.desk.event.branches} & set(self.side.connected())
        try:
            return frozenset(box for box in forked if not self.branches.counts(box, self.side.last(box)))
        except JournalError:  # it is seen again with what comes next
            return self._rejected

    def _noted(self, note: Arrival) -> None:
        self.matches.take(note)
        self.floor.take(note)

    def _choose(self, key: str) -> None:
        """Take up which branch of a box counts; what its slips say is done again at the next `look`."""
        try:
            notes = self.intake.notes(key)
            self.follower.choose(key, notes)
            self.floor.choose(notes)
        except JournalError as fault:
            self.trouble = str(fault)
        self.changed()

    def _follow(self) -> bool:
        """Take up what came; return whether that is all: if the intake goes away meanwhile, `look` goes on."""
        before = self.floor.heard
        try:
            self.follower.follow()
            self._behind = False
        except JournalError as fault:
            self._behind, self.trouble = True, str(fault)
        if self.floor.heard != before:
            self.seat()
        return not self._behind

    def changed(self) -> None:
        """Pages may show something else now."""
        self.changes += 1
        for each in tuple(self._listeners):
            each()

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Have a listener called after each change; return what ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def look(self, now: float) -> None:
        """See which boxes have fallen silent or are heard again, and write what the disk did not take before.

        ``now``: monotonic time, s.
        """
        if self._behind and self._follow():
            self.trouble = ""
            self.changed()
        before = self.floor.heard
        if self.floor.retry(now):
            if self.floor.heard != before:
                self.seat()
            self.changed()
        silent = frozenset(key for key in self.side.connected() if self.seen(key, now).state == "silent")
        if silent != self._silent:
            self._silent = silent
            self.changed()

    def seen(self, key: str, now: float) -> BoxState:
        """Return what is known of a box, and of its game if that is of the match at its table."""
        return self._state(key, self._present(key), now)

    def plays(self, key: str, now: float) -> BoxState:
        """Return the same of whatever game a box played last, also if it stands nowhere now."""
        return self._state(key, self.follower.live.get(key), now)

    def _state(self, key: str, live: Live | None, now: float) -> BoxState:
        heard = self.side.heard(key)
        judged = self.judge.judged.get(live.game.name) if live is not None and live.game is not None else None
        return BoxState(None if heard is None else now - heard, live, judged)

    def _present(self, key: str) -> Live | None:
        """Return what a box plays, None where that is not the match that its table has now."""
        live, match = self.follower.live.get(key), self._table_has().get(key)
        if live is None or live.game is None or match is None:
            return None
        return live if self.matches.of(key, live.game.first) == match else None

    def _table_has(self) -> Mapping[str, Match]:
        """Return the match at the table of each box, by its key."""
        return self.desk.once("table has", lambda: matches_of(self.desk.event))

    async def read_log(self, key: str) -> None:
        """Judge the game of a box once more, with its log."""
        live = self._present(key)
        if live is not None and live.game is not None:
            await self.judge.judge(live.game, log=True)

    def view(self) -> dict[str, Any]:
        """Return what the page of the boxes shows."""
        here, intake = self.side.connected(), self.intake
        ends = self.side.copying.ends
        boxes = [
            (
                key,
                key[:SHOWN],
                key in here,
                sum(end.at for end in intake.ends(key)[:1]),
                1 + end.seq if (end := ends.get(key)) else 0,
            )
            for key in intake.admitted_keys()
        ]
        incidents = [(key[:SHOWN], kind, text) for key, kind, text in reversed(intake.incidents())]
        waits = self.side.pairing.waits(time.monotonic())
        end = self.side.record.end()
        return {
            "boxes": boxes,
            "acts": 1 + end.seq if end else 0,
            "early": [(each.arrival.key[:SHOWN], each.kind, each.why) for each in self.floor.early.values()],
            "incidents": incidents,
            "forked": [(key, key[:SHOWN]) for key in dict.fromkeys(key for key, _ in intake.forked())],
            "asks": self.side.pairing.request,
            "waits": waits,
        }

    def warning(self, desk: Desk) -> str:
        """Return what the organiser must know of the record's copies and of the intake, "" for nothing."""
        if desk.superseded:
            return "Another hall took this event over. Nothing can be done here any more: use the other computer."
        if self.trouble:
            return f"What boxes send cannot be kept here. They play on, and send it again. {self.trouble}"
        if self.floor.trouble:
            return f"A call or a result from a table is not written yet; it is tried again. {self.floor.trouble}"
        if self.floor.early:
            return "A result from a table waits for something to be done at the desk: see Boxes, What to look into."
        turned = [words for each in self.floor.turned.values() if (words := each.at_desk(desk.event))]
        if turned:
            return turned[-1]
        keys, published = self.intake.admitted_keys(), desk.record.published
        if not keys or not published:
            return ""
        holders = self.side.copying.holders(published, keys)
        if holders >= ENOUGH or self._on_its_way(desk, keys):
            return ""
        return f"Boxes that hold the latest publication: {holders}, not {ENOUGH}. Keep the printed pairings at hand."

    def _on_its_way(self, desk: Desk, keys: Collection[str]) -> bool:
        """Whether the latest publication was made just now, and enough boxes are connected that are to copy it."""
        made = next((act.at for act in reversed(desk.acts) if isinstance(act, RoundPublished)), 0)
        connected = self.side.connected()
        return sum(key in connected for key in keys) >= ENOUGH and 0 <= desk.now() - made < COPYING_MS

    def key(self, key: str) -> str:
        """Return the key of a box that is paired. Raises NotNow for another."""
        if key not in self.intake.admitted_keys():
            raise NotNow("no-such-box", "expected a box that is paired")
        return key

    def pair(self) -> None:
        """Wait for a box; from any other thread, as the next two."""
        self._do(lambda: self.side.pairing.open(time.monotonic() + WAIT))

    def confirm(self, digits: str) -> None:
        """The box that asks shows these digits. Raises Malformed if none does."""
        self._do(lambda: self.side.pairing.confirm(digits))

    def refuse(self) -> None:
        """The digits differ, or no box is to be paired."""
        self._do(self.side.pairing.refuse)

    def _do(self, what: Callable[[], T]) -> T:
        async def do() -> T:
            return what()

        return asyncio.run_coroutine_threadsafe(do(), self.loop).result(_PATIENCE)


def matches_of(event: Event) -> dict[str, Match]:
    """Return the match of the published round at the table of each box, by its key; nothing where it has none."""
    round_ = published(event)
    at = {each.table: each for each in round_.pairings} if round_ is not None else {}
    return {
        box: Match(round_.number, frozenset(at[table].players))
        for table, box in event.boxes.items()
        if round_ is not None and table in at
    }


@asynccontextmanager
async def receiving(desk: Desk, host: str, port: int, shown_host: str) -> AsyncIterator[Boxes]:
    """Let boxes connect while the context is open. ``port`` 0: any free one. Raises StationError, JournalError."""
    shown = certificate(desk.folder)
    record = desk.record
    intake = Intake(desk.folder / "intake.db")

    appearance = identity(record.signer, record.event, record.term, shown.hash)

    def admit(key: str) -> None:
        record.admit(key)
        intake.admit(key)

    def make(news: Callable[[News], None], spares: Spares, clock: Callable[[str], Clock | None]) -> HallSide:
        return HallSide(intake, appearance, JournalOutbox(record.journal), news, admit, spares, clock)

    try:
        for key in record.boxes():  # those of a record that was rebuilt
            if not intake.admitted(key):
                intake.admit(key)
        async with UplinkServer(shown.path, host, port) as server:
            boxes = Boxes(desk, intake, make, f"{shown_host}:{server.port}", asyncio.get_running_loop())
            async with server.serve(boxes.side), _working(boxes):
                yield boxes
    finally:
        intake.close()


@asynccontextmanager
async def _working(boxes: Boxes) -> AsyncIterator[None]:
    """Follow the desk, judge games, and see who is silent, while the context is open."""
    forget = boxes.desk.listen(boxes.seat)
    looking = again(lambda: boxes.look(time.monotonic()), LOOK)
    tasks = [asyncio.create_task(each) for each in (boxes.judge.run(), boxes.reports.run(), looking)]
    try:
        yield
    finally:
        forget()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
