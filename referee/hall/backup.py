"""A copy of an event on another disk, a stick for example, written while the event goes on; and back from it.

It is a folder with the event file, to which each act is appended and flushed, and beside it what no act has: names,
key, boxes that are let in, certificates. It is written by a thread of its own, so that a stick that is slow, full or
pulled delays nothing; pages say since when.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from referee.errors import JournalBusy, JournalDamaged, JournalError, Malformed
from referee.files import durable
from referee.hall import tls
from referee.hall.boxes import Tokens
from referee.hall.desk import FILE, Desk, Kind, Names, has_event
from referee.hall.ledger import load
from referee.hall.staff import FILE as STAFF
from referee.hall.store import Store, sqlite

ACTS: Final = "event.jsonl"
BESIDE: Final = "event.json"  # what no act has
FILES: Final = (tls.CALLS, tls.STAFF, STAFF)  # files of the event's folder that are copied as they are
AGAIN: Final = 5.0  # how long after a fault it is tried again, s

_logger = logging.getLogger(__name__)


class Backup:
    """See the module. ``trouble``: why the last attempt failed, "" if it did not; ``at``: when it did not, ms."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        """Begin. ``folder``: on the other disk; one of another event is refused. Raises JournalError."""
        self.trouble, self.at, self.folder = "", 0, folder
        self._desk = desk
        self._written = 0
        self._beside: object = None
        self._new = threading.Event()
        self._over = threading.Event()
        if (folder / ACTS).exists() and not {*_whole_lines(folder / ACTS)[:1]} <= {*desk.ledger.lines()}:
            raise JournalError(f"{folder} has the backup of another event: name another folder")
        self._thread = threading.Thread(target=self._run, name="backup", daemon=True)
        desk.ledger.listeners.append(self._new.set)
        self._new.set()
        self._thread.start()

    def close(self) -> None:
        """Write what is new, and end; a disk that hangs is not waited for."""
        self._over.set()
        self._new.set()
        self._thread.join(2.0)

    def _run(self) -> None:
        while not self._over.is_set():
            self._new.wait()
            self._new.clear()
            try:
                self._write()
                self.trouble, self.at = "", self._desk.now()
            except (OSError, JournalError) as fault:
                if not self.trouble:
                    _logger.error("the backup cannot be written: %s", fault)
                self.trouble, self._written = str(getattr(fault, "strerror", None) or fault), 0
                self._over.wait(AGAIN)
                self._new.set()

    def _write(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        lines = list(self._desk.ledger.lines())
        path = self.folder / ACTS
        if not self._written or self._written > len(lines):
            durable.replace(path, "".join(f"{each}\n" for each in lines), 0o600)
        elif lines[self._written :]:
            with path.open("a", encoding="utf-8") as file:
                file.write("".join(f"{each}\n" for each in lines[self._written :]))
                file.flush()
                os.fsync(file.fileno())
        self._written = len(lines)
        names = {
            kind: {str(number): name for number, name in each.items()} for kind, each in self._desk.names.all.items()
        }
        boxes = Tokens(self._desk.store, self._desk.now).boxes()
        beside = {"key": self._desk.store.key.hex(), "boxes": boxes, "names": names}
        if self._beside != beside:
            durable.replace(self.folder / BESIDE, json.dumps(beside, indent=1) + "\n", 0o600)
            self._beside = beside
        for name in FILES:
            here, there = self._desk.folder / name, self.folder / name
            if here.exists() and (not there.exists() or there.read_bytes() != here.read_bytes()):
                durable.replace(there, here.read_bytes(), 0o600)


def restore(source: Path, folder: Path, now: Callable[[], int]) -> int:
    """Make the event of a backup in a folder without one; return the last revision.

    ``source``: the folder of the backup, or an event file alone: then boxes are to be added again, and names entered.
    Raises JournalBusy for a folder that has an event, JournalDamaged, JournalError.
    """
    if has_event(folder) or any(folder.glob(f"{FILE}-*")):
        raise JournalBusy(f"{folder} has an event: name a folder without one")
    acts, beside = (source / ACTS, source / BESIDE) if source.is_dir() else (source, None)
    try:
        lines = _whole_lines(acts)
        value = _beside(beside) if beside is not None else {}
        folder.mkdir(parents=True, exist_ok=True)
        for name in FILES if beside is not None else ():
            if (source / name).exists():
                shutil.copyfile(source / name, folder / name)
                (folder / name).chmod(0o600)
    except (OSError, UnicodeDecodeError) as fault:
        raise JournalError(f"{source}: expected a backup of an event: {fault}") from fault
    path = folder / FILE
    store = Store(sqlite(path), key=value.get("key", ""))
    try:
        last = load(store, lines)
        Tokens(store, now).admit(value.get("boxes", []))
        store.write(Names(store).putting(value.get("names", {}))).result()
    except BaseException:
        store.close()
        for each in folder.glob(f"{FILE}*"):
            each.unlink()
        raise
    store.close()
    return last


def _whole_lines(path: Path) -> list[str]:
    """Return the lines of an event file; a last one without its end, of a stick that was pulled, does not count."""
    text = path.read_text(encoding="utf-8")
    return text[: text.rfind("\n") + 1].splitlines()


def _beside(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
        kinds: tuple[Kind, ...] = ("player", "event")
        names = {kind: {int(number): str(name) for number, name in value["names"][kind].items()} for kind in kinds}
        boxes = [str(each) for each in value["boxes"]]
        if not all(len(bytes.fromhex(each)) == 32 for each in (value["key"], *boxes)):
            raise Malformed("key, boxes: expected 64 hex digits")
    except FileNotFoundError:
        return {}
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise JournalDamaged(f"{path}: expected names, boxes and key of an event: {fault}") from fault
    return {"key": value["key"], "boxes": boxes, "names": names}
