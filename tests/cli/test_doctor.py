"""The doctor as people call it: lines and to-dos, JSON for programs, and exit codes that tell fit from unfit."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.simulated.box import SimulatedBox
from referee.cli import main
from referee.doctor import examination
from tests.doctor.conftest import InstantEar, Machine, Player


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return str(tmp_path / "journal.db")


@pytest.fixture
def fit(monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    """A healthy machine with a healthy box, at which a willing player sits."""
    ear = InstantEar()
    box = SimulatedBox(clock=ear.clock)
    machine = Machine(box)
    monkeypatch.setattr(examination, "Host", lambda: machine)
    monkeypatch.setattr(examination, "open_box", lambda *_: (box.box, []))
    monkeypatch.setattr(examination, "Ear", lambda: ear)
    player = Player(box, ear)
    monkeypatch.setattr(examination, "Teller", lambda _: player)
    yield machine
    box.close()


@pytest.mark.usefixtures("fit")
def test_a_fit_box_ends_with_0_and_leaves_no_trace(
    journal: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--journal", journal]) == 0
    out = capsys.readouterr().out
    assert "die-6: 6 edges, bounced 0.7 ms closing and 1.5 ms opening [+0.0 -0.4 +0.7 -90.7 +91.3 -92.2]" in out
    assert out.splitlines()[-1].startswith("The box works")
    assert [*tmp_path.iterdir()] == []


@pytest.mark.usefixtures("fit")
def test_the_form_of_an_acceptance_has_all_and_three_lines_to_fill(journal: str, tmp_path: Path) -> None:
    form = tmp_path / "box.txt"
    assert main(["doctor", "--acceptance", str(form), "--journal", journal]) == 0
    lines = form.read_text("utf-8").splitlines()
    assert lines[0].startswith("Electronic referee ")
    assert "ok    20 of 20 presses of die key 6 counted" in lines
    assert [line for line in lines if line.endswith(":")] == [
        "What did not work, or was not clear:",
        "Five power cuts in the middle of a throw; what was lost:",
    ]


def test_what_was_found_is_in_the_form_of_a_test_broken_off(fit: Machine, journal: str, tmp_path: Path) -> None:
    form, done = tmp_path / "box.txt", signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    examination.Teller(None).instead["die-4"] = lambda: signal.raise_signal(signal.SIGINT)  # type: ignore[attr-defined]
    try:
        assert main(["doctor", "--acceptance", str(form), "--journal", journal]) != 0
    finally:
        signal.signal(signal.SIGINT, done)
    lines = form.read_text("utf-8").splitlines()
    assert [line for line in lines if line.startswith("ok    die-3:")]
    assert not [line for line in lines if "die-5" in line]


@pytest.mark.usefixtures("fit")
def test_json_is_one_value_on_stdout(journal: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--no-ask", "--json", "--journal", journal]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["fit"] is True
    parts = {finding["part"]: finding for finding in report["findings"]}
    assert "400 kHz" in parts["i2c-speed"]["text"]
    assert "key die-1" not in parts
    assert set(parts["glass"]) == {"part", "level", "text", "todo"}


def test_a_fault_ends_with_1_and_every_complaint_says_what_to_do(
    fit: Machine, journal: str, capsys: pytest.CaptureFixture[str]
) -> None:
    fit.box.controller.absent = True
    fit.box.press("die-2")
    assert main(["doctor", "--no-ask", "--journal", journal]) == 1
    out, err = capsys.readouterr()
    lines = out.splitlines()
    failed = [i for i, line in enumerate(lines) if line.startswith("fail")]
    assert len(failed) == 3  # the address, the stuck key, the glass
    assert all(lines[i + 1].startswith("      do: ") for i in failed)
    assert re.search(r"referee: 3 of \d+ checks failed", err)
