"""The fuzzed messages in small; ``REFEREE_FUZZ_INPUTS`` is their number (`make test-long` asks for 10,000).

And that their judge sees what it is there for: a fault put into the production code is found, with its seed.
"""

from __future__ import annotations

import os

import pytest

from referee.web import hub
from referee.web.browsers import Browsers
from tests.fuzz.__main__ import Failed, fuzz, main

INPUTS = int(os.environ.get("REFEREE_FUZZ_INPUTS", "1500"))


def test_no_input_crashes_or_changes_what_it_should_not() -> None:
    seen = fuzz(INPUTS, seed=7)
    assert seen["inputs"] == seen["refused"] + seen["accepted"] >= INPUTS * 0.99
    assert min(seen["accepted"], seen["refused"], seen["compared"]) > 0


@pytest.mark.long
def test_a_fault_is_found_and_named_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub, "_is_whole", lambda value: True)
    with pytest.raises(Failed, match="--seed 3 --part 0"):
        fuzz(4000, seed=3)


def test_a_failure_prints_how_to_repeat_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Browsers, "_allow", lambda *_: "judge")
    assert main(["--inputs", "2000", "--seed", "5"]) == 1
    printed = capsys.readouterr()
    assert "python -m tests.fuzz --seed 5 --part 0" in printed.err
