"""The page on security names tests that there are."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_every_test_that_the_page_names_exists() -> None:
    text = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", text)
    assert len(named) > 25
    missing = [f"{file}::{name}" for file, name in named if f"def {name}(" not in (ROOT / file).read_text("utf-8")]
    assert missing == []
