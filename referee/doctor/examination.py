"""The whole examination, from the machine to the last lamp."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from hardware.box import Box, open_real
from hardware.errors import BoxNotFound, DisplayMissing, PinsBusy, PinsForbidden, WrongChip
from hardware.glass.buses import Transfer, Wire
from hardware.pins import Pins
from referee.config import Config
from referee.doctor.board import input_board
from referee.doctor.findings import Finding, fail
from referee.doctor.hands import Ear, Hands, Teller
from referee.doctor.host import Host
from referee.doctor.probe import Probe
from referee.doctor.storage import storage
from referee.doctor.system import machine, power, software
from referee.doctor.wires import display, gpio


def examine(
    pins: Pins,
    journal: Path,
    config: Config,
    *,
    asking: bool,
    counting: bool = False,
) -> Iterator[Finding]:
    """Examine this machine and its box; yield each finding as soon as it is made.

    ``journal`` is where the station would write. With ``asking`` somebody is asked to press every key, with
    ``counting`` many times.
    """
    with ExitStack() as parts:
        host = Host()
        failed = set()
        for finding in look(host, pins, journal, config):
            yield finding
            if finding.level == "fail":
                failed.add(finding.part)
        if host.locked(journal):
            return  # a running station holds the pins; said above
        box, findings = open_box(pins, parts, failed)
        yield from findings
        if box is not None:
            guide = Teller(box.display)
            yield from Hands(box, pins, Ear(), guide, asking=asking, counting=counting).examine()


def look(probe: Probe, pins: Pins, journal: Path, config: Config) -> Iterator[Finding]:
    """Yield what can be found without touching the box."""
    yield from machine(probe)
    yield from software(probe)
    yield from power(probe)
    yield from display(probe, pins)
    yield from gpio(probe, pins)
    yield from input_board(probe, config.input_board)
    yield from storage(probe, journal)


def open_box(
    pins: Pins, parts: ExitStack, failed: Collection[str] = (), opener: Callable[..., Box] = open_real
) -> tuple[Box | None, list[Finding]]:
    """Open the real box, without its display if that is what is missing: keys and lamps can still be tried.

    ``failed``: parts whose fault was told, with what to do about it; it is not told again.
    """
    if "LG_WD" not in os.environ:  # lgpio makes a FIFO there, or else wherever this was started
        os.environ["LG_WD"] = parts.enter_context(tempfile.TemporaryDirectory(prefix="referee-"))
        parts.callback(os.environ.pop, "LG_WD", None)
    findings: list[Finding] = []
    wires: Mapping[str, Callable[..., Wire]]
    for wires in ({}, {"bus": Deaf, "spi": Deaf}):
        try:
            box = opener(pins, **wires)
        except BoxNotFound as error:
            if not told(error) & set(failed):
                findings.append(fail("box", str(error), "mend that, then run the doctor again"))
        else:
            parts.callback(box.close)
            return box, findings
    return None, findings[:1] if len(findings) == 2 and findings[0] == findings[1] else findings


def told(error: BoxNotFound) -> set[str]:
    """Return the parts of the examination that find what keeps the box from opening."""
    if isinstance(error.__cause__, ImportError):
        return {"pin-factory"}
    return next((parts for kind, parts in _TOLD if isinstance(error, kind)), set())


_TOLD: tuple[tuple[type[BoxNotFound], set[str]], ...] = (
    (DisplayMissing, {"i2c", "spi", "display"}),
    (PinsBusy, {"gpio-lines"}),
    (PinsForbidden, {"gpio"}),
    (WrongChip, {"gpio"}),
)


class Deaf:
    """A wire to no display: takes everything, so that the rest of the box can be tried without one."""

    def __init__(self, *place: object) -> None:
        """``place``: bus and address, or pins and wiring; which do not matter."""

    def send(self, transfers: Sequence[Transfer]) -> None:
        """Take commands and pictures."""

    def reset(self) -> None:
        """Pulse no line."""

    def cleanup(self) -> None:
        """Close nothing."""
