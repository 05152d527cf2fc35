"""Faults of what the journal lies on, and of the journal itself."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO
from unittest import mock

from referee.console.drawing.screens import draw
from referee.files import durable
from referee.journal import Journal
from referee.session.chain import canonical
from referee.station.picture import WAIT
from referee.station.virtual.bench import Clock
from tests.bench.begun import BegunBench
from tests.faults.rig import Rig
from tests.faults.table import Row, scenario, took, within
from tests.faults.witness import Answer, losses
from tests.journal.disk import FAILS, FULL, Disk, Op

READ_ONLY = 8
PLAYING, STARTING = "Storage while a game is played", "Storage when the box starts"


def _press_on(folder: Path, code: Callable[[Op], int], words: str, ends: str) -> Row:
    """Play while the disk refuses; what is pressed counts once it does not any more."""
    with Disk(folder) as disk, Rig(folder) as rig:
        before = rig.console.table.current.entries, rig.console.table.prompt

        def refused() -> None:
            disk.refuse = lambda _, op: code(op)
            rig.hold("die-2", 0.06)

        rig.inject(refused)
        rig.until_said(words)
        for _ in range(3):  # it goes on being told, and nothing moves
            rig.key("select", "2")
            rig.until_seen(words) if rig.view.speech().spoken not in rig.seen else rig.wait(0.5)
            assert (rig.console.table.current.entries, rig.console.table.prompt) == before
        rig.mend(lambda: setattr(disk, "refuse", None))
        rig.until_usable(key="select")
        return rig.row(ends)


@scenario(PLAYING, "the disk is full")
def full(folder: Path) -> Row:
    return _press_on(
        folder,
        lambda op: FULL if op.kind == "write" else 0,
        "Disk is full",
        "free space, any key, then the same key again",
    )


@scenario(PLAYING, "the disk is read-only")
def read_only(folder: Path) -> Row:
    return _press_on(
        folder,
        lambda op: READ_ONLY if op.kind in FAILS else 0,
        "Disk is read-only",
        "a writable disk, any key, then the same key again",
    )


@scenario(PLAYING, "writing fails (EIO)")
def write_fails(folder: Path) -> Row:
    return _press_on(
        folder,
        lambda op: FAILS["write"] if op.kind == "write" else 0,
        "Disk error",
        "a working disk, any key, then the same key again",
    )


@scenario(PLAYING, "the sync fails (EIO)")
def sync_fails(folder: Path) -> Row:
    return _press_on(
        folder,
        lambda op: FAILS["sync"] if op.kind == "sync" else 0,
        "Disk error",
        "a working disk, any key, then the same key again",
    )


@scenario(PLAYING, "a sync takes 2 s, and keys are pressed meanwhile")
def slow_sync(folder: Path) -> Row:
    with Disk(folder) as disk, Rig(folder) as rig:
        wait, _ = draw(WAIT, rig.glass.size)
        seen: list[float] = []
        before = rig.console.table.current.n

        def slowly(_: int, op: Op) -> int:
            if op.kind == "sync" and not seen:
                _two_seconds(rig, lambda: rig.glass.tobytes() == wait.convert(rig.glass.mode).tobytes(), seen)
            return 0

        def pressed() -> None:
            disk.refuse = slowly
            rig.hold("die-2", 0.06)

        rig.inject(pressed)
        disk.refuse = None
        at = rig._injected_at
        rig.noticed, rig.seen = seen[0] - at, WAIT.speech().spoken
        rig.wait(1)
        assert rig.console.table.current.n == before + 1, "a key pressed meanwhile was taken for the next question"
        rig.asked = before + 1
        back, _ = next((now, line) for now, line in rig.spoken if now > at and line != rig.seen)
        rig.usable = max(0.0, back - (at + 2.0))
        assert rig.open_to_answers()
        assert rig.on_glass()
        return rig.row("the sync finishing; the answer counts once, keys pressed meanwhile do not", "5", "4")


def _two_seconds(rig: Rig, announced: Callable[[], bool], seen: list[float]) -> None:
    """Let 2 s pass within a sync: only the display's thread runs, and fingers. Nothing here may raise."""
    end = rig.clock.now + 2.0
    fingers = [
        ("die-2", True),
        ("die-2", False),
        ("select", True),
        ("select", False),
        ("die-1", True),
        ("die-1", False),
    ]
    while rig.clock.now < end:
        rig.clock.now += 0.01
        rig.beside(rig.clock.now)
        if announced() and not seen:
            seen.append(rig.clock.now)
        if seen and fingers and rig.clock.now > seen[0] + 0.3 * (7 - len(fingers)) / 2:
            key, down = fingers.pop(0)
            (rig.simulated.press if down else rig.simulated.release)(key)
            rig.presses += down
    if not seen:
        seen.append(float("inf"))


@scenario(PLAYING, "another program locks the journal")
def locked(folder: Path) -> Row:
    with Rig(folder) as rig:
        other = sqlite3.connect(rig.path, isolation_level=None)
        before = rig.console.table.current.entries

        def press() -> None:
            other.execute("BEGIN IMMEDIATE")
            rig.hold("die-2", 0.06)

        began = time.perf_counter()
        rig.inject(press)
        seconds = time.perf_counter() - began
        rig.until_said("Journal in use")
        assert rig.console.table.current.entries == before
        rig.mend(other.close)
        rig.until_usable(key="select")
        return rig.row("stopping that program, any key, then the same key again")._replace(noticed=within(seconds, 6))


@scenario(PLAYING, "the journal is removed")
def taken_away(folder: Path) -> Row:
    with Rig(folder) as rig:

        def press() -> None:
            rig.path.rename(folder / "aside")
            rig.hold("die-2", 0.06)

        rig.inject(press)
        rig.until_said("The journal is missing")
        rig.mend(lambda: (folder / "aside").rename(rig.path))
        rig.until_usable(key="select")
        return rig.row("putting it back, any key, then the same key again")


# -- at the start


def _begun(folder: Path) -> tuple[Path, set[Answer], str]:
    """Play a little; return the journal, what was seen accepted, and what stood on the glass."""
    path = folder / "journal.db"
    with BegunBench(path) as bench:
        bench.key("1", "2", "1")
        session = bench.console.table.current
        accepted = {(1, entry.seq, canonical(entry.answer)) for entry in session.entries}
        bench.wait(1)
        return path, accepted, bench.read_out


def _start(
    folder: Path, spoil: Callable[[Path], Any], words: str, ends: str, mend: Callable[[Path, Path], Any] | None = None
) -> Row:
    """Start on a journal that something is wrong with; the safe mode says so, and is left from the glass."""
    path, accepted, asked = _begun(folder)
    copy = folder / "copy"
    shutil.copy(path, copy)
    spoilt = spoil(path)
    wrong = path.read_bytes() if path.exists() else None
    bench = BegunBench(path)
    assert bench.read_out.startswith(f"Safe mode. {words}"), bench.read_out
    assert bench.sounds == ["fault"]
    assert bench.glass.tobytes() == draw(bench.view, bench.glass.size)[0].convert(bench.glass.mode).tobytes()
    noticed, seen = took(bench.clock.now - Clock().now), bench.read_out
    for key in ("select", "1", "back", "3", "back"):
        bench.key(key)
    assert (path.read_bytes() if path.exists() else None) == wrong, "what was there was changed"
    assert bench.console.table.session is None
    bench = bench.again(lambda: bench.key("2"))
    assert bench.read_out.startswith(f"Safe mode. {words}"), bench.read_out
    bench.key("select")
    (mend or (lambda _, copy: copy.replace(path)))(spoilt, copy)
    assert bench.misfits == []
    with bench.again(lambda: bench.key("2")) as after:
        at = Clock().now
        after.wait(0.1)
        assert after.read_out == asked, after.read_out
        usable = took(after.clock.now - at)
        after.key("2")
        accepted |= {(1, entry.seq, canonical(entry.answer)) for entry in after.console.table.current.entries}
        assert after.misfits == []
    lost, doubled = losses(accepted, path)
    return Row(noticed, seen, ends, usable, lost, doubled)


@scenario(STARTING, "the journal is missing")
def missing(folder: Path) -> Row:
    return _start(folder, Path.unlink, "The journal is missing.", "putting it back, then Try again")


@scenario(STARTING, "the journal is truncated")
def truncated(folder: Path) -> Row:
    return _start(
        folder,
        lambda path: os.truncate(path, 700),
        "The journal is damaged.",
        "a backup in its place, then Try again",
    )


@scenario(STARTING, "a bit of its first page is flipped")
def flipped(folder: Path) -> Row:
    def flip(path: Path) -> None:
        data = bytearray(path.read_bytes())
        data[3] ^= 1
        path.write_bytes(data)

    return _start(folder, flip, "The journal is damaged.", "a backup in its place, then Try again")


@scenario(STARTING, "a bit of an entry is flipped")
def flipped_entry(folder: Path) -> Row:
    def flip(path: Path) -> None:
        data = path.read_bytes()
        at = data.index(b"o-v-o")
        path.write_bytes(data[:at] + bytes((data[at] ^ 1,)) + data[at + 1 :])

    return _start(folder, flip, "The journal is damaged.", "a backup in its place, then Try again")


@scenario(STARTING, "the journal is from another release")
def newer(folder: Path) -> Row:
    def later(path: Path) -> None:
        other = sqlite3.connect(path)
        other.execute("PRAGMA user_version = 99")
        other.close()

    ends = "that release or another journal, then Try again"
    return _start(folder, later, "The journal is from another release.", ends)


@scenario(STARTING, "another station uses the journal")
def in_use(folder: Path) -> Row:
    return _start(
        folder,
        Journal,
        "Another program uses the journal.",
        "stopping that station, then Try again",
        lambda other, _: other.close(),  # type: ignore[attr-defined]
    )


@scenario(STARTING, "the journal has a second name (hard link)")
def linked(folder: Path) -> Row:
    def link(path: Path) -> Path:
        twin = path.with_name("twin.db")
        twin.hardlink_to(path)
        return twin

    return _start(
        folder,
        link,
        "The journal cannot be opened.",
        "removing the other name, then Try again",
        lambda twin, _: twin.unlink(),
    )


@scenario(STARTING, "the disk is read-only")
def read_only_at_start(folder: Path) -> Row:
    undo = contextlib.ExitStack()

    def refuse(path: Path) -> None:
        del path
        undo.enter_context(_read_only())

    with undo:
        return _start(
            folder,
            refuse,
            "The journal cannot be opened.",
            "a writable disk, then Try again",
            lambda *_: undo.close(),
        )


@contextlib.contextmanager
def _read_only() -> Iterator[None]:
    """Let opening the lock file fail as it does on a file system that is mounted read-only."""

    def refuse(path: Path) -> BinaryIO:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    with mock.patch.object(durable, "shared", refuse):
        yield
