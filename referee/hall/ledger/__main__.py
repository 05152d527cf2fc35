"""The calls alone, without pages: `python -m referee.hall.ledger FOLDER` serves boxes until it is ended.

It prints what a box's glass must show of the certificate, and a code that adds one box.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from pathlib import Path

import uvicorn

from referee.errors import RefereeError
from referee.hall.ledger.calls import Calls
from referee.hall.ledger.certificate import certificate
from referee.hall.ledger.ledger import Ledger
from referee.hall.ledger.store import Store, sqlite
from referee.wish import short


class _Server(uvicorn.Server):
    """uvicorn, which answers long polls before it ends."""

    def __init__(self, config: uvicorn.Config, calls: Calls) -> None:
        super().__init__(config)
        self._calls = calls

    async def shutdown(self, sockets: object = None) -> None:
        self._calls.close()
        await super().shutdown(sockets)  # type: ignore[arg-type]


def main() -> None:
    """Serve until SIGTERM or Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m referee.hall.ledger", description="Serve the calls of boxes.")
    parser.add_argument("folder", type=Path, help="folder of the event")
    parser.add_argument("--bind", default="0.0.0.0", help="address to serve at")  # noqa: S104 - boxes are elsewhere
    parser.add_argument("--port", type=int, default=8444)
    parser.add_argument("--store", default="", metavar="URL", help="postgresql://user@host/database; else a file")
    options = parser.parse_args()
    folder: Path = options.folder
    try:
        folder.mkdir(parents=True, exist_ok=True)
        pem, shown = certificate(folder)
        store = Store(options.store or sqlite(folder / "event.db"))
        ledger = Ledger(store)
    except RefereeError as fault:
        parser.exit(2, f"{fault}\n")
    calls = Calls(
        store, ledger, lambda: time.time_ns() // 1_000_000, lambda each: f"Player {each}", alone=not options.store
    )
    sys.stdout.write(f"{shown}\nOn the glass: {short(shown)}   Code: {calls.boxes.offer()}\n")
    sys.stdout.flush()
    config = uvicorn.Config(
        calls.app,
        options.bind,
        options.port,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=3,
        ssl_certfile=pem,
    )
    asyncio.run(_Server(config, calls).serve())
    store.close()


if __name__ == "__main__":
    main()
