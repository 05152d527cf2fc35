"""Journals of earlier versions, made of kept games as the release of their time left them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from referee.journal import schema
from referee.journal.chain import canonical

EDITIONS = Path(__file__).parent / "editions"
GAME = EDITIONS / "riddle-of-the-ring-2.jsonl"
"""A game of format 2 that goes on, under an edition of today."""


def write(path: Path, games: Sequence[Path] = (GAME,), version: int = 2) -> None:
    """Make a journal of that version; each of these games has number 1, so there can be one with its chain whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode = WAL")
    for step in schema._STEPS[:version]:
        for statement in step:
            db.execute(statement)
    db.execute(f"PRAGMA application_id = {schema.APPLICATION}")
    db.execute(f"PRAGMA user_version = {version}")
    for file in games:
        first, *lines = (json.loads(line) for line in file.read_text(encoding="ascii").splitlines())
        start = lines[0]
        row = (first["game"], first["book"], first["edition"], first["ruling"], start["wall"])
        db.execute("INSERT INTO games VALUES (?, ?, ?, ?, ?)", row)
        for line in lines:
            table = "entries" if line.pop("type") == "entry" else "seals"
            if table == "seals" and version < 2:
                continue
            if table == "entries":
                line |= {name: canonical(line[name]) for name in ("answer", "result")}
            names = ", ".join(f'"{name}"' for name in line)
            db.execute(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(line))})", tuple(line.values()))
    db.commit()
    db.close()
