"""What to do where somebody may not use a device."""

from __future__ import annotations

from referee.doctor.probe import Probe


def join(probe: Probe, group: str) -> str:
    """Return what gets the user into a group."""
    account = probe.account()
    if group in account.listed and group not in account.groups:
        return f"{account.user} was added to the group {group} after this login: log out and in again"
    if group not in account.known:
        return f"this system has no group {group}: run this on Raspberry Pi OS, or add a udev rule for the device"
    return f"sudo usermod -aG {group} {account.user}, then log out and in again"
