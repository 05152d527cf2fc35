"""Our lines in the firmware's config.txt, which belongs to the owner of the Pi.

Debian writes that file anew with each kernel, and adds what another file says: there the lines are, too.

    python -m firmware.deb.boot with-line FILE | without-line

FILE is the configuration that is included.
"""

from __future__ import annotations

import sys
from pathlib import Path

from referee.files import durable

NAME = "referee-config.txt"
LINE = f"include {NAME}".encode()
BLOCK = b"\n[all]\n" + LINE + b"\n"
BOOT = ("/boot/firmware", "/boot")
"""Where the firmware reads its configuration; the first that has one."""
HOOK = Path("/etc/kernel/postinst.d/z50-raspi-firmware")
"""What writes it anew; Raspberry Pi OS has a script of that name that does not."""
ADDED = Path("/etc/default/raspi-firmware-custom")
"""What that script adds to it."""


def with_line(text: bytes) -> bytes:
    """Return a configuration that includes ours, for every model of the Pi."""
    return text if LINE in _lines(text) else text + BLOCK


def without_line(text: bytes) -> bytes:
    """Return a configuration as it was before, also where somebody moved our line."""
    if text.endswith(BLOCK):
        return text.removesuffix(BLOCK)
    return b"".join(line for line in text.splitlines(keepends=True) if line.rstrip() != LINE)


def _lines(text: bytes) -> list[bytes]:
    return [line.rstrip() for line in text.splitlines()]


def main(change: str, *included: str) -> None:
    """Include a file in this machine's configuration, or take it out again; where there is none, do nothing."""
    folder = next((Path(place) for place in BOOT if Path(place, "config.txt").is_file()), None)
    if folder is None:
        return
    config, ours = folder / "config.txt", folder / NAME
    if change == "with-line":
        _write(ours, Path(*included).read_bytes())
        _write(config, with_line(config.read_bytes()))
        if HOOK.is_file() and bytes(ADDED) in HOOK.read_bytes():
            _write(ADDED, with_line(ADDED.read_bytes() if ADDED.is_file() else b""))
    else:
        _write(config, without_line(config.read_bytes()))
        if ADDED.is_file() and not _write(ADDED, without_line(ADDED.read_bytes())):
            ADDED.unlink()
        ours.unlink(missing_ok=True)


def _write(path: Path, data: bytes) -> bytes:
    if not path.is_file() or path.read_bytes() != data:
        durable.replace(path, data)
    return data


if __name__ == "__main__":
    main(*sys.argv[1:])
