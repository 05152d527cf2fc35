"""Which serial port is meant, whether it is ours alone, and what to do where it cannot be used."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import termios
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from serial.tools import list_ports

from hardware.errors import BadPort, PortBusy, PortNotFound
from hardware.line.presence import CABLE

PICO = (0x2E8A, 0x0005)
"""USB vendor and product of a Raspberry Pi Pico that runs MicroPython."""

BY_ID = Path("/dev/serial/by-id")
"""Where udev names each serial port after its device; /dev/ttyUSB0 is only the first one that was plugged in."""

_NUMBERED = re.compile(r".*/tty(USB|ACM)[0-9]+")
_BUSY = ("another program uses it", "Close the program that uses its port.")
_DENIED = ("permission denied: its user has to be in the group dialout", "Add its user to the group dialout.")
_SAID = {
    errno.EAGAIN: _BUSY,
    errno.EBUSY: _BUSY,
    errno.EACCES: _DENIED,
    errno.EPERM: _DENIED,
    errno.ENOTTY: ("no serial port", "Name a serial port in the settings."),
}
"""Faults whose own words mislead, as an exclusive lock's, and those that no cable mends."""


def find_pico(ports: Callable[[], Iterable[Any]] = list_ports.comports) -> str:
    """Return the device path of the only Pico. Raises PortNotFound."""
    picos = sorted(str(port.device) for port in ports() if (port.vid, port.pid) == PICO)
    if not picos:
        raise PortNotFound("no input board with USB 2e8a:0005 is plugged in")
    if len(picos) > 1:
        raise PortNotFound(f"several input boards are plugged in: name the port of one, {', '.join(picos)}")
    return picos[0]


def finder(port: str, by_id: Path = BY_ID) -> Callable[[], str]:
    """Return what finds a configured port: "auto", or the path of a device. Raises BadPort."""
    if port == "auto":
        return find_pico
    if not port.startswith("/") or not port.isprintable():
        raise BadPort(f'expected "auto" or the path of a device, got "{port}"')
    return _Device(port, by_id)


class _Device:
    """A device by its path; one that the kernel numbered is, once it was there, found again under any number."""

    def __init__(self, path: str, by_id: Path) -> None:
        self._path = path
        self._by_id = by_id
        self._device: Path | None = None

    def __call__(self) -> str:
        """Return the path to open. Raises PortNotFound."""
        if self._device is None and _NUMBERED.fullmatch(self._path):
            self._device = next((each for each in self._links() if str(each.resolve()) == self._path), None)
        path = self._device or Path(self._path)
        if path.exists():
            return str(path)
        raise PortNotFound(f"{path} is not plugged in; there: {', '.join(map(str, self._links())) or 'none'}")

    def _links(self) -> list[Path]:
        try:
            return sorted(self._by_id.iterdir())
        except OSError:
            return []


def claim(device: Any, where: str, processes: Path = Path("/proc")) -> None:
    """Let no other program open the port at ``where``, which is open as ``device``.

    Raises PortBusy, naming a program that had it open before, as far as this user may see those. Two readers each
    get some of the bytes.
    """
    fcntl.ioctl(device.fileno(), termios.TIOCEXCL)
    others = _readers(where, processes)
    if others:
        release(device)  # or nobody but root could open it until the others have closed it
        raise PortBusy(f"{where}: {others[0]} reads it, too: end that")


def release(device: Any) -> None:
    """Let others open a port that was claimed; one that vanished needs nothing."""
    with contextlib.suppress(OSError, termios.error):
        fcntl.ioctl(device.fileno(), termios.TIOCNXCL)


def _readers(where: str, processes: Path) -> list[str]:
    target = os.path.realpath(where)
    others = []
    for folder in processes.glob("[0-9]*"):
        number = int(folder.name)
        with contextlib.suppress(OSError):  # it ended, or belongs to somebody else
            if number != os.getpid() and target in map(_leads, (folder / "fd").iterdir()):
                others.append(f"{(folder / 'comm').read_text().strip()} (process {number})")
    return others


def _leads(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:  # the file was closed meanwhile
        return ""


def plainly(error: BaseException, where: str) -> tuple[str, str]:
    """Say a fault of a port as people say it, and what mends it: pyserial wraps the kernel's in its own words."""
    if isinstance(error, PortBusy):
        return str(error), _BUSY[1]
    number = next((each for part in _causes(error) for each in part.args if isinstance(each, int)), None)
    if number is None:
        return str(error), CABLE
    text, advice = _SAID.get(number, (os.strerror(number), CABLE))
    return f"{where}: {text}", advice


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__context__
