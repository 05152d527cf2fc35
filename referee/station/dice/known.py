"""The dice that this box knows: their names, the seats they belong to, and how they are reached, in a small file."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal

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
            raise BadSetting(f"no die is called {name!r}; known are {', '.join(dice) or 'none'}")
        return dice[name]

    def keep(self, die: KnownDie) -> None:
        """Know a die from now on, in place of the one with its name or address.

        Raises BadSetting for a name or a seat that cannot be, StationError if the file cannot be written.
        """
        check(die.name)
        if die.seat not in SEATS:
            raise BadSetting(f"expected a seat from 1 to {SEATS[-1]}, or 0 for none; got {die.seat}")
        others = (each for each in self.listed() if each.name != die.name)
        self._save([*(each for each in others if each.address != die.address), die])

    def assign(self, name: str, seat: int) -> None:
        """Give a die to a seat. Raises BadSetting where none has this name, else as `keep`."""
        self.keep(replace(self.named(name), seat=seat))

    def rename(self, name: str, new: str) -> KnownDie:
        """Know a die by another name. Raises BadSetting where none has the old or one has the new, else as `keep`."""
        die = replace(self.named(name), name=new)
        if any(each.name == new for each in self.listed()):
            raise BadSetting(f"another die is called {new}")
        self.keep(die)
        return die

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


def added(die: KnownDie) -> dict[str, Any]:
    """Return the words by which the reader is told to connect to a die, or of its new name or seat."""
    return {"add": {"address": die.address, "kind": die.kind, "name": die.name, "built": die.built, "seat": die.seat}}


def check(name: str) -> None:
    """Raise BadSetting unless a die may have this name."""
    if not _NAME.fullmatch(name):
        raise BadSetting(f"expected a name of 1 to 8 letters, digits, - or _; got {name!r}")


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
