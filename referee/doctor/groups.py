"""Who may use which device, and what to do where somebody may not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from referee.doctor.findings import Finding, ok, warn
from referee.doctor.probe import Probe


def join(probe: Probe, group: str) -> str:
    """Return what gets the user into a group."""
    account = probe.account()
    if group in account.listed and group not in account.groups:
        return f"{account.user} was added to the group {group} after this login: log out and in again"
    if group not in account.known:
        return f"this system has no group {group}: run this on Raspberry Pi OS, or add a udev rule for the device"
    return f"sudo usermod -aG {group} {account.user}, then log out and in again"


def groups(probe: Probe, wanted: Iterable[str]) -> Iterator[Finding]:
    """Check the groups that Raspberry Pi OS gives its devices to; root needs none."""
    account = probe.account()
    missing = [group for group in wanted if group not in account.groups]
    if not missing or account.user == "root":
        yield ok("groups", f"{account.user} is in {', '.join(wanted)}" if not missing else "root needs no group")
        return
    for group in missing:
        yield warn("groups", f"{account.user} is not in the group {group}", join(probe, group), group=group)
