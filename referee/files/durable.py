"""Write files that survive a power cut or a full disk: complete, or not at all.

A file is written beside its place, synced, and renamed. A file that root makes in a user's folder belongs to that
user: a station reads the key that was made with sudo. Modes do not depend on the umask.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_SHARED = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC


def draft(path: Path) -> Path:
    """Return where a file is written until it takes its place. Only one program at a time may write a file."""
    return path.with_name(f".{path.name}.new")


@contextmanager
def replacing(path: Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """Write a file, which takes its place when the block ends, and never where the block raises. Raises OSError.

    ``mode``: its permissions; None: those of the file it replaces, or what is usual for a new one.
    """
    written = draft(path)
    written.unlink(missing_ok=True)
    try:
        with os.fdopen(_opened(written, path, 0o666 if mode is None else mode), "wb") as file:
            if mode is None and path.exists():
                mode = stat.S_IMODE(path.stat().st_mode)
            if mode is not None:
                os.fchmod(file.fileno(), mode)
            _give(file.fileno(), path.parent)
            yield file
            file.flush()
            os.fsync(file.fileno())
        written.replace(path)
    except BaseException:  # of SIGTERM, too
        with suppress(OSError):
            written.unlink(missing_ok=True)  # nobody would take it away, and it may hold a key
        raise
    sync(path.parent)


def _opened(written: Path, path: Path, mode: int) -> int:
    """Open the draft; a fault names the file that was to be written. Raises OSError."""
    try:
        return os.open(written, _NEW, mode)
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, str(path)) from fault


def replace(path: Path, data: bytes | str, mode: int | None = None) -> None:
    """Write a file; text is UTF-8. Raises OSError, with what was there before untouched."""
    with replacing(path, mode) as file:
        file.write(data.encode("utf-8", "backslashreplace") if isinstance(data, str) else data)


def remove(path: Path) -> None:
    """Remove a file, if there is one, so that no power cut brings it back. Raises OSError."""
    path.unlink(missing_ok=True)
    sync(path.parent)


def shared(path: Path) -> BinaryIO:
    """Open a small file for reading and appending that stays the same file for every program. Raises OSError."""
    try:
        descriptor = os.open(path, _SHARED | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        descriptor = os.open(path, _SHARED)
    else:
        _give(descriptor, path.parent)
    return os.fdopen(descriptor, "a+b")


def begin(path: Path) -> None:
    """Where root lets another library make a file in somebody's folder: make it theirs, and empty. Raises OSError."""
    if os.geteuid() == 0 and path.parent.stat().st_uid != 0 and not path.exists():
        shared(path).close()


def folder(path: Path) -> None:
    """Make a folder and those above it, each name durable, and none that others may write. Raises OSError."""
    missing = [path, *path.parents]
    while missing and missing[-1].exists():
        missing.pop()
    if not missing and not path.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
    for each in reversed(missing):
        with suppress(FileExistsError):
            each.mkdir(0o755)
            _give_folder(each)
        sync(each.parent)


def sync(path: Path) -> None:
    """Make what was written to a file, or the names in a folder, durable. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _give_folder(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        _give(descriptor, path.parent)
    finally:
        os.close(descriptor)


def _give(descriptor: int, parent: Path) -> None:
    """Let what root has made here belong to whose folder it is."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:  # a browser's Python has no users
        owner = parent.stat()
        os.fchown(descriptor, owner.st_uid, owner.st_gid)
