"""Who may talk to the panel and the hall: their own pages only, under a name they answer to.

A page elsewhere can make a browser send requests to 127.0.0.1, or point its own name there (DNS rebinding).
The first shows in Origin, the second in Host; both are compared with a list, never with each other. On the list
is also the address a request was sent to: no name can be pointed at that.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from referee.web.identity import literal


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
