"""Where the journal lies: is it held, is there room, does it last, and how long does a commit take?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from referee.doctor.findings import Finding, fail, ok, warn
from referee.doctor.probe import Probe

LOW_SPACE = 20 * 2**20
FAIR_SPACE = 200 * 2**20
COMMITS = 20
SLOW, TOO_SLOW = 0.030, 0.100
"""Seconds of one commit: a press should be answered within 0.1 s, and its commit comes before the picture."""

VOLATILE = ("tmpfs", "ramfs", "overlay", "squashfs")


@dataclass(frozen=True)
class Mount:
    """One line of /proc/self/mounts."""

    point: str
    kind: str
    options: frozenset[str]


def storage(probe: Probe, journal: Path) -> Iterator[Finding]:
    """Check the place of the journal."""
    if probe.locked(journal):
        yield warn(
            "journal",
            f"{journal} is in use: a station is running",
            "stop it to test keys and lamps: `sudo systemctl stop referee`",
        )
    yield _journal(probe, journal)
    folder = _existing(probe, journal.parent)
    mount = _mount(probe, folder)
    if mount is not None:
        yield from _lasting(mount, folder)
    try:
        free = probe.free(folder)
        seconds = sorted(probe.fsyncs(folder, COMMITS))
    except OSError as error:
        yield fail("journal", f"{folder} cannot be written: {error.strerror or error}", _writable(mount, folder))
        return
    yield _space(free, folder)
    yield _commit(seconds)


def _journal(probe: Probe, path: Path) -> Finding:
    """Look whether the station can write it; what it holds, the station itself says at its start."""
    access = probe.access(str(path))
    if access == "missing":
        return ok("journal-file", f"there is no journal at {path} yet; the first game creates it")
    if access == "denied":
        user = probe.account().user
        return fail(
            "journal-file",
            f"{path} cannot be written by {user}",
            f"`sudo chown {user} {path}*`, or run this as the station's user: `sudo -u referee referee doctor`",
        )
    return ok("journal-file", f"{path} can be written")


def _existing(probe: Probe, folder: Path) -> Path:
    """Return the folder, or the nearest one above it that exists: the station makes the rest."""
    for place in (folder, *folder.parents):
        if probe.access(str(place)) != "missing":
            return place
    return Path("/")


def _mount(probe: Probe, folder: Path) -> Mount | None:
    """Return where a folder is mounted: the longest mount point above it, the last one mounted there."""
    best: Mount | None = None
    for line in (probe.read("/proc/self/mounts") or b"").decode("utf-8", "replace").splitlines():
        fields = line.split(" ")
        if len(fields) < 4:
            continue
        point = fields[1].replace("\\040", " ")
        if folder.is_relative_to(point) and (best is None or len(point) >= len(best.point)):
            best = Mount(point, fields[2], frozenset(fields[3].split(",")))
    return best


def _lasting(mount: Mount, folder: Path) -> Iterator[Finding]:
    if mount.kind in VOLATILE:
        yield warn(
            "journal",
            f"{folder} is on {mount.kind}: games are lost in a power cut",
            "put the journal on the SD card or a disk ([journal] path), or switch the overlay file system off",
        )
    elif {"nobarrier", "barrier=0"} & mount.options:
        yield fail(
            "journal",
            f"{mount.point} is mounted without barriers: a power cut loses accepted entries",
            f"remove nobarrier from the line of {mount.point} in /etc/fstab and restart",
        )


def _writable(mount: Mount | None, folder: Path) -> str:
    if mount is not None and "ro" in mount.options:
        return (
            f"{mount.point} is mounted read-only: `sudo mount -o remount,rw {mount.point}`; if it falls back, the "
            "card is worn out or full of errors"
        )
    return f"give this user write permission (`ls -ld {folder}`), or choose another place with --journal"


def _space(free: int, folder: Path) -> Finding:
    space = f"{free // 2**20} MiB are free for the journal in {folder}"
    if free < LOW_SPACE:
        return fail("disk", space, "free some space: `sudo apt clean`, `sudo journalctl --vacuum-size=50M`")
    if free < FAIR_SPACE:
        return warn("disk", space, "free some space before a long day: `sudo apt clean`")
    return ok("disk", space)


def _commit(seconds: list[float]) -> Finding:
    usual, worst = median(seconds), seconds[-1]
    times = f"a commit takes {usual * 1000:.1f} ms, {worst * 1000:.1f} ms at most"
    todo = "use a card of class A1 or A2, or a USB disk; cheap and worn cards stall"
    if usual >= TOO_SLOW:
        return fail("commit", f"{times}: every key would feel slow", todo)
    if usual >= SLOW or worst >= 10 * TOO_SLOW:
        return warn("commit", times, todo)
    return ok("commit", times)
