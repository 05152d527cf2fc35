"""Games replayed one after another, each in a process of its own: what boxes send may be hostile."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

MOST_ENTRIES: Final = 20_000
"""Of a game that is replayed; a longer one is not."""
SECONDS: Final = 60.0
"""How long it may take."""
COMMAND: Final = (sys.executable, "-m", "referee.cli.replay")


class Replays:
    """Replays one game after the other. It belongs to the event loop's thread."""

    def __init__(self, command: Sequence[str] = COMMAND, seconds: float = SECONDS) -> None:
        self._command, self._seconds = command, seconds
        self._turn = asyncio.Lock()

    async def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return what `referee.cli.replay` says; ``fault`` where it took more time or memory than any game needs."""
        if len(request["records"]) > MOST_ENTRIES:
            return {"fault": f"It has more than {MOST_ENTRIES} entries"}
        async with self._turn:
            pipe = asyncio.subprocess.PIPE
            process = await asyncio.create_subprocess_exec(
                *self._command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
            )
            try:
                async with asyncio.timeout(self._seconds):
                    said, _ = await process.communicate(json.dumps(request).encode())
                return dict(json.loads(said))
            except (TimeoutError, OSError, ValueError):
                return {"fault": "Replaying it takes more time or memory than any game needs"}
            finally:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
