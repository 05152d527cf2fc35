"""What a form was sent from: the event as its page showed it, and the form itself, so that it counts once.

Pages stay open while others act. Each form carries how many acts its page knew; what the form is about is compared
between then and now, and where it differs, nothing is done. A form that comes twice, from a double click for example,
is answered twice and done once.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final, Generic, TypeVar

from referee.errors import NotNow
from referee.hall.desk import Desk
from referee.hall.pages.about import ABOUT
from referee.hall.pages.forms import Form
from referee.tournament import Event

T = TypeVar("T")
FIELD: Final = "seen"
"""The field of a form that has its mark."""
STALE: Final = "stale"
"""Code of the refusal of a form whose page shows what is not so any more."""
MOST: Final = 4
"""Changes that are listed; of more it is said how many."""
KEPT: Final = 1000
"""Forms that are known to have been sent."""
_MARK: Final = re.compile("([0-9]{1,9})-([0-9]{1,16})-[0-9a-f]{8}")


def mark(desk: Desk) -> str:
    """Return the mark of one form: acts that its page knows, when the last was done, and what no other form has."""
    acts = desk.acts
    return f"{len(acts)}-{acts[-1].at if acts else 0}-{secrets.token_hex(4)}"


async def shown(desk: Desk, form: Form) -> Event:
    """Return the event as the form's page showed it; as it is where the form is of no page.

    Raises NotNow for a mark that this event never gave.
    """
    if FIELD not in form.fields:
        return desk.event
    match, acts = _MARK.fullmatch(form.fields[FIELD]), desk.acts
    known = int(match[1]) if match else 0
    if match is None or known > len(acts) or int(match[2]) != (acts[known - 1].at if known else 0):
        raise NotNow(STALE, "Nothing was done: the form is of another event, or of an older record of this one")
    return await asyncio.to_thread(desk.after, known)


def check(before: Event, now: Event, path: str, form: Form) -> None:
    """Raise NotNow, saying what has changed, unless what a form is about still is as its page showed it."""
    about = ABOUT.get(path, {}).get(form.fields.get("do", ""))
    if about is None or before is now:
        return
    old, new = about(before, form), about(now, form)
    changes = [
        f"{what}: {old[what]} before, {now} now" if what in old else f"{what}: {now} now"
        for what, now in new.items()
        if old.get(what) != now
    ]
    if changes:
        raise stale(changes)


def stale(changes: Sequence[str]) -> NotNow:
    """Return the refusal of a form, for what has changed since its page was loaded."""
    more = [f"and {len(changes) - MOST} changes more"] if len(changes) > MOST else []
    told = "; ".join([*changes[:MOST], *more])
    return NotNow(STALE, f"Nothing was done: something has changed since this page was loaded. {told}. Look again.")


class Once(Generic[T]):
    """Does what a form asks for once, however often it comes; a form that was refused may come again."""

    def __init__(self) -> None:
        self._sent: dict[str, asyncio.Future[T]] = {}

    async def do(self, sender: str, form: Form, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return what ``work`` returns, or has returned for the same form of the same ``sender``."""
        if FIELD not in form.fields:
            return await work()
        key = hashlib.sha256(repr((sender, sorted(form.fields.items()))).encode()).hexdigest()
        task = self._sent.get(key)
        if task is None:
            task = self._sent[key] = asyncio.ensure_future(work())
            if len(self._sent) > KEPT:
                del self._sent[next(iter(self._sent))]
        try:
            return await asyncio.shield(task)
        except Exception:
            self._sent.pop(key, None)
            raise
