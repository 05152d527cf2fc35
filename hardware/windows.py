"""Which windows of the display's memory to send, so that few bytes cross the bus: pure.

Whatever a window is worth is told by the `Layout` of the controller on its bus. The commands that address a
window are always sent in full, although the controller would remember some of them: a window then heals
whatever an earlier disturbance of the bus did to the controller's pointers.
"""

from hardware.cover import NEW_SCREEN, cover
from hardware.layout import Layout, Window, overlap
from hardware.ports import Area

# What it may cost to send the answer to a press in windows of its own.
_FOR_THE_FIRST = 1.05

_CHANGED = b"0" + b"1" * 255


def plan(old: bytes, new: bytes, first: Area | None, layout: Layout) -> list[Window]:
    """Return windows that together cover every cell in which `new` differs from `old`.

    Those that touch the pixel area `first` come first, and are cut to it where that is cheap. Together the
    windows never cost more than a whole frame. Both memories are laid out as `layout` says.
    """
    masks = _changes(old, new, layout)
    if not any(masks):
        return []
    limit = layout.cost(layout.whole)
    if first is not None and sum(mask.bit_count() for mask in masks) > NEW_SCREEN:
        # Of a new screen the answer goes first in windows of its own: what that costs is little beside the rest,
        # and looking for the cheapest way to send all of it at once would only keep the glass waiting.
        split = _split(masks, layout.cells(first), layout)
        if layout.cost(split) <= limit:
            return split
    windows = cover(masks, layout)
    if layout.cost(windows) > limit:
        windows = layout.whole
    if first is not None:
        return _bring_forward(masks, windows, layout.cells(first), limit, layout)
    return sorted(windows, key=lambda w: (w.top, w.left))


def _touching_first(windows: list[Window], answer: Window) -> list[Window]:
    return sorted(windows, key=lambda w: (not overlap(w, answer), w.top, w.left))


def _inside(masks: list[int], answer: Window) -> list[int]:
    columns = (1 << answer.right) - (1 << answer.left)
    return [mask & columns if answer.top <= line < answer.bottom else 0 for line, mask in enumerate(masks)]


def _split(masks: list[int], answer: Window, layout: Layout) -> list[Window]:
    inside = _inside(masks, answer)
    rest = cover([mask & ~part for mask, part in zip(masks, inside, strict=True)], layout)
    # A window of the rest may reach over the answer to close a gap: it follows the answer's own.
    return cover(inside, layout) + _touching_first(rest, answer)


def _bring_forward(
    masks: list[int], windows: list[Window], answer: Window, limit: int, layout: Layout
) -> list[Window]:
    inside = _inside(masks, answer)
    windows = _touching_first(windows, answer)
    if not any(inside):
        return windows
    front = cover(inside, layout)
    affordable = min(limit, int(layout.cost(windows) * _FOR_THE_FIRST))
    if layout.cost(front) >= layout.cost(w for w in windows if overlap(w, answer)):
        return windows  # it would come no sooner
    rest = cover([mask & ~part for mask, part in zip(masks, inside, strict=True)], layout)
    split = front + _touching_first(rest, answer)
    return split if layout.cost(split) <= affordable else windows


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
