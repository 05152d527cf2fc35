"""The files of a room's pages, read once: a fixed list of paths, so that no path can lead anywhere else."""

from __future__ import annotations

import hashlib
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


@dataclass(frozen=True, slots=True)
class Asset:
    """One file: its media type, its bytes, and their entity tag (RFC 9110, 8.8.3)."""

    media_type: str
    body: bytes
    etag: str

    async def __call__(self, request: Request) -> Response:
        """Answer a GET or HEAD, with 304 when the browser has this version."""
        headers = {"cache-control": "no-cache", "etag": self.etag}
        if self.etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(self.body, media_type=self.media_type, headers=headers)


def load(package: str, folder: str) -> dict[str, Asset]:
    """Return every file of a package's folder by its name."""
    assets = {}
    for entry in resources.files(package).joinpath(folder).iterdir():
        suffix = entry.name[entry.name.rfind(".") :]
        if suffix in TYPES:
            body = entry.read_bytes()
            assets[entry.name] = Asset(TYPES[suffix], body, f'"{hashlib.sha256(body).hexdigest()[:16]}"')
    return assets
