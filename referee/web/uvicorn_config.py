"""How uvicorn serves, at the box and in the hall: quietly, and behind a throttle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, cast

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from referee.web.throttle import Throttle, Watch

MAX_HEADERS: Final = 8 * 1024
"""Bytes of a request's head; those of a browser with a cookie or two have one thousand."""


def configured(app: Starlette, watch: Watch | None, **more: Any) -> uvicorn.Config:
    """Return the configuration of a server. ``watch``: of its connections, None where they are not limited."""
    return uvicorn.Config(
        app,
        http=cast("type[asyncio.Protocol]", _Http if watch is None else _throttled(watch)),
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=MAX_HEADERS,
        **more,
    )


class _Http(H11Protocol):
    """uvicorn's protocol, which has nothing to say of an upgrade to what this server does not speak."""

    def _unsupported_upgrade_warning(self) -> None:
        """Let the request be answered as if it had not asked: whom to advise, uvicorn cannot know."""


def _throttled(watch: Watch) -> Callable[..., Throttle]:
    """Return what makes the protocol of a connection, as uvicorn calls it: its own comes behind a throttle."""

    def make(**of_server: Any) -> Throttle:
        return Throttle(lambda: _Http(**of_server), watch)

    return make
