"""What the doctor asks of a machine. The checks see nothing else, so a test can hand them any machine it likes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol, TypeAlias

from hardware.header import Chip
from hardware.line.presence import Connected, Disconnected
from referee.config import InputBoardPort

Access: TypeAlias = Literal["missing", "denied", "ok"]


@dataclass(frozen=True)
class Account:
    """Who runs this: ``groups`` of this process, and those the user database gives the user at the next login."""

    user: str
    groups: frozenset[str]
    listed: frozenset[str]
    known: frozenset[str]
    """Every group the system has."""


class Probe(Protocol):
    """Looks at a machine and changes nothing, but for a file of a few kilobytes that `fsyncs` writes and removes."""

    def read(self, path: str) -> bytes | None:
        """Return a file, None if it is not there or may not be read."""

    def names(self, folder: str) -> Sequence[str]:
        """Return what is in a folder, sorted; nothing if there is no such folder."""

    def access(self, path: str) -> Access:
        """Return whether a device is there and may be read and written."""

    def run(self, *command: str) -> str | None:
        """Return what a command printed, None if it is not installed or failed."""

    def answers(self, bus: int, address: int) -> bool:
        """Whether something acknowledges an address on an I2C bus. Raises OSError if the bus does not work."""

    def chip(self, path: str) -> Chip:
        """Return a GPIO chip. Raises OSError."""

    def board(self, where: InputBoardPort) -> Connected | Disconnected | None:
        """Greet the input board and return what became of it, None if there was not even a fault."""

    def account(self) -> Account:
        """Return who runs this."""

    def version(self, package: str) -> str | None:
        """Return the version of an installed package, None if it is not installed."""

    def free(self, folder: Path) -> int:
        """Return bytes free on the disk of a folder. Raises OSError."""

    def fsyncs(self, folder: Path, times: int) -> list[float]:
        """Append a page to a file and fsync it, so many times; return the seconds of each. Raises OSError."""

    def locked(self, path: Path) -> bool:
        """Whether a station holds the journal at this path."""
