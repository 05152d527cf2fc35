"""What a command prints: results on stdout, a line at a time; what is worth knowing beside them on stderr."""

from __future__ import annotations

import os
import pydoc
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from referee.errors import BadSetting
from referee.files import durable
from referee.files.plain import plain


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
