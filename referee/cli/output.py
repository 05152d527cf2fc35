"""What a command prints: results on stdout, a line at a time; what is worth knowing beside them on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from referee.files.plain import plain


def say(lines: Iterable[str]) -> None:
    """Print results."""
    for line in lines:
        print(plain(line))  # noqa: T201


def warn(text: str) -> None:
    """Print what is worth knowing beside the results."""
    print(plain(f"referee: {text}"), file=sys.stderr)  # noqa: T201
