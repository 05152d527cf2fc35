"""Which windows of the display's memory to send, so that a picture is soon on the glass: pure.

The bus waits while the processor looks for windows, so the cheapest ones are not looked for: what changed in lines
that follow one another is one window. The commands that address a window are always sent in full, although the
controller would remember some of them: a window then heals whatever disturbed the controller's pointers before.
"""

from collections.abc import Iterator, Sequence

from hardware.glass.layout import Layout, Window
from hardware.ports import Area


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
