"""A disk that records, refuses and tears: a layer under the very SQLite that Python uses.

`Disk` is registered through ctypes as SQLite's default file layer (a VFS, https://sqlite.org/vfs.html), over the
ordinary one. So the production journal runs unchanged, with its own SQLite library, while every write, sync,
truncation and deletion of its files passes here first. (The apsw package offers the same from Python, but it brings
another SQLite and another interface, so the journal under test would not be the one that is shipped.)

The wal-index (``-shm``) is memory that no power cut leaves behind; SQLite makes it anew, so it is not recorded.
"""

from __future__ import annotations

import _sqlite3
import ctypes
from collections.abc import Callable
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_int64, c_void_p
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

OK = 0
FULL = 13
IOERR_WRITE, IOERR_FSYNC, IOERR_TRUNCATE, IOERR_DELETE = (10 | kind << 8 for kind in (3, 4, 6, 10))
FAILS = {"write": IOERR_WRITE, "sync": IOERR_FSYNC, "truncate": IOERR_TRUNCATE, "delete": IOERR_DELETE}
"""What an I/O error is called, by the operation that fails."""

_CREATE, _JOURNAL, _WAL = 0x4, 0x800, 0x80000

_CLOSE = CFUNCTYPE(c_int, c_void_p)
_WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
_SYNC = CFUNCTYPE(c_int, c_void_p, c_int)
_OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_DELETE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)


class _Methods(ctypes.Structure):
    _fields_ = (
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", c_void_p),
        ("truncate", c_void_p),
        ("sync", c_void_p),
        ("rest", c_void_p * 13),
    )


class _Vfs(ctypes.Structure):
    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("longest", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", c_void_p),
        ("delete", c_void_p),
        ("rest", c_void_p * 13),
    )


@dataclass(frozen=True, slots=True)
class Op:
    """One operation on a file, named without its folder. ``kind``: create, write, sync, no sync, truncate or delete.

    ``at``: offset of a write, size of a truncation. ``folder``: a sync or deletion that syncs the folder too.
    """

    kind: str
    file: str
    at: int = 0
    data: bytes = b""
    folder: bool = False


Refuse = Callable[[int, Op], int]
"""Given the number of an operation and itself, the SQLite code it fails with; 0: it is done.

A write that fails with ``-code`` is half done before.
"""


class Disk:
    """While it is entered, every database opened in this process goes through it.

    ``ops``     what was done, in order; of what failed, what was done of it, and every failed sync
    ``calls``   how many operations were asked for
    ``refuse``  may be set to make operations fail
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ops: list[Op] = []
        self.calls = 0
        self.refuse: Refuse | None = None
        self._files: dict[int, tuple[str, _Methods, bool]] = {}
        self._tables: dict[int, tuple[_Methods, _Methods]] = {}
        self._new: set[str] = set()
        self._library = ctypes.CDLL(_sqlite3.__file__)
        self._library.sqlite3_vfs_find.restype = POINTER(_Vfs)
        self._under = self._library.sqlite3_vfs_find(None)
        self._vfs = _Vfs()
        ctypes.memmove(ctypes.byref(self._vfs), self._under, ctypes.sizeof(_Vfs))
        self._calls = (_OPEN(self._open), _DELETE(self._delete))
        self._vfs.name, self._vfs.next = b"recording", None
        self._vfs.open, self._vfs.delete = (ctypes.cast(call, c_void_p).value for call in self._calls)
        self._hooks = (_CLOSE(self._close), _WRITE(self._write), _TRUNCATE(self._truncate), _SYNC(self._sync))

    def __enter__(self) -> Self:
        self._library.sqlite3_vfs_register(ctypes.byref(self._vfs), 1)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._library.sqlite3_vfs_register(self._under, 1)
        self._library.sqlite3_vfs_unregister(ctypes.byref(self._vfs))

    def _ask(self, op: Op) -> int:
        """Record an operation; return the code it is to fail with."""
        code = self.refuse(self.calls, op) if self.refuse is not None else OK
        self.calls += 1
        if not code:
            self.ops.append(op)
        elif op.kind == "sync":
            self.ops.append(Op("no sync", op.file))
        elif op.kind == "write" and code < 0:
            self.ops.append(Op("write", op.file, op.at, op.data[: len(op.data) // 2]))
        return code

    # -- called by SQLite. None of these may raise: ctypes would only print it, and SQLite would go on.

    def _open(self, _vfs: int, name: int | None, file: int, flags: int, out: int | None) -> int:
        path = Path(ctypes.string_at(name).decode()) if name else None
        there = path is None or path.exists()
        code: int = _OPEN(self._under.contents.open)(ctypes.addressof(self._under.contents), name, file, flags, out)
        slot = ctypes.cast(file, POINTER(c_void_p))
        if code or path is None or path.parent != self.folder or not slot[0]:
            return code
        if flags & _CREATE and not there:
            self._ask(Op("create", path.name))
            self._new.add(path.name)
        ours, theirs = self._hooked(int(slot[0]))
        self._files[file] = (path.name, theirs, bool(flags & (_JOURNAL | _WAL)))
        slot[0] = ctypes.addressof(ours)
        return OK

    def _hooked(self, address: int) -> tuple[_Methods, _Methods]:
        if address not in self._tables:
            theirs = _Methods.from_address(address)
            ours = _Methods()
            ctypes.memmove(ctypes.byref(ours), address, ctypes.sizeof(_Methods))
            for name, hook in zip(("close", "write", "truncate", "sync"), self._hooks, strict=True):
                setattr(ours, name, ctypes.cast(hook, c_void_p).value)
            self._tables[address] = (ours, theirs)
        return self._tables[address]

    def _delete(self, _vfs: int, name: int, folder: int) -> int:
        path = Path(ctypes.string_at(name).decode())
        if path.parent == self.folder and path.exists():
            code = self._ask(Op("delete", path.name, folder=bool(folder)))
            if code:
                return abs(code)
        return _DELETE(self._under.contents.delete)(ctypes.addressof(self._under.contents), name, folder)  # type: ignore[no-any-return]

    def _close(self, file: int) -> int:
        _, theirs, _ = self._files.pop(file)
        return _CLOSE(theirs.close)(file)  # type: ignore[no-any-return]

    def _write(self, file: int, data: int, size: int, at: int) -> int:
        name, theirs, _ = self._files[file]
        code = self._ask(Op("write", name, at, ctypes.string_at(data, size)))
        if code > 0:
            return code
        done: int = _WRITE(theirs.write)(file, data, size // 2 if code else size, at)
        return -code if code else done

    def _truncate(self, file: int, size: int) -> int:
        name, theirs, _ = self._files[file]
        return abs(self._ask(Op("truncate", name, size))) or _TRUNCATE(theirs.truncate)(file, size)

    def _sync(self, file: int, flags: int) -> int:
        name, theirs, folder = self._files[file]
        first = folder and name in self._new
        code = abs(self._ask(Op("sync", name, folder=first)))
        if not code:
            self._new.discard(name)
            code = _SYNC(theirs.sync)(file, flags)
        return code
