"""The reader of dice by Bluetooth: a program that looks after them, and writes what they tell (docs/dice.md).

`python -m hardware.dice.bluetooth` is told on its standard input, in lines of JSON, which dice to connect to ("add",
"drop"), to search for others ("find"), and to let one be seen ("blink"). It ends with its input, and lets go of all.

One operation of the radio at a time. A die sleeps after a quarter of an hour; its firmware wants two seconds before
it is connected to again, then four. That a die is lost is told at once, whatever the radio is doing.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count
from typing import Any, Final, TypeAlias

from bleak.backends.device import BLEDevice
from bleak.exc import BleakError

from hardware.dice.link import LOST, RETRY, WAKE, Die, Link, search
from hardware.events import Battery, DiceEvent, Disturbed, Doubt

SEARCH: Final = 5.0
"""Seconds of a search after which a die that does not advertise is told to be away."""

LOOK: Final = 8.0
"""Seconds of a search for others: a die that was shaken advertises every second, and one packet in three is heard."""

ALIVE: Final = 3.0
"""Seconds between two lines that say that this program works."""

ABSENT: Final = "asleep, or held by a phone"
FAULTS: Final = (BleakError, OSError, EOFError)

_logger = logging.getLogger(__name__)

Say: TypeAlias = Callable[[dict[str, Any]], None]
"""Writes a line."""


class Radio:
    """Searches for dice, connects to them, and connects again.

    What it is told is done between two operations of the radio, in order.
    """

    def __init__(self, say: Say, clock: Callable[[], float] = time.monotonic) -> None:
        self._say = say
        self._number = count(1)
        self._clock = clock
        self._tasks: deque[Callable[[], Awaitable[None]]] = deque()
        self._links: list[Link] = []
        self._news = asyncio.Event()

    def told(self, line: bytes) -> None:
        """Take a line of the station's; one that says nothing is logged."""
        try:
            value = json.loads(line)
            if "add" in value:
                self._soon(partial(self._add, Die(**value["add"])))
            elif "drop" in value:
                self._soon(partial(self._drop, str(value["drop"])))
            elif "find" in value:
                self._soon(self._find)
            elif "blink" in value:
                self._soon(partial(self._blink, str(value["blink"])))
        except (ValueError, TypeError, RecursionError):
            _logger.exception("told %r", line[:200])

    async def run(self) -> None:
        """Work until it is cancelled; then disconnect all dice."""
        try:
            while True:
                try:
                    await self._look_after()
                except Exception:  # no fault of a library may make dice look like quiet ones
                    _logger.exception("Bluetooth dice")
                    for link in self._links:
                        await self._gone(link, "a fault, see the log")
                    await asyncio.sleep(RETRY[-1])
        finally:
            for link in self._links:
                await link.close()

    def _soon(self, task: Callable[[], Awaitable[None]]) -> None:
        self._tasks.append(task)
        self._news.set()

    def _tell(self, die: Die, event: DiceEvent) -> None:
        """Say what that die tells; throws are numbered."""
        if isinstance(event, Disturbed):
            self._say({"moved": die.name})
        elif isinstance(event, Battery):
            self._say({"battery": event.percent, "die": die.name, "charging": event.charging})
        else:
            (shown,) = event.dice
            line = {"throw": next(self._number), "faces": [shown.face], "sure": not isinstance(event, Doubt)}
            line |= {"dice": [die.name], "seat": die.seat, "certainty": [shown.certainty]}
            line |= {"ago": round(min(event.at - event.started, 600.0), 3)}
            self._say(line | {"why": event.why} if isinstance(event, Doubt) else line)

    async def _add(self, die: Die) -> None:
        for link in self._links:
            if link.die.address == die.address:
                link.die = die
                return
        self._links.append(Link(die, self._tell, self._say, self._clock, self._news))

    async def _drop(self, address: str) -> None:
        for link in [each for each in self._links if each.die.address == address]:
            self._links.remove(link)
            await link.close()

    async def _find(self) -> None:
        """Search; dice that are connected do not advertise."""
        try:
            dice = await search(LOOK)
        except FAULTS as error:
            self._say({"answer": {"near": [], "why": f"no Bluetooth: {error}"}})
        else:
            near = [{"address": die.address, "kind": die.kind, "built": die.built} for die in dice]
            self._say({"answer": {"near": near, "why": ""}})

    async def _blink(self, address: str) -> None:
        """Let the die with this address be seen, or say why it could not be."""
        link = next((each for each in self._links if each.die.address == address), None)
        if link is None or not link.connected:
            self._say({"answer": {"dark": ABSENT}})
            return
        try:
            await link.blink()
        except FAULTS as error:
            self._say({"answer": {"dark": str(error) or "it does not answer"}})

    def _wanted(self, address: str) -> Link | None:
        """Return the die with this address if it is to be connected to now."""
        now = self._clock()
        wanted = (each for each in self._links if not each.connected and each.again_at <= now)
        return next((each for each in wanted if each.die.address == address), None)

    async def _look_after(self) -> None:
        """Look after the dice once: take leave of who is gone, connect to whoever is due, and wait."""
        self._news.clear()
        while self._tasks:
            await self._tasks.popleft()()
        absent = [link for link in self._links if not link.connected]
        for link in absent:
            if link.gone.is_set():
                await link.close()
        due = [link for link in absent if self._wanted(link.die.address)]
        if due:
            await self._seek(due)
        else:
            wait = min((link.again_at for link in absent), default=None)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), None if wait is None else max(0.0, wait - self._clock()))

    async def _seek(self, due: list[Link]) -> None:
        """Connect to those that advertise first; one that is due only now is as welcome.

        The search makes way for what is told, and for a die that is lost. Whoever has not shown up in a whole one is
        away.
        """
        try:
            dice = await search(SEARCH, until=lambda die: self._wanted(die.address) is not None, enough=self._news)
        except FAULTS as error:
            for link in due:
                await self._gone(link, f"no Bluetooth: {error}", "Is its radio switched on?")
            return
        found = [(wanted, die.device) for die in dice if (wanted := self._wanted(die.address)) is not None]
        for link, device in found:
            await self._connect(link, device)
        if not found and not self._news.is_set():
            for link in due:
                await self._gone(link, ABSENT)

    async def _connect(self, link: Link, device: BLEDevice) -> None:
        try:
            await link.connect(device)
        except (*FAULTS, TimeoutError) as error:
            await self._gone(link, str(error) or "it does not answer")
            return
        if link.gone.is_set():
            await self._gone(link, LOST)
        else:
            link.found()

    async def _gone(self, link: Link, why: str, advice: str = WAKE) -> None:
        await link.close()
        link.missing(why, advice)


async def serve(told: int, say: Say) -> None:
    """Do what is told on that descriptor until its end, or SIGTERM; ``say`` writes a line."""
    loop, lines, radio, ended = asyncio.get_running_loop(), asyncio.StreamReader(), Radio(say), asyncio.Event()
    say({})
    with contextlib.suppress(ValueError, RuntimeError):  # in a thread nobody sends signals
        loop.add_signal_handler(signal.SIGTERM, ended.set)
    pipe, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), os.fdopen(told, "rb"))

    async def listen() -> None:
        while line := await lines.readline():
            radio.told(line)
        ended.set()

    async def live() -> None:
        while True:
            await asyncio.sleep(ALIVE)
            say({})

    tasks = [asyncio.create_task(each) for each in (radio.run(), listen(), live())]
    await ended.wait()
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks)
    pipe.close()


def _say(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(serve(os.dup(0), _say))
