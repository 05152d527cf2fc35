"""Pages from templates: everything that is shown is escaped, and a name cannot turn the letters around it."""

from __future__ import annotations

import dataclasses
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from referee.clock.words import clock_text
from referee.errors import JournalError, Malformed, Refused, StationError
from referee.files import qr
from referee.hall.names import Names
from referee.hall.pages.seen import STALE

_FIELD: Final = re.compile(r"((?:points\.|clock\.)?(\w+?))(?:\[\d+\])?(?:\.\w+)?: ")
"""How a refusal begins that names a field."""
_BY_SEAT: Final = re.compile("game[0-9]|place[0-9]|otherwise")
"""Fields that name players by where they sit."""
FIELDS: Final = {
    "fault": "otherwise",
    "games": "game1",
    "no_show": "no_show_minutes",
    "pairings": "tables",
    "places": "place1",
    "result": "game1",
    "tiebreakers": "tiebreaker1",
}
"""Where a form has what acts call by another name."""


@dataclass(frozen=True, slots=True)
class FormView:
    """One form of a page, as it was sent if it was refused.

    ``do``, ``key``  which form it is
    ``field``        the field that the refusal names, "" for the form as a whole
    ``refusal``      what was expected, "" where nothing was refused
    ``fields``       what was sent
    """

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
    return FormView(fields.get("do", ""), fields.get("key", ""), text, named, fields)


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
        )
        self._environment.globals.update({"name": self.name, "club": names.club, "names": names})
        self._environment.filters.update(
            {"named": self.named, "clock": clock, "day": day, "left": clock_text, "code": code}
        )

    def render(self, template: str, **values: Any) -> str:
        """Return a page."""
        return self._environment.get_template(template).render(**values)

    def part(self, template: str, **values: Any) -> Markup:
        """Return a part of a page, to be set into others."""
        return Markup(self.render(template, **values))  # noqa: S704 - the template escapes what it shows

    def name(self, number: int) -> Markup:
        """Return a player's name, set apart from the letters beside it."""
        return Markup("<bdi>{}</bdi>").format(self._names.player(number))

    def named(self, text: str) -> Markup:
        """Return a text of the record with names in the place of numbers."""
        known = self._names.of("player")
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
