"""Simulated boxes at the tables of an example, in a process that ends with this one."""

from __future__ import annotations

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from referee.files import durable
from referee.station.hall.kept import Membership, write_membership

if TYPE_CHECKING:
    from referee.hall.desk import Desk


class SimulatedTables:
    """So many boxes, each in a folder of its own. They are let in by their tokens, so nobody types codes."""

    def __init__(self, folder: Path, tables: int) -> None:
        self._folders = [folder / f"box-{table}" for table in range(1, tables + 1)]
        self._tokens: list[str] = []

    def boxes(self, desk: Desk) -> list[str]:
        """Let them in; return how the desk names them."""
        from referee.hall.boxes import Tokens, fresh, hashed

        self._tokens = [fresh() for _ in self._folders]
        boxes = list(map(hashed, self._tokens))
        Tokens(desk.store, desk.now).admit(boxes)
        return boxes

    def play(self, stack: ExitStack, boxes: str, certificate: str) -> None:
        """Have them play until ``stack`` is left. ``boxes``: where the hall listens for them, on this computer."""
        for folder, token in zip(self._folders, self._tokens, strict=True):
            durable.folder(folder)
            write_membership(folder, Membership(certificate, token, 1))
        address = f"127.0.0.1:{boxes.rpartition(':')[2]}"
        command = (sys.executable, "-m", "referee.station.virtual.tables", address, *map(str, self._folders))
        stack.enter_context(subprocess.Popen(command, stdin=subprocess.PIPE))  # noqa: S603 - our own words
