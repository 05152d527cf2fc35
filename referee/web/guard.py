"""Who may talk to the panel and the hall, who it is, and under which address they answer.

Only their own pages may, under a name they answer to. A page elsewhere can make a browser send requests to 127.0.0.1,
or point its own name there (DNS rebinding). The first shows in Origin, the second in Host; both are compared with a
list, never with each other. On the list is also the address a request was sent to: no name can be pointed at that.

A browser on the box itself is a judge, any other has the role of its pass.
"""

from __future__ import annotations

import contextlib
import fcntl
import ipaddress
import socket
import struct
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from referee.web.passes import Passes, pass_id


def policy(*, forms: bool = False) -> str:
    """Return a Content-Security-Policy (W3C CSP level 3): nothing inline, nothing from outside, no framing.

    ``forms``: whether the pages send forms, to where they came from.
    """
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'self'" if forms else "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        )
    )


HTTP_PORT: Final = 80
HTTPS_PORT: Final = 443
HEADERS: Final = {
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class OriginCheck:
    """ASGI middleware: refuses foreign Host (421) and Origin (403) and adds `HEADERS` and a policy.

    An answer that has one of them keeps its own: a report has its style in the page.
    """

    def __init__(
        self, app: ASGIApp, *, allowed_hosts: Collection[str], forms: bool = False, scheme: str = "http"
    ) -> None:
        """``allowed_hosts``: values of Host, besides the address a request came to; ``forms``: as in `policy`.

        ``scheme``: of every Origin.
        """
        self._app = app
        self._scheme = scheme
        self._headers = HEADERS | {"content-security-policy": policy(forms=forms)}
        if forms:  # a browser that may send no Referer sends a form with the Origin "null" (Fetch, 3.1)
            self._headers["referrer-policy"] = "same-origin"
        self._hosts = frozenset(host.lower() for host in allowed_hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection (ASGI 3)."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            headers = Headers(scope=scope)
            allowed = self._host_allowed(scope, headers) and self._origins_allowed(scope, headers, required=True)
            await (self._app if allowed else WebSocketClose())(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        asked = Headers(scope=scope)
        app: ASGIApp = self._app
        if not self._host_allowed(scope, asked):
            app = PlainTextResponse("This host name is not configured.\n", status_code=421)
        elif not self._origins_allowed(scope, asked, required=scope["method"] not in ("GET", "HEAD")):
            app = PlainTextResponse("Requests from other sites are refused.\n", status_code=403)
        await app(scope, receive, send_with_headers)

    def _host_allowed(self, scope: Scope, headers: Headers) -> bool:
        hosts = headers.getlist("host")
        return len(hosts) == 1 and (hosts[0].lower() in self._hosts or hosts[0].lower() in _own(scope))

    def _origins_allowed(self, scope: Scope, headers: Headers, *, required: bool) -> bool:
        origins = headers.getlist("origin")
        if not origins:
            return not required
        if len(origins) != 1:
            return False
        scheme, _, host = origins[0].lower().partition("://")
        return scheme == self._scheme and (host in self._hosts or host in _own(scope))


def _own(scope: Scope) -> tuple[str, ...]:
    """Return the address a request was sent to, as a browser writes it in Host."""
    address, port = scope.get("server") or ("", None)
    try:
        own = literal(address)
    except ValueError:
        return ()
    # A browser leaves the scheme's own port out.
    usual = HTTPS_PORT if scope.get("scheme") == "https" else HTTP_PORT
    return (f"{own}:{port}", own) if port == usual else (f"{own}:{port}",)


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


def identify(passes: Passes, request: HTTPConnection) -> Identity:
    """Return the identity of the browser that sent a request, by its address and its cookie."""
    if at_the_box(request):
        return BOX
    token = request.cookies.get(COOKIE, "")
    return Identity(pass_id(token), lambda: passes.role(token) if token else "")


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
