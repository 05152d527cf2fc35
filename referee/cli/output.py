"""Print results on stdout, and warnings and faults on stderr."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path

from referee.errors import BadSetting
from referee.files import durable
from referee.files.plain import plain


def say(lines: Iterable[str]) -> None:
    """Print results."""
    for line in lines:
        print(plain(line))  # noqa: T201


def show(options: Namespace, value: object, lines: Iterable[str]) -> None:
    """Print a result: as one JSON value where that was asked for, else as lines."""
    say([json.dumps(value)] if options.json else lines)


def warn(options: Namespace, text: str) -> None:
    """Print what is worth knowing beside the results."""
    _beside({"warning": text} if options.json else f"referee: {text}")


def complain(text: str, code: int, *, as_json: bool) -> None:
    """Print why a command failed, and with which exit code where that is told to a program."""
    _beside({"error": text, "exit": code} if as_json else text)


def _beside(what: object) -> None:
    print(plain(what if isinstance(what, str) else json.dumps(what)), file=sys.stderr)  # noqa: T201


def save(output: Path, lines: Iterable[str]) -> None:
    """Write a file; one that is there stays as it is until all is written. Raises BadSetting or OSError."""
    if output.exists() and not output.is_file():
        raise BadSetting(f"{output} is not a regular file; expected one, or another name")
    try:
        durable.replace(Path(os.path.realpath(output)), "".join(f"{line}\n" for line in lines))
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, str(output)) from fault
