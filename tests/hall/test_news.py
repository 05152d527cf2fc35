"""Streams of news: how many one browser or one address may hold, so that there are some for everybody."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from starlette.requests import Request
from starlette.responses import StreamingResponse

from referee.hall.pages.news import MAX_OF_ADDRESS, MAX_OF_PASS, MAX_PAGES, News
from referee.hall.staff import Holder

JUDGE = Holder("judge 1", "judge", "1a2b3c4d", lambda: True)


async def listens(news: News, address: str, holder: Holder | None = None) -> AsyncIterator[str] | None:
    """Have one more page listen; return what it hears, None if it is refused."""
    scope = {"type": "http", "headers": [], "client": (address, 5000)} | ({"holder": holder} if holder else {})
    answer = await news(Request(scope))
    if not isinstance(answer, StreamingResponse):
        assert answer.status_code == 503
        return None
    stream = answer.body_iterator
    assert isinstance(stream, AsyncIterator)
    assert await anext(stream) == "data: 7\n\n"
    return stream


@pytest.mark.parametrize(
    ("address", "holder", "most"),
    [("192.0.2.66", None, MAX_OF_ADDRESS), ("192.0.2.66", JUDGE, MAX_OF_PASS), ("127.0.0.1", None, MAX_PAGES)],
)
def test_one_listens_on_so_many_pages_and_others_still_can(address: str, holder: Holder | None, most: int) -> None:
    async def play() -> None:
        news = News(lambda: 7)
        streams = [await listens(news, address, holder) for _ in range(most)]
        assert None not in streams
        assert await listens(news, address, holder) is None
        if most < MAX_PAGES:
            assert await listens(news, "192.0.2.67") is not None
        assert streams[0] is not None
        await streams[0].aclose()  # type: ignore[attr-defined]
        assert await listens(news, address, holder) is not None

    asyncio.run(play())
