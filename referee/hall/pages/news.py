"""Server-sent events (HTML Living Standard, 9.2): a page hears that something has changed, and loads itself again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

MAX_PAGES: Final = 500
"""Pages that listen at once."""
ALIVE_SECONDS: Final = 20.0
"""Time after which something is sent although nothing has changed, so that a line that is gone is noticed."""


class News:
    """Tells every page that listens. Belongs to the event loop's thread."""

    def __init__(self, kept: Callable[[Request], None] = lambda _request: None) -> None:
        """``kept``: called with the request of a page that begins to listen; its line stays open."""
        self._kept = kept
        self._waiting: set[asyncio.Event] = set()
        self._over = False

    def tell(self) -> None:
        """Something has changed."""
        for each in self._waiting:
            each.set()

    def close(self) -> None:
        """Let every page go."""
        self._over = True
        self.tell()

    async def __call__(self, request: Request) -> Response:
        """Serve one page."""
        if len(self._waiting) >= MAX_PAGES or self._over:
            return PlainTextResponse("Too many pages listen; load the page again now and then.\n", status_code=503)
        self._kept(request)
        return StreamingResponse(
            self._stream(), media_type="text/event-stream", headers={"cache-control": "no-store"}
        )

    async def _stream(self) -> AsyncIterator[str]:
        changed = asyncio.Event()
        self._waiting.add(changed)
        try:
            yield ": listening\n\n"
            while not self._over:
                try:
                    async with asyncio.timeout(ALIVE_SECONDS):
                        await changed.wait()
                except TimeoutError:
                    yield ": alive\n\n"
                    continue
                changed.clear()
                if not self._over:
                    yield "data: changed\n\n"
        finally:
            self._waiting.discard(changed)
