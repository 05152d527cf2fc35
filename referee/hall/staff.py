"""Who is let in: the desk's browser by a one-time link, tablets of the staff by one-time codes; how far each goes.

The desk itself, on the loopback, may do everything. What is for no role is for the desk alone.
"""

from __future__ import annotations

import itertools
import logging
import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from referee.errors import Refused
from referee.hall.desk import passing
from referee.hall.tls import Shown
from referee.web.limits import Pace, Paces
from referee.web.passes import Pass, Passes, pass_id

FILE: Final = "staff.json"  # the passes of an event: hashes of tokens, in the event's folder, mode 0600
DESK: Final = "desk"
LINK: Final = "link"  # the one-time link that lets a browser on the organiser's computer in; it opens nothing else
SCOREKEEPER: Final = "scorekeeper"
ROLES: Final = ("organiser", "judge", SCOREKEEPER)  # of the staff's tablets
NOBODY: Final = frozenset[str]()
ORGANISERS: Final = frozenset({"organiser"})
JUDGES: Final = ORGANISERS | {"judge"}
ALL: Final = frozenset(ROLES)

MOST: Final = 64  # passes kept; one more drops the oldest
LIFE: Final = 16 * 3600.0  # seconds that a pass is valid: a long day. Nobody's tablet is let in at the next event
LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"  # of a code: without 0, 1, I and O, which look like others
LENGTH: Final = 8
"""Letters of a code: 40 random bits, so nobody need be locked out for another's wrong tries. At the rates below, all
addresses together hit a code within its life about once in a hundred million such times."""
CODE_LIFE: Final = 600.0
RATE_OF_ADDRESS, BURST_OF_ADDRESS = 0.2, 5
RATE_OF_ALL, BURST_OF_ALL = 10.0, 50  # tries a second, and at once, of one address and of all together
ADDRESSES: Final = 256  # addresses whose rates are tracked
LOGIN: Final = "/login"
FILES: Final = "/files/"  # these need no pass: the way in, and the style of its page

_logger = logging.getLogger(__name__)
REFUSALS: Final = f"{__name__}.refusals"  # the logger of what strangers cause
_refusals = logging.getLogger(REFUSALS)


@dataclass(frozen=True, slots=True)
class Holder:
    """Who sent a request. ``who``: as acts name it; ``valid``: whether the pass has not been taken back since."""

    who: str
    role: str
    id: str
    valid: Callable[[], bool]

    def may(self, roles: Collection[str]) -> bool:
        """Whether what is for these roles is for its holder."""
        return self.role == DESK or self.role in roles


class CodeRefused(Refused):
    """A code or link that lets nobody in. ``seconds``: when to try again, 0 if waiting does not help."""

    def __init__(self, text: str, seconds: int = 0) -> None:
        super().__init__("code", text)
        self.seconds = seconds


class Invitation(NamedTuple):
    """For whom a code is. ``who``: as acts name it; ``until``: seconds of the clock of `Access`."""

    role: str
    who: str
    code: str
    until: float


def passes_of(folder: Path, wall: Callable[[], float] = time.time) -> Passes:
    """Return the passes of the event in a folder. ``wall``: the time of day, s since 1970."""
    return Passes(folder / FILE, roles=(DESK, LINK, *ROLES), most=MOST, life=LIFE, wall=wall)


class Access:
    """The passes and codes of one event; to be used by any thread, since forms are read in threads of their own."""

    def __init__(
        self, passes: Passes, *, clock: Callable[[], float] = passing, letter: Callable[[str], str] = secrets.choice
    ) -> None:
        """``letter``: draws one of several."""
        self._passes, self._clock, self._letter = passes, clock, letter
        self._invited: Invitation | None = None
        self._of_address = Paces(RATE_OF_ADDRESS, BURST_OF_ADDRESS, ADDRESSES)
        self._of_all = Pace(RATE_OF_ALL, BURST_OF_ALL)
        self._lock = threading.RLock()
        self.listeners: list[Callable[[], None]] = []  # what is called, by any thread, when a pass was taken back

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
        """Use a link up; return the token of a browser; ``earlier`` is void. Raises CodeRefused, StationError."""
        with self._lock:
            each = self._passes.find(link)
            if each is None or each.role != LINK:
                raise CodeRefused("This link was used, or a newer one was made. Each opens the desk once")
            self._passes.revoke(each.id)
            return self._issue(DESK, "organiser", earlier)

    def invite(self, role: str, taken: Iterable[str] = ()) -> Invitation:
        """Make the code that lets in one of a role, in the place of any before. ``taken``: whom there was already."""
        with self._lock:
            names = {*taken, *(each.who for each in self.staff())}
            who = next(who for n in itertools.count(1) if (who := f"{role} {n}") not in names)
            code = "".join(self._letter(LETTERS) for _ in range(LENGTH))
            self._invited = Invitation(role, who, f"{code[:4]}-{code[4:]}", self._clock() + CODE_LIFE)
            return self._invited

    @property
    def invitation(self) -> Invitation | None:
        """The code that lets somebody in now."""
        invited = self._invited
        return invited if invited is not None and self._clock() < invited.until else None

    def let_in(self, code: str, address: str, earlier: str) -> str:
        """Use a code up; return the token of the tablet; ``earlier`` is void. Raises CodeRefused, StationError."""
        with self._lock:
            try:
                invitation = self._redeem(code, address)
            except CodeRefused as fault:
                _refusals.warning("a tablet at %s was not let in: %s", address, fault.text)
                raise
            token = self._issue(invitation.role, invitation.who, earlier)
            _logger.warning("%s was let in at %s, pass %s", invitation.who, address, pass_id(token))
            return token

    def _redeem(self, code: str, address: str) -> Invitation:
        now = self._clock()
        if not (self._of_address.allows(address, now) and self._of_all.allows(now)):
            raise CodeRefused("Too many codes were tried; wait a little", round(1 / RATE_OF_ADDRESS))
        invited = self.invitation
        if invited is None or not secrets.compare_digest(_plain(code), _plain(invited.code)):
            raise CodeRefused("Type a code that the desk made in the last ten minutes; each is used once")
        self._invited = None
        return invited

    def _issue(self, role: str, who: str, earlier: str) -> str:
        if earlier:
            self._passes.revoke(pass_id(earlier))
        return self._passes.issue(role, who)

    def staff(self) -> list[Pass]:
        """Return the passes of tablets, oldest first. Raises StationError."""
        return [each for each in self._passes.listed() if each.role in ROLES]

    def revoke(self, id_: str) -> list[Pass]:
        """Take a pass back; what it listens to ends. Raises StationError."""
        revoked = self._passes.revoke(id_)
        for each in revoked:
            _logger.warning("the pass %s of %s was taken back", each.id, each.who)
        for listener in self.listeners:
            listener()
        return revoked


def _plain(code: str) -> bytes:
    return "".join(letter for letter in code.upper() if letter.isalnum()).encode(errors="replace")


@dataclass(frozen=True, slots=True)
class StaffPort:
    """What the desk knows of the staff's port. ``address``: as tablets write it; ``install``: how to trust it."""

    access: Access
    certificate: Shown
    address: str
    install: str


@dataclass(frozen=True, slots=True)
class WayIn:
    """Where a gate stands. ``cookie``: its name; ``roles``: who is let in; ``secure``: whether it is https alone."""

    cookie: str
    roles: tuple[str, ...]
    secure: bool

    def set(self, answer: Response, token: str, seconds: int) -> None:
        """Let a browser keep its token; "" takes it away."""
        answer.set_cookie(
            self.cookie, token, max_age=seconds, path="/", secure=self.secure, httponly=True, samesite="strict"
        )


def at_desk(port: int) -> WayIn:
    """Return the desk's. Cookies ignore ports, and two halls may run on one computer: each has its own name."""
    return WayIn(f"referee-desk-{port}", (DESK,), secure=False)


AT_STAFF: Final = WayIn("__Host-referee-staff", ROLES, secure=True)
"""The prefix binds a cookie to this host and to https (RFC 6265bis, 4.1.3.2): a page on plain http cannot set it."""


class Gate:
    """ASGI middleware: nobody without a pass gets to a page. It puts the `Holder` into the scope as ``holder``."""

    def __init__(self, app: ASGIApp, *, access: Access, door: WayIn, pages: Mapping[str, Collection[str]]) -> None:
        """``pages``: for which roles a path is."""
        self._app, self._access, self._door, self._pages = app, access, door, pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request (ASGI 3)."""
        await self._chosen(scope)(scope, receive, send)

    def _chosen(self, scope: Scope) -> ASGIApp:
        if scope["type"] != "http" or scope["path"] == LOGIN or scope["path"].startswith(FILES):
            return self._app
        token = Request(scope).cookies.get(self._door.cookie, "")
        holder = scope["holder"] = self._access.holder(token, self._door.roles)
        if holder is None:
            return refused_outside(scope)
        if holder.may(self._pages.get(scope["path"], NOBODY)):
            return self._app
        return _told(f"{holder.who.capitalize()} may not open this page. Ask an organiser.\n")


def refused_outside(scope: Scope) -> Response:
    """Answer somebody without a pass: pages lead to the way in."""
    if scope["method"] == "GET" and scope["path"] != "/news":
        return RedirectResponse(LOGIN, status_code=303, headers={"cache-control": "no-store"})
    return _told("This browser has no access, or has lost it.\n")


def _told(text: str) -> Response:
    return PlainTextResponse(text, status_code=403, headers={"cache-control": "no-store"})
