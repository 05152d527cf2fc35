"""Simulated boxes at the tables of an example, in a process that ends with this one."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from referee.files import durable
from referee.journal import seal

if TYPE_CHECKING:
    from referee.hall.uplink.term import Term


class SimulatedTables:
    """So many boxes, each in a folder of its own. They are let in by their keys, so nobody compares digits."""

    def __init__(self, folder: Path, tables: int) -> None:
        self._folders = [folder / f"box-{table}" for table in range(1, tables + 1)]

    def keys(self) -> list[str]:
        """Return the public key of each box, made where there is none."""
        for folder in self._folders:
            durable.folder(folder)
        return [seal.signer(folder).public for folder in self._folders]

    def play(self, stack: ExitStack, boxes: str, event: str, term: Term) -> None:
        """Have them play until ``stack`` is left. ``boxes``: where the hall listens for them, on this computer."""
        from referee.hall.uplink import pinned
        from referee.hall.uplink.client import Hall

        address = f"127.0.0.1:{boxes.rpartition(':')[2]}"
        for folder in self._folders:
            pinned.write(folder, Hall(address, event, term))
        command = (sys.executable, "-m", "referee.testing.tables", address, *map(str, self._folders))
        stack.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE))  # noqa: S603 - our own words
