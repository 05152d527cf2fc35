"""Simulated boxes that play an event by themselves."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from referee.cli.exits import USAGE
from referee.cli.main import main
from tests.hall.process import running


@pytest.mark.long
def test_the_example_has_boxes_that_play(tmp_path: Path) -> None:
    with running("--example", "--tables", "2", state=tmp_path) as hall:
        while "Battle 1" not in (text := hall.ask(hall.own, "GET", "/board").read().decode()):
            assert hall.process.poll() is None
        assert text.count("box connected") == 2
        assert text.count("paper") == 6
        times: set[str] = set()
        while not times:
            log = "".join(hall.ask(hall.own, "GET", f"/table?table={table}").read().decode() for table in (1, 2))
            times = set(re.findall(r"<time>(\d\d:\d\d)</time>", log))
        now = time.time()
        minutes = {time.strftime("%H:%M", time.localtime(now - 60 * ago)) for ago in range(-1, 3)}
        assert times <= minutes


def test_an_event_has_no_simulated_boxes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hall", "--tables", "2"]) == USAGE
    assert "expected with --example" in capsys.readouterr().err
