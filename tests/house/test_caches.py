"""A station stands for months: whatever is kept for the next time has a bound."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

HOUSE = Path(__file__).parents[2]
FILES = sorted(
    str(path.relative_to(HOUSE)) for part in ("referee", "hardware") for path in (HOUSE / part).rglob("*.py")
)


def unbounded(source: str) -> list[int]:
    """Return the lines in which a cache without a bound is made."""
    lines = []
    for node in ast.walk(ast.parse(source)):
        for each in getattr(node, "decorator_list", ()):
            call = each if isinstance(each, ast.Call) else None
            name = ast.unparse(call.func if call else each).removeprefix("functools.")
            bound = call and [*call.args, *(k.value for k in call.keywords if k.arg == "maxsize")]
            if name == "cache" or (name == "lru_cache" and (not bound or ast.unparse(bound[0]) == "None")):
                lines.append(each.lineno)
    return lines


@pytest.mark.parametrize("file", FILES)
def test_every_cache_has_a_bound(file: str) -> None:
    assert unbounded((HOUSE / file).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("decorator", ["@cache", "@functools.cache", "@lru_cache", "@lru_cache(maxsize=None)"])
def test_a_cache_without_a_bound_is_found(decorator: str) -> None:
    assert unbounded(f"{decorator}\ndef f(): ...\n@lru_cache(maxsize=8)\ndef g(): ...") == [1]
