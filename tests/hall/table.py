"""A table of an event: a hall, its desk, and a box that is played with keys; the calls go by without sockets."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Any, Self

from referee.hall.boxes import Boxes, fresh, hashed
from referee.hall.calls import Calls
from referee.hall.desk import Desk
from referee.hall.pages.render import Served
from referee.hall.reports import Replays, Reports
from referee.journal import Journal
from referee.journal.notes import Notes
from referee.session import Entry
from referee.station.hall.kept import Membership, round_news
from referee.station.hall.line import Answer
from referee.station.hall.link import Board
from referee.station.hall.outbox import Outbox
from referee.station.hall.spare import Taken
from referee.station.hall.talk import Talk
from referee.station.virtual.bench import Bench
from referee.tournament.acts import Act
from referee.tournament.acts.people import BoxPlaced
from referee.tournament.acts.rounds import RoundStarted
from tests.hall.visitor import Visitor

MARK: Any = {"who": "judge 2", "at": 1_800_000_000_250, "why": "as ruled"}
TABLE = 3


class Member:
    """A box at a hall. ``key``: how the hall names it."""

    def __init__(self, floor: Floor, bench: Bench) -> None:
        self.bench = bench
        self.token = fresh()
        self.key = hashed(self.token)
        floor.boxes.tokens.admit([self.key])
        self.visitor = Visitor(floor.calls.app)
        self.etag = ""
        self.board: dict[str, Any] = {}
        self.refused: list[tuple[str, str]] = []
        self.taken: Taken | None = None
        self.journal = Journal(bench.journal.path, write=False)
        self.talk = Talk(Outbox(self.journal, 1), Membership("", self.token, 1), lambda _kept: None, lambda: 0.5)
        self._board = Board(bench.console, self.board.update)

    def say(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """Say something to the hall."""
        names = {name.lower().replace("-", "_"): value for name, value in {**self.talk.headers(), **headers}.items()}
        answer = self.visitor.send(method, path, body, names)
        said = answer.headers.get("content-type") == "application/json"
        return Answer(answer.status, answer.headers, json.loads(answer.text) if said else {})

    def carry(self) -> None:
        """Say all that there is to say, hear what the hall wishes, and let the station take it."""
        now = self.bench.clock.now
        self._board.publish()
        self.talk.board = dict(self.board)
        self.talk.wrote()
        self.talk._state_at = float("-inf")
        while (call := self.talk.next(now)) is not None:
            self.talk.take(call, self.say(call.method, call.path, call.body), now)
        tag = {"If-None-Match": self.etag} if self.etag else {}
        answer = self.say("GET", "/api/table", b"", **tag)
        self.etag = answer.headers.get("etag", "")
        wish = self.talk.wish(answer, now, now)
        if wish is not None:
            self.bench.inbox.put(partial(self.bench.console.hear, wish, round_news(wish, now), False))
        news = self.talk.take_news()
        self.refused += news.refused
        self.taken = news.taken or self.taken
        for kind, why in news.refused:
            self.bench.inbox.put(partial(self.bench.loop.fault, kind, why))
        self.bench.settle()


class Floor:
    """A hall, its desk, and a box at table 3 that is played with keys."""

    def __init__(self, desk: Desk, bench: Bench) -> None:
        self.desk, self.bench = desk, bench
        self.begin()
        self.box = Member(self, bench)
        self.key = self.box.key
        desk.perform(BoxPlaced(**MARK, table=TABLE, box=self.key), RoundStarted(**MARK, round=1))
        self.carry()

    def begin(self) -> None:
        """Start the hall, again."""
        self.boxes = Boxes(self.desk, "192.0.2.7:8470", "3fa9c01b7e" + "0" * 54)
        self.calls = Calls(self.desk, self.boxes)
        self.reports = Reports(self.desk, self.boxes, Replays())
        self.served = Served(self.boxes, self.reports)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _fault: BaseException | None, _tb: TracebackType | None
    ) -> None:
        self.box.journal.close()

    def carry(self) -> None:
        """Carry what both sides have to say, and let the station take it."""
        for _ in range(2):
            self.box.carry()

    def restarted(self) -> None:
        """The hall is started again on the same folder."""
        self.begin()
        self.box.visitor = Visitor(self.calls.app)
        self.box.talk.kept = replace(self.box.talk.kept, answered={})
        self.carry()

    @property
    def pairing(self) -> Any:
        return self.desk.event.rounds[0].at(TABLE)

    def perform(self, *acts: Act) -> None:
        """Do acts at the desk, and let the box hear of them."""
        self.desk.perform(*acts)
        self.carry()

    def notes(self, kind: str) -> list[dict[str, Any]]:
        """What the journal of the box says beside its game."""
        return [each.extra[kind] for each in Notes(self.bench.journal, 1).read() if kind in each.extra]

    def write_note(self, extra: dict[str, Any]) -> None:
        """Write a note beside the game that says what no station says."""
        chain = self.bench.journal.notes_beside(1)
        assert chain is not None
        last, _ = self.bench.journal.head(chain)
        self.bench.journal.append(chain, [Entry(last + 1, "note", "1", extra=extra)])

    def slip(self, *keys: str) -> None:
        """Key the slip: menu, event, result; then the keys."""
        self.bench.wait(1.0)
        self.bench.hold("back", 0.5)
        self.bench.key("6", "2", "2", *keys)
