"""The input board on its USB line, where there is one."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.presence import Connected
from hardware.serial_port import PICO
from referee.station.doctor.findings import Finding, fail, ok, warn
from referee.station.doctor.groups import join
from referee.station.doctor.probe import Probe

USB = "/sys/bus/usb/devices"


def input_board(probe: Probe) -> Iterator[Finding]:
    """Check that a board that is plugged in may be used, is left alone by others, and speaks our protocol."""
    ids = tuple(f"{number:04x}" for number in PICO)
    plugged = [name for name in probe.names(USB) if _ids(probe, name) == ids]
    if not plugged:
        yield ok("input-board", "no input board is plugged in; the box needs none")
        return
    lines = [f"/dev/{name}" for name in probe.names("/dev") if name.startswith("ttyACM")]
    if any(probe.access(line) == "denied" for line in lines):
        yield fail("input-board", f"{', '.join(lines)} may not be used", join(probe, "dialout"))
        return
    if (probe.run("systemctl", "is-active", "ModemManager") or "").strip() == "active":
        yield from _modem_manager(probe)
    told = probe.board()
    if isinstance(told, Connected):
        yield ok("input-board", f"the input board answers, firmware {told.firmware}", firmware=told.firmware)
    else:
        why = told.why if told else "it says nothing"
        yield fail(
            "input-board", f"an input board is plugged in, but {why}", "`make deploy-input-board`, then replug"
        )


def _modem_manager(probe: Probe) -> Iterator[Finding]:
    if probe.read("/etc/udev/rules.d/70-referee.rules") is None:
        yield warn(
            "modem-manager",
            "ModemManager takes the input board for a modem for its first seconds",
            "`make install-pi` installs the rule that keeps it away",
        )


def _ids(probe: Probe, name: str) -> tuple[str, ...]:
    files = (probe.read(f"{USB}/{name}/{file}") for file in ("idVendor", "idProduct"))
    return tuple((raw or b"").strip().decode("ascii", "replace") for raw in files)
