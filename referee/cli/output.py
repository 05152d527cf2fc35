"""What a command prints: results on stdout, a line at a time; what is worth knowing beside them on stderr."""

from __future__ import annotations

import os
import pydoc
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from referee.errors import BadSetting
from referee.files import durable
from referee.files.plain import plain

T = TypeVar("T")


def say(lines: Iterable[str]) -> None:
    """Print results."""
    for line in lines:
        print(plain(line))  # noqa: T201


def page(lines: Iterable[str]) -> None:
    """Print results; at a terminal that they do not fit, in the pager of whoever sits there ($PAGER, else less)."""
    shown = [plain(line) for line in lines]
    if sys.stdout.isatty() and len(shown) >= shutil.get_terminal_size().lines:
        os.environ.setdefault("LESS", "FRX")
        pydoc.pager("\n".join(shown) + "\n")
    else:
        say(shown)


PATIENCE = 0.5
"""Seconds after which a command that still works says how far it has come."""


def progress(what: str, items: Sequence[T], clock: Callable[[], float] = time.monotonic) -> Iterator[T]:
    """Yield the items of a long command; at a terminal, how many are done stands in a line that goes at the end."""
    begun, shown = clock(), False
    try:
        for done, item in enumerate(items):
            if sys.stderr.isatty() and clock() - begun >= PATIENCE:
                print(f"\r{done} of {len(items)} {what}", end="", file=sys.stderr, flush=True)  # noqa: T201
                shown = True
            yield item
    finally:
        if shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)  # noqa: T201


def warn(text: str) -> None:
    """Print what is worth knowing beside the results."""
    print(plain(f"referee: {text}"), file=sys.stderr)  # noqa: T201


def save(output: Path, lines: Iterable[str]) -> None:
    """Write a file; one that is there stays as it is until all is written. Raises BadSetting or OSError."""
    if output.exists() and not output.is_file():
        raise BadSetting(f"{output} is not a regular file; expected one, or another name")
    try:
        durable.replace(Path(os.path.realpath(output)), "".join(f"{line}\n" for line in lines))
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, str(output)) from fault
