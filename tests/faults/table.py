"""The table of faults: its rows, the scenarios that measure them, and where it stands in the documents."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from tests.components import MEMORY

MODULES = ("devices", "board", "storage", "clock", "browser", "process")
"""Where scenarios are, in the order of the table."""

DOCUMENT = Path(__file__).parents[2] / "docs" / "operate.md"
BEGIN, END = "<!-- made by `make faults` -->", "<!-- end -->"
HEAD = "| fault | noticed within | what players see first | ends by |"


class Row(NamedTuple):
    """What one scenario measured.

    ``noticed``  from the fault until it was said, as `took` or `within` print it
    ``seen``     the very words on the glass, or where they stood if not there
    ``ends``     what ends it, without a restart
    ``usable``   from then until the same question could be answered
    ``lost``     answers seen accepted that are not in the journal; ``doubled``: entries of the journal nobody pressed
    """

    noticed: str
    seen: str
    ends: str
    usable: str
    lost: int
    doubled: int

    @property
    def told(self) -> bool:
        """Whether players see anything; the document has no row of the others."""
        return not self.seen.startswith("nothing")


Scenario = Callable[[Path], Row]

_scenarios: dict[tuple[str, str], Scenario] = {}


def scenario(group: str, fault: str) -> Callable[[Scenario], Scenario]:
    """Enter a function as the scenario of a fault. It is given an empty folder."""

    def enter(function: Scenario) -> Scenario:
        if (group, fault) in _scenarios:
            raise ValueError(f"there are two scenarios of {group}: {fault}")
        _scenarios[group, fault] = function
        return function

    return enter


def scenarios() -> dict[tuple[str, str], Scenario]:
    """Return every scenario by group and fault."""
    for name in MODULES:
        import_module(f"tests.faults.{name}")
    return _scenarios


def measure(group: str, fault: str) -> Row:
    """Play one scenario."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        return scenarios()[group, fault](Path(folder))


def took(seconds: float) -> str:
    """Return a time as the table prints it, rounded up.

    >>> took(0.0), took(0.0231), took(60.0)
    ('at once', '30 ms', '60 s')
    """
    milliseconds = round(seconds * 1000, 1)
    if milliseconds <= 0:
        return "at once"
    if milliseconds < 1000:
        return f"{math.ceil(milliseconds / 10) * 10} ms"
    return f"{math.ceil(milliseconds / 100) / 10:g} s"


def within(seconds: float, limit: float) -> str:
    """Hold a time of the real clock to a limit; return the limit, which is what the table promises."""
    assert seconds <= limit, f"took {seconds:.3f} s, not at most {limit:g} s"
    return took(limit)


def line(fault: str, row: Row) -> str:
    """Return a row as it stands in the document."""
    seen = row.seen.split("; then: ")[0].removesuffix(" any key")
    cells = (fault, row.noticed, seen, row.ends)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def written() -> dict[tuple[str, str], str]:
    """Return the rows of the document by group and fault."""
    text = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)[1].split(END)[0]
    rows: dict[tuple[str, str], str] = {}
    group = ""
    for each in text.splitlines():
        if each.startswith("### "):
            group = each.removeprefix("### ")
        elif each.startswith("| ") and each != HEAD:
            rows[group, each.split(" | ")[0].removeprefix("| ")] = each
    return rows


def write(rows: dict[tuple[str, str], Row]) -> None:
    """Put the rows into the document."""
    parts: list[str] = []
    group = ""
    for (of, fault), row in rows.items():
        if not row.told:
            continue
        if of != group:
            group = of
            parts += ["", f"### {group}", "", HEAD, "|" + "---|" * (HEAD.count("|") - 1)]
        parts.append(line(fault, row))
    before, rest = DOCUMENT.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    DOCUMENT.write_text("\n".join([before + BEGIN, *parts, "", END + after]), encoding="utf-8")
