"""The cheapest windows there are, exactly: what the windows that are sent are judged by."""

from collections.abc import Iterator
from functools import cache

from hardware.glass.layout import Layout

PAGES = 8
Interval = tuple[int, int]
State = frozenset[Interval]


@cache
def _states() -> list[State]:
    """Every set of disjoint page intervals, smallest sets first."""

    def from_page(page: int) -> Iterator[tuple[Interval, ...]]:
        if page >= PAGES:
            yield ()
            return
        yield from from_page(page + 1)
        for end in range(page + 1, PAGES + 1):
            for rest in from_page(end):
                yield ((page, end), *rest)

    return sorted((frozenset(state) for state in from_page(0)), key=len)


@cache
def _steps() -> list[tuple[int, int]]:
    """Pairs of states, smaller before larger, that differ by one interval."""
    index = {state: i for i, state in enumerate(_states())}
    return [(index[state - {interval}], i) for i, state in enumerate(_states()) for interval in state]


@cache
def _coverage() -> list[int]:
    return [sum((1 << end) - (1 << start) for start, end in state) for state in _states()]


OVERHEAD = 10
"""Of a window on I2C, where the optimum is asked for without naming another."""


def cheapest(old: bytes, new: bytes, width: int = 128, overhead: int = OVERHEAD) -> int:
    """Bytes on the wire of the cheapest disjoint windows that cover every changed byte: exact.

    A sweep over the columns. The state is the set of windows cut by a column, as page intervals; opening
    one costs its overhead, every byte in it one. Between two states an order of single openings and
    closings always exists, so two passes over the lattice of states replace all pairs of them. Columns with
    the same changes are taken at once: costs are linear in where a window begins, so it begins at an end.
    """
    masks = [
        sum(1 << page for page in range(PAGES) if old[page * width + x] != new[page * width + x])
        for x in range(width)
    ]
    runs: list[list[int]] = []
    for mask in masks:
        if runs and runs[-1][0] == mask:
            runs[-1][1] += 1
        else:
            runs.append([mask, 1])
    coverage, steps = _coverage(), _steps()
    sizes = [mask.bit_count() for mask in coverage]
    infinite = 1 << 30
    costs = [0] + [infinite] * (len(coverage) - 1)
    for mask, length in runs:
        for small, large in reversed(steps):
            if costs[large] < costs[small]:
                costs[small] = costs[large]
        for small, large in steps:
            if costs[small] + overhead < costs[large]:
                costs[large] = costs[small] + overhead
        costs = [
            infinite if mask & ~covered else cost + size * length
            for cost, covered, size in zip(costs, coverage, sizes, strict=True)
        ]
    return min(costs)


def cheapest_on_pages(old: bytes, new: bytes, layout: Layout) -> int:
    """Bytes of the cheapest windows of one line each: over the columns of a page, is one open or not?"""
    total = 0
    for page in range(layout.lines):
        start = page * layout.columns
        closed, opened = 0, 1 << 30
        for column in range(layout.columns):
            changed = old[start + column] != new[start + column]
            opened, closed = min(opened, closed + layout.overhead) + 1, min(closed, opened)
            closed = 1 << 30 if changed else closed
        total += min(opened, closed)
    return total
