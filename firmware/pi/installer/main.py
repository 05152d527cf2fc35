"""The installer; install.sh, which starts it, lists its options."""

from __future__ import annotations

import os
import sys

from firmware.pi.installer.errors import Refused, Usage
from firmware.pi.installer.prefix import checked
from firmware.pi.installer.system import PLACES, System


def main(arguments: list[str]) -> int:
    """Install or uninstall; return the exit code."""
    os.umask(0o022)
    try:
        prefix, flags = _read(arguments)
        system = System(os.environ.get("DESTDIR", ""), checked(prefix, PLACES), flags)
        if "--uninstall" in flags:
            system.uninstall()
        else:
            system.install()
    except Usage as error:
        sys.stderr.write(f"install.sh: {error} (the comment at its top lists the options)\n")
        return 2
    except (Refused, OSError) as error:
        sys.stderr.write(f"install.sh: {error}\n")
        return 1
    return 0


def _read(arguments: list[str]) -> tuple[str, set[str]]:
    prefix, words = "/opt/referee", iter(arguments)
    flags: set[str] = set()
    for word in words:
        if word == "--prefix":
            prefix = next(words, "")
            if not prefix:
                raise Usage("--prefix requires a directory")
        elif word in ("--skip-packages", "--no-start", "--uninstall", "--purge"):
            flags.add(word)
        else:
            raise Usage(f"unknown option: {word}")
    if "--purge" in flags and "--uninstall" not in flags:
        raise Usage("--purge requires --uninstall")
    return prefix, flags
