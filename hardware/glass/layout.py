"""How a display controller's memory is divided, and what a window of it costs on the bus: pure.

A cell is the smallest part of the memory that can be addressed: a column of eight pixels in the paged
controllers, four pixels of a row in the grey ones. A window is a rectangle of cells.
"""

from collections.abc import Iterable, Iterator
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
