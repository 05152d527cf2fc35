"""The desk: the one object through which everything is done to an event that its pages ask for."""

from __future__ import annotations

import fcntl
import re
import secrets
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal, Self, TypeAlias, TypeVar

from sqlalchemy import Connection, delete, select

from referee.errors import JournalBusy, JournalError, NotNow
from referee.hall.ledger import Answer, Ledger, State
from referee.hall.store import NAMES, Store, sqlite
from referee.tournament import Event
from referee.tournament.acts import Act
from referee.tournament.acts.rounds import RoundStarted

T = TypeVar("T")
Kind: TypeAlias = Literal["player", "event"]  # what has a name. The event has one, of number 0; it is not erased
NewNames: TypeAlias = Mapping[Kind, Mapping[int, str]]

FILE: Final = "event.db"  # the event in its folder, unless a store elsewhere is named
STORE: Final = "store.url"  # file in the folder with the address of a store elsewhere
JUMP: Final = 60.0  # seconds that the computer's clock may differ before people are told


def has_event(folder: Path) -> bool:
    """Return whether there is an event in a folder."""
    return any((folder / name).exists() for name in (FILE, STORE))


def passing() -> float:
    """Return seconds that pass while the computer sleeps, too, where its system knows that."""
    boot = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boot is None else time.clock_gettime(boot)


class SteadyClock:
    """Seconds since 1970 UTC: what has passed since the start, whatever is done to the computer's clock."""

    def __init__(self, wall: Callable[[], float] = time.time, passed: Callable[[], float] = passing) -> None:
        self._wall, self._passed = wall, passed
        self._offset = wall() - passed()

    def __call__(self) -> float:
        """Return the time of day."""
        return self._offset + self._passed()

    @property
    def warning(self) -> str:
        """What people are told of a clock that was set, "" for nothing."""
        jumped = self._wall() - self()
        if abs(jumped) < JUMP:
            return ""
        way = f"{'forward' if jumped > 0 else 'back'} by {_long(abs(jumped) * 1000)}"
        return (
            f"The clock of this computer was set {way}. Rounds go on by the time that has passed. "
            "Restart the hall between two rounds to show the right time of day."
        )


def _long(ms: float) -> str:
    """Return a time in words.

    >>> _long(5_400_000), _long(31_536_000_000)
    ('90 min', '365 days')
    """
    minutes = round(ms / 60_000)
    return f"{minutes} min" if minutes < 2880 else f"{round(minutes / 1440)} days"


class Names:
    """Names of players and event, beside the acts, to be erased. ``all``: by kind and number, as read last."""

    def __init__(self, store: Store) -> None:
        """Read them. Raises StoreAway."""
        self._store = store
        self.all: Mapping[Kind, Mapping[int, str]] = {}
        self.read()

    def read(self) -> None:
        """Read them anew: another hall of the event may have changed some. Raises StoreAway."""
        query = select(NAMES.c.kind, NAMES.c.number, NAMES.c.name).where(NAMES.c.event == self._store.event)
        names: dict[Kind, dict[int, str]] = {"player": {}, "event": {}}
        for kind, number, name in self._store.read(lambda db: db.execute(query).all()):
            names[kind][number] = name
        self.all = names

    def player(self, number: int) -> str:
        """Return what a player is called, by number where there is no name."""
        return self.all["player"].get(number, f"Player {number}")

    @property
    def event(self) -> str:
        """What the event is called."""
        return self.all["event"].get(0, "Event")

    def putting(self, names: NewNames) -> Callable[[Connection], None]:
        """Return what writes names; "" takes one away. They count here once `read` is called."""
        rows = [
            {"event": self._store.event, "kind": kind, "number": number, "name": name}
            for kind, each in names.items()
            for number, name in each.items()
        ]

        def put(db: Connection) -> None:
            for row in rows:
                db.execute(delete(NAMES).where(*(NAMES.c[key] == row[key] for key in ("event", "kind", "number"))))
            named = [row for row in rows if row["name"]]
            if named:
                self._store.insert(db, NAMES, named)

        return put

    def erase(self) -> None:
        """Erase every player. Raises StoreAway; what is left then is erased the next time."""
        of = NAMES.c.event == self._store.event, NAMES.c.kind != "event"
        self._store.write(lambda db: db.execute(delete(NAMES).where(*of))).result()
        self._store.wipe()

    def numbered(self, text: str) -> str:
        """Return a text with numbers in the place of players' full names, for the acts, which are never erased."""
        names = sorted(self.all["player"].items(), key=lambda item: -len(item[1]))
        for number, name in names:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"player {number}", text, flags=re.IGNORECASE)
        return text


class Desk:
    """One event: its acts, its names, and what follows from them. ``alone``: whether no other hall can serve it."""

    def __init__(
        self, folder: Path, *, store: str = "", read: bool = False, clock: Callable[[], float] | None = None
    ) -> None:
        """Open the folder; begin an event where there is none. ``clock``: the time of day, s since 1970.

        ``store``: address of a database; "": the one that the folder names, or a file in it; ``read``: only to read
        it, while a hall may have it. Raises JournalBusy if another hall has the folder, ConfigError, JournalError if
        it cannot be read or written.
        """
        self.folder = folder
        self._clock = clock or SteadyClock()
        self._computed: tuple[State | None, dict[Hashable, Any]] = (None, {})
        if read and not has_event(folder):
            raise JournalError(f"{folder} has no event; name its folder")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = (folder / "hall.lock").open("a")
        except OSError as fault:
            raise JournalError(f"{folder} cannot be used: {fault.strerror}") from fault
        try:
            if not read:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._open(store)
        except BlockingIOError as fault:
            self._lock.close()
            raise JournalBusy(f"{folder} is open in another hall: close that one, or name another folder") from fault
        except BaseException:
            self._lock.close()
            raise

    def _open(self, store: str) -> None:
        path = self.folder / STORE
        try:
            address = store or (path.read_text(encoding="utf-8").strip() if path.exists() else "")
            if store:
                path.write_text(store + "\n", encoding="utf-8")
                path.chmod(0o600)
        except (OSError, UnicodeDecodeError) as fault:
            raise JournalError(f"{path}: expected the address of the event's database: {fault}") from fault
        self.alone = not address
        self.store = Store(address or sqlite(self.folder / FILE))
        try:
            self.ledger = Ledger(self.store)
            self.names = Names(self.store)
        except BaseException:
            self.store.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the folder and let another hall open it."""
        self.store.close()
        self._lock.close()

    @property
    def event(self) -> Event:
        """The event as it is after the acts so far."""
        return self.ledger.state.event

    @property
    def acts(self) -> Sequence[Act]:
        """All acts in their order."""
        return self.once("acts", lambda: [act for _, act in self.ledger.state.acts])

    @property
    def clock_warning(self) -> str:
        """What people are told of this computer's clock, "" for nothing."""
        set_ = self._clock.warning if isinstance(self._clock, SteadyClock) else ""
        behind = self.once("latest", self._latest) - self.now()
        if set_ or behind < JUMP * 1000:
            return set_
        return (
            f"The clock of this computer is {_long(behind)} behind the record of this round. "
            "Set it right and restart the hall, or take as much time back from all tables."
        )

    def _latest(self) -> int:
        """Return when the last act of a round under way was, 0 without one. Later than now: the clock was set."""
        begun = [at for at, act in enumerate(self.acts) if isinstance(act, RoundStarted)]
        under_way = begun and self.event.rounds[-1].state == "started"
        return max(act.at for act in self.acts[begun[-1] :]) if under_way else 0

    def now(self) -> int:
        """Return the time of day as acts have it, ms since 1970 UTC."""
        return round(self._clock() * 1000)

    def perform(self, *acts: Act, names: NewNames = MappingProxyType({})) -> Event:
        """Do acts, all or none; return the event after them, durable. Raises Refused, JournalError: none is done."""
        self.submit(acts, names).result()
        return self.done()

    def submit(
        self,
        acts: Sequence[Act],
        names: NewNames = MappingProxyType({}),
        check: Callable[[State], None] = lambda _state: None,
    ) -> Future[Answer]:
        """Have acts done, as `perform` does; `done` follows. ``check``: refuses a record that is not as expected."""
        numbered = [replace(act, why=self.names.numbered(act.why)) if act.why else act for act in acts]

        def make(state: State) -> Sequence[Act]:
            check(state)
            return numbered

        also = self.names.putting(names) if names else None
        who, at = (acts[0].who, acts[0].at) if acts else ("", 0)
        return self.ledger.perform(secrets.token_hex(16), make, who=who, at=at, also=also)

    def done(self) -> Event:
        """Take up the names that were given with acts; return the event after them. Raises StoreAway."""
        self._read_names()
        return self.event

    def follow(self) -> None:
        """See what other halls of the event have done. Raises StoreAway."""
        self.ledger.refresh().result()
        self._read_names()

    def erase(self) -> None:
        """Erase the names of all players. Raises NotNow before the event has ended, StoreAway."""
        if not self.event.ended:
            raise NotNow("not-ended", "End the event first")
        try:
            self.names.erase()
        finally:
            self._read_names()

    def _read_names(self) -> None:
        """Take up other names, and tell pages and backup, which no act may tell."""
        names = self.names.all
        self.names.read()
        if self.names.all != names:
            self._computed = (None, {})
            self.ledger.tell()

    def once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return what is computed of the event, once until the next act: many phones ask for the same at one time."""
        state, computed = self.ledger.state, self._computed
        if computed[0] is not state:
            computed = self._computed = (state, {})
        known = computed[1]
        if key not in known:
            known[key] = compute()
        value: T = known[key]
        return value
