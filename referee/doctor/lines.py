"""The GPIO lines: is there a header, may it be used, and does anything else hold a line of the box?"""

from __future__ import annotations

from collections.abc import Iterator

from hardware.errors import PinsForbidden, WrongChip
from hardware.header import Chip, find
from hardware.pins import Pins, SpiWiring
from referee.doctor.findings import Finding, fail, ok
from referee.doctor.groups import join
from referee.doctor.probe import Probe


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
