"""The production driver of a display on a simulated bus, and pictures for it."""

from __future__ import annotations

import random
from dataclasses import dataclass

from PIL import Image, ImageDraw

from hardware.glass.oled import OledDisplay
from hardware.glass.panels import Panel, panel
from hardware.pins import DisplayWiring, I2cWiring, SpiWiring
from hardware.simulated.bus import SimulatedBus, simulated_display
from hardware.simulated.pins import factory


@dataclass
class Bench:
    """The production driver on a simulated bus."""

    chip: SimulatedBus
    panel: Panel
    display: OledDisplay

    def show(self, image: Image.Image, *first: tuple[int, int, int, int]) -> int:
        """Show, compare, and return the bytes on the wire."""
        before = self.chip.bytes_sent
        self.display.show(image, first)
        assert self.chip.glass().tobytes() == image.tobytes()
        return self.chip.bytes_sent - before

    @property
    def whole(self) -> int:
        return self.panel.layout.cost(self.panel.layout.whole)


def bench_on(controller: str, bus: str, *, upside_down: bool = False) -> Bench:
    wiring = DisplayWiring(controller, I2cWiring(1, 0x3C) if bus == "i2c" else SpiWiring(0, 0, 3, 2))
    chip, wire = simulated_display(wiring, factory(), seed=11)
    kind = panel(controller, bus)
    return Bench(chip, kind, OledDisplay(wire, kind, upside_down=upside_down))


def random_frames(seed: int, count: int, size: tuple[int, int]) -> list[Image.Image]:
    """Small strokes, whole new pictures, identical and blank ones, in any order."""
    chance = random.Random(seed)
    width, height = size
    image, frames = Image.new("1", size), []
    for _ in range(count):
        kind = chance.random()
        if kind < 0.03:
            image = Image.frombytes("1", size, chance.randbytes(width * height // 8))
        elif kind < 0.06:
            image = Image.new("1", size, chance.randrange(2))
        elif kind < 0.95:
            image = image.copy()
            draw = ImageDraw.Draw(image)
            x, y = chance.randrange(-5, width), chance.randrange(-5, height)
            if kind < 0.5:
                draw.rectangle((x, y, x + chance.randrange(40), y + chance.randrange(20)), fill=chance.randrange(2))
            else:
                draw.text((x, y), chance.choice(["Orc", "24", "Minas Tirith"]), fill=chance.randrange(2))
        frames.append(image)
    return frames
