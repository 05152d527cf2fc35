"""A game of each book whose dice tell themselves by Bluetooth, and misbehave: the journal has what fell, once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.components import MEMORY
from tests.hardware.dice.bare import Bare
from tests.hardware.dice.games import opened, play, run
from tests.hardware.dice.table import FAULTS

MISHAPS = {
    *("tilted", "cocked", "lost while rolling", "nudged", "thrown twice", "taken back", "held", "asleep"),
    *("under a message", "thrown early"),
}


def check(counts: Counter[str], mishaps: int) -> None:
    assert {name: counts[name] for name in FAULTS} == dict.fromkeys(FAULTS, 0)
    assert counts["games"] >= 4, "one of each book"
    assert len([name for name in MISHAPS if counts[name]]) >= mishaps


def test_a_game_of_each_book_has_in_its_journal_what_the_dice_showed_once() -> None:
    bare = Bare()
    with TemporaryDirectory(dir=MEMORY) as folder, opened(Path(folder), bare, bare.attach, 1) as table:
        check(play(table, 6), mishaps=5)


@pytest.mark.long
def test_a_game_of_each_book_over_the_bus(dbus_daemon: str) -> None:
    check(run(60, seed=3), mishaps=len(MISHAPS))
