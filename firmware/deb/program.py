"""The referee's program with its libraries, compiled for the Python that runs this, and what speaks of its commands.

    python program.py LIBRARIES FOLDER

FOLDER becomes what the package installs. Nothing but the standard library is imported.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2]
sys.path.insert(0, str(SOURCE))

from firmware.pi.installer import program  # noqa: E402
from referee.cli.completing import completion  # noqa: E402
from referee.cli.options import parser  # noqa: E402
from referee.cli.parsing import Parser  # noqa: E402

PREFIX = "/opt/referee"
APP = f"{PREFIX}/app"
BOOT = "firmware/pi/installer/boot.py"


def write(folder: Path, libraries: Path) -> None:
    """Write program and libraries into one directory, beside it the command that starts it."""
    contents = {
        str(path.relative_to(libraries)): path.read_bytes() for path in sorted(libraries.rglob("*")) if path.is_file()
    }
    contents |= program.files(SOURCE)
    contents[BOOT] = (SOURCE / BOOT).read_bytes()
    for name, data in (contents | program.compiled(contents, APP)).items():
        _put(folder / APP[1:] / name, data)
    launcher = folder / PREFIX[1:] / "bin/referee"
    _put(launcher, program.LAUNCHER.format(app=APP, venv=PREFIX).encode())
    launcher.chmod(0o755)
    os.environ["COLUMNS"] = "80"  # for the manual page, however wide the terminal is that builds it
    (launcher.parent / "python").symlink_to(f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}")
    script = io.StringIO()
    with contextlib.redirect_stdout(script):
        completion(Namespace(json=False))
    _put(folder / "usr/share/bash-completion/completions/referee", script.getvalue().encode())
    _put(folder / "usr/share/man/man1/referee.1.gz", gzip.compress(page(parser()).encode(), mtime=0))


def page(command: Parser) -> str:
    """Return the manual page: the help of the command and of each of its commands."""
    text = ".TH REFEREE 1\n.SH NAME\nreferee \\- electronic referee for Middle-earth games on a real table\n"
    for each in _all(command):
        text += f".SH {each.prog.upper()}\n.nf\n{_roff(each.format_help())}.fi\n"
    return text + ".SH FILES\n.nf\n/etc/referee/referee.toml\n/var/lib/referee/journal.db\n.fi\n"


def _all(command: Parser) -> Iterator[Parser]:
    """Yield a command and each one below it."""
    yield command
    for each in command.commands.values():
        yield from _all(each)


def _roff(text: str) -> str:
    lines = text.replace("\\", "\\e").replace("-", "\\-").splitlines()
    return "".join(f"\\&{line}\n" for line in lines)


def _put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


if __name__ == "__main__":
    write(Path(sys.argv[2]), Path(sys.argv[1]))
