"""The reader of exports that docs/journal.md shows: it has nothing of this project in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

DESCRIPTION = (Path(__file__).parents[2] / "docs" / "journal.md").read_text(encoding="utf-8")


def _shown() -> Callable[[Iterable[str]], str]:
    (code,) = re.findall(r"^```python\n(.*?)^```", DESCRIPTION, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {}
    exec(code, names)
    check: Callable[[Iterable[str]], str] = names["check"]
    return check


check = _shown()
"""Return the head of an export. Raises ValueError for one that does not hold."""
