"""Which rectangles of the display's memory to send, so that few bytes cross the bus: pure.

A window costs two I2C transfers: six command bytes (column range, page range) and the data, each with
an address byte and a control byte in front (SSD1306 datasheet, 8.1.5 and 10.1.4). A whole 128x64 frame
costs 1034 bytes.
"""

from dataclasses import dataclass
from itertools import pairwise

from hardware.packing import PAGE
from hardware.ports import Area

COMMAND_BYTES = 6
TRANSFER_BYTES = 2
"""Address and control byte in front of every transfer."""

OVERHEAD = COMMAND_BYTES + 2 * TRANSFER_BYTES


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


def plan(old: bytes, new: bytes, first: Area | None = None, *, width: int = 128) -> list[Window]:
    """Return disjoint windows that cover every byte in which `new` differs from `old`.

    Those that touch the pixel area `first` come first. Together they never cost more than one window over
    the whole memory. Both memories are in the layout of `packing` and equally long.
    """
    if old == new:
        return []
    windows = _merge(_runs(old, new, width))
    whole = Window(0, 0, width, len(new) // width)
    if sum(window.cost for window in windows) >= whole.cost:
        return [whole]
    return sorted(windows, key=lambda w: (first is None or not w.touches(first), w.top, w.left))


def _runs(old: bytes, new: bytes, width: int) -> list[Window]:
    runs: list[Window] = []
    for page in range(len(new) // width):
        start = page * width
        if old[start : start + width] == new[start : start + width]:
            continue
        dirty = [x for x in range(width) if old[start + x] != new[start + x]]
        left = dirty[0]
        for x, following in pairwise([*dirty, width + 2 * OVERHEAD]):
            if following - x > OVERHEAD:
                runs.append(Window(left, page, x + 1, page + 1))
                left = following
    return runs


def _merge(windows: list[Window]) -> list[Window]:
    merged = True
    while merged:
        merged = False
        for i, one in enumerate(windows):
            for other in windows[i + 1 :]:
                union = Window(
                    min(one.left, other.left),
                    min(one.top, other.top),
                    max(one.right, other.right),
                    max(one.bottom, other.bottom),
                )
                absorbed = [w for w in windows if _overlap(w, union)]
                if any(not _inside(w, union) for w in absorbed):
                    continue
                if union.cost <= sum(w.cost for w in absorbed):
                    windows = [w for w in windows if w not in absorbed] + [union]
                    merged = True
                    break
            if merged:
                break
    return windows


def _overlap(one: Window, other: Window) -> bool:
    return one.left < other.right and other.left < one.right and one.top < other.bottom and other.top < one.bottom


def _inside(one: Window, other: Window) -> bool:
    return other.left <= one.left and one.right <= other.right and other.top <= one.top and one.bottom <= other.bottom
