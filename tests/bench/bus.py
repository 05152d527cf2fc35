"""What the display bus carries: bytes and times per controller, over screens a console really showed.

    python -m tests.bench.bus

A recorded evening, a stretch of every game on the shelf, a clock, and archetypes in random order are shown on each
controller's simulated bus. Times follow from the bytes
counted there: nine clocks each at 400 kHz on I2C, eight at 8 MHz on SPI. The gaps between transfers are the
kernel's and are not in them.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from hardware.glass.buses import I2C_HZ, SPI_HZ, bus_time
from hardware.glass.layout import Layout, Window
from hardware.glass.oled import OledDisplay
from hardware.glass.panels import CONTROLLERS, Panel, buses, panel
from hardware.glass.windows import plan
from hardware.pins import DisplayWiring, I2cWiring, SpiWiring
from hardware.ports import Area
from hardware.simulated.bus import SimulatedBus
from hardware.simulated.display import simulated_display
from hardware.simulated.pins import factory
from referee.console.drawing.screens import draw
from referee.console.views import Dice, Grid, Idle, Pick, Question, Rows, View
from tests.bench.recorded import recordings

MOST_MS = {
    "i2c": {"tick": 2.5, "die": 4.5, "new screen": 25.5, "answer": 5.0},
    "spi": {"tick": 0.5, "die": 0.5, "new screen": 1.5, "answer": 1.5},
}
"""Milliseconds that the bytes of a change may take; of the 256x64 glass only the answer is held to it."""

LIT = (Grid, Rows, Question, Pick)


class Sent(NamedTuple):
    """What one new picture cost: bytes that changed, windows, bytes sent, and bytes until the answer stood.

    Where none of the parts changed that may answer a press (a bar fills), the answer is all there is.
    """

    kind: str
    changed: int
    windows: int
    sent: int
    answer: int


def kind(before: View, after: View) -> str:
    """Return what happened between two views: "die", "highlight", "tick", "new screen" or "other"."""
    if type(before) is not type(after):
        return "new screen"
    if isinstance(before, Idle) and isinstance(after, Idle):
        return "tick" if replace(before, foot_right=after.foot_right) == after else "new screen"
    if isinstance(before, Dice) and isinstance(after, Dice):
        keyed = sum(one != other for one, other in zip(before.faces, after.faces, strict=False))
        alike = before.band.left == after.band.left and len(before.faces) == len(after.faces)
        return "die" if alike and keyed == 1 and before.faces.count(None) > after.faces.count(None) else "other"
    if isinstance(before, LIT) and isinstance(after, LIT):
        alike = before.cells == after.cells and replace(before, lit=after.lit) == after
        return "highlight" if alike else "new screen"
    return "other"


def display_on(controller: str, bus: str) -> tuple[SimulatedBus, OledDisplay, Panel]:
    """Return the production driver on a simulated bus."""
    wiring = DisplayWiring(controller, I2cWiring(1, 0x3C) if bus == "i2c" else SpiWiring(0, 0, 3, 2))
    chip, wire = simulated_display(wiring, factory(), seed=1)
    kind_of = panel(controller, bus)
    return chip, OledDisplay(wire, kind_of, upside_down=False), kind_of


def watch(controller: str, bus: str, views: Sequence[View]) -> list[Sent]:
    """Show the views one after another; return what each but the first cost. A wrong pixel is an AssertionError."""
    chip, display, on = display_on(controller, bus)
    layout = on.layout
    figures: list[Sent] = []
    shadow = b""
    for before, view in zip([views[0], *views], views, strict=False):
        image, parts = draw(view, on.size)
        count = chip.bytes_sent
        display.show(image, parts)
        sent = chip.bytes_sent - count
        assert chip.glass().tobytes() == image.tobytes(), f"{controller} on {bus} shows something else"
        memory = on.pack(image)
        if shadow and sent:
            size = layout.cell_bytes
            cells = range(0, len(memory), size)
            changed = sum(shadow[at : at + size] != memory[at : at + size] for at in cells)
            windows = [*chain.from_iterable(plan(shadow, memory, parts, layout))]
            answer = _until(windows, answering(on, shadow, memory, parts), layout)
            figures.append(Sent(kind(before, view), changed * size, len(windows), sent, answer))
        shadow = memory
    display.close()
    return figures


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


def _spread(values: Sequence[float], digits: int = 3) -> dict[str, float]:
    return {
        "n": len(values),
        "median": round(statistics.median(values), digits),
        "max": round(max(values), digits),
    }


def _limit(value: float, most: float) -> dict[str, Any]:
    return {"value": round(value, 3), "at_most": most, "met": value <= most}


def _kinds(figures: Sequence[Sent], bus: str) -> dict[str, Any]:
    figures_by_kind: dict[str, Any] = {}
    for name in dict.fromkeys(each.kind for each in figures):
        of = [each for each in figures if each.kind == name]
        answers = [each.answer for each in of]
        figures_by_kind[name] = {
            "changed_bytes": _spread([each.changed for each in of]),
            "windows": _spread([each.windows for each in of]),
            "bytes": _spread([each.sent for each in of]),
            "ms": _spread([bus_time(each.sent, bus) * 1000 for each in of]),
            "answer_bytes": _spread(answers),
            "answer_ms": _spread([bus_time(each, bus) * 1000 for each in answers]),
        }
    return figures_by_kind


def of_controller(controller: str, bus: str) -> dict[str, Any]:
    """Return the figures of a controller on a bus, with their limits."""
    layout, most = panel(controller, bus).layout, MOST_MS[bus]
    whole = layout.cost(layout.whole)
    figures = {name: watch(controller, bus, views) for name, views in recordings().items()}
    everything = [each for sent in figures.values() for each in sent]
    report: dict[str, Any] = {
        "clock_hz": I2C_HZ if bus == "i2c" else SPI_HZ,
        "whole_frame": {"bytes": whole, "ms": round(bus_time(whole, bus) * 1000, 3)},
        **{name: _kinds(sent, bus) for name, sent in figures.items()},
    }
    report["answer_ms"] = _limit(bus_time(max(each.answer for each in everything), bus) * 1000, most["answer"])
    if controller == "ssd1322":
        return report
    for name in ("tick", "die"):
        sent = max(each.sent for each in everything if each.kind == name)
        report[f"{name}_ms"] = _limit(bus_time(sent, bus) * 1000, most[name])
    report["new_screen_ms"] = _limit(bus_time(max(each.sent for each in everything), bus) * 1000, most["new screen"])
    return report


def measure() -> dict[str, Any]:
    """Return the figures of every controller on every bus it can be on."""
    return {
        f"{controller} on {bus}": of_controller(controller, bus)
        for controller in CONTROLLERS
        for bus in buses(controller)
    }


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))
