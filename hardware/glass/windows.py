"""Which windows of the display's memory to send, so that a picture is soon on the glass: pure.

The bus waits while the processor looks for windows, so the cheapest ones are not looked for: what changed in lines
that follow one another is one window. The commands that address a window are always sent in full, although the
controller would remember some of them: a window then heals whatever disturbed the controller's pointers before.

A cell is the smallest part of the memory that can be addressed: a column of eight pixels in the paged controllers,
four pixels of a row in the grey ones. A window is a rectangle of cells.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from hardware.ports import Area


class Window(NamedTuple):
    """Columns `left` to `right` of lines `top` to `bottom`; right and bottom are the first ones outside."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def area(self) -> int:
        """Cells inside."""
        return (self.right - self.left) * (self.bottom - self.top)


class Layout(NamedTuple):
    """The memory behind one glass, on one bus.

    `columns` by `lines` cells, line after line; a cell is `cell` pixels wide and high and takes `cell_bytes`.
    `overhead` is what a window costs besides its data, in bytes on the wire: the commands that address it and,
    on I2C, the address and control byte of each transfer. With `one_line` the controller has no windows taller than
    a line: its pointer never leaves the page.
    """

    columns: int
    lines: int
    cell: tuple[int, int]
    cell_bytes: int
    overhead: int
    one_line: bool = False

    @property
    def whole(self) -> list[Window]:
        """The windows of a whole frame."""
        if self.one_line:
            return [Window(0, line, self.columns, line + 1) for line in range(self.lines)]
        return [Window(0, 0, self.columns, self.lines)]

    def cost(self, windows: Iterable[Window]) -> int:
        """Bytes on the wire."""
        return sum(self.overhead + window.area * self.cell_bytes for window in windows)

    def cells(self, area: Area) -> Window:
        """Return the cells that hold any pixel of `area`; none of them if it is off the glass."""
        wide, high = self.cell
        left, top = max(area[0], 0) // wide, max(area[1], 0) // high
        right, bottom = min(-(-area[2] // wide), self.columns), min(-(-area[3] // high), self.lines)
        return Window(left, top, max(left, right), bottom)

    def slices(self, window: Window) -> Iterator[slice]:
        """Yield where each line of a window lies in the memory, in the order in which the controller takes them."""
        for line in range(window.top, window.bottom):
            first = line * self.columns
            yield slice((first + window.left) * self.cell_bytes, (first + window.right) * self.cell_bytes)


def plan(old: bytes, new: bytes, first: Sequence[Area], layout: Layout) -> Iterator[list[Window]]:
    """Yield windows that together cover every cell in which `new` differs from `old`: the answer, then the rest.

    Of the pixel areas `first` the first one in which something changed answers the press; it can be sent before the
    rest is planned. The rest never costs more than a whole frame. Both memories are laid out as `layout` says.
    """
    for area in first:
        answer = _changed(old, new, layout.cells(area), layout)
        if answer:
            yield answer
            memory = bytearray(old)
            for part in (part for window in answer for part in layout.slices(window)):
                memory[part] = new[part]
            old = bytes(memory)
            break
    rest = _changed(old, new, Window(0, 0, layout.columns, layout.lines), layout)
    if rest:
        yield min(rest, layout.whole, key=layout.cost)


def _changed(old: bytes, new: bytes, area: Window, layout: Layout) -> list[Window]:
    """Return windows over all that changed in an area: one for each run of lines that changed."""
    windows: list[Window] = []
    for line, part in enumerate(layout.slices(area), area.top):
        span = _span(old[part], new[part], layout.cell_bytes)
        if span is None:
            continue
        left, right = area.left + span[0], area.left + span[1]
        if windows and windows[-1].bottom == line and not layout.one_line:
            above = windows.pop()
            windows.append(Window(min(left, above.left), above.top, max(right, above.right), line + 1))
        else:
            windows.append(Window(left, line, right, line + 1))
    return windows


def _span(old: bytes, new: bytes, size: int) -> tuple[int, int] | None:
    """Return the first cell that changed, and the one after the last; None if none did. A cell has `size` bytes."""
    difference = int.from_bytes(old, "big") ^ int.from_bytes(new, "big")
    if not difference:
        return None
    first = len(new) - (difference.bit_length() + 7) // 8
    last = len(new) - 1 - ((difference & -difference).bit_length() - 1) // 8
    return first // size, last // size + 1
