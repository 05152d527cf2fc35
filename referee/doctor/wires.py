"""Buses and pins: are they there, may they be used, does the display answer, and does anything else hold a pin?"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.box import BOOT
from hardware.errors import PinsForbidden, WrongChip
from hardware.header import Chip, find
from hardware.pins import I2cWiring, Pins, SpiWiring
from referee.doctor.findings import Finding, fail, ok, warn
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


def wired(pins: Pins) -> dict[int, str]:
    """Return what each GPIO of the pin map is wired to, in words."""
    users = {pin: f"key {key}" for key, pin in pins.keys.items()}
    users |= {pin: f"encoder {contact}" for contact, pin in zip("ab", pins.encoder, strict=True)}
    users |= {pin: f"lamp {name}" for name, pin in pins.lamps.items()}
    if isinstance(pins.display.wires, SpiWiring):
        users |= {pins.display.wires.dc: "D/C of the display", pins.display.wires.reset: "reset of the display"}
    return users | {pins.buzzer: "buzzer"}


def gpio(probe: Probe, pins: Pins) -> Iterator[Finding]:
    """Check the header's GPIO chip and the lines of the box."""
    paths = [f"/dev/{name}" for name in probe.names("/dev") if name.startswith("gpiochip")]
    try:
        path, chip = find(paths, probe.chip)
    except PinsForbidden as error:
        yield fail("gpio", str(error), join(probe, "gpio"))
        return
    except WrongChip as error:
        yield fail("gpio", str(error), "run this on a Raspberry Pi")
        return
    busy = list(_conflicts(chip, wired(pins)))
    yield ok("gpio", f"the header is {path} ({chip.label}, {len(chip.lines)} lines)")
    yield from busy or [ok("gpio-lines", f"all {len(wired(pins))} lines of the box are free")]


def _conflicts(chip: Chip, users: dict[int, str]) -> Iterator[Finding]:
    """Yield a finding for each consumer that holds lines of the box."""
    by_consumer: dict[str, list[str]] = {}
    for line in chip.lines:
        if line.used and line.offset in users:
            by_consumer.setdefault(line.consumer or "the kernel", []).append(
                f"GPIO {line.offset} ({users[line.offset]})"
            )
    for consumer, lines in by_consumer.items():
        yield fail(
            "gpio-lines",
            f'{", ".join(lines)} {"is" if len(lines) == 1 else "are"} used by "{consumer}"',
            _free(consumer),
        )


def _free(consumer: str) -> str:
    """Return how to make a consumer let go; lgpio and libgpiod programs name themselves, the kernel its drivers."""
    if consumer in ("lg", "referee"):
        return "a program uses the pins: stop it; if it is the referee itself, `sudo systemctl stop referee`"
    if consumer.startswith("spi"):
        return 'add "dtoverlay=spi0-0cs" (or spi0-1cs,no_miso for a display on SPI) to /boot/firmware/config.txt'
    if consumer.startswith("onewire"):
        return 'remove "dtoverlay=w1-gpio" from /boot/firmware/config.txt and restart the Pi'
    return (
        "disable what uses it (a dtoverlay in /boot/firmware/config.txt, or a program), or move the wire to a "
        "free GPIO and change the pin map"
    )


def join(probe: Probe, group: str) -> str:
    """Return what gets the user into a group."""
    account = probe.account()
    if group in account.listed and group not in account.groups:
        return f"{account.user} was added to the group {group} after this login: log out and in again"
    if group not in account.known:
        return f"this system has no group {group}: run this on Raspberry Pi OS, or add a udev rule for the device"
    return f"sudo usermod -aG {group} {account.user}, then log out and in again"
