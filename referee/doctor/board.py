"""The input board on its USB line, where the settings name one."""

from __future__ import annotations

from collections.abc import Iterator

from hardware.line.presence import Connected
from referee.config import InputBoardPort
from referee.doctor.findings import Finding, fail, ok, warn
from referee.doctor.probe import Probe
from referee.doctor.wires import join


def input_board(probe: Probe, where: InputBoardPort) -> Iterator[Finding]:
    """Check the input board that is configured: that it is there, may be used, and speaks our protocol."""
    if not where.port:
        yield ok("input-board", 'no input board is configured; for one, set port = "auto" under [input_board]')
        return
    lines = [where.port]
    if where.port == "auto":
        lines = [f"/dev/{name}" for name in probe.names("/dev") if name.startswith("ttyACM")]
    if not lines:
        yield warn(
            "input-board",
            "the settings name an input board, but none is connected",
            'connect it, try another cable (some only charge), or set port = "" under [input_board]',
        )
    elif any(probe.access(line) == "missing" for line in lines):
        yield fail(
            "input-board",
            f"there is no {where.port}, where the settings say the input board is",
            'connect it, or set port = "auto" under [input_board]',
        )
    elif any(probe.access(line) == "denied" for line in lines):
        yield fail("input-board", f"{', '.join(lines)} cannot be used: no permission", join(probe, "dialout"))
    else:
        yield _greeted(probe, where)


def _greeted(probe: Probe, where: InputBoardPort) -> Finding:
    reply = probe.board(where)
    if isinstance(reply, Connected):
        return ok("input-board", f"the input board answers, firmware {reply.firmware}")
    return fail(
        "input-board",
        f"the input board does not answer: {reply.why if reply else 'no answer'}",
        "check its cable; `make deploy-input-board` installs its firmware, then replug it",
    )
