"""A hall on a real port, in a thread."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from referee.hall.uplink.certificate import certificate
from referee.hall.uplink.client import Hall
from referee.hall.uplink.hall import HallSide, News
from referee.hall.uplink.intake import Intake
from referee.hall.uplink.server import UplinkServer
from referee.hall.uplink.times import USUAL, Times
from tests.hall.uplink.memory import MemoryJournal
from tests.hall.uplink.pair import EVENT, HALL, TERM
from tests.hall.uplink.pair import shown as appearance

T = TypeVar("T")


@dataclass
class Served:
    """``hall``: what a paired box knows of it; ``news``: what it told.

    ``side`` and ``server`` belong to its thread: see `call`.
    """

    hall: Hall
    news: queue.Queue[News]
    side: HallSide
    server: UplinkServer
    loop: asyncio.AbstractEventLoop

    def call(self, what: Callable[[], T]) -> T:
        """Do something on the hall's thread, and return what comes of it."""

        async def do() -> T:
            return what()

        return asyncio.run_coroutine_threadsafe(do(), self.loop).result(10)


@contextmanager
def serving(folder: Path, *keys: str, times: Times = USUAL) -> Iterator[Served]:
    """Serve while the context is open. ``keys``: of boxes that are paired."""
    over, news = asyncio.Event(), queue.Queue[News]()
    ready: Future[Served] = Future()
    shown = certificate(folder)

    async def serve() -> None:
        intake = Intake(folder / "intake.db")
        for key in keys:
            intake.admit(key)
        side = HallSide(intake, appearance(shown.hash), MemoryJournal(HALL), news.put, intake.admit, times=times)
        async with UplinkServer(shown.path, "127.0.0.1", 0) as server, server.serve(side):
            address = f"127.0.0.1:{server.port}"
            hall = Hall(address, EVENT, TERM)
            ready.set_result(Served(hall, news, side, server, asyncio.get_running_loop()))
            await over.wait()
        intake.close()

    thread = threading.Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    served = ready.result(10)
    try:
        yield served
    finally:
        served.loop.call_soon_threadsafe(over.set)
        thread.join()
