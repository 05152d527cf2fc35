"""The address under which a phone reaches the panel."""

from __future__ import annotations

import contextlib
import fcntl
import socket
import struct
from collections.abc import Callable, Sequence
from typing import Final

from referee.web.guard import HTTP_PORT
from referee.web.identity import is_loopback, literal

EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - only ever where the configuration says so
"""Addresses that stand for every interface."""
ELSEWHERE: Final = ("192.0.2.1", 9)
"""An address of no machine (RFC 5737): the way to it is looked up, and nothing is sent there."""
SIOCGIFADDR: Final = 0x8915
"""Linux: the IPv4 address of an interface (netdevice(7))."""


def own_address() -> str:
    """Return this machine's address in its network, "" if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        with contextlib.suppress(OSError):
            asking.connect(ELSEWHERE)
            return str(asking.getsockname()[0])
        for _, name in socket.if_nameindex():  # a network of its own has no way out
            with contextlib.suppress(OSError):
                answer = fcntl.ioctl(asking, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                address = socket.inet_ntoa(answer[20:24])
                if not is_loopback(address):
                    return address
    return ""


def join_address(host: str, port: int, names: Sequence[str], own: Callable[[], str] = own_address) -> str:
    """Return what a phone opens to reach the panel, as short as it goes; "" where only the box itself can.

    ``host``, ``port``: what the server listens on; ``names``: further names of it, for a machine that cannot tell its
    own address (``own``).
    """
    if is_loopback(host) or host == "localhost":
        return ""
    name = (own() if host in EVERYWHERE else literal(host)) or next(iter(names), "")
    if not name:
        return ""
    has_port = port == HTTP_PORT or (name.rpartition(":")[2].isdigit() and not name.endswith("]"))
    return f"http://{name}" if has_port else f"http://{name}:{port}"
