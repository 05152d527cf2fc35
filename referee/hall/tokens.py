"""Which boxes may speak, and the code that adds one."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from concurrent.futures import Future
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection, delete, select, update

from referee.errors import NotNow
from referee.hall.store import BOXES, CODES, Store

KEYS: Final = 6
"""Die keys of a code."""
VALID: Final = 600_000
"""How long a code holds, ms."""
TRIES: Final = 5
"""Wrong codes until there is none."""


def hashed(secret: str) -> str:
    """Return what the store keeps of a token or a code: its hash. That of a token names its box."""
    return sha256(secret.encode()).hexdigest()


def fresh() -> str:
    """Return a new token."""
    return secrets.token_urlsafe(32)


class Tokens:
    """Tokens of boxes; a box is named by the hash of its own."""

    def __init__(self, store: Store, now: Callable[[], int]) -> None:
        """``now``: the time of day, ms since 1970 UTC."""
        self._store = store
        self._now = now

    def offer(self) -> str:
        """Make the code that adds one box, in the place of any before. Raises StoreAway."""
        code = "".join(str(secrets.randbelow(6) + 1) for _ in range(KEYS))
        row = {"event": self._store.event, "code": hashed(code), "until": self._now() + VALID, "tries": TRIES}

        def work(db: Connection) -> None:
            self._withdraw(db)
            self._store.insert(db, CODES, [row])

        self._store.write(work).result()
        return code

    def withdraw(self) -> None:
        """Make the code void. Raises StoreAway."""
        self._store.write(self._withdraw).result()

    def until(self) -> int:
        """Return until when a code holds, ms since 1970 UTC; 0: none does. Raises StoreAway."""
        query = select(CODES.c.until).where(CODES.c.event == self._store.event, CODES.c.until > self._now())
        return int(self._store.read(lambda db: db.execute(query).scalar()) or 0)

    def add(self, code: str) -> Future[str]:
        """Add a box that says the code; return its token. The future raises NotNow after a try that counts."""
        token = fresh()

        def work(db: Connection) -> str | NotNow:
            offered = db.execute(select(CODES).where(CODES.c.event == self._store.event)).one_or_none()
            if offered is None or self._now() > offered.until:
                return NotNow("no-code", "No code holds. Ask the desk for one")
            if not secrets.compare_digest(offered.code, hashed(code)):
                left = offered.tries - 1
                if not left:
                    self._withdraw(db)
                    return NotNow("no-code", "Wrong code, five times. Ask the desk for another")
                db.execute(update(CODES).where(CODES.c.event == self._store.event).values(tries=left))
                return NotNow("wrong-code", f"Wrong code. Tries left: {left}")
            self._withdraw(db)
            self._admit(db, hashed(token))
            return token

        return self._store.write(work)

    def admit(self, boxes: list[str]) -> None:
        """Let boxes in by the hashes of their tokens. Raises StoreAway."""

        def work(db: Connection) -> None:
            for box in boxes:
                self._admit(db, box)

        self._store.write(work).result()

    def _admit(self, db: Connection, box: str) -> None:
        self._store.insert(db, BOXES, [{"event": self._store.event, "box": box, "allowed": 1, "state": "{}"}])

    def bar(self, box: str) -> None:
        """Let a box in no more. Raises StoreAway."""
        of = BOXES.c.event == self._store.event, BOXES.c.box == box
        self._store.write(lambda db: db.execute(update(BOXES).where(*of).values(allowed=0))).result()

    def known(self, token: str) -> str:
        """Return the box that a token is of, "" where it holds no more. Raises StoreAway."""
        box = hashed(token)
        return box if box in self.boxes(box) else ""

    def boxes(self, box: str = "") -> list[str]:
        """Return the boxes that are let in, or only that one if it is. Raises StoreAway."""
        of = [BOXES.c.event == self._store.event, BOXES.c.allowed == 1, *([BOXES.c.box == box] if box else [])]
        query = select(BOXES.c.box).where(*of).order_by(BOXES.c.box)
        return list(self._store.read(lambda db: db.execute(query).scalars().all()))

    def _withdraw(self, db: Connection) -> None:
        db.execute(delete(CODES).where(CODES.c.event == self._store.event))
