"""Dice by Bluetooth: one thread with one event loop, one operation of the radio at a time.

Facts that show here: the kernel hides advertisements whose data has changed, so throws come over connections alone,
and advertisements only find dice; a die has one connection, advertises nothing while a phone holds it, and sleeps
after a quarter of an hour; its firmware wants two seconds before it is connected to again, then four.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from bleak import BleakClient, BleakScanner
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData
from bleak.exc import BleakError

from hardware.dice import godice, pixels
from hardware.dice.godice import GoDiceTalk
from hardware.dice.pixels import PixelsTalk
from hardware.dice.talk import DieTalk
from hardware.events import DiceEvent
from hardware.line.presence import Connected, Disconnected, Presence

Kind = Literal["pixels", "godice"]

SEARCH: Final = 5.0
"""Seconds of one search for the dice that are missing."""

CONNECT: Final = 10.0
"""Seconds a connection may take to come about."""

RETRY: Final = (2.0, 4.0)
"""Seconds before a die is connected to again: the first time, and every time after it."""

BLINK: Final = 0.5
"""Seconds between the messages that let a die blink."""

ABSENT: Final = "asleep, or held by a phone"
WAKE: Final = "Shake it; close its app on phones."

_WRITES: Final = {pixels.SERVICE: pixels.WRITE, pixels.LEGACY_SERVICE: pixels.LEGACY_WRITE}
_NOTIFIES: Final = {
    "pixels": {pixels.SERVICE: pixels.NOTIFY, pixels.LEGACY_SERVICE: pixels.LEGACY_NOTIFY},
    "godice": {godice.SERVICE: godice.NOTIFY},
}
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Die:
    """A die that is known. ``address``: as the radio names it; ``built``: when its firmware was built, 0: unknown."""

    address: str
    kind: Kind
    name: str
    built: int = 0


@dataclass(frozen=True, slots=True)
class Seen:
    """A die that advertises. ``face`` and ``battery`` (per cent) are None where it does not advertise them."""

    address: str
    kind: Kind
    name: str
    built: int
    face: int | None
    battery: int | None
    device: BLEDevice


def seen(device: BLEDevice, data: AdvertisementData) -> Seen | None:
    """Return the die that advertises this, None if it is none."""
    name = data.local_name or device.name or ""
    told = pixels.advertised(data.manufacturer_data, data.service_data)
    if told is not None:
        return Seen(device.address, "pixels", name, told.built, told.face, told.battery, device)
    if name.startswith(godice.NAMES):
        return Seen(device.address, "godice", name, 0, None, None, device)
    return None


async def search(seconds: float, *, until: Callable[[Seen], bool] = lambda _: False) -> list[Seen]:
    """Return the dice that advertise, in the order of their addresses. Raises BleakError without a radio."""
    dice: dict[str, Seen] = {}
    enough = asyncio.Event()

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
    """One die from one connection to the next: what it says reaches its protocol, what that wants written the die."""

    def __init__(self, die: Die, sink: Callable[[DiceEvent], None], clock: Callable[[], float]) -> None:
        self.die = die
        self.gone = asyncio.Event()
        self._clock = clock
        self._changed = asyncio.Event()
        self._writes: asyncio.Queue[bytes] = asyncio.Queue()
        self._talk: DieTalk = (
            PixelsTalk(die.name, sink, built=die.built) if die.kind == "pixels" else GoDiceTalk(die.name, sink)
        )
        self._client: BleakClient | None = None
        self._write_to = ""
        self._worker: asyncio.Task[None] | None = None

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
            raise BleakError(f"{self.die.name} has no service of such dice")
        self._write_to = _WRITES[service]
        await client.start_notify(notifies[service], self._heard)
        for message in self._talk.opened(self._clock()):
            self._writes.put_nowait(message)
        self._worker = asyncio.create_task(self._work())

    async def blink(self) -> None:
        """Let the die be seen."""
        assert self._client is not None
        for message in self._talk.blink():
            await self._client.write_gatt_char(self._write_to, message, response=False)
            await asyncio.sleep(BLINK)

    async def close(self) -> None:
        """Disconnect."""
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

    def _lost(self, _: BleakClient) -> None:
        if not self.gone.is_set():
            self._talk.lost(self._clock())
            self.gone.set()
            self._changed.set()

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


@dataclass
class _Member:
    """A die of the radio's, and where it reports to."""

    link: Link
    report: Callable[[Presence], None]
    connected: bool = False
    absent: bool = False
    tries: int = 0
    again_at: float = 0.0


class BluetoothDie:
    """One die, as `hardware.ports` has `DiceSource`."""

    def __init__(self, radio: Radio, die: Die, report: Callable[[Presence], None]) -> None:
        self._radio = radio
        self._die = die
        self._report = report

    def open(self, sink: Callable[[DiceEvent], None]) -> None:
        """Start reporting, once the radio is started."""
        self._radio.add(self._die, sink, self._report)

    def close(self) -> None:
        """Stop the radio, for all dice; may be called twice."""
        self._radio.stop()


class Radio:
    """The thread that searches for dice, connects to them, and connects again. Sinks are called on it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._dice: list[tuple[Die, Callable[[DiceEvent], None], Callable[[Presence], None]]] = []
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._runs = threading.Event()
        self._stop = asyncio.Event()

    def add(self, die: Die, sink: Callable[[DiceEvent], None], report: Callable[[Presence], None]) -> None:
        """Take a die; before `start`."""
        self._dice.append((die, sink, report))

    def start(self) -> None:
        """Begin."""
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()), name="bluetooth dice")
        self._thread.start()
        self._runs.wait()

    def stop(self) -> None:
        """Disconnect all dice and end; may be called twice."""
        if self._thread is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()
            self._thread = None

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._runs.set()
        members = [_Member(Link(die, sink, self._clock), report) for die, sink, report in self._dice]
        ended = asyncio.create_task(self._stop.wait())
        try:
            while not ended.done():
                turn = asyncio.create_task(self._look_after(members, ended))
                await asyncio.wait([ended, turn], return_when=asyncio.FIRST_COMPLETED)
                if not turn.done():
                    turn.cancel()
                    await asyncio.wait([turn])
                elif turn.exception() is not None:  # no fault of a library may make dice look like quiet ones
                    _logger.error("Bluetooth dice", exc_info=turn.exception())
                    for member in members:
                        await self._gone(member, "a fault, see the log")
                    await asyncio.wait([ended], timeout=RETRY[-1])
        finally:
            ended.cancel()
            for member in members:
                await member.link.close()

    async def _look_after(self, members: list[_Member], ended: asyncio.Task[bool]) -> None:
        """Look after the dice once: notice who is gone, connect to whoever is due, and wait."""
        for member in members:
            if member.connected and member.link.gone.is_set():
                await self._gone(member, "the connection was lost")
        due = {m.link.die.address: m for m in members if not m.connected and m.again_at <= self._clock()}
        if due:
            await self._seek(due)
        waits = [asyncio.create_task(m.link.gone.wait()) for m in members if m.connected]
        times = [m.again_at for m in members if not m.connected]
        wait = max(0.0, min(times) - self._clock()) if times else None
        await asyncio.wait([ended, *waits], timeout=wait, return_when=asyncio.FIRST_COMPLETED)
        for task in waits:
            task.cancel()

    async def _seek(self, due: dict[str, _Member]) -> None:
        """Connect to the first of these that advertises."""
        try:
            dice = await search(SEARCH, until=lambda die: die.address in due)
        except (BleakError, OSError, EOFError) as error:
            for member in due.values():
                await self._gone(member, f"no Bluetooth: {error}", "Is its radio switched on?")
            return
        present = [die for die in dice if die.address in due]
        for die in present:
            await self._connect(due[die.address], die.device)
        for member in () if present else due.values():
            await self._gone(member, ABSENT, WAKE)

    async def _connect(self, member: _Member, device: BLEDevice) -> None:
        try:
            await member.link.connect(device)
        except (BleakError, TimeoutError, OSError, EOFError) as error:
            await self._gone(member, str(error) or "it does not answer", WAKE)
            return
        member.connected, member.absent, member.tries = True, False, 0
        member.report(Connected("", self._clock()))

    async def _gone(self, member: _Member, why: str, advice: str = WAKE) -> None:
        await member.link.close()
        member.again_at = self._clock() + RETRY[min(member.tries, 1)]
        member.tries += 1
        if member.connected or not member.absent:
            member.report(Disconnected(why, self._clock(), advice))
        member.connected, member.absent = False, True
