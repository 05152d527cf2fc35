"""The machine itself: which Pi, which system, the pin factory, power and heat."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardware.header import LGPIO_REMEDY
from referee.doctor.findings import Finding, fail, ok, warn
from referee.doctor.probe import Probe

UNDER_VOLTAGE, CAPPED, THROTTLED, SOFT_LIMIT = range(4)
"""Bits of get_throttled that hold now; 16 higher: that held since the start."""

SINCE_START = 16
THROTTLED_FILE = "/sys/devices/platform/soc/soc:firmware/get_throttled"
SUPPLY = "use the supply made for this Pi (5 V, 3 A; Pi 5: 5 A) and a short, thick cable"
COOL = "improve the cooling, or fit a heat sink"
HOT = 80.0


def machine(probe: Probe) -> Iterator[Finding]:
    """Say which machine and which system this is."""
    model = (probe.read("/proc/device-tree/model") or b"").rstrip(b"\0").decode("utf-8", "replace")
    if not model.startswith("Raspberry Pi"):
        text = f"this is a {model}" if model else "this is not a Raspberry Pi"
        yield warn("machine", text, "run this on the Raspberry Pi of the box")
    else:
        yield ok("machine", model)
    release = (probe.read("/etc/os-release") or b"").decode("utf-8", "replace")
    name = re.search(r'^PRETTY_NAME="?([^"\n]*)"?$', release, re.MULTILINE)
    yield ok("system", name[1] if name else "an unnamed system")


def software(probe: Probe) -> Iterator[Finding]:
    """Check the pin factory; what else is missing ends a start with its name."""
    lgpio = probe.version("lgpio")
    if lgpio is None:
        yield fail("pin-factory", "lgpio is not installed", LGPIO_REMEDY)
    else:
        yield ok("pin-factory", f"pins are driven by lgpio {lgpio}")


def power(probe: Probe) -> Iterator[Finding]:
    """Check under-voltage, throttling and temperature."""
    state = _state(probe)
    if state is None:
        yield warn("power", "this machine does not report its supply", "on a Raspberry Pi install raspi-utils")
    else:
        yield _supply(state)
        yield _speed(state)
    raw = probe.read("/sys/class/thermal/thermal_zone0/temp")
    if raw is not None and raw.strip().isdigit():
        degrees = int(raw) / 1000
        temperature = f"the processor is at {degrees:.0f} °C"
        hot = warn("heat", temperature, COOL)
        yield hot if degrees >= HOT else ok("heat", temperature)


def _state(probe: Probe) -> int | None:
    output = probe.run("vcgencmd", "get_throttled") or ""
    match = re.search(r"throttled=0x([0-9a-fA-F]+)", output)
    if match:
        return int(match[1], 16)
    raw = (probe.read(THROTTLED_FILE) or b"").strip()
    return int(raw, 16) if re.fullmatch(rb"[0-9a-fA-F]+", raw) else None


def _supply(state: int) -> Finding:
    if state >> UNDER_VOLTAGE & 1:
        return fail("power", "the supply is below 4.63 V now", SUPPLY)
    if state >> (UNDER_VOLTAGE + SINCE_START) & 1:
        return warn("power", "the supply has fallen below 4.63 V since the start", SUPPLY)
    return ok("power", "the supply has been steady since the start")


def _speed(state: int) -> Finding:
    now = [bit for bit in (CAPPED, THROTTLED, SOFT_LIMIT) if state >> bit & 1]
    before = [bit for bit in (CAPPED, THROTTLED, SOFT_LIMIT) if state >> (bit + SINCE_START) & 1]
    if now:
        return warn("throttling", "the processor is throttled now", COOL)
    if before:
        return warn("throttling", "the processor has been throttled since the start", COOL)
    return ok("throttling", "the processor runs at full speed")
