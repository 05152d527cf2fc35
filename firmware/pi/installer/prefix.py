"""Which directory can be meant as the referee's own."""

from __future__ import annotations

import re
from collections.abc import Iterable

from firmware.pi.installer.errors import Usage

ROOMS = ("/opt", "/srv", "/usr/local")


def checked(text: str, places: Iterable[str]) -> str:
    """Return a prefix that can be meant. Raises Usage."""
    if not text.startswith("/"):
        raise Usage(f"--prefix must be an absolute path, got {text!r}")
    if not re.fullmatch(r"[A-Za-z0-9/._-]+", text):
        raise Usage("--prefix may hold letters, digits and /._- only")
    if re.search(r"//|/\.{0,2}(/|$)", text):
        raise Usage(
            f"--prefix must be written plainly, without //, /. or /.. and without a slash at its end, not {text}"
        )
    if not text.startswith(tuple(f"{room}/" for room in ROOMS)):
        raise Usage(f"--prefix must be a directory of the referee's own below {' or '.join(ROOMS)}, not {text}")
    for place in places:
        if place.startswith(f"{text}/") or f"{text}/".startswith(f"{place}/"):
            raise Usage(f"--prefix must be a directory of the referee's own, not {text}, where {place} goes")
    return text
