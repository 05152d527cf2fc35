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
BOX_ADDRESSES: Final = frozenset(("127.0.0.1", "::1", "::ffff:127.0.0.1"))
"""Addresses from which a browser on the box comes; what is passed on by the box may come from them, too."""
COOKIE: Final = "referee"

PROXY_HEADERS: Final = frozenset(
    ("forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "x-cluster-client-ip", "fly-client-ip")
)
PROXY_PREFIXES: Final = ("x-forwarded", "x-original", "x-proxy", "x-envoy", "cf-", "cdn-", "fastly-", "tailscale-")
"""What no browser sends: Forwarded and Via (RFC 7239; RFC 9110, 7.6.3), and what proxies use in practice."""


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
    ip = ipaddress.ip_address(address)
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return f"[{ip}]" if ip.version == 6 and mapped is None else str(mapped or ip)


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
    """Whether a request came over the loopback, for one of its names, from a page under one, and was not passed on.

    All of it: whatever passes requests on from outside comes over the loopback too. It asks for another name, its
    pages have another name, or it says for whom it asks.
    """
    if line.client is None or not is_loopback(line.client.host) or any(map(_passed_on, line.headers)):
        return False
    origins = [origin.partition("://")[2] for origin in line.headers.getlist("origin")]
    return all(_name(host) in LOOPBACK for host in (line.headers.get("host", ""), *origins))


def _name(host: str) -> str:
    name, _, port = host.lower().rpartition(":")
    return name if port.isdigit() else host.lower()


def _passed_on(header: str) -> bool:
    """Whether a proxy adds this header to say for whom it asks."""
    return header.lower() in PROXY_HEADERS or header.lower().startswith(PROXY_PREFIXES)
