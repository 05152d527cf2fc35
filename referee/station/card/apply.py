"""Applies what lies on a card to the system, before the station starts: all of it or nothing."""

from __future__ import annotations

import errno
import socket
import stat
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from referee.errors import ConfigError
from referee.files import bounded, durable
from referee.station.card import imager, system
from referee.station.card.settings import MOST, NAME, Settings, parse
from referee.station.card.system import File

PROBLEMS: Final = "run/referee-card/problems"
"""What is wrong with the file, or kept it from being applied, a line each, for the station to say on the glass.

It lies in memory: it can be written when the card is full.
"""


def read(folder: Path) -> tuple[Settings, list[str]]:
    """Return what the text file in a folder says, over what rpi-imager left there, and every fault of it."""
    asked = imager.read(_bytes(folder / "user-data"), _bytes(folder / "network-config"))
    data = _bytes(folder / NAME)
    if data is None:
        return asked, []
    settings, faults = parse(data)
    return imager.under(settings, asked), faults


def check(path: Path) -> list[str]:
    """Return every fault of a text file. Raises ConfigError where there is none."""
    data = _bytes(path)
    if data is None:
        raise ConfigError(f"{path}: cannot be read")
    return parse(data, path.name)[1]


def apply(folder: Path, root: Path, act: Callable[[Sequence[str]], None] | None = None) -> list[str]:
    """Apply what lies in a folder to the system below ``root``; return the paths that were changed.

    ``act`` runs a command of the running system. Raises ConfigError, with nothing changed; OSError, with each file
    as it was or as it has to be. `PROBLEMS` says what was wrong.
    """
    faults: list[str] = []
    try:
        if not any(folder.iterdir()):
            raise OSError(errno.ENOENT, "the card's first partition is not mounted", str(folder))
        settings, faults = read(folder)
        if faults:
            raise ConfigError(f"{NAME} is not used: {'; '.join(faults)}")
        return _applied(settings, root, act)
    except OSError as fault:
        faults = [f"{NAME} cannot be applied: {bounded.why(fault)}"]
        raise
    finally:
        durable.replace(_made(root / PROBLEMS), "".join(f"{fault}\n" for fault in faults), 0o644)


def _applied(settings: Settings, root: Path, act: Callable[[Sequence[str]], None] | None) -> list[str]:
    hosts = _bytes(root / system.HOSTS) or b""
    changed = [
        file.path for file in system.files(settings, hosts.decode("utf-8", "surrogateescape")) if _put(root, file)
    ]
    if act is not None:
        if system.HOSTNAME in changed:
            socket.sethostname(settings.box.hostname)
        if system.NETWORK in changed:
            act(["systemctl", "daemon-reload"])
    return changed


def run(command: Sequence[str]) -> None:
    """Run a command of the system. Raises OSError."""
    try:
        subprocess.run(command, check=True)  # noqa: S603 - ours
    except subprocess.CalledProcessError as error:
        raise OSError(0, f"{command[0]} failed: {error}") from error


def _put(root: Path, file: File) -> bool:
    """Have a file as it must be; return whether it was not."""
    path = root / file.path
    if file.text is None:
        if not path.exists():
            return False
        durable.remove(path)
        return True
    data = file.text.encode("utf-8", "surrogateescape")
    if _bytes(path) == data and stat.S_IMODE(path.stat().st_mode) == file.mode:
        return False
    durable.replace(_made(path), data, file.mode)
    return True


def _made(path: Path) -> Path:
    durable.folder(path.parent)
    return path


def _bytes(path: Path) -> bytes | None:
    """Return a file, of a very long one only its beginning; None where there is none."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return file.read(MOST + 1)
