"""Which windows of the display's memory to send, so that few bytes cross the bus: pure.

Whatever a window is worth is told by the `Layout` of the controller on its bus. The commands that address a
window are always sent in full, although the controller would remember some of them: a window then heals
whatever an earlier disturbance of the bus did to the controller's pointers.
"""

from collections.abc import Sequence

from hardware.glass.cover import cover
from hardware.glass.layout import Layout, Window, distance, overlap
from hardware.ports import Area

# What it may cost to send the answer to a press in windows of its own, and after how many bytes it comes so late
# that it gets them whatever they cost: 5 ms on the slowest bus, nine clocks a byte at 400 kHz.
_FOR_THE_FIRST = 1.05
_LATE = 222

_CHANGED = b"0" + b"1" * 255


def plan(old: bytes, new: bytes, first: Sequence[Area], layout: Layout) -> list[Window]:
    """Return windows that together cover every cell in which `new` differs from `old`.

    Of the pixel areas `first` the first one in which something changed answers the press: the windows that touch it
    come first, and are cut to it where that is cheap or where it would come late; the others follow, the nearest
    first. Together the windows never cost more than a whole frame. Both memories are laid out as `layout` says.
    """
    masks = _changes(old, new, layout)
    if not any(masks):
        return []
    limit = layout.cost(layout.whole)
    answer, inside = _answer(masks, first, layout)
    if not any(inside):
        return _nearest_first(_affordable(cover(masks, layout), limit, layout), answer)
    front = cover(inside, layout)
    if sum(mask.bit_count() for mask in masks) > _LATE:
        # Of so much the answer goes first in windows of its own: what that costs is little beside the rest,
        # and looking for the cheapest way to send all of it at once would only keep the glass waiting. Where there
        # is no room for that, the whole frame at least begins with the first line.
        split = _split(masks, inside, front, answer, limit, layout)
        return split if layout.cost(split) <= limit else layout.whole
    windows = _nearest_first(_affordable(cover(masks, layout), limit, layout), answer)
    touching = layout.cost(w for w in windows if overlap(w, answer))
    if layout.cost(front) >= touching:
        return windows  # it would come no sooner
    split = _split(masks, inside, front, answer, limit, layout)
    dearest = limit if touching > _LATE else min(limit, int(layout.cost(windows) * _FOR_THE_FIRST))
    return split if layout.cost(split) <= dearest else windows


def _answer(masks: list[int], first: Sequence[Area], layout: Layout) -> tuple[Window, list[int]]:
    """Return the cells of the first area in which something changed, and what changed there.

    Where nothing did, what lies nearest to the first area goes first.
    """
    for area in first:
        answer = layout.cells(area)
        inside = _inside(masks, answer)
        if any(inside):
            return answer, inside
    return layout.cells(first[0]) if first else Window(0, 0, 0, 0), []


def _inside(masks: list[int], answer: Window) -> list[int]:
    columns = (1 << answer.right) - (1 << answer.left)
    return [mask & columns if answer.top <= line < answer.bottom else 0 for line, mask in enumerate(masks)]


def _affordable(windows: list[Window], limit: int, layout: Layout) -> list[Window]:
    return windows if layout.cost(windows) <= limit else layout.whole


def _nearest_first(windows: list[Window], answer: Window) -> list[Window]:
    return sorted(windows, key=lambda w: (not overlap(w, answer), distance(w, answer), w.top, w.left))


def _split(
    masks: list[int], inside: list[int], front: list[Window], answer: Window, limit: int, layout: Layout
) -> list[Window]:
    """Return the windows of the answer, and then others over the rest; they may cost more than `limit`.

    A window of the rest may reach over the answer to close a gap: it follows the answer's own.
    """
    rest = [mask & ~part for mask, part in zip(masks, inside, strict=True)]
    split = front + _nearest_first(cover(rest, layout), answer)
    if layout.cost(split) <= limit:
        return split
    # So much changed that only a few large windows are worth their commands: whatever is above the answer, beside
    # it and below it.
    around = (front + _nearest_first(_around(rest, answer, layout, tall=tall), answer) for tall in (False, True))
    return min(around, key=layout.cost)


def _around(masks: list[int], answer: Window, layout: Layout, *, tall: bool) -> list[Window]:
    """Return a window over the changes on each side of an answer; `tall`: those beside it have the full height."""
    left, top, right, bottom = answer.left, answer.top, answer.right, answer.bottom
    columns, lines = layout.columns, layout.lines
    if tall:
        sides = [(0, 0, left, lines), (right, 0, columns, lines), (left, 0, right, top), (left, bottom, right, lines)]
    else:
        sides = [
            (0, 0, columns, top),
            (0, bottom, columns, lines),
            (0, top, left, bottom),
            (right, top, columns, bottom),
        ]
    return [window for side in sides for window in _bounding(_inside(masks, Window(*side)), layout)]


def _bounding(masks: list[int], layout: Layout) -> list[Window]:
    if layout.one_line:
        return cover(masks, layout)
    columns = 0
    for mask in masks:
        columns |= mask
    lines = [line for line, mask in enumerate(masks) if mask]
    return (
        [Window((columns & -columns).bit_length() - 1, lines[0], columns.bit_length(), lines[-1] + 1)]
        if lines
        else []
    )


def _changes(old: bytes, new: bytes, layout: Layout) -> list[int]:
    """Return for each line a number whose bit `x` tells whether column `x` changed."""
    size, length = layout.cell_bytes, len(new)
    difference = (int.from_bytes(old, "big") ^ int.from_bytes(new, "big")).to_bytes(length, "big")
    bits = 0
    for part in range(size):
        # The bytes are turned round so that the first becomes the lowest bit.
        bits |= int(difference[part::size][::-1].translate(_CHANGED), 2)
    line = (1 << layout.columns) - 1
    return [bits >> start & line for start in range(0, length // size, layout.columns)]
