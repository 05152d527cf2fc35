"""Who was let in: the hash of each browser's token and what it may do, in a small file beside the journal.

A token is 256 random bits, so its bare SHA-256 can be kept: there is nothing to guess and nothing to salt. The file
is written whole or not at all, readable by its owner alone, and looked at anew whenever it has changed: a pass taken
back by the command line is taken back at once.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import logging
import math
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from referee.errors import StationError
from referee.files import durable, small
from referee.web.hub import SEAT_KEYS

WATCH: Final = "watch"
ROLES: Final = (WATCH, *SEAT_KEYS, "judge")
"""What a browser may be: one that sees and presses nothing, one that plays the seat with that button, or a judge."""

FILE: Final = "panel.json"

MAX_PASSES: Final = 32
"""Passes kept; one more drops the oldest."""

ID: Final = 8
"""Hex digits of a hash that name a pass."""

_HASH = re.compile(r"[0-9a-f]{64}")
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pass:
    """One browser that was let in. ``hash``: SHA-256 of its token in hex; ``since``: time of day, for people only."""

    role: str
    who: str
    since: float
    hash: str

    @property
    def id(self) -> str:
        """What to call it when it is to be taken back."""
        return self.hash[:ID]


class Passes:
    """The passes in one file; ``path`` None: in memory, forgotten at the end."""

    def __init__(
        self,
        path: Path | None = None,
        *,
        roles: tuple[str, ...] = ROLES,
        most: int = MAX_PASSES,
        life: float = math.inf,
        wall: Callable[[], float] = time.time,
        watch_only: bool = False,
    ) -> None:
        """``roles``: that there are; ``most``: passes kept; ``life``: of one, s; ``wall``: the time of day."""
        self.watch_only = watch_only
        """Whether any pass is one that watches: the panel of a box that belongs to an event."""
        self._path = path
        self._roles = roles
        self._most = most
        self._life = life
        self._wall = wall
        self._file = None if path is None else small.Reread(path, partial(_parse, roles=roles), "the passes")
        self._in_memory: dict[str, Pass] = {}

    def issue(self, role: str, who: str) -> str:
        """Let a browser in; return its token, which is kept nowhere. Raises StationError if it cannot be written."""
        if role not in self._roles:
            raise ValueError(f"role is {role!r}: expected one of {', '.join(self._roles)}")
        token = secrets.token_urlsafe(32)
        new = Pass(role, who, self._wall(), _digest(token))
        with self._alone():
            self._save([*self.listed()[1 - self._most :], new])
        return token

    def role(self, token: str) -> str:
        """Return what the holder of a token may do now, "" if nothing. A file that cannot be read lets nobody in."""
        holder = self.find(token)
        if holder is None:
            return ""
        return WATCH if self.watch_only else holder.role

    def find(self, token: str) -> Pass | None:
        """Return the valid pass of a token. A file that cannot be read lets nobody in."""
        try:
            holder = self._passes().get(_digest(token))
        except StationError as error:
            _logger.error("%s", error)
            return None
        return holder if holder is not None and self._lives(holder) else None

    def listed(self) -> list[Pass]:
        """Return all valid passes, oldest first. Raises StationError if the file cannot be read."""
        return [each for each in self._passes().values() if self._lives(each)]

    def revoke(self, id_: str | None = None) -> list[Pass]:
        """Take back the pass of that id, None: all of them; return those. Raises StationError."""
        with self._alone():
            all_ = self.listed()
            revoked = [each for each in all_ if id_ in (None, each.id)]
            if revoked:
                self._save([each for each in all_ if each not in revoked])
        return revoked

    def _lives(self, each: Pass) -> bool:
        return self._wall() < each.since + self._life

    def _passes(self) -> dict[str, Pass]:
        return self._in_memory if self._file is None else self._file.value() or {}

    def _save(self, passes: list[Pass]) -> None:
        if self._path is None:
            self._in_memory = {each.hash: each for each in passes}
            return
        text = json.dumps({"format": 1, "passes": [asdict(each) for each in passes]}, indent=1)
        durable.replace(self._path, text, 0o600)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep the station and the command line out of each other's way."""
        if self._path is None:
            yield
            return
        try:
            folder = os.open(self._path.parent, os.O_RDONLY | os.O_DIRECTORY)
            try:
                fcntl.flock(folder, fcntl.LOCK_EX)
                yield
            finally:
                os.close(folder)
        except OSError as error:
            raise StationError(f"{self._path}: the passes cannot be saved: {error.strerror}") from error


def pass_id(token: str) -> str:
    """Return what the pass of a token is called, whether there is one or not."""
    return _digest(token)[:ID]


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode(errors="replace")).hexdigest()


def _parse(text: str, roles: tuple[str, ...]) -> dict[str, Pass]:
    """Read the file. Raises ValueError saying what was expected."""
    passes = [_pass(each, roles) for each in small.member(text, "passes", list)]
    return {each.hash: each for each in passes}


def _pass(value: Any, roles: tuple[str, ...]) -> Pass:
    if not isinstance(value, dict) or value.keys() != {"role", "who", "since", "hash"}:
        raise ValueError("expected a pass to have role, who, since and hash")
    role, who, since, digest = value["role"], value["who"], value["since"], value["hash"]
    if role not in roles or not isinstance(who, str) or not isinstance(since, (int, float)):
        raise ValueError(f"expected a role of {', '.join(roles)}, an address and a time")
    if not isinstance(digest, str) or not _HASH.fullmatch(digest):
        raise ValueError("expected a hash of 64 hex digits")
    return Pass(role, who, since, digest)


def beside(journal: Path, *, watch_only: bool = False) -> Passes:
    """Return the passes to the panel of the station that keeps this journal."""
    return Passes(journal.absolute().parent / FILE, watch_only=watch_only)
