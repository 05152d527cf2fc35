"""Journals changed by somebody who has the file in his hands."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def tampered(path: Path, *statements: str) -> None:
    """Change a journal behind its triggers, which are put back."""
    db = sqlite3.connect(path)
    triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        db.execute(f"DROP TRIGGER {name}")
    for statement in (*statements, *(sql for _, sql in triggers)):
        db.execute(statement)
    db.commit()
    db.close()
