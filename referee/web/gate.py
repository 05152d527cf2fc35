"""Who is at the other end: a browser on the box itself is a judge, any other what its pass says."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.requests import HTTPConnection

from referee.web.passes import Passes, pass_id

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
"""Names under which a box is its own."""
COOKIE: Final = "referee"


@dataclass(frozen=True, slots=True)
class Badge:
    """Who a browser is.

    ``name`` is the same for all lines of one visitor; ``role`` says what it may do, "" if nothing: asked each time,
    since a pass can be taken back while it is used.
    """

    name: str
    role: Callable[[], str]

    def source(self, role: str) -> str:
        """Return what the journal calls an entry of this visitor: ``panel``, or ``panel seat-2 1a2b3c4d``."""
        return f"panel {role} {self.name}" if self.name else "panel"


BOX: Final = Badge("", lambda: "judge")
"""Whoever sits at a browser on the box itself."""


def literal(address: str) -> str:
    """Return an IP address as it stands in a URL; IPv4 stays IPv4 though it came in over IPv6. Raises ValueError."""
    found = ipaddress.ip_address(address)
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return f"[{found}]" if found.version == 6 and mapped is None else str(mapped or found)


def is_loopback(address: str) -> bool:
    """Whether an address is one of this machine's to itself, IPv4 over IPv6 too."""
    try:
        return ipaddress.ip_address(literal(address).strip("[]")).is_loopback
    except ValueError:
        return False


class Gate:
    """Tells browsers apart."""

    def __init__(self, passes: Passes) -> None:
        self._passes = passes

    def badge(self, line: HTTPConnection) -> Badge:
        """Return the badge of whoever made this request."""
        if at_the_box(line):
            return BOX
        token = line.cookies.get(COOKIE, "")
        return Badge(pass_id(token), lambda: self._passes.role(token) if token else "")


def at_the_box(line: HTTPConnection) -> bool:
    """Whether a request came over the loopback and for one of its names.

    Both: whatever passes requests on from outside comes over the loopback too, but asks for another name.
    """
    host = line.headers.get("host", "").lower()
    name, _, port = host.rpartition(":")
    return (
        line.client is not None and is_loopback(line.client.host) and (name if port.isdigit() else host) in LOOPBACK
    )
