"""The screen with a QR code: dark on a lit ground, as printed ones are, and the address beside it."""

from __future__ import annotations

import re

from referee.console.drawing.draw import HEIGHT, WIDTH, Canvas
from referee.console.drawing.raster import Raster, stack
from referee.console.drawing.type import OPTIONS, STATUS, TIGHT
from referee.console.views import Code

QUIET = 2
"""Light modules round the code at least: half of what ISO/IEC 18004 wants, and enough for the readers of phones."""


def code(canvas: Canvas, view: Code) -> None:
    """Draw the code on the left, as many pixels a module as leave it its quiet zone; title and address beside it."""
    canvas.fill((0, 0, HEIGHT, HEIGHT))
    if view.rows:
        modules = len(view.rows)
        side = max(1, HEIGHT // (modules + 2 * QUIET))
        rows = (int("".join("01"[dark > 0] * side for dark in row), 2) for row in view.rows for _ in range(side))
        size = modules * side
        canvas.stamp(Raster(size, size, stack(rows)), (HEIGHT - size) // 2, (HEIGHT - size) // 2, 0)
    room = WIDTH - HEIGHT - 4
    canvas.answer(canvas.into((HEIGHT + 3, 0, WIDTH, 18), view.title, (OPTIONS, TIGHT, STATUS), align="left"))
    for index, line in enumerate(_parted(view.address, room)):
        canvas.text(HEIGHT + 3, 30 + 12 * index, line, STATUS, room=room)


LINES = 3


def _parted(address: str, room: int) -> list[str]:
    """Return an address in lines that fit, parted after a dot or before a port; what is too long goes last."""
    lines = [""]
    for part in re.findall(r":?[^.:]*\.?", address):
        if len(lines) < LINES and lines[-1] and STATUS.width(lines[-1] + part) > room:
            lines.append("")
        lines[-1] += part
    return lines
