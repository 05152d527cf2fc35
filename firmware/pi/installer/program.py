"""The program as it is installed: its files, compiled, in a directory named after what is in them."""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import sys
from pathlib import Path

LAUNCHER = """\
#!/bin/sh
# On this machine journal and settings are the station's, unless somebody names others or plays on a simulated box.
if [ "${{1:-}}" != play ]; then
    export REFEREE_JOURNAL="${{REFEREE_JOURNAL:-/var/lib/referee/journal.db}}"
    [ ! -f /etc/referee/referee.toml ] || export REFEREE_CONFIG="${{REFEREE_CONFIG:-/etc/referee/referee.toml}}"
fi
exec "{venv}/bin/python" -IB "{app}" "$@"
"""
"""Python is isolated: neither the current directory nor the environment of whoever calls says what is imported."""

START = b"""\
from referee.__main__ import main

main()
"""


def files(source: Path) -> dict[str, bytes]:
    """Return what the program consists of: paths below its directory, and contents."""
    parts = [source / "LICENSE"]
    for package in ("referee", "hardware"):
        parts += [path for path in sorted((source / package).rglob("*")) if path.is_file()]
    parts = [path for path in parts if "__pycache__" not in path.parts and path.suffix != ".pyc"]
    return {"__main__.py": START, **{str(path.relative_to(source)): path.read_bytes() for path in parts}}


def version(contents: dict[str, bytes]) -> str:
    """Return a name for these contents, and for this Python, for which they are compiled."""
    digest = hashlib.sha256(f"{sys.implementation.cache_tag}\n".encode())
    for name, data in sorted(contents.items()):
        digest.update(f"{name}\n{len(data)}\n".encode() + data)
    return digest.hexdigest()[:12]


def compiled(contents: dict[str, bytes], directory: str) -> dict[str, bytes]:
    """Return the byte code of these files in that directory, of the kind that is not compared with its source."""
    unchecked = (1).to_bytes(4, "little")
    result = {}
    for name, data in contents.items():
        if name.endswith(".py"):
            code = compile(data, f"{directory}/{name}", "exec", dont_inherit=True)
            head = importlib.util.MAGIC_NUMBER + unchecked + importlib.util.source_hash(data)
            result[importlib.util.cache_from_source(name)] = head + marshal.dumps(code)
    return result
