"""Which directories can be used for the installation."""

from __future__ import annotations

import re
from collections.abc import Iterable

from firmware.pi.installer.errors import Usage

PARENTS = ("/opt", "/srv", "/usr/local")


def checked(text: str, places: Iterable[str]) -> str:
    """Return a valid prefix. Raises Usage."""
    if not text.startswith("/"):
        raise Usage(f"--prefix must be an absolute path, got {text!r}")
    if not re.fullmatch(r"[A-Za-z0-9/._-]+", text):
        raise Usage("--prefix may contain only letters, digits and /._-")
    if re.search(r"//|/\.{0,2}(/|$)", text):
        raise Usage(f"--prefix must not contain //, /. or /.., or end with a slash; got {text}")
    if not text.startswith(tuple(f"{parent}/" for parent in PARENTS)):
        raise Usage(f"--prefix must be a separate directory below {' or '.join(PARENTS)}; got {text}")
    for place in places:
        if place.startswith(f"{text}/") or f"{text}/".startswith(f"{place}/"):
            raise Usage(f"--prefix must be a separate directory; got {text}, which is used for {place}")
    return text
