"""Names of players and clubs, beside the acts and never in them, so that they can be erased at the event's end."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

from sqlalchemy import Connection, delete, select

from referee.hall.store import NAMES, Store

Kind: TypeAlias = Literal["player", "club", "event"]
"""What has a name. The event has one, of number 0; it is not erased."""
NewNames: TypeAlias = Mapping[Kind, Mapping[int, str]]


class Names:
    """Names by kind and number, as they stood when they were read last."""

    def __init__(self, store: Store) -> None:
        """Read them. Raises StoreAway."""
        self._store = store
        self._names: dict[Kind, dict[int, str]] = {}
        self.read()

    def read(self) -> None:
        """Read them anew: another hall of the event may have changed some. Raises StoreAway."""
        query = select(NAMES.c.kind, NAMES.c.number, NAMES.c.name).where(NAMES.c.event == self._store.event)
        names: dict[Kind, dict[int, str]] = {"player": {}, "club": {}, "event": {}}
        for kind, number, name in self._store.read(lambda db: db.execute(query).all()):
            names[kind][number] = name
        self._names = names

    @property
    def all(self) -> Mapping[Kind, Mapping[int, str]]:
        """All names."""
        return self._names

    def of(self, kind: Kind) -> Mapping[int, str]:
        """Return all names of a kind by number."""
        return self._names[kind]

    def player(self, number: int) -> str:
        """Return what a player is called, by number where there is no name."""
        return self._names["player"].get(number, f"Player {number}")

    def club(self, number: int) -> str:
        """Return what a club is called, "" for none."""
        return self._names["club"].get(number, f"Club {number}" if number else "")

    @property
    def event(self) -> str:
        """What the event is called."""
        return self._names["event"].get(0, "Event")

    def putting(self, names: NewNames) -> Callable[[Connection], None]:
        """Return what writes names; "" takes one away. They count here once `read` is called."""
        new = [(kind, number, name) for kind, each in names.items() for number, name in each.items()]

        def put(db: Connection) -> None:
            for kind, number, _ in new:
                one = NAMES.c.event == self._store.event, NAMES.c.kind == kind, NAMES.c.number == number
                db.execute(delete(NAMES).where(*one))
            rows = [
                {"event": self._store.event, "kind": kind, "number": number, "name": name}
                for kind, number, name in new
                if name
            ]
            if rows:
                self._store.insert(db, NAMES, rows)

        return put

    def erase(self) -> None:
        """Erase every player and club. Raises StoreAway; what is left then is erased the next time."""
        of = NAMES.c.event == self._store.event, NAMES.c.kind != "event"
        self._store.write(lambda db: db.execute(delete(NAMES).where(*of))).result()
        self._store.wipe()
        self.read()

    def numbered(self, text: str) -> str:
        """Return a text with numbers in the place of players' full names, for the acts, which are never erased."""
        names = sorted(self._names["player"].items(), key=lambda item: -len(item[1]))
        for number, name in names:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", f"player {number}", text, flags=re.IGNORECASE)
        return text
