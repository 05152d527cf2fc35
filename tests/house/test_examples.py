"""The examples in docstrings come out as they are printed there."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SHOWN = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for package in ("hardware", "referee")
    for path in sorted((ROOT / package).rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", SHOWN)
def test_the_examples_of_a_module_come_out_as_printed(module: str) -> None:
    ran = doctest.testmod(import_module(module))
    assert (ran.failed, ran.attempted > 0) == (0, True)
