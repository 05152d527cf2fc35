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
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from hardware.glass.buses import I2C_HZ, SPI_HZ, Wire, bus_time
from hardware.glass.layout import Layout, Window
from hardware.glass.oled import OledDisplay
from hardware.glass.panels import CONTROLLERS, Panel, buses, panel
from hardware.glass.windows import plan
from hardware.ports import Area
from hardware.simulated.bus import SimulatedBus
from hardware.simulated.display import simulated_i2c, simulated_spi
from hardware.simulated.pins import factory
from referee.console.drawing.draw import TITLE, TITLE_WIDTH
from referee.console.drawing.screens import draw
from referee.console.views import Dice, Grid, Idle, Pick, Question, Rows, View
from tests.bench.optimum import cheapest, cheapest_on_pages
from tests.bench.recorded import recordings

TICK_BYTES, DIE_BYTES = 110, 200
FAR_FROM_OPTIMUM = 1.1
NEW_SCREEN_MS = {"i2c": 25.0, "spi": 1.5}
ANSWER_MS = {"i2c": 5.0, "spi": 1.5}

SWEPT = 50
"""Changes of each recording of which the optimum of windows of any height is worked out: it takes long."""

LIT = (Grid, Rows, Question, Pick)


class Sent(NamedTuple):
    """What one new picture cost: bytes that changed, bytes sent, bytes until the answer stood, the least possible.

    Where none of the parts changed that may answer a press (a bar fills), the answer is all there is. Where so much
    changed that the whole frame goes at once, from the top, it is the upper halves of a headline's letters (`upper`).
    """

    kind: str
    changed: int
    sent: int
    answer: int
    upper: bool
    optimum: int | None


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
        return "highlight" if replace(before, lit=after.lit) == after else "new screen"
    return "other"


def display_on(controller: str, bus: str) -> tuple[SimulatedBus, OledDisplay, Panel]:
    """Return the production driver on a simulated bus."""
    chip: SimulatedBus
    wire: Wire
    chip, wire = simulated_i2c(controller) if bus == "i2c" else simulated_spi(controller, factory())
    kind_of = panel(controller, bus)
    return chip, OledDisplay(wire, kind_of), kind_of


def watch(controller: str, bus: str, views: Sequence[View]) -> list[Sent]:
    """Show the views one after another; return what each but the first cost. A wrong pixel is an AssertionError."""
    chip, display, on = display_on(controller, bus)
    layout = on.layout
    least = _optimum(on)
    found: list[Sent] = []
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
            best = least(shadow, memory) if len(found) < SWEPT or layout.one_line else None
            answer, upper = _answer(on, shadow, memory, parts)
            found.append(Sent(kind(before, view), changed * size, sent, answer, upper, best))
        shadow = memory
    display.close()
    return found


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


def _answer(on: Panel, old: bytes, new: bytes, parts: Sequence[Area]) -> tuple[int, bool]:
    """Return the bytes until all that changed of the answer is on the glass, and whether it is `Sent.upper` only."""
    layout = on.layout
    windows = plan(old, new, parts, layout)
    missing = answering(on, old, new, parts)
    if not missing:
        return layout.cost(windows), False
    corner = layout.cells((0, 0, TITLE_WIDTH, TITLE))
    seen = {at for at in missing if at // layout.columns < corner.bottom and at % layout.columns < corner.right}
    if windows == layout.whole and seen:
        return _until(windows, seen, layout), seen != missing
    return _until(windows, missing, layout), False


def _until(windows: Sequence[Window], missing: set[int], layout: Layout) -> int:
    """Return the bytes until so many cells have been sent."""
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


def _optimum(on: Panel) -> Callable[[bytes, bytes], int | None]:
    layout = on.layout
    if layout.one_line:
        return lambda old, new: cheapest_on_pages(old, new, layout)
    if layout.lines > 8:  # beyond what can be worked out
        return lambda old, new: None
    whole = layout.cost(layout.whole)
    return lambda old, new: min(cheapest(old, new, layout.columns, layout.overhead), whole)


def _spread(values: Sequence[float], digits: int = 3) -> dict[str, float]:
    return {
        "n": len(values),
        "median": round(statistics.median(values), digits),
        "max": round(max(values), digits),
    }


def _held(value: float, most: float) -> dict[str, Any]:
    return {"value": round(value, 3), "at_most": most, "met": value <= most}


def _kinds(found: Sequence[Sent], bus: str) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name in dict.fromkeys(each.kind for each in found):
        of = [each for each in found if each.kind == name]
        answers = [each.answer for each in of]
        told[name] = {
            "changed_bytes": _spread([each.changed for each in of]),
            "bytes": _spread([each.sent for each in of]),
            "ms": _spread([bus_time(each.sent, bus) * 1000 for each in of]),
            "answer_bytes": _spread(answers),
            "answer_ms": _spread([bus_time(each, bus) * 1000 for each in answers]),
        }
    return told


def of_controller(controller: str, bus: str) -> dict[str, Any]:
    """Return the figures of a controller on a bus, with their limits."""
    layout = panel(controller, bus).layout
    whole = layout.cost(layout.whole)
    found = {name: watch(controller, bus, views) for name, views in recordings().items()}
    everything = [each for sent in found.values() for each in sent]
    ratios = [each.sent / each.optimum for each in everything if each.optimum]
    told: dict[str, Any] = {
        "clock_hz": I2C_HZ if bus == "i2c" else SPI_HZ,
        "whole_frame": {"bytes": whole, "ms": round(bus_time(whole, bus) * 1000, 3)},
        **{name: _kinds(sent, bus) for name, sent in found.items()},
        "ratio_to_optimum": _spread(ratios) if ratios else None,
        "never_above_a_frame": _held(max(each.sent for each in everything), whole),
    }
    if ratios:
        told["optimum_worked_out_for"] = {"n": len(ratios), "of": len(everything)}
        told["next_to_the_optimum"] = _held(max(ratios), FAR_FROM_OPTIMUM)
    told["upper_halves_only"] = {"n": sum(each.upper for each in everything), "of": len(everything)}
    told["answer_ms"] = _held(bus_time(max(each.answer for each in everything), bus) * 1000, ANSWER_MS[bus])
    if controller == "ssd1322":
        return told
    told["clock_tick"] = _held(max(each.sent for each in everything if each.kind == "tick"), TICK_BYTES)
    told["die_keyed"] = _held(max(each.sent for each in everything if each.kind == "die"), DIE_BYTES)
    told["new_screen_ms"] = _held(bus_time(max(each.sent for each in everything), bus) * 1000, NEW_SCREEN_MS[bus])
    return told


def measure() -> dict[str, Any]:
    """Return the figures of every controller on every bus it can be on."""
    return {
        f"{controller} on {bus}": of_controller(controller, bus)
        for controller in CONTROLLERS
        for bus in buses(controller)
    }


if __name__ == "__main__":
    print(json.dumps(measure(), indent=2))  # noqa: T201
