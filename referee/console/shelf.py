"""What the console needs from outside: games to begin or resume, the box's own dice, who was let in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from referee.config import DiceRule
from referee.rulebook import Book, Label
from referee.session import Notebook, Session


class Unfinished(NamedTuple):
    """A game that can be resumed. ``where``: what tells it from others, the shortest first."""

    id: str
    title: str
    where: tuple[str, ...]


class Ended(NamedTuple):
    """The latest whole game, of those that ended, or of one rulebook: how it was played, and by whom, by seat."""

    book: Book
    settings: Mapping[str, Any]
    players: Mapping[str, str]


class OwnDie(NamedTuple):
    """A die by Bluetooth that this box knows. ``seat``: number of its seat's button, 0: none."""

    name: str
    seat: int


class NearDie(NamedTuple):
    """A die that advertises. ``name``: what this box knows it by, "" if it does not; ``kind``: whose make it is."""

    address: str
    kind: str
    name: str


class DiceCase(Protocol):
    """The dice by Bluetooth, as a table can look after them; raises only `RefereeError`.

    What takes time is asked for: the answer comes as a call on the console's thread.
    """

    def listed(self) -> Sequence[OwnDie]:
        """Return the dice this box knows, by name."""

    def look(self, answer: Callable[[Sequence[NearDie], str], None]) -> None:
        """Search for dice; ``answer`` gets those that advertise, and what went wrong."""

    def keep(self, address: str, name: str) -> None:
        """Know a die that was found by a name, and connect to it."""

    def rename(self, name: str, new: str) -> None:
        """Know a die by another name."""

    def assign(self, name: str, seat: int) -> None:
        """Give a die to a seat's button, 0: to none."""

    def blink(self, name: str, failed: Callable[[str], None]) -> None:
        """Let a die be seen; ``failed`` gets why it could not."""

    def forget(self, name: str) -> None:
        """Know a die no more."""


class BoxDice(NamedTuple):
    """Whose dice count at this table, and the box's own: ``throw(dice, sides)`` returns so many faces.

    ``case``: the dice by Bluetooth, None where the box has none to look after.
    """

    rule: DiceRule
    throw: Callable[[int, int], tuple[int, ...]]
    case: DiceCase | None = None


class Visitors(Protocol):
    """The browsers that were let in to the panel, and how one more gets there; all raise only `RefereeError`."""

    def listed(self) -> Sequence[object]:
        """Return a pass for each."""

    def revoke(self) -> Sequence[object]:
        """Take back all passes, at once; return those."""

    @property
    def address(self) -> str:
        """What a phone opens, "" where none can reach the panel."""

    def invite(self) -> None:
        """Let one browser in that types a new code."""

    def shut(self) -> None:
        """Let none in any more."""

    def invited(self) -> str:
        """Return the code that one browser may type now, "" for none."""

    def modules(self, address: str) -> tuple[bytes, ...]:
        """Return the modules of the QR code of an address, a byte each, 1 is dark."""


class Players(Protocol):
    """The names of players by game and seat (`referee.files.players`)."""

    def names(self, game: int) -> Mapping[str, str]:
        """Return who plays, by seat; nobody where that cannot be read."""

    def used(self) -> Sequence[str]:
        """Return all names, those of the latest game first. Raises StationError."""

    def name(self, game: int, seat: str, name: str) -> None:
        """Say who plays a seat, durably; "": nobody. Raises Malformed or StationError, nothing is changed."""


class Shelf(Protocol):
    """The games of this box. All methods answer at once and raise only `RefereeError`."""

    def labels(self) -> Sequence[Label]:
        """Return the rulebooks on the shelf."""

    def book(self, game: str) -> Book:
        """Return the rulebook of a game."""

    def begin(self, book: Book, settings: Mapping[str, Any], ruling: str | None, source: str) -> Session:
        """Begin a game, or single rulings one after another; ``source``: who began it, for the journal."""

    def notebook(self, session: Session | None) -> Notebook | None:
        """Return where notes beside this game are written (None: the latest one, or none yet), None if nothing is."""

    @property
    def players(self) -> Players | None:
        """The names of players, None where none are kept."""

    def unfinished(self) -> Sequence[Unfinished]:
        """Return the games that were left before their end, newest first."""

    def ended(self) -> Ended | None:
        """Return the latest whole game that has ended, None if none has."""

    def settings(self, book: Book) -> Mapping[str, Any]:
        """Return the switches that the latest whole game of this book was played by."""

    def resume(self, game: str) -> Session:
        """Resume an unfinished game at its pending question."""
