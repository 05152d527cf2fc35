"""The fuzzed inputs in small; ``REFEREE_FUZZ_INPUTS`` is their number (`make test-long` asks for 200,000).

And that each seam's judge sees what it is there for: a fault put into the production code is found, with its seed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from hardware.line import wire
from referee.drive import driver
from referee.session import Session
from referee.web import hub
from referee.web.browsers import Browsers
from tests.fuzz.__main__ import SEAMS, Failed, fuzz, main

INPUTS = int(os.environ.get("REFEREE_FUZZ_INPUTS", "30000"))


def test_no_input_crashes_or_changes_what_it_should_not() -> None:
    seams = fuzz(INPUTS, seed=7)["seams"]
    assert list(seams) == list(SEAMS)
    assert sum(seam["inputs"] for seam in seams.values()) >= INPUTS * 0.99
    for name, seam in seams.items():
        assert seam["accepted"] > 0, f"nothing valid was tried at {name}"
        assert seam["refused"] > 0, f"nothing else was tried at {name}"
        assert seam["inputs"] == seam["refused"] + seam["accepted"], f"not every input was judged at {name}"
        assert seam["compared"] > 0, f"the state was not looked at, at {name}"


def blind(*_: object) -> int:
    return 0


def deaf(self: Session, *_: Any, **__: Any) -> None:
    """Whoever is late, or paused, is heard all the same."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("seam", "owner", "name", "fault"),
    [
        ("serial", wire, "crc32", blind),
        ("drive", driver, "beside", lambda _: (None, None, False, False)),
        ("drive", Session, "current", deaf),
        ("messages", hub, "_is_whole", lambda value: True),
        ("messages", Browsers, "_allow", lambda *_: "judge"),
    ],
)
def test_a_fault_is_found_and_named_with_its_seed(
    monkeypatch: pytest.MonkeyPatch, seam: str, owner: object, name: str, fault: Callable[..., object]
) -> None:
    monkeypatch.setattr(owner, name, fault)
    with pytest.raises(Failed, match=rf"--seed 3 --seam {seam} --part 0"):
        fuzz(4000, seed=3, only=seam)


def test_a_failure_prints_how_to_repeat_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(wire, "crc32", blind)
    assert main(["--inputs", "2000", "--seam", "serial", "--seed", "5"]) == 1
    printed = capsys.readouterr()
    assert "after b'" in printed.err
    assert "python -m tests.fuzz --seed 5 --seam serial --part 0" in printed.err
