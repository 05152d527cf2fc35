"""The dice by Bluetooth that this box knows: a small file, and what the menu does with them at a running station."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, Literal, Protocol

from referee.console.shelf import NearDie, OwnDie
from referee.errors import BadSetting, StationError
from referee.files import durable, small

Kind = Literal["pixels", "godice"]
KINDS: Final[tuple[Kind, ...]] = ("pixels", "godice")
FILE: Final = "dice.json"
SEATS: Final = (0, 1, 2, 3, 4)
"""Numbers of the seats' buttons; 0: the die belongs to nobody."""

_NAME = re.compile(r"[0-9A-Za-z_-]{1,8}")
_MEMBERS = {"name", "kind", "address", "built", "seat"}


@dataclass(frozen=True, slots=True)
class KnownDie:
    """One die by Bluetooth. ``built``: when its firmware was, s since 1970, 0: unknown."""

    name: str
    kind: Kind
    address: str
    built: int = 0
    seat: int = 0

    def added(self) -> dict[str, Any]:
        """Return the words by which the reader is told to connect to it, or of its new name or seat."""
        return {"add": asdict(self)}


class KnownDice:
    """The dice in one file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = small.Reread(path, _parse, "the dice")

    def listed(self) -> tuple[KnownDie, ...]:
        """Return the dice by name. Raises StationError if the file cannot be read."""
        return self._file.value() or ()

    def named(self, name: str) -> KnownDie:
        """Return a die. Raises BadSetting where none has this name."""
        dice = {die.name: die for die in self.listed()}
        if name not in dice:
            raise BadSetting(f"no die is named {name!r}; known dice: {', '.join(dice) or 'none'}")
        return dice[name]

    def keep(self, die: KnownDie) -> None:
        """Know a die from now on, in place of the one with its name or address. Raises StationError."""
        others = (each for each in self.listed() if each.name != die.name and each.address != die.address)
        self._save([*others, die])

    def forget(self, name: str) -> None:
        """Know a die no more. Raises BadSetting where none has this name, StationError as `keep`."""
        die = self.named(name)
        self._save([each for each in self.listed() if each != die])

    def _save(self, dice: Sequence[KnownDie]) -> None:
        value = {"format": 1, "dice": [asdict(die) for die in sorted(dice, key=lambda die: die.name)]}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            durable.replace(self._path, json.dumps(value, indent=1))
        except OSError as error:
            raise StationError(f"{self._path}: the dice cannot be saved: {error.strerror}") from error


def beside(journal: Path) -> KnownDice:
    """Return the dice of the station that keeps this journal."""
    return KnownDice(journal.absolute().parent / FILE)


def _parse(text: str) -> tuple[KnownDie, ...]:
    """Read the file. Raises ValueError saying what was expected."""
    return tuple(parsed(each) for each in small.member(text, "dice", list))


def parsed(value: Any) -> KnownDie:
    """Return a die. Raises ValueError saying what was expected."""
    if not isinstance(value, dict) or value.keys() != _MEMBERS:
        raise ValueError(f"expected a die to have {', '.join(sorted(_MEMBERS))}")
    texts = isinstance(value["name"], str) and isinstance(value["address"], str)
    if not texts or not _NAME.fullmatch(value["name"]) or value["kind"] not in KINDS:
        raise ValueError(f"expected a name of 1 to 8 letters, an address, and a kind of {', '.join(KINDS)}")
    if type(value["built"]) is not int or value["seat"] not in SEATS or type(value["seat"]) is not int:
        raise ValueError(f"expected a time in built, and a seat from 0 to {SEATS[-1]}")
    return KnownDie(**value)


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
        return [die.added() for die in self._dice]

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
        self._known.keep(replace(self._near[address], name=name))
        self._follow()

    def rename(self, name: str, new: str) -> None:
        """Know a die by another name."""
        die = replace(self._known.named(name), name=new)
        if any(each.name == new for each in self._known.listed()):
            raise BadSetting(f"another die is called {new}")
        self._known.forget(name)
        self._known.keep(die)
        self._follow()

    def assign(self, name: str, seat: int) -> None:
        """Give a die to a seat."""
        self._known.keep(replace(self._known.named(name), seat=seat))
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
        for words in [{"drop": each} for each in gone] + [die.added() for die in self._dice if die not in before]:
            if self._reader is not None:
                self._reader.tell(words)  # one that starts is told all of them
