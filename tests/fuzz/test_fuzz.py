"""The fuzzed inputs in small; ``REFEREE_FUZZ_INPUTS`` is their number (`make test-long` asks for 200,000).

And that each seam's judge sees what it is there for: a fault put into the production code is found, with its seed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

import pytest

from hardware.line import wire
from referee.drive import driver
from referee.session import Session
from referee.web import inbound, pair_endpoint, pairing
from referee.web.browsers import Browsers
from tests.fuzz import __main__ as command
from tests.fuzz import messages
from tests.fuzz.__main__ import SEAMS, Failed, fuzz, main
from tests.fuzz.house import House
from tests.hardware.line import wire_fuzz

INPUTS = int(os.environ.get("REFEREE_FUZZ_INPUTS", "30000"))


def test_no_input_crashes_or_changes_what_it_should_not() -> None:
    figures = fuzz(INPUTS, seed=7)
    assert figures["inputs"] >= INPUTS * 0.99
    assert list(figures["seams"]) == list(SEAMS)
    for name, seam in figures["seams"].items():
        assert seam["accepted"] > 0, f"nothing valid was tried at {name}"
        assert seam["refused"] > 0, f"nothing else was tried at {name}"
        assert seam["inputs"] == seam["refused"] + seam["accepted"], f"not every input was judged at {name}"
        assert seam["state_comparisons"] > 0, f"the state was not looked at, at {name}"
    failures = ("crashes", "state_changes_from_invalid_input", "other_failures")
    assert [figures[each] for each in failures] == [0, 0, 0]
    cables = figures["cables"]
    assert (cables["pulls"], cables["lost"], cables["doubled"]) == (INPUTS // 100, 0, 0)


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
        ("messages", inbound, "_steps", lambda value: value),
        ("messages", Browsers, "_allow", lambda *_: "judge"),
        ("requests", pairing, "_same", lambda *_: True),
        ("requests", pair_endpoint, "parse", lambda _: ("ask", "")),
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
    printed = capsys.readouterr()
    assert "after b'" in printed.err
    assert "python -m tests.fuzz --seed 5 --seam serial --part 0" in printed.err
    figures = json.loads(printed.out)
    assert (figures["crashes"], figures["state_changes_from_invalid_input"], figures["other_failures"]) == (0, 1, 0)


def test_a_crash_is_counted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(wire, "crc32", lambda _: 1 // 0)
    assert main(["--inputs", "2000", "--seam", "serial"]) == 1
    figures = json.loads(capsys.readouterr().out)
    assert (figures["crashes"], figures["state_changes_from_invalid_input"]) == (1, 0)


def test_a_change_after_the_last_message_of_a_line_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "DIGEST", 10**9)
    digests = iter(range(10**6))
    monkeypatch.setattr(House, "digest", lambda _: str(next(digests)))
    with pytest.raises(Failed, match="changed the state") as raised:
        fuzz(2000, seed=3, seam="messages")
    assert raised.value.figures["state_changes_from_invalid_input"] == 1


def test_a_press_that_is_lost_is_counted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(command, "SEAMS", {})
    monkeypatch.setattr(wire_fuzz.End, "tell", forgetful(wire_fuzz.End.tell))
    assert main(["--inputs", "10000", "--seed", "5"]) == 1
    printed = capsys.readouterr()
    assert "python -m tests.hardware.line.wire_fuzz --seed 5 --pulls 100" in printed.err
    assert json.loads(printed.out)["cables"]["lost"] > 0


def forgetful(tell: Callable[..., None]) -> Callable[..., None]:
    """Return what tells an application of all but every seventh press."""

    def some(end: wire_fuzz.End, events: list[wire.Event]) -> None:
        tell(end, [each for each in events if each.kind != wire.DATA or int(each.text) % 7])

    return some
