"""What a disk may hold after the power went: any prefix of its operations, what was not synced lost, torn or garbage.

A file's last synced state is certain. Everything done to it since may have reached the medium or not, each write by
itself, whole, in part, as zeros or as noise within its own range (no further: SQLite calls it powersafe overwrite).
Names of files made or deleted are durable, in order, once the folder is synced.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.journal.disk import Op

NAME = "journal.db"
TAILS = ("kept", "lost", "torn", "mixed", "zeros", "garbage")
"""What became of the operations that were not synced."""


@dataclass
class _File:
    """A file: its certain content, and what was done to it since."""

    sure: bytes = b""
    since: list[Op] = field(default_factory=list)

    def copy(self) -> _File:
        return _File(self.sure, list(self.since))


Names = dict[str, _File]


class Medium:
    """The disk while operations arrive. ``chance``: decides what a failed sync has lost."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._now: Names = {}
        self._before: list[Names] = []

    @classmethod
    def holding(cls, files: dict[str, bytes], chance: random.Random) -> Medium:
        """Return a disk with these files on it, all of them durable."""
        medium = cls(chance)
        medium._now = {name: _File(content) for name, content in files.items()}
        return medium

    def do(self, op: Op) -> None:
        """Take one operation."""
        if op.kind in ("create", "delete"):
            self._before.append({name: file.copy() for name, file in self._now.items()})
            if op.kind == "create":
                self._now[op.file] = _File()
            else:
                self._now.pop(op.file, None)
        elif op.kind == "sync":
            file = self._now[op.file]
            file.sure, file.since = _applied(file.sure, file.since), []
        elif op.kind == "no sync":
            # Linux reports a failed sync once and takes the pages for clean: what was lost stays lost.
            file = self._now[op.file]
            file.sure, file.since = _content(file, self._chance.choice(TAILS), self._chance), []
        else:
            self._now[op.file].since.append(op)
        if op.folder:
            self._before.clear()

    def after_cut(self, tail: str) -> dict[str, bytes]:
        """Return the files that are found when the power is back."""
        chance = self._chance
        states = [*self._before, self._now]
        names = states[-1] if tail == "kept" else states[0] if tail == "lost" else chance.choice(states)
        return {name: _content(file, tail, chance) for name, file in names.items()}


def _applied(content: bytes, ops: Iterable[Op]) -> bytes:
    data = bytearray(content)
    for op in ops:
        if op.kind == "truncate":
            del data[op.at :]
            data.extend(bytes(op.at - len(data)))
        else:
            data.extend(bytes(max(0, op.at - len(data))))
            data[op.at : op.at + len(op.data)] = op.data
    return bytes(data)


def _content(file: _File, tail: str, chance: random.Random) -> bytes:
    if tail == "lost" or not file.since:
        return file.sure
    if tail == "kept":
        return _applied(file.sure, file.since)
    if tail == "torn":
        last = chance.randrange(len(file.since))
        return _applied(file.sure, [*file.since[:last], *_damaged(file.since[last], "torn", chance)])
    ops: list[Op] = []
    for op in file.since:
        how = chance.choice(("kept", "lost", "torn", "zeros", "garbage")) if tail == "mixed" else tail
        ops += _damaged(op, how, chance)
    return _applied(file.sure, ops)


def _damaged(op: Op, how: str, chance: random.Random) -> Sequence[Op]:
    if how == "kept":
        return (op,)
    if how == "lost":
        return ()
    if op.kind == "truncate":
        return (op,) if chance.random() < 0.5 else ()
    size = len(op.data)
    if how == "torn":
        cut = chance.choice((chance.randrange(size + 1), size // 512 * 512 // 2))
        return (Op("write", op.file, op.at, op.data[:cut]),)
    data = bytes(size) if how == "zeros" else chance.randbytes(size)
    return (Op("write", op.file, op.at, data),)


def write(folder: Path, files: dict[str, bytes]) -> None:
    """Put files in a folder, and nothing else."""
    for name in os.listdir(folder):  # noqa: PTH208 - many thousand times
        os.unlink(os.path.join(folder, name))  # noqa: PTH108, PTH118
    for name, content in files.items():
        with open(os.path.join(folder, name), "wb") as file:  # noqa: PTH118, PTH123
            file.write(content)
