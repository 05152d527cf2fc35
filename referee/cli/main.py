"""From arguments to an exit code: one line for every fault, and a clean end when the other side goes away."""

from __future__ import annotations

import io
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import cast

from referee.cli.options import parser
from referee.cli.output import warn
from referee.errors import (
    BadSetting,
    ConfigError,
    Diverged,
    JournalDamaged,
    JournalError,
    Malformed,
    RefereeError,
    StationError,
    StoreAway,
    Unfit,
    UnknownGame,
    UnknownRuling,
)

OK, FOUND, USAGE = 0, 1, 2
STATION, FAULT, JOURNAL, CONFIG = 69, 70, 74, 78
"""Those of sysexits.h (UNAVAILABLE, SOFTWARE, IOERR, CONFIG), for systemd names the codes 3 to 7 as init scripts do:
what is called "NOPERMISSION" there is nothing of the kind here.
"""
INTERRUPTED, BROKEN_PIPE = 130, 141

_CODES: tuple[tuple[type[Exception], int], ...] = (
    (Diverged, FOUND),
    (JournalDamaged, FOUND),
    (Malformed, FOUND),
    (Unfit, FOUND),
    (StoreAway, STATION),
    (JournalError, JOURNAL),
    (UnknownGame, USAGE),
    (UnknownRuling, USAGE),
    (BadSetting, USAGE),
    (ConfigError, CONFIG),
    (StationError, STATION),
    (RefereeError, FAULT),
    (OSError, USAGE),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code. Raises SystemExit only where argparse does (``--help``, usage)."""
    _standing_in()
    options = parser().parse_args(arguments)
    if not options.run:
        parser().print_help()
        return OK
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")  # a terminal that lacks a letter ends no command
        command(options.run)(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has gone; what is left in the buffer must not fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except (RefereeError, OSError) as fault:
        return _complain(fault)
    return OK


def command(name: str) -> Callable[[Namespace], None]:
    """Return the function that does a command, by its module and its own name; the module is imported now."""
    module, _, function = name.partition(".")
    return cast("Callable[[Namespace], None]", getattr(import_module(f"referee.cli.{module}"), function))


def _standing_in() -> None:
    """Put nothing in the place of a stream that was closed by whoever started this: Python leaves None there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - as long as we run


def _complain(fault: Exception) -> int:
    text = str(fault)
    if isinstance(fault, OSError) and fault.strerror:
        text = f"{fault.filename}: {fault.strerror}" if fault.filename is not None else fault.strerror
    if isinstance(fault, Malformed):
        text = fault.text
    warn(" ".join(text.split()))
    return next(code for kind, code in _CODES if isinstance(fault, kind))
