"""Streams of news: how many pages may listen, so that others can still be loaded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.requests import Request
from starlette.responses import StreamingResponse

from referee.hall.pages.render import MAX_PAGES, News


async def listens(news: News) -> AsyncIterator[str] | None:
    """Have one more page listen; return what it hears, None if it is refused."""
    answer = await news(Request({"type": "http", "headers": [], "client": ("192.0.2.66", 5000)}))
    if not isinstance(answer, StreamingResponse):
        assert answer.status_code == 503
        return None
    stream = answer.body_iterator
    assert isinstance(stream, AsyncIterator)
    assert await anext(stream) == "data: 7\n\n"
    return stream


def test_so_many_pages_listen_and_no_more() -> None:
    async def play() -> None:
        news = News(lambda: 7)
        streams = [await listens(news) for _ in range(MAX_PAGES)]
        assert None not in streams
        assert await listens(news) is None
        assert streams[0] is not None
        await streams[0].aclose()  # type: ignore[attr-defined]
        assert await listens(news) is not None

    asyncio.run(play())
