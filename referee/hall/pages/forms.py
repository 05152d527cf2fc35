"""Forms as browsers send them: bounded, and every field checked before anything is done with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from referee.errors import Malformed
from referee.files import outside

MAX_BODY: Final = 1 << 20
"""Bytes of a form; a thousand players with clubs have a tenth of it."""
MAX_FIELDS: Final = 100
MAX_TEXT: Final = 300
"""Letters of a field of one line."""
MOST_TABLE: Final = 9999
"""Highest number of a table, as organisers number rooms and rows; a box can stand at no other."""

CHOSEN: Final = {"one": "a player", "other": "a player", "player": "a player", "table": "a table"}
"""What is to be chosen in a field that was left empty."""


class Form:
    """The fields of one form by name; a field that was left out is empty."""

    def __init__(self, fields: Mapping[str, str]) -> None:
        self.fields = fields

    def text(self, name: str, *, most: int = MAX_TEXT) -> str:
        """Return one line of text, without spaces at its ends. Raises Malformed if it is longer or unprintable."""
        return line_of(name, self.fields.get(name, ""), most)

    def lines(self, name: str) -> list[str]:
        """Return the lines of a longer text, without what nobody sees; unchecked."""
        return outside.cleaned(self.fields.get(name, "")).split("\n")

    def number(self, name: str, default: int | None = None) -> int:
        """Return a whole number of up to nine digits. Raises Malformed where there is none and no default."""
        text = self.fields.get(name, "").strip()
        if not text and default is not None:
            return default
        if not text and name in CHOSEN:
            raise Malformed(f"{name}: choose {CHOSEN[name]}")
        if not re.fullmatch(r"-?[0-9]{1,9}", text):
            raise Malformed(f"{name}: expected a whole number, got {text[:20]!r}")
        return int(text)

    def choice(self, name: str, options: Sequence[str]) -> str:
        """Return one of the options. Raises Malformed for anything else."""
        value = self.fields.get(name, "")
        if value not in options:
            raise Malformed(f"{name}: expected one of {', '.join(filter(None, options))}")
        return value

    def words(self, name: str) -> tuple[str, ...]:
        """Return what stands between commas."""
        return tuple(word for each in self.text(name).split(",") if (word := each.strip()))


def line_of(name: str, text: str, most: int) -> str:
    """Return a line that is fit to be shown, as `outside.line`. Raises Malformed naming the field."""
    try:
        text = outside.line(text)
    except Malformed as fault:
        raise Malformed(f"{name}: {fault.text}") from fault
    if len(text) > most:
        raise Malformed(f"{name}: expected at most {most} letters, got {len(text)}")
    return text


async def read_form(request: Request, most: int = MAX_BODY) -> Form:
    """Return the form a browser sent, of ``most`` bytes. Raises Malformed if it is longer, or none."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/x-www-form-urlencoded":
        raise Malformed("expected a form of this page")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise Malformed(f"expected at most {most} bytes")
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=MAX_FIELDS)
    except ValueError as fault:
        raise Malformed("expected a form of this page, in UTF-8") from fault
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise Malformed("expected each field once")
    return Form(fields)
