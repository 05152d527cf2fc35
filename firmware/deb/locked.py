"""The packages of a lock file that a 64-bit Pi with one version of Python needs, for `pip download`.

    python locked.py VERSION LOCK [THERE]

THERE is a lock file whose packages are there already. pip downloads for another Python than its own, but would decide
by its own which conditions hold.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from pip._vendor.packaging.requirements import Requirement


def locked(text: str, python: str, there: str = "") -> Iterator[str]:
    """Yield what is needed of a lock file, each package in one line with its hashes."""
    environment = {
        "implementation_name": "cpython",
        "platform_machine": "aarch64",
        "platform_python_implementation": "CPython",
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": "linux",
    }
    names = {requirement.name for requirement, _ in _lines(there)}
    for requirement, hashes in _lines(text):
        if requirement.name not in names and (not requirement.marker or requirement.marker.evaluate(environment)):
            yield f"{requirement.name}{requirement.specifier} {hashes}"


def _lines(text: str) -> Iterator[tuple[Requirement, str]]:
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    for line in "\n".join(lines).replace("\\\n", "").splitlines():
        if line.strip():
            requirement, mark, hashes = line.partition("--hash")
            yield Requirement(requirement), mark + hashes


if __name__ == "__main__":
    version, *files = sys.argv[1:]
    lock, *rest = (Path(file).read_text("utf-8") for file in files)
    sys.stdout.write("".join(f"{line}\n" for line in locked(lock, version, *rest)))
