"""The boxes of an event: who is paired, who is connected, what came from them, and what people must know of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from referee.errors import NotNow, StationError
from referee.hall.desk import Desk
from referee.hall.seatings import seatings
from referee.hall.uplink.certificate import certificate
from referee.hall.uplink.hall import HallSide
from referee.hall.uplink.intake import Intake
from referee.hall.uplink.server import UplinkServer

WAIT: Final = 120.0
"""How long the organiser waits for a box that is to be paired, s."""
_PATIENCE: Final = 10.0
SHOWN: Final = 8
"""Digits of a box's key that name it."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Boxes:
    """See the module. ``address``: host and port, for `[hall] address` of a box. It belongs to the loop's thread."""

    side: HallSide
    address: str
    loop: asyncio.AbstractEventLoop

    def view(self) -> dict[str, Any]:
        """Return what the page of the boxes shows."""
        here, intake = self.side.connected(), self.side.intake
        boxes = [
            (key, key[:SHOWN], key in here, sum(end.at for end in intake.ends(key)[:1]))
            for key in intake.admitted_keys()
        ]
        incidents = [(key[:SHOWN], kind, text) for key, kind, text in reversed(intake.incidents())]
        waits = self.side.pairing.waits(time.monotonic())
        return {"boxes": boxes, "incidents": incidents, "asks": self.side.pairing.request, "waits": waits}

    def key(self, key: str) -> str:
        """Return the key of a box that is paired. Raises NotNow for another."""
        if key not in self.side.intake.admitted_keys():
            raise NotNow("no-such-box", "expected a box that is paired")
        return key

    def pair(self) -> None:
        """Wait for a box; from any other thread, as the next two."""
        self._do(lambda: self.side.pairing.open(time.monotonic() + WAIT))

    def confirm(self, digits: str) -> None:
        """The box that asks shows these digits. Raises Malformed if none does."""
        self._do(lambda: self.side.pairing.confirm(digits))

    def refuse(self) -> None:
        """The digits differ, or no box is to be paired."""
        self._do(self.side.pairing.refuse)

    def _do(self, what: Callable[[], T]) -> T:
        async def do() -> T:
            return what()

        return asyncio.run_coroutine_threadsafe(do(), self.loop).result(_PATIENCE)


@asynccontextmanager
async def receiving(desk: Desk, host: str, port: int, shown_host: str) -> AsyncIterator[Boxes]:
    """Let boxes connect while the context is open. ``port`` 0: any free one. Raises StationError, JournalError."""
    shown = certificate(desk.folder)
    intake = Intake(desk.folder / "intake.db")
    try:
        side = HallSide(intake, desk.record.identity(), shown.hash, lambda _: None)
        server = UplinkServer(side, shown.path)

        def seat(*_: object) -> None:
            side.seat(seatings(desk.event, desk.names))

        seat()
        forget = desk.listen(seat)
        try:
            async with server.serve(host, port):
                yield Boxes(side, f"{shown_host}:{server.port}", asyncio.get_running_loop())
        except OSError as fault:
            raise StationError(f"port {port} cannot be used for boxes: {fault.strerror}; name another one") from fault
        finally:
            forget()
    finally:
        intake.close()
