"""Forms as browsers send them, and what each does: a role, the acts it asks for, and what it is about.

Pages stay open while others act: each form carries how many acts its page knew. Where a later act is of a kind that
the form names, and about the same round, table, player or call, nothing is done, and the page says what was done.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, Final, NamedTuple, TypeAlias
from urllib.parse import parse_qsl

from starlette.requests import Request

from referee.errors import Malformed, NotNow
from referee.files import outside
from referee.hall.desk import Desk, NewNames
from referee.hall.staff import Holder
from referee.tournament import Event
from referee.tournament.acts import Act, read_act

MAX_BODY: Final = 1 << 20  # bytes of a form; a thousand players have a tenth of it
MAX_FIELDS: Final = 2000  # a round of 400 tables has two fields for each
MAX_TEXT: Final = 300  # letters of a field of one line
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
        try:
            text = outside.line(self.fields.get(name, ""))
        except Malformed as fault:
            raise Malformed(f"{name}: {fault.text}") from fault
        if len(text) > most:
            raise Malformed(f"{name}: expected at most {most} letters, got {len(text)}")
        return text

    def number(self, name: str, default: int | None = None) -> int:
        """Return a whole number of up to nine digits. Raises Malformed where there is none and no default."""
        text = self.fields.get(name, "").strip()
        if not text and default is not None:
            return default
        if not text and name in CHOSEN:
            raise Malformed(f"{name}: choose {CHOSEN[name]}")
        if not re.fullmatch(r"-?[0-9]{1,9}", text):
            raise Malformed(f"{name}: type a whole number" + (f", not {text[:20]!r}" if text else ""))
        return int(text)

    def choice(self, name: str, options: Sequence[str]) -> str:
        """Return one of the options. Raises Malformed for anything else."""
        value = self.fields.get(name, "")
        if value not in options:
            raise Malformed(f"{name}: choose one of the list")
        return value

    def words(self, name: str) -> tuple[str, ...]:
        """Return what stands between commas."""
        return tuple(word for each in self.text(name).split(",") if (word := each.strip()))


def whole(text: str) -> int:
    """Return a number of the query, 0 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


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
    if len(dict(pairs)) != len(pairs):
        raise Malformed("expected each field once")
    return Form(dict(pairs))


@dataclass(frozen=True, slots=True)
class Asked:
    """What a form asks for. ``notice``: what the page says once it is done; ``then``: where it leads."""

    acts: Sequence[Act] = ()
    names: NewNames = field(default_factory=dict)
    notice: str = ""
    then: str = ""


@dataclass(frozen=True, slots=True)
class Sender:
    """A form, and what its acts need. ``holder``: who sends it; ``seed``: draws the number that lots come from."""

    desk: Desk
    form: Form
    holder: Holder
    seed: Callable[[], int]

    @property
    def event(self) -> Event:
        """The event as it is."""
        return self.desk.event

    @property
    def mark(self) -> dict[str, Any]:
        """Who does it, when and why, for every act."""
        return {"who": self.holder.who, "at": self.desk.now(), "why": self.form.text("why")}


class Does(NamedTuple):
    """What a form does. ``roles``: for whom it is, besides the desk.

    ``since``  acts of others that give it another meaning, where they are about the same as the form: ``by``
    ``confirm``  a word that is typed before what cannot be taken back
    """

    roles: frozenset[str]
    ask: Callable[[Sender], Asked]
    since: tuple[type[Act], ...] = ()
    by: tuple[str, ...] = ("round", "table", "player", "call")
    confirm: str = ""


Forms: TypeAlias = Mapping[str, Does]  # what the forms of a page do, by their names


def act(kind: type[Act], notice: str, then: str = "", **given: object) -> Callable[[Sender], Asked]:
    """Return what a form does that asks for one act: its members are the fields, and ``given``, which no form has."""

    def ask(sender: Sender) -> Asked:
        members: dict[str, Any] = dict(given)
        for each in fields(kind):
            if each.name in sender.mark or each.name in given or each.name == "note":
                continue
            if each.type == "int":
                members[each.name] = sender.form.number(each.name, None if each.default is MISSING else each.default)
            else:
                members[each.name] = sender.form.text(each.name)
        made = read_act({"act": kind.kind, **sender.mark, **members})
        return Asked([made], notice=notice.format(**members), then=then.format(**members))

    return ask


SEEN: Final = "seen"  # the field of a form that has its mark
STALE: Final = "stale"  # code of the refusal of a form whose page shows what is not so any more
MOST: Final = 3  # acts that are listed, the newest
_MARK: Final = re.compile("([0-9]{1,9})-([0-9]{1,16})-[0-9a-f]{8}")
_SLIP: Final = re.compile("[a-z]+[0-9]?_([0-9]{1,9})")


def seen_mark(desk: Desk) -> str:
    """Return the mark of one form: acts that its page knows, when the last was done, and what no other form has."""
    acts = desk.acts
    return f"{len(acts)}-{acts[-1].at if acts else 0}-{secrets.token_hex(4)}"


def known_acts(desk: Desk, form: Form) -> int:
    """Return how many acts the form's page knew; all where it is of none. Raises NotNow for a mark that never was."""
    acts = desk.acts
    if SEEN not in form.fields:
        return len(acts)
    match = _MARK.fullmatch(form.fields[SEEN])
    count = int(match[1]) if match else 0
    if match is None or count > len(acts) or int(match[2]) != (acts[count - 1].at if count else 0):
        raise NotNow(STALE, "Nothing was done: the form is of another event, or of an older record of this one")
    return count


def check_seen(does: Does, form: Form, later: Sequence[Act], event: Event) -> None:
    """Raise NotNow if an act that came later than the form's page makes the form mean something else."""
    changes = [act for act in later if isinstance(act, does.since) and _touches(act, form, does.by)]
    if changes:
        told = "; ".join(f"{act.who}: {act.kind}, {act.words(event)}" for act in changes[-MOST:])
        text = f"Nothing was done: something has changed since this page was loaded. {told}. Look again."
        raise NotNow(STALE, text)


def tables_of(form: Form) -> list[int]:
    """Return the tables that a form is about: its own, and those whose slips are keyed in with it."""
    table = form.fields.get("table", "")
    found = (_SLIP.fullmatch(name) for name, value in form.fields.items() if value)
    own = [int(table)] if table.isascii() and table.isdigit() and len(table) < 10 else []
    return sorted({*own, *(int(each[1]) for each in found if each)})


def _touches(act: Act, form: Form, by: Sequence[str]) -> bool:
    """Whether an act is about the same as a form, as far as both say it: the members ``by``."""
    for name in by:
        mine = set(map(str, tables_of(form) if name == "table" else filter(None, [form.fields.get(name)])))
        theirs = set(map(str, _said(act, name)))
        if mine and theirs and not mine & theirs:
            return False
    return True


def _said(act: Act, name: str) -> Iterator[int]:
    """Yield the numbers that an act says under a name; a table also as one of its pairings."""
    if hasattr(act, name):
        yield getattr(act, name)
    if name == "table":
        yield from (each.table for each in getattr(act, "pairings", ()))
