"""Names of players: kept beside the journal, in order of use, and erased without a trace."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import Malformed, StationError
from referee.files.outside import LONGEST
from referee.files.players import PlayerNames, beside


@pytest.fixture
def players(tmp_path: Path) -> PlayerNames:
    return beside(tmp_path / "journal.db")


def test_names_are_kept_by_game_and_seat(players: PlayerNames, tmp_path: Path) -> None:
    for game, seat, name in (
        (1, "sauron", "Anna"),
        (1, "saruman", "Ben"),
        (2, "shadow", " Cleo "),
        (2, "free", "Ben"),
    ):
        players.name(game, seat, name)
    again = beside(tmp_path / "journal.db")
    assert again.names(1) == {"sauron": "Anna", "saruman": "Ben"}
    assert again.used() == ["Cleo", "Ben", "Anna"]
    assert (tmp_path / "journal.players.json").stat().st_mode & 0o777 == 0o600
    players.name(1, "sauron", "")
    assert again.names(1) == {"saruman": "Ben"}, "what another program changed is seen"
    assert again.names(7) == {}


def test_each_journal_of_a_folder_has_names_of_its_own(players: PlayerNames, tmp_path: Path) -> None:
    other = beside(tmp_path / "other.db")
    other.name(1, "sauron", "Anna")
    assert (players.names(1), players.used()) == ({}, [])
    players.name(1, "sauron", "Ben")
    bare = beside(tmp_path / "journal")
    bare.name(1, "sauron", "Cleo")
    assert (other.forget(), bare.forget()) == (1, 1)
    assert players.names(1) == {"sauron": "Ben"}


def test_an_erased_name_is_nowhere_any_more(players: PlayerNames, tmp_path: Path) -> None:
    players.name(1, "sauron", "Anna")
    players.name(2, "shadow", "Ben")
    players.name(3, "shadow", "Anna")
    assert players.forget("Nobody") == 0
    assert players.forget("Anna") == 2
    assert "Anna" not in (tmp_path / "journal.players.json").read_text()
    assert players.used() == ["Ben"]
    assert players.forget() == 1
    assert players.used() == []


@pytest.mark.parametrize(
    "name",
    [
        *("x" * (LONGEST + 1), "a\nb", "\x1b[2J", "An\0na", 7, None, "-", "a" + 4 * "\u0301"),
        *("\u3164", "\u2800Anna", "An\u115fna", "An\ufffdna", "\u0301Anna", "A\u034fnna"),  # L4
        *("e" + 99 * "\u20dd", "A" + 9 * "\ufe0f", "\u200d".join(25 * "ا"), "\u200d".join(31 * "👩")),  # L4
    ],
)
def test_what_is_no_name_is_refused_and_nothing_is_changed(players: PlayerNames, name: str) -> None:
    """L4: it is what is seen of it, and no more than 24 letters of that."""
    players.name(1, "sauron", "Anna")
    with pytest.raises(Malformed, match=r"a name |expected "):
        players.name(1, "sauron", name)
    assert players.names(1) == {"sauron": "Anna"}


DAMAGED = (
    "",
    "[]",
    '{"format": 2, "games": {}}',
    '{"format": 1, "games": {"x": {}}}',
    '{"format": 1, "games": {"1": []}}',
    '{"format": 1, "games": {"1": {"sauron": "\\u001b"}}}',
    '{"format": 1, "games": {"1": {"sauron": 7}}}',
    "[" * 9000,
)


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_file_names_nobody_and_is_not_overwritten(players: PlayerNames, tmp_path: Path, text: str) -> None:
    file = tmp_path / "journal.players.json"
    file.write_text(text)
    assert players.names(1) == {}
    with pytest.raises(StationError, match="cannot be read"):
        players.name(1, "sauron", "Anna")
    assert file.read_text() == text
