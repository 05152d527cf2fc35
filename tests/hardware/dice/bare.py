"""Dice without radio, bus or threads: the bytes of each go to its protocol and back, as `BlueZ` does it for bleak."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Self

from hardware.dice.bluetooth import WAKE
from hardware.dice.link import Die, protocol
from hardware.events import DiceEvent
from hardware.line.presence import Connected, Disconnected, Presence
from referee.station.dice.known import KnownDie
from referee.station.loop import Loop
from referee.testing.station import Clock
from tests.hardware.dice.fake_die import FakeDie


class Wire:
    """One die at its protocol, as `hardware.ports` has `DiceSource`."""

    def __init__(self, die: FakeDie, name: str, clock: Clock, report: Callable[[Presence], None]) -> None:
        self._die = die
        self._known = Die(die.address, die.kind, name)
        self._clock = clock
        self._report = report

    def open(self, sink: Callable[[DiceEvent], None]) -> None:
        """Connect."""
        self._talk = protocol(self._known, sink)
        self.connect()

    def close(self) -> None:
        """Nothing has to be closed."""

    def connect(self) -> None:
        """The die is there."""
        self._die.notify = lambda data: self._write(self._talk.received(data, self._clock()))
        self._report(Connected("", self._clock()))
        self._write(self._talk.opened(self._clock()))

    def lose(self) -> None:
        """The connection is lost, and made again where it can be."""
        self._die.notify = None
        self._talk.lost(self._clock())
        self._report(Disconnected("the connection was lost", self._clock(), WAKE))
        if self._die.reachable:
            self.connect()

    def _write(self, messages: list[bytes]) -> None:
        for message in messages:
            self._die.take(message)


class Bare:
    """Does what `BlueZ` and a radio do together."""

    def __init__(self) -> None:
        self._dice: dict[str, FakeDie] = {}
        self._wires: dict[str, Wire] = {}

    def put(self, die: FakeDie) -> FakeDie:
        """Put a die on the table."""
        self._dice[die.address] = die
        return die

    def attach(self, loop: Loop, known: Iterable[KnownDie], clock: Clock) -> Self:
        """Plug the dice in; return what ends them."""
        for each in known:

            def device(report: Callable[[Presence], None], each: KnownDie = each) -> Wire:
                wire = self._wires[each.address] = Wire(self._dice[each.address], each.name, clock, report)
                return wire

            loop.attach(f"Die {each.name}", device, source="bluetooth-dice")
        return self

    def stop(self) -> None:
        """Nothing runs."""

    def tell(self, deed: Callable[[], None]) -> None:
        """Do something to a die."""
        deed()

    def pull(self, die: FakeDie) -> None:
        """Lose the connection."""
        self._wires[die.address].lose()

    def wake(self, die: FakeDie) -> None:
        """Let it advertise again."""
        die.asleep = die.held = False
        self._wires[die.address].connect()
