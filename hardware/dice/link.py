"""One die by Bluetooth: how it is found, connected to, heard and written to.

Facts that show here: the kernel hides advertisements whose data has changed, so throws come over connections alone,
and advertisements only find dice; a die has one connection, and advertises nothing while a phone holds it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from bleak import BleakClient, BleakScanner
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData
from bleak.exc import BleakError

from hardware.dice import godice, pixels
from hardware.dice.godice import GoDiceTalk
from hardware.dice.pixels import PixelsTalk
from hardware.dice.talk import DieTalk
from hardware.events import DiceEvent

Kind = Literal["pixels", "godice"]

CONNECT: Final = 10.0
"""Seconds a connection may take to come about."""

RETRY: Final = (2.0, 4.0)
"""Seconds before a die is connected to again: the first time, and every time after it."""

LOST: Final = "the connection was lost"
WAKE: Final = "Shake it; close its app on phones."

BLINK: Final = 0.5
"""Seconds between the messages that let a die blink."""

_WRITES: Final = {pixels.SERVICE: pixels.WRITE, pixels.LEGACY_SERVICE: pixels.LEGACY_WRITE}
_NOTIFIES: Final = {
    "pixels": {pixels.SERVICE: pixels.NOTIFY, pixels.LEGACY_SERVICE: pixels.LEGACY_NOTIFY},
    "godice": {godice.SERVICE: godice.NOTIFY},
}
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Die:
    """A die that is known. ``address``: as the radio names it; ``built``: when its firmware was built, 0: unknown.

    ``seat``: number of the button of its seat, 0: it belongs to nobody.
    """

    address: str
    kind: Kind
    name: str
    built: int = 0
    seat: int = 0


@dataclass(frozen=True, slots=True)
class Seen:
    """A die that advertises."""

    address: str
    kind: Kind
    built: int
    device: BLEDevice


def seen(device: BLEDevice, data: AdvertisementData) -> Seen | None:
    """Return the die that advertises this, None if it is none."""
    built = pixels.advertised(data.manufacturer_data, data.service_data)
    if built is not None:
        return Seen(device.address, "pixels", built, device)
    if (data.local_name or device.name or "").startswith(godice.NAMES):
        return Seen(device.address, "godice", 0, device)
    return None


async def search(
    seconds: float, *, until: Callable[[Seen], bool] = lambda _: False, enough: asyncio.Event | None = None
) -> list[Seen]:
    """Return the dice that advertise, in the order of their addresses. Raises BleakError without a radio.

    It ends early with the first die that `until` wants, or once ``enough`` is set.
    """
    dice: dict[str, Seen] = {}
    enough = enough or asyncio.Event()

    def advertises(device: BLEDevice, data: AdvertisementData) -> None:
        die = seen(device, data)
        if die is not None:
            dice[die.address] = die
            if until(die):
                enough.set()

    async with BleakScanner(advertises):
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(enough.wait(), seconds)
    return [dice[address] for address in sorted(dice)]


class Link:
    """One die from one connection to the next: what it says reaches its protocol, what that wants written the die.

    ``connected``, ``again_at``: whether it is there, and from when on it is looked for again.
    """

    def __init__(
        self,
        die: Die,
        sink: Callable[[Die, DiceEvent], None],
        say: Callable[[dict[str, Any]], None],
        clock: Callable[[], float],
        news: asyncio.Event,
    ) -> None:
        """``say`` takes lines of whether it is there; ``news`` is set when it is lost, whatever the radio does."""
        self.die = die
        self.connected = False
        self.again_at = clock()
        self.gone = asyncio.Event()
        self._say = say
        self._clock = clock
        self._news = news
        self._absent = False
        self._tries = 0
        self._changed = asyncio.Event()
        self._writes: asyncio.Queue[bytes] = asyncio.Queue()
        self._talk: DieTalk
        if die.kind == "pixels":
            self._talk = PixelsTalk(lambda event: sink(self.die, event), built=die.built)
        else:
            self._talk = GoDiceTalk(lambda event: sink(self.die, event))
        self._client: BleakClient | None = None
        self._write_to = ""
        self._worker: asyncio.Task[None] | None = None

    def found(self) -> None:
        """Say that it is connected."""
        self.connected, self._absent, self._tries = True, False, 0
        self._say({"found": self.die.name})

    def missing(self, why: str, advice: str = WAKE) -> None:
        """Say once that it is not connected, and let it be looked for in a while."""
        self.again_at = self._clock() + RETRY[min(self._tries, 1)]
        self._tries += 1
        if self.connected or not self._absent:
            self._say({"lost": self.die.name, "why": why, "advice": advice})
        self.connected, self._absent = False, True

    async def connect(self, device: BLEDevice) -> None:
        """Connect to the die, which advertises as that device. Raises BleakError or TimeoutError."""
        self.gone.clear()
        client = BleakClient(device, disconnected_callback=self._lost, timeout=CONNECT)
        await client.connect()
        self._client = client
        notifies = _NOTIFIES[self.die.kind]
        service = next((each for each in notifies if client.services.get_service(each) is not None), None)
        if service is None:
            await self.close()
            raise BleakError(f"{self.die.name} offers no service of Pixels or GoDice")
        self._write_to = _WRITES[service]
        await client.start_notify(notifies[service], self._heard)
        for message in self._talk.opened(self._clock()):
            self._writes.put_nowait(message)
        self._worker = asyncio.create_task(self._work())
        self._worker.add_done_callback(self._ended)

    async def blink(self) -> None:
        """Let the die be seen."""
        assert self._client is not None
        for message in self._talk.blink():
            await self._client.write_gatt_char(self._write_to, message, response=False)
            await asyncio.sleep(BLINK)

    async def close(self) -> None:
        """Disconnect; what was rolling is unread."""
        if not self.gone.is_set():
            self.gone.set()
            self._talk.lost(self._clock())
        if self._worker is not None:
            self._worker.cancel()
            self._worker = None
        if self._client is not None:
            client, self._client = self._client, None
            try:
                await client.disconnect()
            except (BleakError, TimeoutError, OSError, EOFError) as error:
                _logger.info("%s: disconnecting: %s", self.die.name, error)

    def _heard(self, _: object, data: bytearray) -> None:
        for message in self._talk.received(bytes(data), self._clock()):
            self._writes.put_nowait(message)
        self._changed.set()

    def _ended(self, worker: asyncio.Task[None]) -> None:
        """A fault of ours must not leave a die connected to which nobody listens: it is lost, and begun anew."""
        error = None if worker.cancelled() else worker.exception()
        if error is not None:
            _logger.error("%s: its protocol failed", self.die.name, exc_info=error)
            self._lost(self._client)

    def _lost(self, _: BleakClient | None) -> None:
        if not self.gone.is_set():
            self._talk.lost(self._clock())
            self.gone.set()
            self._changed.set()
            if self.connected:
                self.missing(LOST)
                self._news.set()

    async def _work(self) -> None:
        """Write what is wanted, and do what is due."""
        while not self.gone.is_set():
            while not self._writes.empty():
                message = self._writes.get_nowait()
                try:
                    assert self._client is not None
                    await self._client.write_gatt_char(self._write_to, message, response=False)
                except (BleakError, OSError, EOFError) as error:
                    _logger.warning("%s: %s could not be written: %s", self.die.name, message.hex(), error)
            deadline = self._talk.deadline()
            self._changed.clear()
            try:
                wait = None if deadline is None else max(0.0, deadline - self._clock())
                await asyncio.wait_for(self._changed.wait(), wait)
            except TimeoutError:
                self._talk.due(self._clock())
