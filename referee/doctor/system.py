"""The machine itself: which Pi, which system, Python and its packages, and what time it takes it to be."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hardware.header import LGPIO_REMEDY
from referee.doctor.findings import Finding, fail, ok, warn
from referee.doctor.probe import Probe

OLDEST_PYTHON = (3, 11)


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
    """Check Python and the pin factory; what else is missing ends a start with its name."""
    python = ".".join(map(str, probe.python()))
    if probe.python() < OLDEST_PYTHON:
        yield fail("python", f"Python is {python}", "install Raspberry Pi OS Bookworm or Trixie")
    else:
        yield ok("python", f"Python is {python}")
    lgpio = probe.version("lgpio")
    if lgpio is None:
        yield fail("pin-factory", "lgpio is not installed", LGPIO_REMEDY)
    else:
        yield ok("pin-factory", f"pins are driven by lgpio {lgpio}")


def clock(probe: Probe) -> Iterator[Finding]:
    """Check what the wall clock goes by. No rule reads it, but the log is easier to read with true dates."""
    rtc = (probe.read("/sys/class/rtc/rtc0/name") or b"").decode("utf-8", "replace").strip()
    synchronised = (probe.run("timedatectl", "show", "--property=NTPSynchronized", "--value") or "").strip() == "yes"
    sources = [f"a real-time clock ({rtc})"] if rtc else []
    sources += ["the network"] if synchronised else []
    if sources:
        yield ok("clock", f"the date comes from {' and '.join(sources)}")
    else:
        yield warn(
            "clock",
            "the date may be wrong: there is no real-time clock, and the network has not set it yet",
            "connect to a network once, or fit a real-time clock; only the dates in the log are affected",
        )


def voice(probe: Probe) -> Iterator[Finding]:
    """Check what the voice needs: the program that speaks, and something it can be heard through."""
    version = probe.run("espeak-ng", "--version")
    if version is None:
        yield fail("voice", "espeak-ng is not installed", "sudo apt install espeak-ng")
    else:
        yield ok("voice", version.splitlines()[0] if version else "espeak-ng")
    cards = re.findall(r"^ *\d+ \[[^\]]*\]: (.*)$", (probe.read("/proc/asound/cards") or b"").decode(), re.MULTILINE)
    if cards:
        yield ok("sound", "; ".join(card.strip() for card in cards))
    else:
        yield fail("sound", "there is no sound card", "plug a loudspeaker in, on USB or HDMI")
