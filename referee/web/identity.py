"""Who sent a request: a browser on the box itself is a judge, any other has the role of its pass."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from starlette.requests import HTTPConnection

from referee.web.passes import Passes, pass_id

LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
"""Names of the box for itself."""
BOX_ADDRESSES: Final = frozenset(("127.0.0.1", "::1", "::ffff:127.0.0.1"))
"""Addresses of a browser on the box, and of requests that the box forwards."""
COOKIE: Final = "referee"

PROXY_HEADERS: Final = frozenset(
    ("forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip", "x-cluster-client-ip", "fly-client-ip")
)
PROXY_PREFIXES: Final = ("x-forwarded", "x-original", "x-proxy", "x-envoy", "cf-", "cdn-", "fastly-", "tailscale-")
"""Headers that no browser sends: Forwarded and Via (RFC 7239; RFC 9110, 7.6.3), and what proxies use in practice."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a browser is.

    ``name`` is the same for all connections of one visitor; ``role()`` is what it may do, "" if nothing. It is called
    each time, because a pass can be revoked while it is used.
    """

    name: str
    role: Callable[[], str]

    @property
    def at_the_box(self) -> bool:
        """Whether it is a browser on the box itself."""
        return not self.name

    def watching(self) -> Identity:
        """Return the same visitor who only watches here, as far as it is let in."""
        return replace(self, role=lambda: "watch" if self.role() else "")

    def source(self, role: str) -> str:
        """Return what the journal calls an entry of this visitor: ``panel``, or ``panel seat-2 1a2b3c4d``."""
        return f"panel {role} {self.name}" if self.name else "panel"


BOX: Final = Identity("", lambda: "judge")
"""A browser on the box itself."""


def literal(address: str) -> str:
    """Return an IP address as written in a URL; an IPv4-mapped IPv6 address as IPv4. Raises ValueError."""
    ip = ipaddress.ip_address(address)
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return f"[{ip}]" if ip.version == 6 and mapped is None else str(mapped or ip)


def is_loopback(address: str) -> bool:
    """Whether an address is a loopback address, also if IPv4-mapped."""
    try:
        return ipaddress.ip_address(literal(address).strip("[]")).is_loopback
    except ValueError:
        return False


class Authenticator:
    """Identifies browsers by their address and their cookie."""

    def __init__(self, passes: Passes) -> None:
        self._passes = passes

    def identify(self, request: HTTPConnection) -> Identity:
        """Return the identity of the browser that sent this request."""
        if at_the_box(request):
            return BOX
        token = request.cookies.get(COOKIE, "")
        return Identity(pass_id(token), lambda: self._passes.role(token) if token else "")


def at_the_box(request: HTTPConnection) -> bool:
    """Whether a request came over the loopback, for one of its names, from a page with such a name, without a proxy.

    All four are checked, because a proxy on the box uses the loopback, too: its requests have another Host, its pages
    another Origin, or it adds a forwarding header.
    """
    if request.client is None or not is_loopback(request.client.host) or any(map(_is_forwarding, request.headers)):
        return False
    origins = [origin.partition("://")[2] for origin in request.headers.getlist("origin")]
    return all(_name(host) in LOOPBACK for host in (request.headers.get("host", ""), *origins))


def _name(host: str) -> str:
    name, _, port = host.lower().rpartition(":")
    return name if port.isdigit() else host.lower()


def _is_forwarding(header: str) -> bool:
    """Whether proxies add this header to requests that they forward."""
    return header.lower() in PROXY_HEADERS or header.lower().startswith(PROXY_PREFIXES)
