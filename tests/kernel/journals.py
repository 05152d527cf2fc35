"""The journal on the guest's disk, read after the machine is off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.journal import Journal
from referee.journal.check import verify
from tests.kernel.disk import Disk
from tests.kernel.prepare import run


def recover(disk: Disk, folder: Path) -> Path:
    """Return a copy of the journal as the guest will find it at its next start; the disk stays as it is."""
    folder.mkdir()
    image = folder / "disk"
    disk.save(image)
    return read(image, folder)


def read(image: Path, folder: Path, place: str = "") -> Path:
    """Return the journal out of that folder of a file system, which is repaired first and removed then."""
    run("e2fsck", "-f", "-y", image, well=(0, 1))  # 1: the file system's own journal was played back
    for name in ("journal.db", "journal.db-wal"):
        run("debugfs", "-R", f"dump {place}/{name} {folder / name}", image)
    image.unlink()
    return folder / "journal.db"


def accepted(journal: Path | Journal) -> list[tuple[Any, ...]]:
    """Return what the latest game's entries say, its chain checked, without times and sources."""
    if isinstance(journal, Path):
        with Journal(journal) as opened:
            verify(opened)
            return accepted(opened)
    latest = journal.latest()
    entries = journal.entries(latest.game) if latest else []
    return [(e.seq, e.kind, e.ask, e.seat, repr(e.answer), repr(e.result)) for e in entries]
