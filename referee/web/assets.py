"""The files of a room's pages, read once: a fixed list of paths, so that no path can lead anywhere else.

They are compressed once, too, and nothing else is: a file has neither a secret nor anything that somebody sent, so
the length of an answer gives nothing away.
"""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass
from importlib import resources
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
BEST: Final = 9
GZIP: Final = 31
"""`zlib` then writes the header of gzip, without a time or a name: the same file gives the same bytes."""


class Sent:
    """The bytes of a file as they are sent: its entity tag (RFC 9110, 8.8.3) and its coding, "" for none."""

    __slots__ = ("body", "coding", "etag")

    def __init__(self, body: bytes, coding: str = "") -> None:
        self.body: Final = body
        self.coding: Final = coding
        self.etag: Final = f'"{hashlib.sha256(body).hexdigest()[:16]}"'


@dataclass(frozen=True, slots=True)
class Asset:
    """One file: its media type, and its bytes plain and as they are sent to whoever accepts gzip."""

    media_type: str
    plain: Sent
    packed: Sent

    async def __call__(self, request: Request) -> Response:
        """Answer a GET or HEAD, with 304 when the browser has this version."""
        sent = self.packed if "gzip" in request.headers.get("accept-encoding", "") else self.plain
        headers = {"cache-control": "no-cache", "etag": sent.etag, "vary": "Accept-Encoding"}
        if sent.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if sent.coding:
            headers["content-encoding"] = sent.coding
        return Response(sent.body, media_type=self.media_type, headers=headers)


def load(package: str, folder: str) -> dict[str, Asset]:
    """Return every file of a package's folder by its name."""
    assets = {}
    for entry in sorted(resources.files(package).joinpath(folder).iterdir(), key=lambda each: each.name):
        suffix = entry.name[entry.name.rfind(".") :]
        if suffix in TYPES:
            plain, packed = Sent(entry.read_bytes()), Sent(zlib.compress(entry.read_bytes(), BEST, GZIP), "gzip")
            shorter = packed if len(packed.body) < len(plain.body) else plain
            assets[entry.name] = Asset(TYPES[suffix], plain, shorter)
    return assets
