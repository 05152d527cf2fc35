"""The desk: the one object through which everything is done to an event. One thread owns it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Self, TypeAlias, TypeVar

from referee.errors import JournalBusy, JournalDamaged, JournalError, JournalGone, JournalUnsure, NotNow
from referee.files import durable
from referee.hall import damage
from referee.hall.names import Names, NewNames
from referee.hall.record import Record
from referee.hall.store import MARK, RECORD
from referee.tournament import Event
from referee.tournament.acts import Act, fold, perform

T = TypeVar("T")
Listener: TypeAlias = Callable[[Act, Event], None]
"""Called with an act that is durable, and the event after everything that was done with it."""


RECENT: Final = 500
"""Former states of the event that are kept: pages that are still open show them."""
SUPERSEDED: Final = "superseded"
"""A file in the folder of a hall whose event another hall took over."""


_logger = logging.getLogger(__name__)


class Desk:
    """One event in its folder: its record, its names, and what follows from them.

    ``event``  as it is after the acts recorded so far
    ``names``  of players and clubs
    """

    def __init__(self, folder: Path, *, clock: Callable[[], float] = time.time) -> None:
        """Open the folder; begin an event where there is none. ``clock``: the time of day, s since 1970.

        Raises JournalBusy if another hall has it, JournalDamaged saying what to do, JournalError if it cannot be
        read or written.
        """
        self.folder = folder
        self._clock = clock
        self._listeners: list[Listener] = []
        self._computed: dict[Hashable, Any] = {}
        self.superseded = (folder / SUPERSEDED).exists()
        """Whether another hall took the event over: nothing is done here any more."""
        self._unsure = False
        """Whether the record may have acts of which nobody heard that they are durable."""
        try:
            self.record = Record(folder / RECORD, wall=clock)
        except JournalBusy as fault:
            raise JournalBusy(f"{folder} is open in another hall: close that one, or name another folder") from fault
        except (JournalDamaged, JournalGone) as fault:
            raise self._damaged(fault) from fault
        try:
            self.acts = self._acts()
            self.event = fold(self.acts)
            self._recent = {len(self.acts): self.event}
            self.names = Names(folder / "names.db")
            if self.event.ended:
                self.names.erase()  # a hall that was killed at the end may have left them
        except BaseException:
            self.record.close()
            raise

    def _damaged(self, fault: JournalError) -> JournalError:
        """Return what people are told of a record that does not hold; how to mend a database is not known here."""
        in_database = (self.folder / MARK).exists()
        return fault if in_database else damage.of(self.folder / RECORD, str(fault))

    def _acts(self) -> list[Act]:
        try:
            return self.record.acts()
        except JournalDamaged as fault:
            raise self._damaged(fault) from fault

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the folder and let another hall open it."""
        self.names.close()
        self.record.close()

    def now(self) -> int:
        """Return the time of day as acts have it, ms since 1970 UTC."""
        return round(self._clock() * 1000)

    def perform(self, *acts: Act, names: NewNames = MappingProxyType({})) -> Event:
        """Do acts, all or none; return the event after them, which is durable then. ``names``: given with them.

        Raises Refused saying what was expected, JournalError if they could not be written; nothing is done then.
        """
        if self._unsure:
            self._catch_up()
        if self.superseded and acts:
            raise NotNow("superseded", "expected no acts here: the event was taken over by another hall")
        acts = tuple(replace(act, why=self.names.numbered(act.why)) if act.why else act for act in acts)
        event = self.event
        for act in acts:
            event = perform(event, act)
        before = self.names.put(names)  # first: a power cut must not leave a number without its name
        if not acts:
            return event
        try:
            self.record.append(acts)
        except JournalUnsure:
            self._unsure = True  # and if they are written, so must be the names
            raise
        except JournalError:
            self.names.put(before)
            raise
        self._done(acts, event)
        return event

    def _catch_up(self) -> None:
        """See which acts are in the record after all."""
        acts = self._acts()
        self._unsure = False
        if len(acts) > len(self.acts):
            self._done(acts[len(self.acts) :], fold(acts))

    def _done(self, acts: Sequence[Act], event: Event) -> None:
        self.event = event
        self.acts += acts
        self._recent[len(self.acts)] = event
        if len(self._recent) > RECENT:
            del self._recent[next(iter(self._recent))]
        self._computed.clear()
        for act in acts:
            for listener in tuple(self._listeners):
                listener(act, event)
        if event.ended:
            self.names.erase()

    def supersede(self) -> None:
        """Another hall took the event over: nothing can be done here any more, whatever the disk says."""
        self.superseded = True
        try:
            durable.replace(self.folder / SUPERSEDED, "")
        except OSError as fault:  # a box says so again after a restart
            _logger.error("%s cannot be written: %s", self.folder / SUPERSEDED, fault.strerror)

    def after(self, count: int) -> Event:
        """Return the event as it was after so many acts; one of long ago takes a while, up to a second."""
        known = self._recent.get(count)
        return fold(self.acts[:count]) if known is None else known

    def once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Return what is computed of the event, once until the next act: many phones ask for the same at one time."""
        if key not in self._computed:
            self._computed[key] = compute()
        value: T = self._computed[key]
        return value

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Have a listener called after each act that is durable; return what ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)
