"""That this box belongs to an event: its hall, its token, and the newest that any hall of the event has shown it.

It is a file beside the journal, for its owner only: the token speaks for this box.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

from referee.errors import JournalError
from referee.files import bounded, durable

FILE: Final = "hall.json"
ACTS: Final = 64
"""Answers to what this table said that are remembered."""


@dataclass(frozen=True, slots=True)
class Membership:
    """``certificate``: SHA-256 of that of the hall, in hex; ``token``: of this box.

    ``since``    the first game of the journal that is the event's business
    ``seen``     the newest record that a hall has shown, as it was said: revision, head, proof; "" before
    ``doubted``  the last one that came from a hall in doubt, "" if none did
    ``answered`` what this table said, by its id: the revision of what it did at the hall, 0 where it did nothing
    """

    certificate: str
    token: str
    since: int
    seen: str = ""
    doubted: str = ""
    answered: Mapping[str, int] = field(default_factory=dict)


def revision(pair: str) -> int:
    """Return the revision of a pair as the hall says it, -1 of none.

    >>> revision("17 3f0c 9ae1"), revision("")
    (17, -1)
    """
    number = pair.partition(" ")[0]
    return int(number) if number.isascii() and number.isdecimal() and len(number) < 16 else -1


def read(folder: Path) -> Membership | None:
    """Return what is kept beside a journal, None where nothing is. Raises JournalError."""
    path = folder / FILE
    try:
        value = json.loads(bounded.text(path))
        kept = Membership(**value)
        texts = kept.certificate, kept.token, kept.seen, kept.doubted
        sound = all(isinstance(each, str) for each in texts) and type(kept.since) is int
        if not sound or not isinstance(kept.answered, dict):
            raise ValueError("expected certificate, token and since")
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, RecursionError) as fault:
        raise JournalError(f"{path} cannot be read; remove it and add the box again: {fault}") from fault
    return kept


def write(folder: Path, kept: Membership) -> None:
    """Keep it, durable. Raises JournalError."""
    newest = dict(list(kept.answered.items())[-ACTS:])
    text = json.dumps(asdict(kept) | {"answered": newest}, indent=1) + "\n"
    try:
        durable.replace(folder / FILE, text, 0o600)
    except OSError as fault:
        raise JournalError(f"{folder / FILE}: cannot be saved: {fault.strerror}") from fault
