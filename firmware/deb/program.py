"""What a package installs below /opt/referee, compiled for the Python that runs this, and what describes commands.

    python program.py station|tray LIBRARIES FOLDER

FOLDER becomes what the package installs: the libraries, and with those of the station its program. Nothing but the
standard library is imported.
"""

from __future__ import annotations

import gzip
import importlib.util
import marshal
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

SOURCE = Path(__file__).parents[2]
sys.path.insert(0, str(SOURCE))

from referee.cli.options import parser  # noqa: E402
from referee.cli.parsing import Parser  # noqa: E402

PREFIX = "/opt/referee"
APP = f"{PREFIX}/app"
BOOT = "firmware/deb/boot.py"

LAUNCHER = f"""\
#!/bin/sh
# On this machine journal and settings are the station's, unless somebody names others or plays on a simulated box.
if [ "${{1:-}}" != play ]; then
    export REFEREE_JOURNAL="${{REFEREE_JOURNAL:-/var/lib/referee/journal.db}}"
    [ ! -f /etc/referee/referee.toml ] || export REFEREE_CONFIG="${{REFEREE_CONFIG:-/etc/referee/referee.toml}}"
fi
exec "{PREFIX}/bin/python" -IB "{APP}" "$@"
"""
"""Python is isolated: neither the current directory nor the environment of whoever calls says what is imported."""

START = b"""\
from referee.__main__ import main

main()
"""


def write(folder: Path, contents: Mapping[str, bytes]) -> None:
    """Write files where the program is, with their byte code."""
    for name, data in ({**contents} | compiled(contents, APP)).items():
        _put(folder / APP[1:] / name, data)


def describe(folder: Path) -> None:
    """Write the command and its manual page."""
    launcher = folder / PREFIX[1:] / "bin/referee"
    _put(launcher, LAUNCHER.encode())
    launcher.chmod(0o755)
    (launcher.parent / "python").symlink_to(f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}")
    os.environ["COLUMNS"] = "80"  # for the manual page, however wide the terminal is that builds it
    _put(folder / "usr/share/man/man1/referee.1.gz", gzip.compress(page(parser()).encode(), mtime=0))


def libraries(folder: Path) -> dict[str, bytes]:
    """Return unpacked libraries: paths below their directory, and contents."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def program(source: Path) -> dict[str, bytes]:
    """Return what the program consists of: paths below its directory, and contents."""
    parts = [source / "LICENSE", source / BOOT]
    for package in ("referee", "hardware"):
        parts += [path for path in sorted((source / package).rglob("*")) if path.is_file()]
    parts = [path for path in parts if "__pycache__" not in path.parts and path.suffix != ".pyc"]
    return {"__main__.py": START, **{str(path.relative_to(source)): path.read_bytes() for path in parts}}


def compiled(contents: Mapping[str, bytes], directory: str) -> dict[str, bytes]:
    """Return the byte code of these files in that directory, of the kind that is not compared with its source."""
    unchecked = (1).to_bytes(4, "little")
    result = {}
    for name, data in contents.items():
        if name.endswith(".py"):
            code = compile(data, f"{directory}/{name}", "exec", dont_inherit=True)
            head = importlib.util.MAGIC_NUMBER + unchecked + importlib.util.source_hash(data)
            result[importlib.util.cache_from_source(name)] = head + marshal.dumps(code)
    return result


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


def main(package: str, unpacked: Path, folder: Path) -> None:
    """Write what the package installs."""
    contents = libraries(unpacked)
    if package == "station":
        contents |= program(SOURCE)
        describe(folder)
    write(folder, contents)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
