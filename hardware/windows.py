"""Which rectangles of the display's memory to send, so that few bytes cross the bus: pure.

A window costs two I2C transfers: six command bytes (column range, page range) and the data, each with
an address byte and a control byte in front (SSD1306 datasheet, 8.1.5 and 10.1.4). A whole 128x64 frame
costs 1034 bytes.

Finding the cheapest windows exactly takes a long part of a second. Merging whatever wastes least, from a
few different starting points, takes about a millisecond at most and stays within a tenth of the optimum for
text, frames, dice and scattered dots; only a fine regular grating can cost up to a third more. The commands
are always sent in full, although the controller would remember some of them: a window then heals whatever
an earlier disturbance of the bus did to the controller's pointers.
"""

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from hardware.packing import PAGE
from hardware.ports import Area

COMMAND_BYTES = 6
TRANSFER_BYTES = 2
"""Address and control byte in front of every transfer."""

OVERHEAD = COMMAND_BYTES + 2 * TRANSFER_BYTES

# Starting points: runs of changed bytes, joined over so many unchanged ones, and how many runs are not
# too many to try it. Two screens in a row need the coarse one, single pips the finest.
_STARTS = ((3, 110), (0, 90), (OVERHEAD, 512))
_GOOD_ENOUGH = 1.02
# What it may cost to send the answer to a press in windows of its own.
_FOR_THE_FIRST = 1.03

_CHANGED = b"0" + b"1" * 255


@dataclass(frozen=True, slots=True, order=True)
class Window:
    """Columns `left` to `right` of pages `top` to `bottom`; right and bottom are the first ones outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def area(self) -> int:
        """Bytes of display memory inside."""
        return (self.right - self.left) * (self.bottom - self.top)

    @property
    def cost(self) -> int:
        """Bytes on the wire, addresses and control bytes included."""
        return OVERHEAD + self.area

    def touches(self, area: Area) -> bool:
        """Whether any pixel of `area` lies inside."""
        left, top, right, bottom = area
        return self.left < right and left < self.right and self.top * PAGE < bottom and top < self.bottom * PAGE

    def cut(self, memory: bytes, width: int) -> bytes:
        """Return the window's bytes of `memory` in the order in which the controller takes them."""
        rows = range(self.top * width, self.bottom * width, width)
        return b"".join(memory[row + self.left : row + self.right] for row in rows)


_Rectangle = tuple[int, int, int, int]
"""A window while it is still being thought about: left, top, right, bottom."""

_Candidate = tuple[int, int, int, int, _Rectangle]
"""Waste and area of a union, the numbers of the two it joins, and the union."""


def plan(old: bytes, new: bytes, first: Area | None = None, *, width: int = 128) -> list[Window]:
    """Return windows that together cover every byte in which `new` differs from `old`.

    Those that touch the pixel area `first` come first, and are cut to it where that is cheap. Together the
    windows never cost more than one over the whole memory. Both memories are in the layout of `packing`
    and equally long.
    """
    masks = _changes(old, new, width)
    whole = Window(0, 0, width, len(masks))
    if not any(masks):
        return []
    windows = _cover(masks)
    if _cost(windows) >= whole.cost:
        return [whole]
    if first is not None:
        windows = _bring_forward(masks, windows, first, whole.cost)
    windows.sort(key=lambda w: (w.top, w.left))
    windows.sort(key=lambda w: first is None or not w.touches(first))
    return windows


def _bring_forward(masks: list[int], windows: list[Window], first: Area, limit: int) -> list[Window]:
    left, top, right, bottom = first
    columns = (1 << max(right, 0)) - (1 << max(left, 0)) if right > left else 0
    inside = [
        mask & columns if page * PAGE < bottom and top < (page + 1) * PAGE else 0 for page, mask in enumerate(masks)
    ]
    if not any(inside):
        return windows
    front = _cover(inside)
    split = front + _cover([mask & ~part for mask, part in zip(masks, inside, strict=True)])
    affordable = min(limit, int(_cost(windows) * _FOR_THE_FIRST))
    sooner = _cost(front) < _cost([w for w in windows if w.touches(first)])
    return split if sooner and _cost(split) <= affordable else windows


def _cost(windows: list[Window]) -> int:
    return sum(window.cost for window in windows)


def _changes(old: bytes, new: bytes, width: int) -> list[int]:
    """Return for each page a number whose bit `x` tells whether column `x` changed."""
    length = len(new)
    # The byte order is turned round so that the first byte becomes the lowest bit.
    difference = int.from_bytes(old, "little") ^ int.from_bytes(new, "little")
    bits = int(difference.to_bytes(length, "big").translate(_CHANGED), 2)
    page = (1 << width) - 1
    return [bits >> start & page for start in range(0, length, width)]


def _cover(masks: list[int]) -> list[Window]:
    """Return the cheapest cover that a few starting points lead to; no windows for no changes."""
    best: list[Window] = []
    enough = (OVERHEAD + sum(mask.bit_count() for mask in masks)) * _GOOD_ENOUGH
    for gap, too_many in _STARTS:
        runs = _stack(_runs(masks, gap))
        if len(runs) > too_many:
            runs = _stack(_runs(_closed(masks), gap))
        if len(runs) > too_many:
            continue
        windows = _trim(_merge(runs), masks)
        if not best or _cost(windows) < _cost(best):
            best = windows
        if _cost(best) <= enough:
            break
    return best


def _runs(masks: list[int], gap: int) -> list[_Rectangle]:
    """Return the runs of changed columns of each page, joined where at most `gap` columns are between."""
    runs: list[_Rectangle] = []
    for page, mask in enumerate(masks):
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
            runs.append((start, page, last, page + 1))
            rest >>= length
            left = last
    return runs


def _closed(masks: list[int]) -> list[int]:
    """Return the changes with gaps of one page filled, so that an upright stroke with holes is one run."""
    around = zip([0, *masks], masks, [*masks[1:], 0], strict=False)
    return [mask | (above & below) for above, mask, below in around]


def _stack(runs: list[_Rectangle]) -> list[_Rectangle]:
    """Join runs of the same columns on consecutive pages, which wastes nothing."""
    stacked: dict[tuple[int, int, int], _Rectangle] = {}
    for left, page, right, below in runs:
        _, top, _, _ = stacked.pop((left, right, page), (left, page, right, below))
        stacked[left, right, below] = (left, top, right, below)
    return list(stacked.values())


def _merge(runs: list[_Rectangle]) -> list[_Rectangle]:
    """Join two rectangles as long as some pair wastes no more than a window costs, least waste first.

    Whatever else lies within the union is absorbed by it.
    """
    runs = sorted(runs)
    alive = dict(enumerate(runs))
    heap: list[_Candidate] = []
    for i, one in alive.items():
        reach = one[2] + OVERHEAD
        for j in range(i + 1, len(runs)):
            if runs[j][0] > reach:
                break
            candidate = _union(i, one, j, runs[j])
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
            if other[0] <= right + OVERHEAD and left <= other[2] + OVERHEAD:
                candidate = _union(k, other, number, union)
                if candidate is not None:
                    heappush(heap, candidate)
        alive[number] = union
        number += 1
    return list(alive.values())


def _union(i: int, one: _Rectangle, j: int, other: _Rectangle) -> _Candidate | None:
    """Return the union of two rectangles; None if it wastes more than a window costs."""
    left, top, right, bottom = one
    left2, top2, right2, bottom2 = other
    used = (right - left) * (bottom - top) + (right2 - left2) * (bottom2 - top2)
    # Comparisons instead of min and max: this is where the time goes.
    left = left2 if left2 < left else left  # noqa: FURB136
    top = top2 if top2 < top else top  # noqa: FURB136
    right = right2 if right2 > right else right  # noqa: FURB136
    bottom = bottom2 if bottom2 > bottom else bottom  # noqa: FURB136
    area = (right - left) * (bottom - top)
    return None if area - used > OVERHEAD else (area - used, area, i, j, (left, top, right, bottom))


def _trim(rectangles: list[_Rectangle], masks: list[int]) -> list[Window]:
    """Shrink each rectangle, smallest first, to the changes no other covers; drop it if there are none."""
    waiting = sorted(rectangles, key=lambda r: (r[2] - r[0]) * (r[3] - r[1]))
    kept: list[_Rectangle] = []
    while waiting:
        left, top, right, bottom = waiting.pop(0)
        needed = [mask & (1 << right) - (1 << left) for mask in masks[top:bottom]]
        for left2, top2, right2, bottom2 in (*waiting, *kept):
            if left2 < right and left < right2:
                for page in range(max(top, top2), min(bottom, bottom2)):
                    needed[page - top] &= ~((1 << right2) - (1 << left2))
        pages = [top + i for i, mask in enumerate(needed) if mask]
        columns = 0
        for mask in needed:
            columns |= mask
        if pages:
            kept.append(((columns & -columns).bit_length() - 1, pages[0], columns.bit_length(), pages[-1] + 1))
    return [Window(*rectangle) for rectangle in kept]
