"""What a command prints: results on stdout, a line at a time; what is worth knowing beside them on stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterable


def say(lines: Iterable[str]) -> None:
    """Print results."""
    for line in lines:
        print(line)  # noqa: T201


def warn(text: str) -> None:
    """Print what is worth knowing beside the results."""
    print(f"referee: {text}", file=sys.stderr)  # noqa: T201
