"""Which boxes may speak, the code that adds one, and what each board shows."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from hashlib import sha256
from typing import Any, Final

from sqlalchemy import Connection, delete, select, update

from referee.errors import NotNow
from referee.hall.ledger.store import BOXES, CODES, Store

KEYS: Final = 6
"""Die keys of a code."""
VALID: Final = 600_000
"""How long a code holds, ms."""
TRIES: Final = 5
"""Wrong codes until there is none."""


def hashed(secret: str) -> str:
    """Return what the store keeps of a token or a code: its hash. That of a token names its box."""
    return sha256(secret.encode()).hexdigest()


class Boxes:
    """Boxes by the hash of their token."""

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

    def add(self, code: str) -> Future[str]:
        """Add a box that says the code; return its token. The future raises NotNow after a try that counts."""
        token = secrets.token_urlsafe(32)

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
            row = {"event": self._store.event, "box": hashed(token), "allowed": 1, "state": "{}"}
            self._store.insert(db, BOXES, [row])
            return token

        return self._store.write(work)

    def known(self, token: str) -> str:
        """Return the box that a token is of, "" where it holds no more. Raises StoreAway."""
        where = BOXES.c.event == self._store.event, BOXES.c.box == hashed(token), BOXES.c.allowed == 1
        return self._store.read(lambda db: db.execute(select(BOXES.c.box).where(*where)).scalar()) or ""

    def shows(self, box: str, state: Mapping[str, Any]) -> Future[None]:
        """Keep what a board shows now."""
        where = BOXES.c.event == self._store.event, BOXES.c.box == box
        return self._store.do(update(BOXES).where(*where).values(state=json.dumps(state)))

    def shown(self, db: Connection, box: str) -> dict[str, Any]:
        """Return what a board showed last."""
        where = BOXES.c.event == self._store.event, BOXES.c.box == box
        state: dict[str, Any] = json.loads(db.execute(select(BOXES.c.state).where(*where)).scalar() or "{}")
        return state

    def _withdraw(self, db: Connection) -> None:
        db.execute(delete(CODES).where(CODES.c.event == self._store.event))
