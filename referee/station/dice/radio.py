"""Dice by Bluetooth, for a station and for the command line. Imported only where they are used: it needs bleak."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from bleak.exc import BleakError

from hardware.dice.bluetooth import ABSENT, WAKE, BluetoothDie, Radio
from hardware.dice.link import Die, Link, Seen, search
from hardware.events import Battery, DiceEvent, Disturbed, Doubt, Thrown
from hardware.line.presence import Presence
from referee.errors import StationError
from referee.station.dice.case import LOOK
from referee.station.dice.known import KnownDie
from referee.station.loop import Loop

T = TypeVar("T")


def attach(loop: Loop, dice: Iterable[KnownDie], clock: Callable[[], float] = time.monotonic) -> Radio:
    """Start a radio with these dice, and return it; `Radio.stop` ends it."""
    radio = Radio(clock)
    for known in dice:
        plug(loop, radio, known)
    radio.start()
    return radio


def plug(loop: Loop, radio: Radio, known: KnownDie) -> BluetoothDie:
    """Plug a die in, which the radio connects to, and return it."""
    die = _die(known)

    def device(report: Callable[[Presence], None]) -> BluetoothDie:
        return BluetoothDie(radio, die, report)

    attached = loop.attach(f"Die {die.name}", device, source="bluetooth-dice")
    assert isinstance(attached, BluetoothDie)
    return attached


@dataclass(frozen=True)
class Found:
    """A die that advertises, or a known one that does not: ``seen`` is None. ``name``: as it is known, else ""."""

    address: str
    name: str
    seen: Seen | None = None

    @property
    def line(self) -> str:
        """As people read it."""
        return f"{self.address}  {self.name}: {ABSENT}" if self.seen is None else _line(self.seen, self.name)

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON value."""
        seen = {name: getattr(self.seen, name, None) for name in ("kind", "battery", "face")}
        return {"address": self.address, "name": self.name, "advertises": self.seen is not None, **seen}


def find(known: Iterable[KnownDie], seconds: float = LOOK) -> list[Found]:
    """Return each die that advertises, and each known one that does not. Raises StationError."""
    names = {die.address: die.name for die in known if die.address}
    dice = [Found(seen.address, names.pop(seen.address, ""), seen) for seen in _run(search(seconds))]
    return [*dice, *(Found(address, name) for address, name in names.items())]


def look_up(address: str, name: str) -> KnownDie:
    """Return the die with this address, to be known by that name. Raises StationError where it does not advertise."""
    dice = _run(search(LOOK, until=lambda die: die.address == address))
    die = next((each for each in dice if each.address == address), None)
    if die is None:
        raise StationError(f"{address} does not advertise: {ABSENT}. {WAKE}")
    return KnownDie(name, die.kind, die.address, die.built)


def blink(die: KnownDie) -> None:
    """Let a die be seen. Raises StationError."""

    async def work(link: Link) -> None:
        await link.blink()

    _run(_connected(die, lambda _: None, work))


def watch(die: KnownDie, say: Callable[[str], None], throws: int) -> None:
    """Tell what a die tells until it was thrown so many times. Raises StationError."""
    ended: list[DiceEvent] = []

    def hear(event: DiceEvent) -> None:
        say(told(event))
        if isinstance(event, (Thrown, Doubt)):
            ended.append(event)

    async def work(link: Link) -> None:
        while len(ended) < throws:
            if link.gone.is_set():
                raise StationError(f"{die.name}: the connection was lost")
            await asyncio.sleep(0.1)

    _run(_connected(die, hear, work))


def told(event: DiceEvent) -> str:
    """Return in words what a die tells."""
    if isinstance(event, Battery):
        return f"battery {event.percent} %" + ", charging" * event.charging
    if isinstance(event, Disturbed):
        return "moved"
    (reading,) = event.dice
    sure = "" if reading.certainty is None else f", {reading.certainty // 10} % certain"
    face = "no face" if reading.face is None else str(reading.face)
    return f"{face}{sure}" + (f", {event.why}" if isinstance(event, Doubt) else "")


async def _connected(
    die: KnownDie, hear: Callable[[DiceEvent], None], work: Callable[[Link], Coroutine[Any, Any, None]]
) -> None:
    dice = await search(LOOK, until=lambda seen: seen.address == die.address)
    seen = next((each for each in dice if each.address == die.address), None)
    if seen is None:
        raise StationError(f"{die.name} does not advertise: {ABSENT}. {WAKE}")
    link = Link(_die(die), hear, time.monotonic)
    await link.connect(seen.device)
    try:
        await work(link)
    finally:
        await link.close()


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Do it. Raises StationError."""
    try:
        return asyncio.run(work)
    except (BleakError, TimeoutError, OSError, EOFError) as error:
        raise StationError(f"Bluetooth: {str(error) or 'no answer'}") from error


def _die(known: KnownDie) -> Die:
    assert known.kind != "serial"
    return Die(known.address, known.kind, known.name, known.built)


def _line(die: Seen, name: str) -> str:
    parts = [die.address, die.kind, die.name]
    parts += [f"battery {die.battery} %"] if die.battery is not None else []
    parts += [f"shows {die.face}"] if die.face is not None else []
    return "  ".join([*parts, f"known as {name}" if name else "not known"])
