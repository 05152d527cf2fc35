"""One-time codes, made at the desk and typed on a tablet; pure, times are arguments.

A code has 40 random bits, so nobody need be locked out for another's wrong tries: at the rate below, all addresses
together hit one of all codes within its life about once in ten million such times.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from referee.errors import Refused
from referee.web.limits import Pace, Paces

LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Without 0, 1, I and O, which look like others."""
LENGTH: Final = 8
LIFE: Final = 600.0
"""Seconds a code is valid."""
MOST: Final = 16
"""Codes at one time; one more drops the oldest."""
RATE_OF_ADDRESS: Final = 0.2
BURST_OF_ADDRESS: Final = 5
RATE_OF_ALL: Final = 10.0
BURST_OF_ALL: Final = 50
"""Tries a second, and at once, of one address and of all together."""
ADDRESSES: Final = 256
"""Addresses whose rates are tracked."""


class CodeRefused(Refused):
    """A code that lets nobody in. ``seconds``: when to try again, 0 if waiting does not help."""

    def __init__(self, text: str, seconds: int = 0) -> None:
        super().__init__("code", text)
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class Invitation:
    """For whom a code is. ``who``: as acts name it; ``until``: seconds of the caller's clock."""

    role: str
    who: str
    until: float


class Codes:
    """The codes that were made and not used yet; kept by their hash. To be used under one lock."""

    def __init__(self, letter: Callable[[str], str] = secrets.choice) -> None:
        """``letter``: draws one of several."""
        self._letter = letter
        self._invitations: dict[bytes, Invitation] = {}
        self._of_address = Paces(RATE_OF_ADDRESS, BURST_OF_ADDRESS, ADDRESSES)
        self._of_all = Pace(RATE_OF_ALL, BURST_OF_ALL)

    def invite(self, role: str, who: str, now: float) -> str:
        """Return a new code; an earlier one for the same person is void."""
        self._expire(now)
        self.withdraw(who)
        if len(self._invitations) >= MOST:
            del self._invitations[next(iter(self._invitations))]
        code = "".join(self._letter(LETTERS) for _ in range(LENGTH))
        self._invitations[_digest(code)] = Invitation(role, who, now + LIFE)
        return f"{code[:4]}-{code[4:]}"

    def redeem(self, code: str, address: str, now: float) -> Invitation:
        """Use a code up. Raises CodeRefused."""
        if not (self._of_address.allows(address, now) and self._of_all.allows(now)):
            raise CodeRefused("Too many codes were tried; wait a little", round(1 / RATE_OF_ADDRESS))
        self._expire(now)
        invitation = self._invitations.pop(_digest(code), None)
        if invitation is None:
            raise CodeRefused("expected a code that the desk made in the last ten minutes; each is used once")
        return invitation

    def withdraw(self, who: str) -> None:
        """Make the code for that person void."""
        self._invitations = {key: each for key, each in self._invitations.items() if each.who != who}

    def listed(self, now: float) -> list[Invitation]:
        """Return those that were not used, oldest first."""
        self._expire(now)
        return list(self._invitations.values())

    def _expire(self, now: float) -> None:
        self._invitations = {key: each for key, each in self._invitations.items() if now < each.until}


def _digest(code: str) -> bytes:
    """Return the hash of a code, however it was typed."""
    plain = "".join(letter for letter in code.upper() if letter.isalnum())
    return hashlib.sha256(plain.encode(errors="replace")).digest()
