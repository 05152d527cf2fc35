"""Dice by Bluetooth: one thread with one event loop, one operation of the radio at a time.

A die sleeps after a quarter of an hour; its firmware wants two seconds before it is connected to again, then four.
That a die is lost is told at once, whatever the radio is doing, and no other die waits for one that is away.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias

from bleak.backends.device import BLEDevice
from bleak.exc import BleakError

from hardware.dice.link import Die, Link, Seen, search
from hardware.events import DiceEvent
from hardware.line.presence import Connected, Disconnected, Presence

SEARCH: Final = 5.0
"""Seconds of a search after which a die that does not advertise is told to be away."""

RETRY: Final = (2.0, 4.0)
"""Seconds before a die is connected to again: the first time, and every time after it."""

ABSENT: Final = "asleep, or held by a phone"
WAKE: Final = "Shake it; close its app on phones."

_logger = logging.getLogger(__name__)


class _Member:
    """A die of the radio's: its link, what is reported of it, and when it is looked for again."""

    def __init__(
        self,
        die: Die,
        sink: Callable[[DiceEvent], None],
        report: Callable[[Presence], None],
        clock: Callable[[], float],
        news: asyncio.Event,
    ) -> None:
        """``news`` is set when the die is lost, whatever the radio does meanwhile."""
        self.link = Link(die, sink, clock, self._lost)
        self.connected = False
        self.again_at = clock()
        self.sought_at: float | None = None
        self._clock = clock
        self._news = news
        self._report = report
        self._absent = False
        self._tries = 0

    def _lost(self) -> None:
        if self.connected:
            self.gone("the connection was lost", WAKE)
            self._news.set()

    def found(self) -> None:
        """It is connected."""
        self.connected, self._absent, self._tries = True, False, 0
        self._report(Connected("", self._clock()))

    def gone(self, why: str, advice: str) -> None:
        """It is not connected; say so once, and let it be looked for in a while."""
        self.again_at = self._clock() + RETRY[min(self._tries, 1)]
        self.sought_at = None
        self._tries += 1
        if self.connected or not self._absent:
            self._report(Disconnected(why, self._clock(), advice))
        self.connected, self._absent = False, True


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


Task: TypeAlias = Callable[[list[_Member]], Awaitable[None]]


class Radio:
    """The thread that searches for dice, connects to them, and connects again. Sinks are called on it.

    All methods are for other threads; what they ask for is done between two operations of the radio, in order.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._tasks: deque[Task] = deque()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._runs = threading.Event()
        self._stop = asyncio.Event()
        self._news = asyncio.Event()
        self._ending = asyncio.Event()

    def add(self, die: Die, sink: Callable[[DiceEvent], None], report: Callable[[Presence], None]) -> None:
        """Take a die."""

        async def add(members: list[_Member]) -> None:
            members.append(_Member(die, sink, report, self._clock, self._news))

        self._ask(add)

    def drop(self, address: str) -> None:
        """Let go of the die with this address, so that phones find it."""

        async def drop(members: list[_Member]) -> None:
            for member in [each for each in members if each.link.die.address == address]:
                members.remove(member)
                await member.link.close()

        self._ask(drop)

    def look(self, seconds: float, report: Callable[[Sequence[Seen], str], None]) -> None:
        """Search for so long; ``report`` is called once on the radio's thread, with the dice that advertise.

        It is told why there are none where the radio does not work. Dice that are connected do not advertise.
        """

        async def look(_: list[_Member]) -> None:
            try:
                dice = await search(seconds, enough=self._ending)
            except (BleakError, OSError, EOFError) as error:
                report((), f"no Bluetooth: {error}")
            else:
                report(dice, "")

        self._ask(look)

    def blink(self, address: str, failed: Callable[[str], None]) -> None:
        """Let the die with this address be seen; ``failed`` is called on the radio's thread with why it could not."""

        async def blink(members: list[_Member]) -> None:
            member = next((each for each in members if each.link.die.address == address), None)
            if member is None or not member.connected:
                failed(ABSENT)
                return
            try:
                await member.link.blink()
            except (BleakError, OSError, EOFError) as error:
                failed(str(error) or "it does not answer")

        self._ask(blink)

    def _ask(self, task: Task) -> None:
        self._tasks.append(task)
        if self._loop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._news.set)

    def start(self) -> None:
        """Begin."""
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()), name="bluetooth dice")
        self._thread.start()
        self._runs.wait()

    def stop(self) -> None:
        """Disconnect all dice and end; may be called twice."""
        if self._thread is not None and self._loop is not None:
            self._loop.call_soon_threadsafe(self._end)
            self._thread.join()
            self._thread = None

    def _end(self) -> None:
        self._stop.set()
        self._ending.set()

    async def _main(self) -> None:
        self._news, self._ending = asyncio.Event(), asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._runs.set()
        members: list[_Member] = []
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
                        await self._gone(member, "a fault, see the log", WAKE)
                    await asyncio.wait([ended], timeout=RETRY[-1])
        finally:
            ended.cancel()
            for member in members:
                await member.link.close()

    async def _look_after(self, members: list[_Member], ended: asyncio.Task[bool]) -> None:
        """Look after the dice once: take leave of who is gone, connect to whoever is due, and wait."""
        self._news.clear()
        while self._tasks:
            await self._tasks.popleft()(members)
        for member in members:
            if not member.connected and member.link.gone.is_set():
                await member.link.close()
        absent = [member for member in members if not member.connected]
        due = [member for member in absent if member.again_at <= self._clock()]
        others = [member.again_at for member in absent if member not in due]
        if due:
            await self._seek(due, min(others, default=None))
        elif not self._news.is_set():
            news = asyncio.create_task(self._news.wait())
            wait = max(0.0, min(others) - self._clock()) if others else None
            await asyncio.wait([ended, news], timeout=wait, return_when=asyncio.FIRST_COMPLETED)
            news.cancel()

    async def _seek(self, due: list[_Member], until: float | None) -> None:
        """Connect to those of these that advertise first.

        The search makes way for a die that is lost meanwhile, and at ``until`` for one that is due then.
        """
        now = self._clock()
        for member in due:
            member.sought_at = now if member.sought_at is None else member.sought_at
        seconds = SEARCH if until is None else min(SEARCH, max(0.0, until - now))
        addresses = {member.link.die.address for member in due}
        try:
            dice = await search(seconds, until=lambda die: die.address in addresses, enough=self._news)
        except (BleakError, OSError, EOFError) as error:
            for member in due:
                await self._gone(member, f"no Bluetooth: {error}", "Is its radio switched on?")
            return
        devices = {die.address: die.device for die in dice if die.address in addresses}
        for member in due:
            if member.link.die.address in devices:
                await self._connect(member, devices[member.link.die.address])
            elif not devices and member.sought_at is not None and self._clock() - member.sought_at >= SEARCH:
                await self._gone(member, ABSENT, WAKE)

    async def _connect(self, member: _Member, device: BLEDevice) -> None:
        try:
            await member.link.connect(device)
        except (BleakError, TimeoutError, OSError, EOFError) as error:
            await self._gone(member, str(error) or "it does not answer", WAKE)
            return
        if member.link.gone.is_set():
            await self._gone(member, "the connection was lost", WAKE)
        else:
            member.found()

    async def _gone(self, member: _Member, why: str, advice: str) -> None:
        await member.link.close()
        member.gone(why, advice)
