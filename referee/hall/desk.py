"""The desk: the one object through which everything is done to an event that its pages ask for."""

from __future__ import annotations

import fcntl
import secrets
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self, TypeVar

from referee.errors import JournalBusy, JournalError, NotNow
from referee.hall.clock import SteadyClock
from referee.hall.ledger import Answer, Ledger, State
from referee.hall.names import Names, NewNames
from referee.hall.store import Store, sqlite
from referee.tournament import Event
from referee.tournament.acts import Act, fold

T = TypeVar("T")

FILE: Final = "event.db"
"""The event in its folder, unless a store elsewhere is named."""
STORE: Final = "store.url"
"""File in the folder with the address of a store elsewhere."""
RECENT: Final = 500
"""Former states of the event that are kept: pages that are still open show them."""


def has_event(folder: Path) -> bool:
    """Return whether there is an event in a folder."""
    return any((folder / name).exists() for name in (FILE, STORE))


class Desk:
    """One event: its acts, its names, and what follows from them.

    ``store``   where it is kept; ``ledger``: its acts
    ``names``   of players and clubs
    """

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
        self._lock: Any = None
        self._listeners: list[Callable[[], None]] = []
        self._computed: tuple[State | None, dict[Hashable, Any]] = (None, {})
        if read and not has_event(folder):
            raise JournalError(f"{folder} has no event; name its folder")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = (folder / "hall.lock").open("a")
            if not read:
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as fault:
            self._lock.close()
            raise JournalBusy(f"{folder} is open in another hall: close that one, or name another folder") from fault
        except OSError as fault:
            raise JournalError(f"{folder} cannot be used: {fault.strerror}") from fault
        try:
            self._open(store)
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
        """Whether no other hall can serve the event."""
        self.store = Store(address or sqlite(self.folder / FILE))
        try:
            self.ledger = Ledger(self.store)
            self.names = Names(self.store)
            self._recent = {len(self.acts): self.event}
        except BaseException:
            self.store.close()
            raise
        self.ledger.listen(self._tell)

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
        return self._clock.warning if isinstance(self._clock, SteadyClock) else ""

    def now(self) -> int:
        """Return the time of day as acts have it, ms since 1970 UTC."""
        return round(self._clock() * 1000)

    def perform(self, *acts: Act, names: NewNames = MappingProxyType({})) -> Event:
        """Do acts, all or none; return the event after them, which is durable then. ``names``: given with them.

        Raises Refused saying what was expected, JournalError if they could not be written; nothing is done then.
        """
        self.submit(acts, names).result()
        return self.done()

    def submit(
        self,
        acts: Sequence[Act],
        names: NewNames = MappingProxyType({}),
        check: Callable[[Event], None] = lambda _event: None,
    ) -> Future[Answer]:
        """Have acts done, as `perform` does; to be followed by `done` once the future has its answer.

        ``check``: raises Refused where the event that they follow is not as whoever asks for them knew it.
        """
        numbered = [replace(act, why=self.names.numbered(act.why)) if act.why else act for act in acts]

        def make(state: State) -> Sequence[Act]:
            check(state.event)
            return numbered

        also = self.names.putting(names) if names else None
        who, at = (acts[0].who, acts[0].at) if acts else ("", 0)
        return self.ledger.perform(secrets.token_hex(16), make, who=who, at=at, also=also)

    def done(self) -> Event:
        """Take up the names that were given with acts; return the event after them. Raises StoreAway."""
        self.names.read()
        self._computed = (None, {})
        return self.event

    def follow(self) -> None:
        """See what other halls of the event have done. Raises StoreAway."""
        self.ledger.refresh().result()
        names = self.names.all
        self.names.read()
        if self.names.all != names:
            self._computed = (None, {})

    def erase(self) -> None:
        """Erase the names of all players and clubs. Raises NotNow before the event has ended, StoreAway."""
        if not self.event.ended:
            raise NotNow("not-ended", "expected an event that has ended")
        self.names.erase()
        self._computed = (None, {})

    def after(self, count: int) -> Event:
        """Return the event as it was after so many acts; one of long ago takes a while, up to a second."""
        known = self._recent.get(count)
        return fold(self.acts[:count]) if known is None else known

    def once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return what is computed of the event, once until the next act: many phones ask for the same at one time."""
        state = self.ledger.state
        if self._computed[0] is not state:
            self._computed = (state, {})
        known = self._computed[1]
        if key not in known:
            known[key] = compute()
        value: T = known[key]
        return value

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Have a listener called, on the store's thread, when acts were done; return what ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _tell(self) -> None:
        state = self.ledger.state
        self._recent[len(state.acts)] = state.event
        while len(self._recent) > RECENT:
            del self._recent[next(iter(self._recent))]
        for listener in tuple(self._listeners):
            listener()
