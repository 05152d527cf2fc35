"""The argument parser: shared options, and one-line messages for wrong arguments."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

from referee.cli.exits import MEANINGS, USAGE
from referee.cli.output import complain
from referee.files.bounded import names_a_file, trimmed

CODES = "exit codes:\n" + "".join(f"  {code:<3}  {meaning}\n" for code, meaning in MEANINGS.items())

AS_JSON = "print one JSON value, and errors as JSON"


class Parser(argparse.ArgumentParser):
    """The parser of a command, or of several; a slip is told in one line. ``commands``: those below it, by name."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **settings)
        self.commands: dict[str, Parser] = {}
        self._sub: argparse._SubParsersAction[Parser] | None = None
        self._as_json = False

    def command(self, name: str, run: str, text: str, examples: str = "", *, as_json: str = AS_JSON) -> Parser:
        """Add a command and return its parser.

        ``run``: module of `referee.cli` and function that do it, "" for a group; ``as_json``: what ``--json`` does.
        """
        if self._sub is None:
            needed = self.get_default("run") is None
            self._sub = self.add_subparsers(title="commands", metavar="COMMAND", required=needed)
        shown = f"examples:\n{examples}\n{CODES}" if examples else CODES
        command = self._sub.add_parser(name, help=text, description=text, epilog=shown)
        if run:
            command.set_defaults(run=run)
            command.add_argument("--json", action="store_true", help=as_json)
        self.commands[name] = command
        return command

    def parse_known_args(self, args: Iterable[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Read the arguments."""
        words = sys.argv[1:] if args is None else list(args)
        self._as_json = "--json" in words
        return super().parse_known_args(words, namespace)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong and where help is; exit with 2."""
        complain(f"{self.prog}: {message} (see {self.prog} --help)", USAGE, as_json=self._as_json)
        sys.exit(USAGE)


def file(text: str) -> Path:
    """Return the path of a file; not nothing, which is an unset variable of the shell, and not the folder itself."""
    path = Path(trimmed(text))
    if not names_a_file(path):
        raise argparse.ArgumentTypeError(f"expected a file, got {text!r}")
    return path


def journal(command: argparse.ArgumentParser) -> None:
    """Let a command have a journal."""
    command.add_argument(
        "--journal",
        metavar="FILE",
        type=file,
        help="journal (default: $REFEREE_JOURNAL, else referee/journal.db in $XDG_STATE_HOME or ~/.local/state)",
    )


def config(command: argparse.ArgumentParser) -> None:
    """Let a command have a configuration."""
    named = trimmed(os.environ.get("REFEREE_CONFIG", ""))
    command.add_argument(
        "--config",
        metavar="FILE",
        type=file,
        default=Path(named) if named else None,
        help="configuration file, TOML (default: $REFEREE_CONFIG, else none)",
    )


def game(command: argparse.ArgumentParser) -> None:
    """Let a command have the number of a game."""
    command.add_argument(
        "number",
        metavar="N",
        nargs="?",
        type=_number,
        help="number of the game; see `referee log --list` (default: the latest)",
    )


def port(text: str) -> int:
    """Return a port."""
    if not text.isascii() or not text.isdigit() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, got {text!r}")
    return int(text)


def setting(text: str) -> tuple[str, str]:
    """Return a switch and its value."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"expected SWITCH=VALUE, got {text!r}")
    return name, value


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"expected the number of a game, got {text!r}; see `referee log --list`")
    return int(text)
