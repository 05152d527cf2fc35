"""The hall that a box was paired with, in a file beside the journal."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

from referee.errors import JournalError
from referee.files import bounded, durable
from referee.hall.uplink.client import Hall

FILE: Final = "hall.json"
_HEX = re.compile(r"[0-9a-f]{64}")


def read(folder: Path, address: str) -> Hall:
    """Return the hall at an address; one without a certificate where the box was not paired.

    Raises JournalError if the file cannot be read or is damaged.
    """
    path = folder / FILE
    try:
        value = json.loads(bounded.text(path))
        event, certificate = str(value["event"]), str(value["certificate"])
    except FileNotFoundError:
        return Hall(address)
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as fault:
        raise JournalError(f"{path} cannot be read; remove it and pair the box again: {fault}") from fault
    if not (_HEX.fullmatch(event) and _HEX.fullmatch(certificate)):
        raise JournalError(f"{path}: expected two hashes; remove it and pair the box again")
    return Hall(address, event, certificate)


def write(folder: Path, hall: Hall) -> None:
    """Note a hall that the box was paired with, in the place of the one before. Raises JournalError."""
    text = json.dumps({"event": hall.event, "certificate": hall.certificate}, indent=1) + "\n"
    try:
        durable.replace(folder / FILE, text)
    except OSError as fault:
        raise JournalError(f"{folder / FILE}: cannot be saved: {fault.strerror}") from fault
