"""The event that a box was paired with, and its latest hall, in a file beside the journal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from referee.errors import JournalError
from referee.files import bounded, durable
from referee.hall.uplink.client import Hall
from referee.hall.uplink.term import Term

FILE: Final = "hall.json"


def read(folder: Path, address: str) -> Hall:
    """Return the hall at an address; one of no event where the box was not paired.

    Raises JournalError if the file cannot be read or is damaged.
    """
    path = folder / FILE
    try:
        value = json.loads(bounded.text(path))
        term = Term(*value["term"])
        paired = term.holds(value["event"])
    except FileNotFoundError:
        return Hall(address)
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as fault:
        raise JournalError(f"{path} cannot be read; remove it and pair the box again: {fault}") from fault
    if not paired:
        raise JournalError(f"{path}: expected a term of its event; remove it and pair the box again")
    return Hall(address, value["event"], term)


def write(folder: Path, hall: Hall) -> None:
    """Note a hall that the box was paired with, or that took its event over. Raises JournalError."""
    text = json.dumps({"event": hall.event, "term": hall.term}, indent=1) + "\n"
    try:
        durable.replace(folder / FILE, text)
    except OSError as fault:
        raise JournalError(f"{folder / FILE}: cannot be saved: {fault.strerror}") from fault
