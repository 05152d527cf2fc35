"""Pages from templates: everything that is shown is escaped, and a name cannot turn the letters around it.

A page that is open hears that something has changed by server-sent events (HTML Living Standard, 9.2).
"""

from __future__ import annotations

import asyncio
import dataclasses
import re
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from referee.clock.words import clock_text
from referee.errors import JournalError, Malformed, Refused, StationError
from referee.files import qr
from referee.hall.backup import Backup
from referee.hall.boxes import Boxes
from referee.hall.desk import Desk, Names
from referee.hall.pages.forms import STALE
from referee.hall.reports import Reports
from referee.hall.staff import Holder, StaffPort
from referee.web import assets

FRESH: Final = {"cache-control": "no-store"}
OF_THE_PANEL: Final = ("choice.js", "clock_text.js", "theme.js")  # files that these pages share with the panel
_FIELD: Final = re.compile(r"((?:points\.)?(\w+?))(?:\[\d+\])?(?:\.\w+)?: ")
"""How a refusal begins that names a field."""
_BY_SEAT: Final = re.compile("(game[0-9]|place[0-9]|otherwise)_[0-9]+")  # fields that name players by where they sit
FIELDS: Final = {"pairings": "tables", "tiebreakers": "tiebreaker1"}
"""Where a form has what acts call by another name."""


class Served(NamedTuple):
    """What a hall serves besides its pages, as far as it was started with it.

    ``boxes``, ``reports``: None where no box can connect; ``staff``: the port for tablets, None without one
    """

    boxes: Boxes | None = None
    reports: Reports | None = None
    backup: Backup | None = None
    staff: StaffPort | None = None


class Look(NamedTuple):
    """Somebody looks at a page. ``fields``: of its query, or of the form that was refused; ``drafts``: sees them."""

    desk: Desk
    fields: Mapping[str, str]
    served: Served = Served()
    drafts: bool = True


@dataclass(frozen=True, slots=True)
class FormView:
    """A form of a page, as it was sent if it was refused. ``field``: the one that the refusal names, "" for none."""

    do: str
    key: str = ""
    refusal: str = ""
    field: str = ""
    fields: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def id(self, name: str) -> str:
        """Return the id of a field in the page."""
        return f"{self.do}-{self.key}-{name}" if self.key else f"{self.do}-{name}"

    def value(self, name: str, default: object = "") -> str:
        """Return what stands in a field."""
        return self.fields.get(name, "" if default is None else str(default))

    def error(self, name: str) -> str:
        """Return what was expected of a field, "" if nothing was wrong with it."""
        return self.refusal if name == self.field else ""


class FormsOf:
    """The forms of a page; the one that was refused is as it was sent. ``found``: whether the page has that one."""

    def __init__(self, refusal: FormView) -> None:
        self._refusal = refusal
        self.found = False

    def __call__(self, do: str, key: object = "") -> FormView:
        """Return a form of the page."""
        if self._refusal.refusal and (do, str(key)) == (self._refusal.do, self._refusal.key):
            self.found = True
            return self._refusal
        return FormView(do, str(key))


def refused(fields: Mapping[str, str], fault: Refused | JournalError | StationError) -> FormView:
    """Return a form as it was sent, with what was expected beside the field."""
    text = fault.text if isinstance(fault, Refused) else str(fault)
    match = _FIELD.match(text) if isinstance(fault, Malformed) else None
    names = (FIELDS.get(match[1], ""), match[2]) if match else ()
    named = next((name for name in names if name in fields), "")
    if match and named:
        text = text[match.end() :]
    if isinstance(fault, Refused) and fault.code == STALE:  # a choice by seat would now mean somebody else
        fields = {name: value for name, value in fields.items() if not _BY_SEAT.fullmatch(name)}
    return FormView(fields.get("do", ""), fields.get("key", ""), text[:1].upper() + text[1:], named, fields)


class Pages:
    """Renders templates with what every page needs."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._environment = Environment(
            loader=PackageLoader("referee.hall.pages"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._environment.globals.update({"name": self.name, "names": names})
        filters = {"named": self.named, "clock": clock, "day": day, "left": clock_text, "code": code, "count": count}
        self._environment.filters.update(filters)

    def render(self, template: str, **values: Any) -> str:
        """Return a page."""
        page = self._environment.get_template(template).render(**values)
        return page.encode(errors="replace").decode()  # half a pair, which JSON of a box can have, is no letter

    def part(self, template: str, **values: Any) -> Markup:
        """Return a part of a page, to be set into others."""
        return Markup(self.render(template, **values))  # noqa: S704 - the template escapes what it shows

    def name(self, number: int) -> Markup:
        """Return a player's name, set apart from the letters beside it."""
        return Markup("<bdi>{}</bdi>").format(self._names.player(number))

    def named(self, text: str) -> Markup:
        """Return a text of the record with names in the place of numbers."""
        known = self._names.all["player"]
        parts = re.split(r"([Pp]layer \d+)", text)
        return Markup("").join(
            self.name(int(part[7:])) if at % 2 and int(part[7:]) in known else escape(part)
            for at, part in enumerate(parts)
        )


def code(text: str, title: str) -> Markup:
    """Return a text as a QR code."""
    return Markup(qr.svg(text, title))  # noqa: S704 - drawn here, with the title escaped


def day(milliseconds: int) -> str:
    """Return the date of a moment."""
    return time.strftime("%Y-%m-%d", time.localtime(milliseconds / 1000))


def clock(milliseconds: int) -> str:
    """Return a moment as a clock on the wall shows it."""
    return time.strftime("%H:%M", time.localtime(milliseconds / 1000))


def count(number: int, noun: str) -> str:
    """Return how many there are of something.

    >>> count(1, "player"), count(2, "player"), count(3, "entry")
    ('1 player', '2 players', '3 entries')
    """
    if number == 1:
        return f"1 {noun}"
    return f"{number} {noun[:-1]}ies" if noun.endswith("y") and noun[-2] not in "aeiou" else f"{number} {noun}s"


def loaded() -> list[Route]:
    """Return the paths of what the pages load: files of their own, and what they share with the panel."""
    panel = assets.load("referee.web", "panel")
    files = assets.load("referee.hall.pages", "files") | {name: panel[name] for name in OF_THE_PANEL}
    return [Route(f"/files/{name}", asset.__call__, methods=["GET"]) for name, asset in files.items()]


MAX_PAGES: Final = 500  # pages that listen at once; how many of one address, `serving` says
OUT: Final = "event: out\ndata: \n\n"  # tells a page that its pass was taken back
ALIVE: Final = "event: alive\ndata: \n\n"
ALIVE_SECONDS: Final = 3.0
"""Time after which that is sent although nothing has changed: a page that hears nothing says that it may be old."""


class News:
    """Tells every page that listens. Belongs to the event loop's thread."""

    def __init__(self, number: Callable[[], int], kept: Callable[[Request], None] = lambda _request: None) -> None:
        """``number``: what is newest, as pages have it in ``data-news``; ``kept``: called with each request."""
        self._number, self._kept = number, kept
        self._waiting: set[asyncio.Event] = set()
        self._over = False

    def tell(self) -> None:
        """Something has changed."""
        for each in self._waiting:
            each.set()

    def close(self) -> None:
        """Let every page go."""
        self._over = True
        self.tell()

    async def __call__(self, request: Request) -> Response:
        """Serve one page."""
        holder: Holder | None = request.scope.get("holder")  # public pages have none
        if len(self._waiting) >= MAX_PAGES or self._over:
            return PlainTextResponse("Too many pages listen; load the page again now and then.\n", status_code=503)
        self._kept(request)
        headers = {"cache-control": "no-store"}
        return StreamingResponse(self._stream(holder), media_type="text/event-stream", headers=headers)

    async def _stream(self, holder: Holder | None) -> AsyncIterator[str]:
        changed = asyncio.Event()
        self._waiting.add(changed)
        try:
            while not self._over:
                changed.clear()
                yield f"data: {self._number()}\n\n"
                while not changed.is_set():
                    with suppress(TimeoutError):
                        async with asyncio.timeout(ALIVE_SECONDS):
                            await changed.wait()
                    if holder is not None and not holder.valid():
                        yield OUT
                        return
                    if not changed.is_set():
                        yield ALIVE
        finally:
            self._waiting.discard(changed)
