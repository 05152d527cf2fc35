"""What the display bus carries: milliseconds per change on each controller, over screens a console really showed.

Some play of each game on the shelf and a clock are shown on each controller's simulated bus. Times follow from the
bytes counted there: nine clocks each at 400 kHz on I2C, eight at 8 MHz on SPI. The gaps between transfers are the
kernel's and are not in them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import chain
from typing import Any

from hardware.glass.buses import bus_time
from hardware.glass.oled import OledDisplay
from hardware.glass.panels import CONTROLLERS, Panel, buses, panel
from hardware.glass.windows import Layout, Window, plan
from hardware.pins import DisplayWiring, I2cWiring, SpiWiring
from hardware.ports import Area
from hardware.simulated.bus import simulated_display
from hardware.simulated.pins import factory
from referee import games
from referee.console.drawing.screens import draw
from referee.console.views import Dice, Idle, View
from tests.bench.spread import limit
from tests.console.evenings import moments

GESTURES = 150
"""Of each game."""
MOST_MS = {
    "i2c": {"tick": 2.5, "die": 4.5, "any": 29.5, "answer": 5.0},
    "spi": {"tick": 0.5, "die": 0.5, "any": 1.5, "answer": 1.5},
}
"""Milliseconds that the bytes of a change may take; of the 256x64 glass only the answer is held to it."""


@cache
def recorded() -> tuple[View, ...]:
    """Return screens a console really showed, and a clock."""
    views: list[View] = [Idle("Sauron", "Attack", "Round 4", f"1:{second:02}") for second in range(60)]
    for book in games.books():
        shown: list[View] = []
        for bench, hands in moments(book.id, GESTURES):
            hands.act()
            shown = bench.views
        views += shown
    return tuple(views)


def kind(before: View, after: View) -> str:
    """Return what happened between two views: "die", "tick" or "any"."""
    if isinstance(before, Idle) and isinstance(after, Idle):
        return "tick" if replace(before, foot_right=after.foot_right) == after else "any"
    if isinstance(before, Dice) and isinstance(after, Dice) and before.band.left == after.band.left:
        changed = [one is None for one, other in zip(before.faces, after.faces, strict=False) if one != other]
        return "die" if changed == [True] and len(before.faces) == len(after.faces) else "any"
    return "any"


def of_controller(controller: str, bus: str, views: Sequence[View] | None = None) -> dict[str, Any]:
    """Return the longest of each kind of change, ms, with its limit. A wrong pixel is an AssertionError."""
    wiring = DisplayWiring(controller, I2cWiring(1, 0x3C) if bus == "i2c" else SpiWiring(0, 0, 3, 2))
    chip, wire = simulated_display(wiring, factory(), seed=1)
    on = panel(controller, bus)
    display = OledDisplay(wire, on, upside_down=False)
    longest: dict[str, float] = defaultdict(float)
    before, shadow = None, b""
    for view in views or recorded():
        image, parts = draw(view, on.size)
        count = chip.bytes_sent
        display.show(image, parts)
        sent = chip.bytes_sent - count
        assert chip.glass().tobytes() == image.tobytes(), f"{controller} on {bus} shows something else"
        memory = on.pack(image)
        if before is not None and sent:
            windows = [*chain.from_iterable(plan(shadow, memory, parts, on.layout))]
            answer = _until(windows, answering(on, shadow, memory, parts), on.layout)
            longest[kind(before, view)] = max(longest[kind(before, view)], bus_time(sent, bus) * 1000)
            longest["answer"] = max(longest["answer"], bus_time(answer, bus) * 1000)
        before, shadow = view, memory
    display.close()
    held = ["answer"] if controller == "ssd1322" else [*MOST_MS[bus]]
    return {f"{name}_ms": limit(longest[name], most=MOST_MS[bus][name]) for name in held}


def answering(on: Panel, old: bytes, new: bytes, parts: Sequence[Area]) -> set[int]:
    """Return the cells of the part that answers the press: of the first one in which something changed, those."""
    size, columns = on.layout.cell_bytes, on.layout.columns
    for part in parts:
        box = on.layout.cells(part)
        cells = {line * columns + x for line in range(box.top, box.bottom) for x in range(box.left, box.right)}
        changed = {at for at in cells if old[at * size : at * size + size] != new[at * size : at * size + size]}
        if changed:
            return changed
    return set()


def _until(windows: Sequence[Window], missing: set[int], layout: Layout) -> int:
    """Return the bytes until these cells have been sent; where there are none, all."""
    if not missing:
        return layout.cost(windows)
    count = 0
    for window in windows:
        count += layout.overhead
        for line in range(window.top, window.bottom):
            for column in range(window.left, window.right):
                count += layout.cell_bytes
                missing = missing - {line * layout.columns + column}
                if not missing:
                    return count
    raise AssertionError("the windows leave out what changed")


def measure() -> dict[str, Any]:
    """Return the figures of every controller on every bus it can be on."""
    return {
        f"{controller} on {bus}": of_controller(controller, bus)
        for controller in CONTROLLERS
        for bus in buses(controller)
    }
