"""The dice of a running station, as its menu looks after them: what takes time is asked of the radio's thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from referee.console.shelf import NearDie, OwnDie
from referee.errors import StationError
from referee.station.dice.known import KnownDice, KnownDie
from referee.station.inbox import Learned

if TYPE_CHECKING:
    from hardware.dice.bluetooth import BluetoothDie, Radio
    from hardware.dice.link import Seen
    from referee.station.loop import Loop

Plug: TypeAlias = "Callable[[Loop, Radio, KnownDie], BluetoothDie]"

LOOK = 8.0
"""Seconds of a search: a die that was shaken advertises about once a second, and one packet in three is heard."""


class StationDice:
    """See `referee.console.shelf.DiceCase`. All methods are for the loop's thread."""

    def __init__(self, known: KnownDice, put: Callable[[Learned], None]) -> None:
        """``put`` brings what the radio answers to the loop."""
        self._known = known
        self._put = put
        self._near: dict[str, Seen] = {}
        self._attached: dict[KnownDie, BluetoothDie] = {}
        self._open: tuple[Loop, Radio, Plug] | None = None

    def open(self, loop: Loop, radio: Radio, plug: Plug) -> None:
        """Connect to the dice that are known by a radio that runs. Raises StationError if they cannot be read.

        ``plug``: of `referee.station.dice.radio`, which is imported only where there are such dice.
        """
        self._open = (loop, radio, plug)
        self._follow()

    def listed(self) -> Sequence[OwnDie]:
        """Return the dice this box knows."""
        return [OwnDie(die.name, die.seat, not die.address) for die in self._known.listed()]

    def look(self, answer: Callable[[Sequence[NearDie], str], None]) -> None:
        """Search for dice."""

        def report(dice: Sequence[Seen], why: str) -> None:
            self._put(Learned(lambda: answer(self._found(dice), why)))

        self._radio().look(LOOK, report)

    def keep(self, address: str, name: str) -> None:
        """Know a die that was found by a name, and connect to it."""
        seen = self._near[address]
        self._known.keep(KnownDie(name, seen.kind, address, seen.built))
        self._follow()

    def rename(self, name: str, new: str) -> None:
        """Know a die by another name."""
        self._known.rename(name, new)
        self._follow()

    def assign(self, name: str, seat: int) -> None:
        """Give a die to a seat."""
        self._known.assign(name, seat)
        self._follow()

    def blink(self, name: str, failed: Callable[[str], None]) -> None:
        """Let a die be seen."""
        die = self._known.named(name)
        self._radio().blink(die.address, lambda why: self._put(Learned(partial(failed, why))))

    def forget(self, name: str) -> None:
        """Know a die no more."""
        self._known.forget(name)
        self._follow()

    def _found(self, dice: Sequence[Seen]) -> Sequence[NearDie]:
        self._near = {die.address: die for die in dice}
        names = {die.address: die.name for die in self._known.listed()}
        return [NearDie(die.address, die.kind, names.get(die.address, "")) for die in dice]

    def _radio(self) -> Radio:
        if self._open is None:
            raise StationError("there is no Bluetooth")
        return self._open[1]

    def _follow(self) -> None:
        """Connect to exactly the dice that are known; who owns which is read anew."""
        dice = self._known.cache()
        if self._open is None:
            return
        loop, radio, plug = self._open
        wanted = {_whose(die): die for die in dice if die.address}
        for whose in [each for each in self._attached if each not in wanted]:
            loop.detach(self._attached.pop(whose))
            radio.drop(whose.address)
        for whose in [each for each in wanted if each not in self._attached]:
            self._attached[whose] = plug(loop, radio, whose)


def _whose(die: KnownDie) -> KnownDie:
    """Return a die without its seat, which no connection depends on."""
    return KnownDie(die.name, die.kind, die.address, die.built)
