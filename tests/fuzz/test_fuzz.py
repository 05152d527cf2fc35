"""The fuzzed inputs in small; ``REFEREE_FUZZ_INPUTS`` is their number (continuous integration asks for a million).

And that each seam's judge sees what it is there for: a fault put into the production code is found, with its seed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from hardware import wire
from referee import drive
from referee.session import Session
from referee.web import inbound, pairing, porch
from referee.web.room import Room
from tests.fuzz.__main__ import SEAMS, Failed, fuzz, main

INPUTS = int(os.environ.get("REFEREE_FUZZ_INPUTS", "30000"))


def test_no_input_crashes_or_changes_what_it_should_not() -> None:
    figures = fuzz(INPUTS, seed=7)
    assert figures["inputs"] >= INPUTS * 0.99
    assert list(figures["seams"]) == list(SEAMS)
    for name, seam in figures["seams"].items():
        assert seam["valid_and_taken"] > 0, f"nothing valid was tried at {name}"


def blind(*_: object) -> int:
    return 0


def deaf(self: Session, *_: Any, **__: Any) -> None:
    """Whoever is late, or paused, is heard all the same."""


@pytest.mark.parametrize(
    ("seam", "owner", "name", "fault"),
    [
        ("serial", wire, "crc32", blind),
        ("drive", drive, "_beside", lambda _: (None, None, False, False)),
        ("drive", Session, "current", deaf),
        ("messages", inbound, "_steps", lambda value: value),
        ("messages", Room, "_allow", lambda *_: "judge"),
        ("requests", pairing, "_same", lambda *_: True),
        ("requests", porch, "parse", lambda _: ("ask", "")),
        ("sockets", inbound, "_key", lambda _: "die-1"),
    ],
)
def test_a_fault_is_found_and_named_with_its_seed(
    monkeypatch: pytest.MonkeyPatch, seam: str, owner: object, name: str, fault: Callable[..., object]
) -> None:
    monkeypatch.setattr(owner, name, fault)
    with pytest.raises(Failed, match=rf"--seed 3 --seam {seam} --part 0"):
        fuzz(4000, seed=3, seam=seam)


def test_the_figures_come_by_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--inputs", "300", "--seam", "drive", "--part", "2"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["inputs"], figures["crashes"]) == (300, 0)


def test_a_failure_prints_how_to_repeat_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wire, "crc32", blind)
    assert main(["--inputs", "2000", "--seam", "serial", "--seed", "5"]) == 1
    said = capsys.readouterr().err
    assert "after b'" in said
    assert "python -m tests.fuzz --seed 5 --seam serial --part 0" in said
