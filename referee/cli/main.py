"""Run a command: arguments in, exit code out; every fault is one line on stderr."""

from __future__ import annotations

import io
import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import cast

from referee.cli.exits import BROKEN_PIPE, INTERRUPTED, OK, code_of, words_of
from referee.cli.options import parser
from referee.cli.output import complain, say
from referee.errors import RefereeError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code. Raises SystemExit only where argparse does (``--help``, usage)."""
    _open_missing_streams()
    options = parser().parse_args(arguments)
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
        code = code_of(fault)
        complain(f"referee: {words_of(fault)}", code, as_json=options.json)
        return code
    return OK


def helped(options: Namespace) -> None:
    """Say what there is."""
    del options
    say(parser().format_help().splitlines())


def command(name: str) -> Callable[[Namespace], None]:
    """Return the function that does a command, by its module and its own name; the module is imported now."""
    module, _, function = name.partition(".")
    return cast("Callable[[Namespace], None]", getattr(import_module(f"referee.cli.{module}"), function))


def _open_missing_streams() -> None:
    """Put nothing in the place of a stream that was closed by whoever started this: Python leaves None there."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - as long as we run
