"""Texts that are kept beside the tests, one file for each game, and compared line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path

from referee import games

BOOKS = [book.id for book in games.books()]


def compare(folder: Path, book: str, text: str) -> None:
    """Fail at the first line that is not as kept."""
    lines = (folder / f"{book}.txt").read_text(encoding="utf-8").splitlines()
    for number, (before, now) in enumerate(zip_longest(lines, text.splitlines()), 1):
        assert now == before, f"{folder / book}.txt, from line {number} on"
    assert {path.stem for path in folder.iterdir()} == {*BOOKS}, "a text for each game, and no other"


def keep(folder: Path, text_of: Callable[[str], str]) -> None:
    """Write the texts anew, and name those that have changed."""
    folder.mkdir(exist_ok=True)
    for book in BOOKS:
        path = folder / f"{book}.txt"
        text = text_of(book)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"changed {path}\n")
