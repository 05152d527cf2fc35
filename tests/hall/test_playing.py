"""Simulated boxes that play an event by themselves."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from referee.cli.exits import USAGE
from referee.cli.main import main
from referee.journal.notes import Notes
from referee.session.wish import Player, Seating
from referee.station.virtual.bench import Bench
from referee.station.virtual.tables import PlayingBox
from tests.hall.process import running

SEATING = Seating(
    1, 7, (Player(3, "Anna", "Free Peoples"), Player(9, "Bo", "Shadow")), wins=("Ring", "military"), stops=True
)


def games(bench: Bench) -> int:
    return sum(each.book == "war-of-the-ring" for each in bench.journal.games())


@pytest.mark.long
def test_a_box_plays_its_match_to_the_slip_and_then_waits_for_the_next_round(memory: Path) -> None:
    with closing(Bench(memory / "journal.db")) as bench:
        box = PlayingBox(bench, 3)
        box.go_on(30.0)
        assert games(bench) == 0  # nobody told it of a match
        bench.console.event.seat(SEATING)
        while bench.console.event.slip_due or bench.console.event.seating is None:
            box.go_on(5.0)
        notes = [each.extra for each in Notes(bench.journal, 1).read()]
        assert sum("slip" in each for each in notes) == 1
        while bench.console.table.session is not None:
            box.go_on(5.0)
        box.go_on(60.0)
        assert games(bench) == 1
        bench.console.event.seat(SEATING._replace(round=2))
        while games(bench) == 1:
            box.go_on(5.0)


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


def test_ctrl_c_ends_an_example_without_a_traceback_of_its_boxes(tmp_path: Path) -> None:
    command = (sys.executable, "-m", "referee.station.virtual.tables", "127.0.0.1:9", str(tmp_path))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as boxes:
        while not (tmp_path / "journal.db").exists():
            assert boxes.poll() is None
        boxes.send_signal(signal.SIGINT)
        _, said = boxes.communicate(timeout=20)
    assert boxes.returncode == 0
    assert "Traceback" not in said


def test_an_event_has_no_simulated_boxes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hall", "--tables", "2"]) == USAGE
    assert "expected with --example" in capsys.readouterr().err
