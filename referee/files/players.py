"""Names of players by game and seat, in a file beside the journal: not covered by a hash, so they can be erased."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from referee.errors import Malformed, StationError
from referee.files import durable, outside, small

GAMES: Final = 1000
"""Games whose names are kept, the latest; so the file stays small."""

_logger = logging.getLogger(__name__)


class PlayerNames:
    """The names in one file. Readable by its owner only; looked at anew whenever it has changed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = small.Reread(path, _parse, "the names of players")
        self._logged = ""

    def names(self, game: int) -> Mapping[str, str]:
        """Return who plays, by seat; nobody where the file cannot be read. That is logged once: screens ask often."""
        try:
            names = self._games().get(str(game), {})
        except StationError as error:
            if str(error) != self._logged:
                _logger.error("%s", error)
            self._logged = str(error)
            return {}
        self._logged = ""
        return names

    def stamp(self) -> small.Stamp | None:
        """Return what is another once the names of a table have changed; None where they are not to be had."""
        try:
            return self._file.stamp()
        except OSError:
            return None

    def used(self) -> list[str]:
        """Return all names, those of the latest game first. Raises StationError."""
        games = self._games()
        names = [name for game in sorted(games, key=int, reverse=True) for name in games[game].values()]
        return list(dict.fromkeys(names))

    def name(self, game: int, seat: str, name: str) -> None:
        """Say who plays a seat, durably; "": nobody. Raises Malformed or StationError, nothing is changed."""
        name = outside.name(name)
        games = self._games()
        seats = {each: player for each, player in games.get(str(game), {}).items() if each != seat}
        games = games | {str(game): seats | ({seat: name} if name else {})}
        self._save({each: games[each] for each in sorted(games, key=int)[-GAMES:] if games[each]})

    def forget(self, name: str | None = None) -> int:
        """Erase a name from all games, None: all names; return from how many seats. Raises StationError."""
        games = self._games()
        others = {
            game: {seat: player for seat, player in seats.items() if name not in (None, player)}
            for game, seats in games.items()
        }
        erased = sum(map(len, games.values())) - sum(map(len, others.values()))
        if erased:
            self._save({game: seats for game, seats in others.items() if seats})
        return erased

    def _games(self) -> dict[str, dict[str, str]]:
        return self._file.value() or {}

    def _save(self, games: dict[str, dict[str, str]]) -> None:
        text = json.dumps({"format": 1, "games": games}, ensure_ascii=False, indent=1)
        try:
            durable.replace(self._path, text, 0o600)
        except OSError as error:
            raise StationError(f"{self._path}: the names of players cannot be saved: {error.strerror}") from error


def _parse(text: str) -> dict[str, dict[str, str]]:
    """Read the file. Raises ValueError saying what was expected."""
    games: dict[str, Any] = small.member(text, "games", dict)
    for game, seats in games.items():
        if not game.isdecimal() or not isinstance(seats, dict) or not all(map(is_name, seats.values())):
            raise ValueError(f"expected names by seat under the number of a game, got {game[:20]!r}")
    return games


def is_name(value: object) -> bool:
    """Whether a value is the name of somebody."""
    try:
        return bool(outside.name(value))
    except Malformed:
        return False


def file_of(journal: Path) -> Path:
    """Return the file with the names of this journal's games, which is named after it: games have numbers in each.

    >>> [file_of(Path("/evenings") / name).name for name in ("friday.db", "friday")]
    ['friday.players.json', 'friday-players.json']
    """
    path = journal.absolute()
    name = path.name.removesuffix(".db")
    return path.with_name(f"{name}{'.' if name != path.name else '-'}players.json")


def beside(journal: Path) -> PlayerNames:
    """Return the names of the players of this journal's games."""
    return PlayerNames(file_of(journal))
