"""The display's bus: the splash over the Pi's own I2C controller, which QEMU has from version 10 on.

Debian 12 has that QEMU among its backports; it is unpacked in .cache/card, not installed. The display that it has
answers at its address, but is of another kind than ours: what it shows is not looked at.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from threading import Timer

from tests.card.board import ARGUMENTS
from tests.card.prepare import CACHE, DEBIAN, TREE
from tests.kernel.machine import Guest
from tests.kernel.prepare import Missing, run
from tests.kernel.sitting import Differs

PACKAGES = ("qemu-system-arm", "qemu-system-common", "qemu-system-data")
ENDED = [("0x3c", "0"), ("0x3d", "1")]
"""Addresses, and what the splash ends with there: a display is at the first one only."""
PATIENCE = 900.0
"""Seconds until a start is taken for failed; it takes twenty on an idle machine."""


def acknowledged(guest: Guest, patience: float = PATIENCE) -> str:
    """Return what was found, or why nothing could be. Raises Differs."""
    try:
        emulator = _emulator()
    except Missing as missing:
        return f"LEFT OUT, no QEMU 10 is to be had: {missing}"
    command = [
        *emulator,
        *("-M", "raspi3b", "-nodefaults", "-no-user-config", "-no-reboot"),
        *("-display", "none", "-serial", "null", "-serial", "stdio"),
        *("-kernel", str(guest.kernel), "-initrd", str(guest.initramfs), "-dtb", str(guest.world / TREE)),
        *("-append", f"console=ttyS1,115200 quiet panic=-1 {ARGUMENTS} test.bus"),
        *("-device", "ssd0303,address=0x3c,bus=i2c-bus.1"),
    ]
    heard = ""
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as qemu:
        assert qemu.stdout is not None
        deadline = Timer(patience, qemu.kill)
        deadline.daemon = True
        deadline.start()
        for line in qemu.stdout:
            heard += line.decode(errors="replace")
            if "test: bus" in heard or "Kernel panic" in heard:  # the emulated board cannot start again by itself
                break
        deadline.cancel()
        qemu.kill()
    if re.findall(r"splash at (\w+): (\d+)", heard) != ENDED:
        raise Differs(
            f"the splash on the board's own I2C controller: expected {ENDED} within {patience:.0f} s, heard\n"
            f"{heard[-3000:]}"
        )
    return "acknowledged at 0x3c, not at 0x3d"


def _emulator() -> list[str]:
    """Return how QEMU 10 is started, unpacked now if need be. Raises Missing."""
    place = CACHE / "qemu-10"
    if not place.exists():
        work = CACHE / "qemu-new"
        shutil.rmtree(work, ignore_errors=True)
        run(DEBIAN, "unpack", "bookworm-backports", "amd64", work, *PACKAGES)
        run(work / "usr/bin/qemu-system-aarch64", "--version")
        work.rename(place)
    return [str(place / "usr/bin/qemu-system-aarch64"), "-L", str(place / "usr/share/qemu")]
