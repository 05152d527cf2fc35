"""`make pocket-serve`: shows the site on this machine, with the headers that a host should send."""

from __future__ import annotations

import contextlib
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from firmware.pocket.build import POLICY


class Handler(SimpleHTTPRequestHandler):
    """Files of one folder; nothing is logged."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {
        ".mjs": "text/javascript",
        ".js": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }

    def end_headers(self) -> None:
        """Add the headers that a host of the site should send."""
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send a file; a browser that goes away is no fault."""
        with contextlib.suppress(ConnectionError):
            super().copyfile(source, outputfile)

    def log_message(self, *_: object) -> None:
        """Say nothing of requests."""


def server(place: Path, port: int = 0) -> ThreadingHTTPServer:
    """Return a server of the site, on the loopback alone: service workers need that, or HTTPS."""
    return ThreadingHTTPServer(("127.0.0.1", port), partial(Handler, directory=str(place)))


if __name__ == "__main__":
    with server(Path(sys.argv[1]), 8090) as serving:
        print(f"http://127.0.0.1:{serving.server_port}")  # noqa: T201
        with contextlib.suppress(KeyboardInterrupt):
            serving.serve_forever()
