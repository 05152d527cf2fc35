"""How uvicorn serves, at the box and in the hall."""

from __future__ import annotations

from typing import Any, Final

import uvicorn
from starlette.applications import Starlette

MAX_HEADERS: Final = 8 * 1024
"""Bytes of a request's head; those of a browser with a cookie or two have one thousand."""


def configured(app: Starlette, **more: Any) -> uvicorn.Config:
    """Return the configuration of a server, which writes nothing of requests that are no HTTP."""
    return uvicorn.Config(
        app,
        http="h11",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        proxy_headers=False,
        h11_max_incomplete_event_size=MAX_HEADERS,
        **more,
    )
