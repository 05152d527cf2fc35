"""Server-sent events (HTML Living Standard, 9.2): a page hears that something has changed, and loads itself again."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse

from referee.hall.staff import Holder

MAX_PAGES: Final = 500  # pages that listen at once; how many of one address, `serving` says
OUT: Final = "event: out\ndata: \n\n"  # tells a page that its pass was taken back
ALIVE: Final = "event: alive\ndata: \n\n"
ALIVE_SECONDS: Final = 3.0
"""Time after which that is sent although nothing has changed: a page that hears nothing says that it may be old."""


class News:
    """Tells every page that listens. Belongs to the event loop's thread."""

    def __init__(self, number: Callable[[], int], kept: Callable[[Request], None] = lambda _request: None) -> None:
        """``number``: what is newest, as pages have it in ``data-news``; ``kept``: called with each request."""
        self._number, self._kept = number, kept
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
        holder: Holder | None = request.scope.get("holder")  # public pages have none
        if len(self._waiting) >= MAX_PAGES or self._over:
            return PlainTextResponse("Too many pages listen; load the page again now and then.\n", status_code=503)
        self._kept(request)
        headers = {"cache-control": "no-store"}
        return StreamingResponse(self._stream(holder), media_type="text/event-stream", headers=headers)

    async def _stream(self, holder: Holder | None) -> AsyncIterator[str]:
        changed = asyncio.Event()
        self._waiting.add(changed)
        try:
            while not self._over:
                changed.clear()
                yield f"data: {self._number()}\n\n"
                while not changed.is_set():
                    with suppress(TimeoutError):
                        async with asyncio.timeout(ALIVE_SECONDS):
                            await changed.wait()
                    if holder is not None and not holder.valid():
                        yield OUT
                        return
                    if not changed.is_set():
                        yield ALIVE
        finally:
            self._waiting.discard(changed)
