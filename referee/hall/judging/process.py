"""The process in which games are judged, as the hall sees it: it may take its time, and may be lost."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Sequence
from typing import Any, Final

from referee.hall.judging.judge import Lost

COMMAND: Final = (sys.executable, "-m", "referee.hall.judging.worker")
SECONDS: Final = 5.0
"""How long judging what came of one game may take."""
MOST_BYTES: Final = 4 * 1024 * 1024
"""Of a reply."""


class Process:
    """See `referee.hall.judging.judge.Worker`. It belongs to the thread of the event loop."""

    def __init__(self, command: Sequence[str] = COMMAND, seconds: float = SECONDS) -> None:
        self._command = command
        self._seconds = seconds
        self._process: asyncio.subprocess.Process | None = None

    async def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply. Raises Lost, or ValueError for no reply."""
        process = await self._started()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(self._seconds):
                process.stdin.write(json.dumps(request).encode() + b"\n")
                await process.stdin.drain()
                reply = await process.stdout.readline()
        except (TimeoutError, OSError):
            reply = b""
        if not reply:
            await self.end()
            raise Lost
        return dict(json.loads(reply))

    async def end(self) -> None:
        """End it; the next request begins another."""
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None:
            pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=pipe, stdout=pipe, stderr=nothing, limit=MOST_BYTES
            )
        return self._process
