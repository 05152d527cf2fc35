"""Who was let in to the desk and to the staff's port, by link or code; what each may do; taking it back.

Safe to use from several threads: forms are read in threads of their own.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.hall.staff.codes import CodeRefused, Codes, Invitation
from referee.hall.staff.roles import DESK, LINK, ROLES
from referee.web.passes import Pass, Passes, pass_id

FILE: Final = "staff.json"
"""The passes of an event: hashes of tokens, in the event's folder, mode 0600."""
MOST: Final = 64
"""Passes kept; one more drops the oldest."""
LIFE: Final = 16 * 3600.0
"""Seconds that a pass is valid: a long day. Nobody's tablet is let in at the next event."""

_logger = logging.getLogger(__name__)
REFUSALS: Final = f"{__name__}.refusals"
"""The logger of what strangers cause."""
_refusals = logging.getLogger(REFUSALS)


@dataclass(frozen=True, slots=True)
class Holder:
    """Who sent a request. ``who``: as acts name it; ``valid``: whether the pass has not been taken back since."""

    who: str
    role: str
    id: str
    valid: Callable[[], bool]


def passes_of(folder: Path) -> Passes:
    """Return the passes of the event in a folder."""
    return Passes(folder / FILE, roles=(DESK, LINK, *ROLES), most=MOST, life=LIFE)


class Access:
    """The passes and codes of one event; to be used by any thread."""

    def __init__(
        self, passes: Passes, codes: Codes | None = None, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._passes = passes
        self._codes = codes or Codes()
        self._clock = clock
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []

    def holder(self, token: str, roles: Collection[str]) -> Holder | None:
        """Return who holds a token, if the pass is for one of these roles."""
        each = self._passes.find(token) if token else None
        if each is None or each.role not in roles:
            return None
        return Holder(each.who, each.role, each.id, lambda: self._passes.find(token) is not None)

    def link(self) -> str:
        """Return the token of a new one-time link to the desk; earlier links are void. Raises StationError."""
        for each in self._passes.listed():
            if each.role == LINK:
                self._passes.revoke(each.id)
        return self._passes.issue(LINK, "organiser")

    def follow(self, link: str, earlier: str) -> str:
        """Use a link up; return the token of the desk's browser. ``earlier``: the token it had, which is void then.

        Raises CodeRefused, StationError.
        """
        with self._lock:
            each = self._passes.find(link)
            if each is None or each.role != LINK:
                raise CodeRefused("expected the newest link; each is used once")
            self._passes.revoke(each.id)
            return self._issue(DESK, "organiser", earlier)

    def invite(self, role: str, number: int) -> tuple[str, str]:
        """Return for whom a code is, and the code."""
        who = f"{role} {number}"
        with self._lock:
            return who, self._codes.invite(role, who, self._clock())

    def let_in(self, code: str, address: str, earlier: str) -> str:
        """Use a code up; return the token of the tablet. ``earlier``: the token it had, which is void then.

        Raises CodeRefused, StationError.
        """
        with self._lock:
            try:
                invitation = self._codes.redeem(code, address, self._clock())
            except CodeRefused as fault:
                _refusals.warning("a tablet at %s was not let in: %s", address, fault.text)
                raise
            token = self._issue(invitation.role, invitation.who, earlier)
            _logger.warning("%s was let in at %s, pass %s", invitation.who, address, pass_id(token))
            return token

    def revoke(self, id_: str) -> list[Pass]:
        """Take a pass back; what it listens to ends. Raises StationError."""
        revoked = self._passes.revoke(id_)
        for each in revoked:
            _logger.warning("the pass %s of %s was taken back", each.id, each.who)
        with self._lock:
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()
        return revoked

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Have a listener called, by any thread, when a pass was taken back; return what ends it."""
        with self._lock:
            self._listeners.append(listener)

        def forget() -> None:
            with self._lock:
                self._listeners.remove(listener)

        return forget

    def withdraw(self, who: str) -> None:
        """Make the code for that person void."""
        with self._lock:
            self._codes.withdraw(who)

    def staff(self) -> list[Pass]:
        """Return the passes of tablets, oldest first. Raises StationError."""
        return [each for each in self._passes.listed() if each.role in ROLES]

    def invitations(self) -> list[Invitation]:
        """Return for whom codes are that were not used."""
        with self._lock:
            return self._codes.listed(self._clock())

    def _issue(self, role: str, who: str, earlier: str) -> str:
        if earlier:
            self._passes.revoke(pass_id(earlier))
        return self._passes.issue(role, who)
