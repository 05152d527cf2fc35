"""Small JSON files of a box, each ``{"format": 1, NAME: ...}``: passes, names of players, names of dice."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from referee.errors import StationError
from referee.files import bounded

T = TypeVar("T")
Stamp: TypeAlias = tuple[int, int, int]
"""Inode, time of the last change and size."""


class Reread(Generic[T]):
    """What such a file holds; it is read again whenever it has changed, so that a command's change counts at once."""

    def __init__(self, path: Path, parse: Callable[[str], T], what: str) -> None:
        """``parse`` raises ValueError saying what was expected; ``what``: the file holds, for the message."""
        self._path = path
        self._parse = parse
        self._what = what
        self._stamp: Stamp | None = None
        self._value: T | None = None

    def stamp(self) -> Stamp | None:
        """Return what is another once the file has changed, None where there is no file. Raises OSError."""
        try:
            status = self._path.stat()
        except FileNotFoundError:
            return None
        return status.st_ino, status.st_mtime_ns, status.st_size

    def value(self) -> T | None:
        """Return what it holds, None where there is no file. Raises StationError if it cannot be read."""
        try:
            stamp = self.stamp()
            if stamp is None:
                self._value, self._stamp = None, None
            elif stamp != self._stamp:
                self._value, self._stamp = None, None
                self._value = self._parse(bounded.text(self._path))
                self._stamp = stamp
        except FileNotFoundError:
            self._value, self._stamp = None, None
        except (OSError, ValueError) as error:
            self._value, self._stamp = None, None
            raise StationError(f"{self._path}: {self._what} cannot be read: {bounded.why(error)}") from error
        return self._value


def member(text: str, name: str, kind: type[T]) -> T:
    """Return the list or the object that the text holds under ``name``.

    Raises ValueError saying what was expected.
    """
    try:
        data = json.loads(text)
    except RecursionError as error:
        raise ValueError("expected fewer levels of nesting") from error
    if isinstance(data, dict) and data.get("format") == 1 and isinstance(data.get(name), kind):
        value: T = data[name]
        return value
    example = "[...]" if kind is list else "{...}"
    raise ValueError(f'expected {{"format": 1, "{name}": {example}}}')
