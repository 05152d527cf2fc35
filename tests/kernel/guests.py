"""The guest made ready: files, accelerator, and the state from which its power-ons go on."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.kernel.disk import Disk
from tests.kernel.machine import Accelerator, Guest, Machine, MachineFault
from tests.kernel.prepare import CACHE, initramfs, kernel, needs
from tests.kernel.world import project, world

KVM = 10.0
"""Seconds within which a guest must have booted under KVM, else KVM is of no use here; it takes one or two."""


def guest(folder: Path) -> Guest:
    """Return a guest that boots, of Debian's packages and of the project as it is. Raises Missing."""
    needs()
    CACHE.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor() as pool:
        interpreter = pool.submit(world)
        parts = kernel()
        return Guest(parts / "vmlinuz", initramfs(parts, folder), interpreter.result(), project(folder))


def accelerated(cold: Guest, folder: Path) -> Accelerator:
    """Return kvm where a guest boots under it, else tcg; say which, and why."""
    if not Path("/dev/kvm").exists():
        why = "there is no /dev/kvm"
    else:
        try:
            Machine(cold._replace(accelerator="kvm"), Disk(), folder / "kvm.console", boot=KVM).cut()
        except MachineFault as fault:
            why = f"/dev/kvm is there, but no guest boots under it: {' '.join(str(fault).split())[:160]}"
        else:
            return "kvm"
    print(f"test-kernel: power cuts under TCG: {why}", file=sys.stderr)
    return "tcg"


def saved(cold: Guest, folder: Path) -> Guest:
    """Boot a guest once, let the referee wait in it, and save its state there. Raises MachineFault.

    Its journal's disk is blank and not mounted, so nothing of it can be in the state.
    """
    with Machine(cold, Disk(blank=True), folder / f"{cold.accelerator}.console", mount=False) as machine:
        machine.start("/srv/tests/kernel/guest/warm.py")
        machine.hear("(warm: waiting)")
        machine.save(folder / f"{cold.accelerator}.state")
    return cold._replace(saved=folder / f"{cold.accelerator}.state")
