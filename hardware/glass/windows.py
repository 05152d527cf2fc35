"""Which windows of the display's memory to send, so that a picture is soon on the glass: pure.

While the processor looks for windows the bus carries nothing, so the cheapest ones are not looked for: what changed
in a line is joined where a window of its own would take longer, and then with the line above.

The commands that address a window are always sent in full, although the controller would remember some of them: a
window then heals whatever an earlier disturbance of the bus did to the controller's pointers.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from operator import xor

from hardware.glass.layout import Layout, Window
from hardware.ports import Area

_CHANGED = b"0" + b"1" * 255


def plan(old: bytes, new: bytes, first: Sequence[Area], layout: Layout) -> Iterator[list[Window]]:
    """Yield windows that together cover every cell in which `new` differs from `old`: the answer, then the rest.

    Of the pixel areas `first` the first one in which something changed answers the press; it can be sent before the
    rest is planned. The rest never costs more than a whole frame. Both memories are laid out as `layout` says.
    """
    changed = _changes(old, new, layout)
    inside = (_inside(changed, layout.cells(area)) for area in first)
    answer = next(filter(any, inside), None)
    if answer is not None:
        yield _windows(answer, layout)
        changed = [*map(xor, changed, answer)]
    if any(changed):
        yield min(_windows(changed, layout), layout.whole, key=layout.cost)


def _windows(changed: list[int], layout: Layout) -> list[Window]:
    """Return windows over all changes: runs, each joined with the one above that it wastes least with."""
    windows: list[Window] = []
    for line, mask in enumerate(changed):
        for left, right in _runs(mask, layout.worth):
            run = Window(left, line, right, line + 1)
            above = [window for window in windows if window.bottom == line and not layout.one_line]
            nearest = min(above, key=partial(_waste, run), default=None)
            if nearest is not None and _waste(run, nearest) <= layout.worth:
                windows.remove(nearest)
                run = _union(run, nearest)
            windows.append(run)
    return windows


def _runs(mask: int, worth: int) -> Iterator[tuple[int, int]]:
    """Yield the runs of changed columns, joined where no more than `worth` columns are between."""
    while mask:
        left = right = _zeros(mask)
        while rest := mask >> right:
            gap = _zeros(rest)
            if gap > worth:
                break
            right += gap or _zeros(~rest)
        yield left, right
        mask = mask >> right << right


def _zeros(bits: int) -> int:
    """Count the zeros below the lowest one; there is one."""
    return (bits ^ bits - 1).bit_length() - 1


def _union(one: Window, other: Window) -> Window:
    return Window(min(one.left, other.left), other.top, max(one.right, other.right), one.bottom)


def _waste(one: Window, other: Window) -> int:
    return _union(one, other).area - one.area - other.area


def _inside(changed: list[int], area: Window) -> list[int]:
    columns = (1 << area.right) - (1 << area.left)
    return [mask & columns if area.top <= line < area.bottom else 0 for line, mask in enumerate(changed)]


def _changes(old: bytes, new: bytes, layout: Layout) -> list[int]:
    """Return for each line a number whose bit `x` tells whether column `x` changed."""
    size = layout.cell_bytes
    difference = (int.from_bytes(old, "big") ^ int.from_bytes(new, "big")).to_bytes(len(new), "big")
    bits = 0
    for part in range(size):
        # The bytes are turned round so that the first becomes the lowest bit.
        bits |= int(difference[part::size][::-1].translate(_CHANGED), 2)
    line = (1 << layout.columns) - 1
    return [bits >> at * layout.columns & line for at in range(layout.lines)]
