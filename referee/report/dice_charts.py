"""What the dice told, as SVG: faces beside what is expected, the evidence, and what could have been seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from math import log10
from typing import Final

from referee.report import charts
from referee.report.charts import COLOURS, DASHES, apart
from referee.report.expected import band
from referee.report.fairness import ERROR, Die, course, horizon, power

WIDTH, HEIGHT = 760, 200
LEFT, RIGHT, TOP, BOTTOM = 64, 215, 16, 30
FACES_WIDTH: Final = 250
"""Width of the picture of one die's faces; three stand side by side."""

MOST_DICE: Final = 9
"""Dice that have a picture, those that were thrown most."""

POINTS: Final = 60
"""Points of a curve at most."""

DECADES: Final = (0.01, 0.1, 1, 10, 100, 1000, 10_000)
CEILING: Final = 100
"""So many times the evidence at which a die is called unfair is as high as the picture goes."""

FLOOR: Final = 0.01


def plots(dice: Sequence[Die]) -> Iterator[str]:
    """Yield the pictures of these dice, as `dice_of` orders them; nothing where none was thrown."""
    shown = [die for die in dice if die.faces][:MOST_DICE]
    if not shown:
        return
    yield _figure(
        f'<div class="dice">{"".join(map(_faces, shown))}</div>',
        "How often each face fell. The line is what is expected of a fair die. Of 20 fair dice, 19 have all six bars"
        " end within the shaded band.",
    )
    yield _figure(
        _evidence(shown, ERROR * len(dice)),
        "The evidence against each die after every throw. A die is called unfair at"
        f" {ERROR * len(dice)}, and not before.",
    )
    yield _figure(
        _power(shown, len(dice)),
        "How likely an unfair die, one that shows a six one time in four, would have been noticed, by the number of"
        " throws. The marks are the dice above.",
    )


def _figure(picture: str, text: str) -> str:
    """Return a picture and what is to be seen in it, which paper does not part."""
    return f'<figure>{picture}<p class="soft">{text}</p></figure>'


def _faces(die: Die) -> str:
    expected = band(len(die.faces))
    highest = max(1, expected.high, *die.evidence.counts)
    bottom = HEIGHT - BOTTOM
    step = (FACES_WIDTH - 30) / 6

    def y(value: float) -> float:
        return round(bottom - (bottom - TOP - 16) * value / highest, 1)

    counts = ", ".join(f"{face}: {count}" for face, count in enumerate(die.evidence.counts, 1))
    parts = [_open(FACES_WIDTH, f"{die.name}, {die.shown}. Faces {counts}; {_expected(len(die.faces))}")]
    parts.append(f'<text x="15" y="{TOP}" class="name">{escape(die.name)}</text>')
    edge = 15 + 6 * step
    height = round(y(expected.low) - y(expected.high), 1)
    parts.append(f'<rect class="band" x="15" y="{y(expected.high)}" width="{edge - 15:.1f}" height="{height}"/>')
    counted = []
    for at, count in enumerate(die.evidence.counts):
        x = 15 + at * step
        outside = " outside" if not expected.low <= count <= expected.high else ""
        bar = f'x="{x + 7:.1f}" y="{y(count)}" width="{step - 14:.1f}" height="{round(bottom - y(count), 1)}"'
        parts.append(f'<rect class="bar{outside}" {bar}/>')
        middle = f'x="{x + step / 2:.1f}" text-anchor="middle"'
        counted.append(f'<text {middle} y="{y(count) - 4}" class="count">{count}</text>')
        parts.append(f'<text {middle} y="{bottom + 16}" class="face">{at + 1}</text>')
    parts.append(f'<path class="expected" d="M15 {y(expected.expected)}H{edge:.1f}"/>')
    return "".join([*parts, *counted, "</svg>"])  # the counts lie over the line


def _expected(throws: int) -> str:
    expected = band(throws)
    return f"expected {expected.expected:.0f} each, band {expected.low} to {expected.high}"


def _evidence(dice: Sequence[Die], threshold: int) -> str:
    courses = {die.name: [max(FLOOR, min(value, CEILING * threshold)) for value in course(die.faces)] for die in dice}
    most = max(len(values) for values in courses.values())
    highest = max(threshold * 2.0, *(max(values) for values in courses.values()))
    lowest = min(0.1, *(min(values) for values in courses.values()))

    def y(value: float) -> float:
        share = (log10(value) - log10(lowest)) / (log10(highest) - log10(lowest))
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share, 1)

    parts = [_open(WIDTH, f"Evidence against each die over {most} throws; a die is called unfair at {threshold}")]
    parts += _throws_axis(most)
    for value in (each for each in DECADES if lowest <= each <= highest):
        parts.append(_grid(y(value), f"{value:g}"))
    parts.append(f'<path class="threshold" d="M{LEFT} {y(threshold)}H{WIDTH - RIGHT}"/>')
    parts.append(f'<text x="{LEFT + 6}" y="{y(threshold) - 5}" class="name">unfair from {threshold} on</text>')
    curves = {name: [(at, y(values[at - 1])) for at in _points(len(values))] for name, values in courses.items()}
    labels = {die.name: f"{die.name} {_value(die.evidence.value)}" for die in dice}
    parts += _curves(curves, most, labels)
    return _with_legend(parts, labels.values())


def _value(evidence: float) -> str:
    return ">10,000" if evidence > 10_000 else f"{evidence:.1f}"


def _power(dice: Sequence[Die], looked_at: int) -> str:
    most = horizon(max(len(die.faces) for die in dice))

    def y(share: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share, 1)

    def x(throws: int) -> float:
        return _x(min(throws, most), most)

    parts = [_open(WIDTH, f"Probability that a loaded die would have been noticed, over {most} throws")]
    parts += _throws_axis(most)
    parts += [_grid(y(share / 100), f"{share} %") for share in (0, 50, 100)]
    curve = " ".join(f"{_x(at, most)},{y(power(at, looked_at))}" for at in (0, *_points(most)))
    parts.append(f'<polyline class="curve" points="{curve}"/>')
    names = apart({die.name: y(power(len(die.faces), looked_at)) for die in dice}, HEIGHT - BOTTOM)
    labels = []
    for number, die in enumerate(dice):
        colour, share = COLOURS[number % len(COLOURS)], power(len(die.faces), looked_at)
        parts.append(f'<circle cx="{x(len(die.faces))}" cy="{y(share)}" r="4.5" class="{colour}"/>')
        labels.append(f"{die.name} {round(100 * share)} %")
        parts.append(_label(labels[-1], names[die.name], colour))
    return _with_legend(parts, labels, mark=True)


def _with_legend(parts: Sequence[str], labels: Iterable[str], *, mark: bool = False) -> str:
    """Return a picture, and under it the names of its lines or marks for a narrow screen (`charts.lines`)."""
    keys = (charts.key(label, number, mark=mark) for number, label in enumerate(labels))
    return "".join(['<div class="chart">', *parts, '</svg><ul class="legend">', *keys, "</ul></div>"])


def _label(text: str, y: float, colour: str) -> str:
    return f'<text x="{WIDTH - RIGHT + 8}" y="{y + 4}" class="label {colour}">{escape(text)}</text>'


def _curves(curves: dict[str, list[tuple[int, float]]], most: int, labels: dict[str, str]) -> Iterator[str]:
    names = apart({name: points[-1][1] for name, points in curves.items()}, HEIGHT - BOTTOM)
    for number, (name, points) in enumerate(curves.items()):
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        path = " ".join(f"{_x(at, most)},{height}" for at, height in points)
        yield f'<polyline class="line {colour}" points="{path}"{dashed}/>'
        yield _label(labels[name], names[name], colour)


def _points(most: int) -> list[int]:
    """Return the throws at which a curve is drawn, the last one among them."""
    step = max(1, most // POINTS)
    return sorted({*range(step, most + 1, step), most})


def _x(throws: int, most: int) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * throws / most, 1)


def _throws_axis(most: int) -> Iterator[str]:
    for at, label in ((0, "0"), (most // 2, f"{most // 2}"), (most, f"{most} throws")):
        anchor = "end" if at == most else "middle"
        yield f'<text x="{_x(at, most)}" y="{HEIGHT - BOTTOM + 17}" text-anchor="{anchor}">{label}</text>'


def _grid(y: float, label: str) -> str:
    line = f'<path class="grid" d="M{LEFT} {y}H{WIDTH - RIGHT}"/>'
    return f'{line}<text x="{LEFT - 6}" y="{y + 4}" text-anchor="end">{label}</text>'


def _open(width: int, label: str) -> str:
    kind = "" if width == WIDTH else ' class="faces"'
    return f'<svg{kind} viewBox="0 0 {width} {HEIGHT}" role="img" aria-label="{escape(label)}">'
