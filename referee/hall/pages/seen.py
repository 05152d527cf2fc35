"""What a form was sent from: pages stay open while others act.

Each form carries how many acts its page knew. Where a later act is of a kind that the form names, and about the same
round, table, player or call, nothing is done, and the page says what was done meanwhile.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator, Sequence
from typing import Final

from referee.errors import NotNow
from referee.hall.desk import Desk
from referee.hall.pages.forms import Does, Form
from referee.tournament import Event
from referee.tournament.acts import Act

FIELD: Final = "seen"
"""The field of a form that has its mark."""
STALE: Final = "stale"
"""Code of the refusal of a form whose page shows what is not so any more."""
MOST: Final = 3
"""Acts that are listed; of more it is said how many."""
_MARK: Final = re.compile("([0-9]{1,9})-([0-9]{1,16})-[0-9a-f]{8}")
_SLIP: Final = re.compile("[a-z]+[0-9]?_([0-9]{1,9})")


def mark(desk: Desk) -> str:
    """Return the mark of one form: acts that its page knows, when the last was done, and what no other form has."""
    acts = desk.acts
    return f"{len(acts)}-{acts[-1].at if acts else 0}-{secrets.token_hex(4)}"


def known(desk: Desk, form: Form) -> int:
    """Return how many acts the form's page knew; all where the form is of no page.

    Raises NotNow for a mark that this event never gave.
    """
    acts = desk.acts
    if FIELD not in form.fields:
        return len(acts)
    match = _MARK.fullmatch(form.fields[FIELD])
    count = int(match[1]) if match else 0
    if match is None or count > len(acts) or int(match[2]) != (acts[count - 1].at if count else 0):
        raise NotNow(STALE, "Nothing was done: the form is of another event, or of an older record of this one")
    return count


def check(does: Does, form: Form, later: Sequence[Act], event: Event) -> None:
    """Raise NotNow if an act that came later than the form's page makes the form mean something else."""
    changes = [act for act in later if isinstance(act, does.since) and _touches(act, form, does.by)]
    if changes:
        told = [f"{act.who}: {act.kind}, {act.words(event, 'number {}'.format)}" for act in changes[:MOST]]
        more = [f"and {len(changes) - MOST} more"] if len(changes) > MOST else []
        text = "; ".join([*told, *more])
        raise NotNow(
            STALE, f"Nothing was done: something has changed since this page was loaded. {text}. Look again."
        )


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
