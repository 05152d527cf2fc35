"""Print the manual page of the command, from its own help. Nothing but the standard library is imported."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from referee.cli.options import parser
from referee.cli.parsing import Parser


def page(command: Parser) -> str:
    """Return the manual page: the help of the command and of each of its commands."""
    text = ".TH REFEREE 1\n.SH NAME\nreferee \\- electronic referee for Middle-earth games on a real table\n"
    for each in _all(command):
        lines = each.format_help().replace("\\", "\\e").replace("-", "\\-").splitlines()
        text += f".SH {each.prog.upper()}\n.nf\n" + "".join(f"\\&{line}\n" for line in lines) + ".fi\n"
    return text + ".SH FILES\n.nf\n/etc/referee/referee.toml\n/var/lib/referee/journal.db\n.fi\n"


def _all(command: Parser) -> Iterator[Parser]:
    """Yield a command and each one below it."""
    yield command
    for each in command.commands.values():
        yield from _all(each)


if __name__ == "__main__":
    os.environ["COLUMNS"] = "80"  # however wide the terminal is that builds it
    sys.stdout.write(page(parser()))
