"""The acts of an event in the store: checked against what is folded, and inserted only on top of exactly that.

Each act has a revision and a head, the hash of it and of all before it. Whoever folds less than the store has catches
up first; so any number of processes act on one event. What asked for an act has an id, and the same id gets the same
answer, also after a restore.

A store may be an old copy. Boxes carry the newest (revision, head) they have seen, with a proof of the event's key. A
ledger that does not have such a pair is in doubt: nothing is done until somebody says that it goes on, which is a
revision above all that were reported.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from hashlib import sha256
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, delete, func, select

from referee.errors import WHOLE, JournalDamaged, JournalNewer, Malformed, NotNow, Refused
from referee.hall.store import ACTS, DOUBTS, REQUESTS, Store
from referee.tournament import Event
from referee.tournament.acts import Act, read_act

GOES_ON: Final = "goes on"
"""The act by which somebody says that this record counts, though it lacks acts that a box has seen."""
IN_DOUBT: Final = "This hall may run on an old copy: nothing is done until the organiser says so"
_PAIR: Final = re.compile(r"([0-9]{1,16}) ([0-9a-f]{64}) ([0-9a-f]{64})")


class State(NamedTuple):
    """The event after its acts so far, each with its revision."""

    revision: int = 0
    head: str = "0" * 64
    event: Event = Event()
    acts: tuple[tuple[int, Act], ...] = ()


_COLUMNS: Final = ACTS.c.revision, ACTS.c.request, ACTS.c.head, ACTS.c.body


class Answer(NamedTuple):
    """What came of a request. ``revision``: of its last act; ``refused``: why nothing was done, "" where it was."""

    revision: int
    refused: str = ""


class Doubt(NamedTuple):
    """What a box has seen and this record does not have. ``since``: ms since 1970 UTC."""

    revision: int
    head: str
    box: str
    since: int


class InDoubt(NotNow):
    """The record may be an old copy, so nothing is done."""


Make = Callable[[State], Sequence[Act]]
"""Returns the acts of a request, from the state that they will follow. Raises Refused."""


class Ledger:
    """See the module. Its state is what is durable; another process may have more, until the next call.

    ``doubts``: the records that it does not have and a box has seen, the newest first
    """

    def __init__(self, store: Store) -> None:
        """Fold what there is. Raises StoreAway, JournalDamaged, JournalNewer."""
        self._store = store
        self.state = self._draft = State()
        self.doubts: tuple[Doubt, ...] = ()
        self._doubted: tuple[Doubt, ...] = ()
        self._heads: dict[int, str] = {}
        self.listeners: list[Callable[[], None]] = []
        """What is called, by any thread, when the state or names have changed."""
        store.ended.append(self._ended)
        store.write(self._catch_up).result()

    def tell(self) -> None:
        """Call the listeners."""
        for listener in tuple(self.listeners):
            listener()

    def perform(
        self,
        request: str,
        make: Make,
        *,
        keep: Callable[[Refused], bool] = lambda _fault: False,
        who: str = "",
        at: int = 0,
        also: Callable[[Connection], None] | None = None,
    ) -> Future[Answer]:
        """Do what a request asks for, once. ``keep``: whether a refusal is its answer for good.

        ``who`` asks, and when, ms since 1970 UTC; ``also``: writes beside the acts what is no act. The future raises
        InDoubt, Refused unless it is kept, StoreAway where nobody knows whether it was done: ask again.
        """

        def work(db: Connection) -> Answer | InDoubt:
            where = REQUESTS.c.event == self._store.event, REQUESTS.c.request == request
            row = db.execute(select(REQUESTS.c.revision, REQUESTS.c.refused).where(*where)).one_or_none()
            if row is not None:
                return Answer(*row)
            self._catch_up(db)
            if self._doubted:
                return InDoubt("in-doubt", IN_DOUBT)
            try:
                answer = Answer(self._append(db, request, make(self._draft)))
            except Refused as fault:
                if not keep(fault):
                    raise
                answer = Answer(0, fault.text)
            if also is not None:
                also(db)
            self._store.insert(db, REQUESTS, [self._of(request=request, **answer._asdict(), who=who, at=at)])
            return answer

        return self._store.write(work)

    def go_on(self, who: str, at: int) -> Future[Answer]:
        """Somebody says that this record counts. ``at``: ms since 1970 UTC. The future raises NotNow."""

        def work(db: Connection) -> Answer:
            self._catch_up(db)
            if not self._doubted:
                raise NotNow("no-doubt", "expected a record that is in doubt")
            above = max(self._draft.revision, *(each.revision for each in self._doubted))
            body = _body({"act": GOES_ON, "who": who, "at": at})
            self._insert(db, above + 1, f"{GOES_ON} {above + 1}", body, self._draft.event)
            db.execute(delete(DOUBTS).where(DOUBTS.c.event == self._store.event))
            self._doubted = ()
            return Answer(above + 1)

        return self._store.write(work)

    def pair(self) -> str:
        """Return revision and head of the record, and the proof, as boxes carry them."""
        return f"{self.state.revision} {self.state.head} {self._proof(self.state.revision, self.state.head)}"

    def has(self, pair: str) -> bool:
        """Whether what a box has seen is known to be of this record, without a look into the store."""
        revision, _, rest = pair.partition(" ")
        head = self._heads.get(int(revision)) if revision.isdecimal() and len(revision) < 16 else None
        return head is not None and rest.startswith(head)

    def compare(self, pair: str, box: str, now: int) -> Future[None] | None:
        """A box has seen a record; None where this one has it. ``now``: ms since 1970 UTC. Raises Malformed."""
        said = _PAIR.fullmatch(pair)
        if said is None:
            raise Malformed("Referee-Seen, Referee-Doubted: expected a revision, its head and the proof")
        revision, head = int(said[1]), said[2]
        true = 0 < revision < WHOLE and hmac.compare_digest(self._proof(revision, head), said[3])
        if not true or self.state[:2] == (revision, head):  # what another event has shown says nothing of this one
            return None
        if self._store.read(lambda db: self._has(db, revision, head)):
            return None

        def work(db: Connection) -> None:
            if not self._has(db, revision, head):
                row = self._of(revision=revision, head=head, box=box, since=now)
                self._store.insert(db, DOUBTS, [row])
            self._see_doubts(db)

        return self._store.write(work)

    def refused(self, most: int) -> list[tuple[str, int, str]]:
        """Return the newest requests that were refused for good: who asked, when, and why not. Raises StoreAway."""
        of = REQUESTS.c.event == self._store.event, REQUESTS.c.refused != ""
        query = select(REQUESTS.c.who, REQUESTS.c.at, REQUESTS.c.refused).where(*of)
        rows = self._store.read(lambda db: db.execute(query.order_by(REQUESTS.c.at.desc()).limit(most)).all())
        return [(who, at, why) for who, at, why in rows]

    def lines(self) -> Iterator[str]:
        """Yield the acts as the event file has them: JSON Lines with revision, request, head and act."""
        query = select(*_COLUMNS).where(ACTS.c.event == self._store.event).order_by(ACTS.c.revision)
        for revision, request, head, body in self._store.read(lambda db: db.execute(query).all()):
            yield _body({"revision": revision, "request": request, "head": head, "act": json.loads(body)})

    def refresh(self) -> Future[None]:
        """See what another process has done."""
        return self._store.write(self._catch_up)

    # -- on the store's thread -----------------------------------------------------------------------------------

    def _ended(self, durable: bool) -> None:  # noqa: FBT001
        before = self.state
        if durable:
            self.state, self.doubts = self._draft, self._doubted
        else:
            self._draft, self._doubted = self.state, self.doubts
        if self.state is not before:
            self.tell()

    def _append(self, db: Connection, request: str, acts: Sequence[Act]) -> int:
        before = self._draft
        try:
            for act in acts:
                event = act.on(self._draft.event)
                self._insert(db, self._draft.revision + 1, request, _body(act.as_json()), event, act)
        except BaseException:
            self._draft = before
            raise
        return self._draft.revision

    def _insert(
        self, db: Connection, revision: int, request: str, body: str, event: Event, act: Act | None = None
    ) -> None:
        """Insert an act as the one after those folded. It holds the event's lock, so the key only guards."""
        head = _head(self._draft.head, revision, request, body)
        row = self._of(revision=revision, request=request, head=head, body=body)
        if self._store.insert(db, ACTS, [row]) != 1:
            raise JournalDamaged(f"act {revision} of the event was written by two halls at once")
        acts = self._draft.acts if act is None else (*self._draft.acts, (revision, act))
        self._draft = State(revision, head, event, acts)
        self._heads[revision] = head

    def _catch_up(self, db: Connection) -> None:
        """Fold what others wrote; from the beginning where the store lost what was folded. Raises JournalDamaged."""
        draft = self._draft
        if draft.revision and not self._has(db, draft.revision, draft.head, exactly=True):
            row = self._of(revision=draft.revision, head=draft.head, box="", since=0)
            self._store.insert(db, DOUBTS, [row])
            draft = State()
            self._heads.clear()
        self._see_doubts(db)
        newer = ACTS.c.event == self._store.event, ACTS.c.revision > draft.revision
        acts = list(draft.acts)
        event, head, revision = draft.event, draft.head, draft.revision
        for revision, request, said, body in db.execute(select(*_COLUMNS).where(*newer).order_by(ACTS.c.revision)):
            head = _head(head, revision, request, body)
            if head != said:
                raise JournalDamaged(f"act {revision} of the event does not follow the one before")
            self._heads[revision] = head
            value = json.loads(body)
            if value.get("act") == GOES_ON:
                continue
            try:
                acts.append((revision, read_act(value)))
            except Malformed as fault:
                told = f"act {revision}: expected one that this release knows: {fault.text}"
                raise JournalNewer(told) from None
            event = acts[-1][1].on(event)
        if revision != self._draft.revision or head != self._draft.head:
            self._draft = State(revision, head, event, tuple(acts))

    def _see_doubts(self, db: Connection) -> None:
        columns = DOUBTS.c.revision, DOUBTS.c.head, DOUBTS.c.box, DOUBTS.c.since
        query = select(*columns).where(DOUBTS.c.event == self._store.event).order_by(DOUBTS.c.revision.desc())
        self._doubted = tuple(Doubt(*row) for row in db.execute(query))

    def _has(self, db: Connection, revision: int, head: str, *, exactly: bool = False) -> bool:
        """Whether the record has that pair, or somebody has said after it that the record goes on."""
        mine = ACTS.c.event == self._store.event
        there = select(ACTS.c.head).where(mine, ACTS.c.revision == revision)
        if db.execute(there).scalar() == head:
            return True
        said = select(func.count()).where(mine, ACTS.c.revision > revision, ACTS.c.request.startswith(GOES_ON))
        return not exactly and bool(db.execute(said).scalar())

    def _proof(self, revision: int, head: str) -> str:
        return hmac.new(self._store.key, f"{revision} {head}".encode(), "sha256").hexdigest()

    def _of(self, **members: object) -> dict[str, object]:
        return {"event": self._store.event, **members}


def load(store: Store, lines: Iterable[str]) -> int:
    """Put the acts of an event file into a store that has none, and fold them; return the last revision.

    Raises JournalDamaged, JournalNewer: the store is to be thrown away.
    """
    rows: list[dict[str, Any]] = []
    for number, text in enumerate(lines, 1):
        try:
            value = json.loads(text)
            row = {name: value[name] for name in ("revision", "request", "head")}
            rows.append({"event": store.event, **row, "body": _body(value["act"])})
        except (ValueError, KeyError, TypeError, RecursionError):
            raise JournalDamaged(f"line {number}: expected an act of an event file") from None
    done = {each["request"]: each["revision"] for each in rows}  # what was asked for once is not done again

    def work(db: Connection) -> None:
        if store.insert(db, ACTS, rows) != len(rows):
            raise JournalDamaged("expected a store without an event")
        asked = {"event": store.event, "refused": "", "who": "", "at": 0}
        store.insert(db, REQUESTS, [{**asked, "request": each, "revision": at} for each, at in done.items()])

    if rows:
        store.write(work).result()
    return Ledger(store).state.revision


def _body(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def _head(head: str, revision: int, request: str, body: str) -> str:
    return sha256(f"{head}\n{revision}\n{request}\n{body}".encode()).hexdigest()
