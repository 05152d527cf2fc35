"""What the dice told, as bars of letters for a terminal: faces, evidence, and what could have been seen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from typing import Final

from referee.report.expected import band
from referee.report.fairness import ERROR, Die, course, power

WIDTH: Final = 40
"""Letters of a bar."""

TIMES: Final = 5
"""So often at most is told how much evidence there was."""

LEGEND: Final = (
    "In the bars of faces, | marks what is expected; of 20 fair dice, 19 have all six bars end between [ and ].",
    "In those of evidence, | marks where a die is called unfair.",
)


def bars(dice: Sequence[Die]) -> Iterator[str]:
    """Yield lines for these dice, as `dice_of` orders them; nothing where none was thrown."""
    shown = [die for die in dice if die.faces]
    for die in shown:
        yield ""
        yield f"{die.name}, {die.shown}"
        yield from _faces(die)
        yield from _evidence(die, ERROR * len(dice))
        share = power(len(die.faces), len(dice))
        yield f"  noticed   {_bar(share, {})}  {round(100 * share)} %, if it showed a six one time in four"
    if shown:
        yield ""
        yield from LEGEND


def _faces(die: Die) -> Iterator[str]:
    expected = band(len(die.faces))
    most = max(1, expected.high, *die.evidence.counts)
    marks = {expected.low / most: "[", expected.high / most: "]", expected.expected / most: "|"}
    for face, count in enumerate(die.evidence.counts, 1):
        outside = "" if expected.low <= count <= expected.high else ", outside"
        yield f"  face {face}    {_bar(count / most, marks)}  {count}{outside}"


def _evidence(die: Die, threshold: int) -> Iterator[str]:
    """Yield the evidence, each ten times as much as long as the one before, from 1 to ten times what accuses."""
    top = log(10 * threshold)
    value = die.evidence.value
    bar = _bar(log(max(1.0, value)) / top, {log(threshold) / top: "|"})
    yield f"  evidence  {bar}  {_value(value)} of {threshold}"
    values = course(die.faces)
    times = sorted({-(-len(values) * part // TIMES) for part in range(1, TIMES + 1)})
    after = ", ".join(_value(values[at - 1]) for at in times)
    yield f"  after {', '.join(map(str, times))} throws: {after}"


def _value(evidence: float) -> str:
    return "over 10,000" if evidence > 10_000 else f"{evidence:.1f}"


def _bar(share: float, marks: dict[float, str]) -> str:
    """Return a bar as long as that share of `WIDTH`, with marks at other shares.

    >>> _bar(0.5, {0.75: "|"})
    '####################.........|..........'
    """
    length = round(WIDTH * min(1.0, share))
    letters = list("#" * length + "." * (WIDTH - length))
    for at, mark in marks.items():
        letters[min(WIDTH - 1, max(0, round(WIDTH * at) - 1))] = mark
    return "".join(letters)
