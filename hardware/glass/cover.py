"""Covering what changed with windows that cost little: pure.

Where windows are one line high, joining what is nearer than a window is worth is the cheapest cover there
is. Where they may be taller, finding the cheapest takes a long part of a second. Merging whatever wastes
least, from a few different starting points, takes about a millisecond and stays within a tenth of the
optimum for text, frames, dice and scattered dots; only a fine regular grating can cost up to a third more.
"""

from heapq import heapify, heappop, heappush
from itertools import groupby

from hardware.glass.layout import Layout, Window

# Starting points: runs of changed cells, joined over so many unchanged ones (None: as many as a window is
# worth), and how many runs are not too many to try it. Two screens in a row need the coarse one, single
# pips the finest.
_STARTS: tuple[tuple[int | None, int], ...] = ((3, 110), (0, 90), (None, 512))
_GOOD_ENOUGH = 1.02
# With so many changed cells it is a new screen: the coarse start comes within a tenth of the optimum by itself, and
# looking for better would keep the glass waiting longer than the bytes it saves.
NEW_SCREEN = 350
# Above so many lines rows of text are stacked before they are merged: there are too many runs for all pairs.
_TALL = 16
_FEW = 60

_Rectangle = tuple[int, int, int, int]
"""A window while it is still being thought about: left, top, right, bottom."""

_Candidate = tuple[float, int, int, int, _Rectangle]
"""Waste and area of a union, the numbers of the two it joins, and the union."""


def cover(masks: list[int], layout: Layout) -> list[Window]:
    """Return windows over all changes; none for no changes.

    `masks` holds for each line a number whose bit `x` tells whether column `x` changed.
    """
    if layout.one_line:
        return [Window(*run) for run in _runs(masks, int(layout.worth))]
    if layout.lines > _TALL:
        return _tall(masks, layout)
    return _low(masks, layout)


def _low(masks: list[int], layout: Layout) -> list[Window]:
    best: list[Window] = []
    changed = sum(mask.bit_count() for mask in masks)
    enough = (layout.overhead + changed * layout.cell_bytes) * _GOOD_ENOUGH
    for gap, too_many in _STARTS[-1:] if changed > NEW_SCREEN else _STARTS:
        joined = int(layout.worth) if gap is None else gap
        runs = _stack(_runs(masks, joined))
        if len(runs) > too_many:
            runs = _stack(_runs(_closed(masks), joined))
        if len(runs) > too_many:
            continue
        windows = _trim(_merge(runs, layout.worth), masks)
        if not best or layout.cost(windows) < layout.cost(best):
            best = windows
        if layout.cost(best) <= enough:
            break
    return best


def _tall(masks: list[int], layout: Layout) -> list[Window]:
    worth = layout.worth
    runs = _runs(masks, int(worth))
    best = _trim(_merge(_sweep(runs, worth), worth), masks)
    for start in (runs, _runs(masks, 0)):
        stacked = _stack(start)
        if len(stacked) <= _FEW:
            windows = _trim(_merge(stacked, worth), masks)
            best = min(best, windows, key=layout.cost)
    return best


def _runs(masks: list[int], gap: int) -> list[_Rectangle]:
    """Return the runs of changed columns of each line, joined where at most `gap` columns are between."""
    runs: list[_Rectangle] = []
    for line, mask in enumerate(masks):
        rest, left = mask, 0
        last: int | None = None
        while rest:
            skip = (rest & -rest).bit_length() - 1
            rest >>= skip
            left += skip
            length = (~rest & rest + 1).bit_length() - 1
            joined = last is not None and left - last <= gap
            start = runs.pop()[0] if joined else left
            last = left + length
            runs.append((start, line, last, line + 1))
            rest >>= length
            left = last
    return runs


def _closed(masks: list[int]) -> list[int]:
    """Return the changes with gaps of one line filled, so that an upright stroke with holes is one run."""
    around = zip([0, *masks], masks, [*masks[1:], 0], strict=False)
    return [mask | (above & below) for above, mask, below in around]


def _stack(runs: list[_Rectangle]) -> list[_Rectangle]:
    """Join runs of the same columns on consecutive lines, which wastes nothing."""
    stacked: dict[tuple[int, int, int], _Rectangle] = {}
    for left, line, right, below in runs:
        _, top, _, _ = stacked.pop((left, right, line), (left, line, right, below))
        stacked[left, right, below] = (left, top, right, below)
    return list(stacked.values())


def _sweep(runs: list[_Rectangle], worth: float) -> list[_Rectangle]:
    """Go down line by line; each run joins the rectangle above it that it widens least, or begins its own.

    It joins if that wastes no more than a window is worth.
    """
    done: list[_Rectangle] = []
    above: list[_Rectangle] = []
    before = -1
    for line, group in groupby(runs, key=lambda run: run[1]):
        if line != before + 1:
            done += above
            above = []
        here: list[_Rectangle] = []
        for run in group:
            _place(run, above, here, worth)
        done += above
        above, before = here, line
    return done + above


def _place(run: _Rectangle, above: list[_Rectangle], here: list[_Rectangle], worth: float) -> None:
    left, _, right, below = run
    best: tuple[float, int, _Rectangle, list[_Rectangle]] | None = None
    for group in (above, here):
        for i, (left2, top2, right2, bottom2) in enumerate(group):
            union = (min(left, left2), top2, max(right, right2), below)
            area = (union[2] - union[0]) * (below - top2)
            waste = area - (right2 - left2) * (bottom2 - top2) - (right - left)
            if waste <= worth and (best is None or waste < best[0]):
                best = (waste, i, union, group)
    if best is None:
        here.append(run)
        return
    _, i, union, group = best
    group.pop(i)
    here.append(union)


def _merge(runs: list[_Rectangle], worth: float) -> list[_Rectangle]:
    """Join two rectangles as long as some pair wastes no more than a window is worth, least waste first.

    Whatever else lies within the union is absorbed by it.
    """
    runs = sorted(runs)
    alive = dict(enumerate(runs))
    heap: list[_Candidate] = []
    for i, one in alive.items():
        reach = one[2] + worth
        for j in range(i + 1, len(runs)):
            if runs[j][0] > reach:
                break
            candidate = _union(i, one, j, runs[j], worth)
            if candidate is not None:
                heap.append(candidate)
    heapify(heap)
    number = len(runs)
    while heap:
        _, _, i, j, union = heappop(heap)
        if i not in alive or j not in alive:
            continue
        left, top, right, bottom = union
        alive = {k: r for k, r in alive.items() if r[0] < left or r[1] < top or r[2] > right or r[3] > bottom}
        for k, other in alive.items():
            if other[0] <= right + worth and left <= other[2] + worth:
                candidate = _union(k, other, number, union, worth)
                if candidate is not None:
                    heappush(heap, candidate)
        alive[number] = union
        number += 1
    return list(alive.values())


def _union(i: int, one: _Rectangle, j: int, other: _Rectangle, worth: float) -> _Candidate | None:
    """Return the union of two rectangles; None if it wastes more than a window is worth."""
    left, top, right, bottom = one
    left2, top2, right2, bottom2 = other
    used = (right - left) * (bottom - top) + (right2 - left2) * (bottom2 - top2)
    # Comparisons instead of min and max: this is where the time goes.
    left = left2 if left2 < left else left  # noqa: FURB136
    top = top2 if top2 < top else top  # noqa: FURB136
    right = right2 if right2 > right else right  # noqa: FURB136
    bottom = bottom2 if bottom2 > bottom else bottom  # noqa: FURB136
    area = (right - left) * (bottom - top)
    return None if area - used > worth else (area - used, area, i, j, (left, top, right, bottom))


def _trim(rectangles: list[_Rectangle], masks: list[int]) -> list[Window]:
    """Shrink each rectangle, smallest first, to the changes no other covers; drop it if there are none."""
    waiting = sorted(rectangles, key=lambda r: (r[2] - r[0]) * (r[3] - r[1]))
    kept: list[_Rectangle] = []
    while waiting:
        left, top, right, bottom = waiting.pop(0)
        needed = [mask & (1 << right) - (1 << left) for mask in masks[top:bottom]]
        for left2, top2, right2, bottom2 in (*waiting, *kept):
            if left2 < right and left < right2:
                for line in range(max(top, top2), min(bottom, bottom2)):
                    needed[line - top] &= ~((1 << right2) - (1 << left2))
        lines = [top + i for i, mask in enumerate(needed) if mask]
        columns = 0
        for mask in needed:
            columns |= mask
        if lines:
            kept.append(((columns & -columns).bit_length() - 1, lines[0], columns.bit_length(), lines[-1] + 1))
    return [Window(*rectangle) for rectangle in kept]
