"""The display's bus: is it there, may it be used, how fast is it, and does the display answer?"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.box import BOOT
from hardware.pins import I2cWiring, Pins, SpiWiring
from referee.doctor.findings import Finding, fail, ok, warn
from referee.doctor.groups import join
from referee.doctor.probe import Probe

FAST = 400_000
"""Hertz of fast mode; the SSD1306 datasheet allows no more."""

FRAME_BYTES = 1034
"""Bytes of a whole picture on the bus of an SSD1306."""

ADDRESSES = (0x3C, 0x3D)
"""The two a display module can be set to."""


def display(probe: Probe, pins: Pins) -> Iterator[Finding]:
    """Check the bus the pin map puts the display on, and the display as far as it can answer."""
    wires = pins.display.wires
    return _i2c(probe, wires) if isinstance(wires, I2cWiring) else _spi(probe, wires)


def _i2c(probe: Probe, wires: I2cWiring) -> Iterator[Finding]:
    access = probe.access(wires.device)
    if access == "missing":
        others = [name for name in probe.names("/dev") if name.startswith("i2c-")]
        yield fail(
            "i2c",
            f"there is no I2C bus {wires.bus}" + (f", only {', '.join(others)}" if others else ""),
            f'add "{wires.setting}" to {BOOT} and "i2c-dev" to /etc/modules, then restart the Pi',
        )
        return
    if access == "denied":
        yield fail("i2c", f"{wires.device} cannot be used by {probe.account().user}", join(probe, "i2c"))
        return
    yield _speed(probe, wires)
    yield _answer(probe, wires)


def _spi(probe: Probe, wires: SpiWiring) -> Iterator[Finding]:
    access = probe.access(wires.device)
    if access == "missing":
        yield fail("spi", f"there is no {wires.device}", f"add {wires.setting} to {BOOT} and restart the Pi")
    elif access == "denied":
        yield fail("spi", f"{wires.device} cannot be used by {probe.account().user}", join(probe, "spi"))
    else:
        yield ok("spi", f"{wires.device} can be used; a display on SPI cannot answer, so look at it")


def _speed(probe: Probe, wires: I2cWiring) -> Finding:
    raw = probe.read(f"/sys/class/i2c-adapter/i2c-{wires.bus}/of_node/clock-frequency")
    if raw is None or len(raw) != 4:
        return warn(
            "i2c-speed",
            f"the kernel does not report the speed of I2C bus {wires.bus}",
            f'make sure that "{wires.setting}" is in {BOOT}',
        )
    speed = int.from_bytes(raw, "big")
    frame = FRAME_BYTES * 9 / speed * 1000 if speed else 0.0
    rate = f"I2C bus {wires.bus} runs at {speed // 1000} kHz"
    if speed < FAST:
        return warn(
            "i2c-speed",
            f"{rate}: a whole picture takes {frame:.0f} ms" if speed else rate,
            f'add "{wires.setting}" to {BOOT} and restart the Pi',
        )
    if speed > FAST:
        return warn(
            "i2c-speed",
            f"{rate}, faster than this kind of display allows",
            f'put "{wires.setting}" into {BOOT} if the picture is ever garbled',
        )
    return ok("i2c-speed", f"{rate}: a whole picture takes {frame:.0f} ms")


def _answer(probe: Probe, wires: I2cWiring) -> Finding:
    wanted = wires.address
    try:
        there = [at for at in dict.fromkeys((wanted, *ADDRESSES)) if probe.answers(wires.bus, at)]
    except OSError as error:
        return fail(
            "display",
            f"I2C bus {wires.bus} does not work: {error.strerror or error}",
            "disconnect the power; check whether SDA and SCL are swapped, shorted together, or shorted to ground",
        )
    if wanted in there:
        return ok("display", f"a display answers at 0x{wanted:02X}")
    if there:
        return fail(
            "display",
            f"no display answers at 0x{wanted:02X}, but one does at 0x{there[0]:02X}",
            f"put address = 0x{there[0]:02X} under [display] in the pin map, or move the display's address jumper",
        )
    return fail(
        "display",
        f"no display answers at 0x{wanted:02X} on I2C bus {wires.bus}",
        "disconnect the power; check VCC on 3.3 V, GND, SDA on GPIO 2, SCL on GPIO 3, and the I2C/SPI jumpers",
    )
