"""The dice a box knows: kept whole, refused clearly, and whose they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.errors import BadSetting, StationError
from referee.station.dice import KnownDice, KnownDie, beside

W1 = KnownDie("W1", "pixels", "C3:5A:11:20:7E:F0", 1_735_000_000)


@pytest.fixture
def known(tmp_path: Path) -> KnownDice:
    return beside(tmp_path / "state" / "journal.db")


def test_dice_are_kept_by_name_and_belong_to_seats(known: KnownDice) -> None:
    assert known.listed() == ()
    known.keep(W1)
    known.keep(KnownDie("A7", "godice", "C3:5A:11:20:7E:F1"))
    assert [die.name for die in known.listed()] == ["A7", "W1"]
    known.keep(KnownDie("Red", "pixels", W1.address))
    assert [die.name for die in known.listed()] == ["A7", "Red"], "one die has one name"
    with pytest.raises(BadSetting, match="no die is named 'B9'; known dice: A7, Red"):
        known.forget("B9")
    known.forget("A7")
    assert [die.name for die in known.listed()] == ["Red"]


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "[" * 9999, '{"format": 2, "dice": []}', '{"format": 1, "dice": [{}]}', '{"format": 1}', "\xff"),
        '{"format": 1, "dice": [{"name": "W1", "kind": "d20", "address": "", "built": 0, "seat": 0}]}',
        '{"format": 1, "dice": [{"name": "W1", "kind": "pixels", "address": "", "built": 0, "seat": true}]}',
        '{"format": 1, "dice": [{"name": "W1", "kind": "pixels", "address": "", "built": 0, "seat": 7}]}',
    ],
)
def test_a_file_that_is_damaged_is_said_to_be_and_stays(tmp_path: Path, text: str) -> None:
    file = tmp_path / "dice.json"
    file.write_text(text, encoding="latin-1")
    known = beside(tmp_path / "journal.db")
    for deed in (known.listed, lambda: known.keep(W1), lambda: known.forget("W1")):
        with pytest.raises(StationError, match=r"dice\.json: the dice cannot be read: "):
            deed()
    assert file.read_text(encoding="latin-1") == text
