"""The input board on its USB line, where there is one."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.errors import BadPort
from hardware.line.port_names import PICO, finder
from hardware.line.presence import Connected
from referee.config import InputBoardPort
from referee.doctor.findings import Finding, fail, ok, warn
from referee.doctor.probe import Probe
from referee.doctor.wires import join

USB = "/sys/bus/usb/devices"


def input_board(probe: Probe, where: InputBoardPort) -> Iterator[Finding]:
    """Check the input board that is configured: that it is there, may be used, is left alone and speaks our protocol.

    Where none is configured but one is plugged in, that one is greeted, and it is said how to use it.
    """
    try:
        finder(where.port or "auto")
    except BadPort as error:
        yield fail("input-board", f"the port in the settings is not valid: {error}", "correct [input_board] in them")
        return
    ids = tuple(f"{number:04x}" for number in PICO)
    plugged = any(_ids(probe, name) == ids for name in probe.names(USB))
    if not plugged and where.port == "":
        yield ok("input-board", "no input board is configured or connected; the box does not need one")
        return
    if not plugged and where.port == "auto":
        yield warn(
            "input-board",
            "the settings name an input board, but none is connected",
            'connect it, try another cable (some only charge), or set port = "" under [input_board]',
        )
        return
    lines = _lines(probe, where)
    missing = [line for line in lines if probe.access(line) == "missing"]
    if missing:
        yield fail(
            "input-board",
            f"there is no {missing[0]}, where the settings say the input board is",
            'connect it, or set port = "auto" under [input_board]',
        )
        return
    if any(probe.access(line) == "denied" for line in lines):
        yield fail("input-board", f"{', '.join(lines)} cannot be used: no permission", join(probe, "dialout"))
        return
    yield _greeted(probe, where)


def _lines(probe: Probe, where: InputBoardPort) -> list[str]:
    """Return the devices the board can be at."""
    if where.port in ("", "auto"):
        return [f"/dev/{name}" for name in probe.names("/dev") if name.startswith("ttyACM")]
    return [where.port]


def _greeted(probe: Probe, where: InputBoardPort) -> Finding:
    reply = probe.board(where if where.port else InputBoardPort("auto"))
    if not isinstance(reply, Connected):
        why = reply.why if reply else "no answer"
        return fail(
            "input-board",
            f"the input board does not answer: {why}",
            "check its cable; `make deploy-input-board` installs its firmware, then replug it",
        )
    text = f"the input board answers, firmware {reply.firmware}"
    if not where.port:
        return warn(
            "input-board",
            f"{text}, but the settings name none",
            'set port = "auto" under [input_board] in them to use it',
        )
    return ok("input-board", text)


def _ids(probe: Probe, name: str) -> tuple[str, ...]:
    files = (probe.read(f"{USB}/{name}/{file}") for file in ("idVendor", "idProduct"))
    return tuple((raw or b"").strip().decode("ascii", "replace") for raw in files)
