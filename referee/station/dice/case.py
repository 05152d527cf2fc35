"""The dice by Bluetooth of a running station, as its menu looks after them: their reader does what takes time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from referee.console.shelf import NearDie, OwnDie
from referee.errors import StationError
from referee.station.dice.known import KnownDice, KnownDie, added, parsed


class Told(Protocol):
    """A reader that can be told something."""

    def tell(self, words: Mapping[str, Any]) -> bool:
        """Tell it; return False where it does not listen."""


class StationDice:
    """See `referee.console.shelf.DiceCase`. All methods but `greeting` and `heard` are for the loop's thread."""

    def __init__(self, known: KnownDice, learn: Callable[[Callable[[], None]], None]) -> None:
        """``learn`` has what the reader answers taken on the loop's thread."""
        self._known = known
        self._post = learn
        self._near: dict[str, KnownDie] = {}
        self._dice: Sequence[KnownDie] = ()
        self._found: Callable[[Sequence[NearDie], str], None] | None = None
        self._dark: Callable[[str], None] = lambda _: None
        self._reader: Told | None = None

    def open(self, attach: Callable[[], Told]) -> None:
        """Start the reader, as ``attach`` does. Raises StationError if the dice cannot be read."""
        self._dice = self._known.listed()
        self._reader = attach()

    def greeting(self) -> list[Mapping[str, Any]]:
        """Return what the reader is told when it starts; a search that it had begun is over."""
        self._post(partial(self._answer, (), "It was started anew."))
        return [added(die) for die in self._dice]

    def heard(self, answer: Mapping[str, Any]) -> None:
        """Take an answer of the reader's."""
        self._post(partial(self._learn, answer))

    def listed(self) -> Sequence[OwnDie]:
        """Return the dice this box knows."""
        return [OwnDie(die.name, die.seat) for die in self._known.listed()]

    def look(self, answer: Callable[[Sequence[NearDie], str], None]) -> None:
        """Search for dice."""
        self._found = answer
        self._tell({"find": True})

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
        self._dark = failed
        self._tell({"blink": self._known.named(name).address})

    def forget(self, name: str) -> None:
        """Know a die no more."""
        self._known.forget(name)
        self._follow()

    def _learn(self, answer: Mapping[str, Any]) -> None:
        if isinstance(answer.get("near"), list):
            try:
                near = [parsed({**die, "name": "new", "seat": 0}) for die in answer["near"]]
            except (ValueError, TypeError):
                near = []
            self._near = {die.address: die for die in near}
            names = {die.address: die.name for die in self._known.listed()}
            dice = [NearDie(die.address, die.kind, names.get(die.address, "")) for die in near]
            self._answer(dice, str(answer.get("why", ""))[:60])
        elif isinstance(answer.get("dark"), str):
            self._dark(answer["dark"][:60])

    def _answer(self, dice: Sequence[NearDie], why: str) -> None:
        answer, self._found = self._found, None
        if answer is not None:
            answer(dice, why)

    def _tell(self, words: Mapping[str, Any]) -> None:
        if self._reader is None or not self._reader.tell(words):
            raise StationError("there is no Bluetooth")

    def _follow(self) -> None:
        """Let the reader connect to exactly the dice that are known."""
        before, self._dice = self._dice, self._known.listed()
        gone = {die.address for die in before} - {die.address for die in self._dice}
        news: list[dict[str, Any]] = [{"drop": address} for address in gone]
        for words in news + [added(die) for die in self._dice if die not in before]:
            if self._reader is not None:
                self._reader.tell(words)  # one that starts is told all of them
