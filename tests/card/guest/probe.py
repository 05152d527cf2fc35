"""Runs in the sandbox of the station's own unit, and tells the console what it was allowed and what it was not."""

import errno
import os
import socket
from collections.abc import Callable


def udp(address: str) -> None:
    """Send one datagram."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.sendto(b"x", (address, 9))


def outcome(act: Callable[..., object], *arguments: object) -> str:
    """Do something; return "ok", or the name of the error."""
    try:
        act(*arguments)
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    return "ok"


TRIED = {
    "pins": outcome(os.open, "/dev/gpiochip0", os.O_RDWR),
    "display": outcome(os.open, "/dev/i2c-1", os.O_RDWR),
    "games": outcome(os.open, "/var/lib/referee/probe", os.O_WRONLY | os.O_CREAT),
    "loopback": outcome(udp, "127.0.0.1"),
    "card": outcome(os.open, "/dev/foreign", os.O_RDONLY),
    "elsewhere": outcome(os.open, "/var/foreign/probe", os.O_WRONLY | os.O_CREAT),
    "system": outcome(os.open, "/usr/foreign/probe", os.O_WRONLY | os.O_CREAT),
    "outside": outcome(udp, "192.0.2.1"),
    "netlink": outcome(socket.socket, socket.AF_NETLINK, socket.SOCK_RAW),
}
print(f"test: {' '.join(f'{name}={result}' for name, result in TRIED.items())}.", flush=True)
