"""T1, T4: a page that may be old says so, and a computer's clock that is set changes no round."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from referee.hall import example
from referee.hall.desk import Desk, SteadyClock, passing
from referee.hall.staff import LIFE, ROLES, Access, passes_of
from referee.tournament.acts.people import PlayerAdded
from referee.tournament.acts.rounds import RoundStarted
from tests.hall import process
from tests.hall.room import Room
from tests.hall.visitor import at_desk_of


class Moved:
    """A computer's clock that somebody sets. ``set``: by how much, s."""

    def __init__(self) -> None:
        self.passed, self.set = 100.0, 0.0

    def clock(self) -> SteadyClock:
        return SteadyClock(lambda: 1_800_000_000.0 + self.passed + self.set, lambda: self.passed)


YEAR = 365 * 86400.0


@pytest.mark.parametrize(
    ("by", "words"),
    [
        (-3600.0, "set back by 60 min"),
        (7200.0, "set forward by 120 min"),
        (-YEAR, "set back by 365 days"),
        (YEAR, "set forward by 365 days"),
    ],
)
def test_a_clock_that_is_set_moves_no_round_and_is_told(by: float, words: str, tmp_path: Path) -> None:
    moved = Moved()
    with Desk(tmp_path / "event", clock=moved.clock()) as desk:
        example.fill(desk)
        desk.perform(RoundStarted(who="organiser", at=desk.now(), round=1))
        before, page = desk.now(), at_desk_of(desk)
        assert "The clock of this computer" not in page.get("/").words
        moved.passed += 600.0
        moved.set = by
        assert desk.now() == before + 600_000
        assert f"The clock of this computer was {words}" in page.get("/").words


def test_time_asleep_counts() -> None:
    assert passing() == pytest.approx(time.clock_gettime(time.CLOCK_BOOTTIME), abs=1)


@pytest.mark.parametrize(("by", "words"), [(3600.0, "50 min"), (YEAR, "365 days")])
def test_a_hall_started_anew_with_an_old_clock_says_so(by: float, words: str, tmp_path: Path) -> None:
    moved = Moved()
    with Desk(tmp_path / "event", clock=moved.clock()) as desk:
        example.fill(desk)
        desk.perform(RoundStarted(who="organiser", at=desk.now(), round=1))
        moved.passed += 600.0
    moved.set = -by
    with Desk(tmp_path / "event", clock=moved.clock()) as desk:
        assert f"is {words} behind the record of this round" in at_desk_of(desk).get("/").words
        desk.perform(PlayerAdded(who="organiser", at=desk.now(), player=99))
        assert f"is {words} behind the record of this round" in at_desk_of(desk).get("/").words
    moved.set = 0.0
    with Desk(tmp_path / "event", clock=moved.clock()) as desk:
        assert desk.clock_warning == ""


@pytest.mark.parametrize("by", [YEAR, -YEAR])
def test_a_clock_that_is_set_logs_nobody_out(by: float, tmp_path: Path) -> None:
    moved = Moved()
    clock = moved.clock()
    access = Access(passes_of(tmp_path, clock))
    token = access.let_in(access.invite("judge").code, "192.0.2.20", "")
    moved.set = by
    assert access.holder(token, ROLES) is not None
    moved.passed += LIFE
    assert access.holder(token, ROLES) is None


@pytest.mark.long
@pytest.mark.parametrize("path", ["", "tv?page=1&hold=1", "tv?page=1", "standings"])
def test_a_page_whose_hall_is_silent_says_since_when_it_is_old(browser: Chrome, tmp_path: Path, path: str) -> None:
    with process.running("--example", state=tmp_path) as hall:
        room = Room(browser, hall)
        room.open(f"{room.public}{path}")
        assert not room.find(".stale").is_displayed()
        hall.process.send_signal(signal.SIGSTOP)
        room.until(lambda: room.find(".stale").is_displayed())
        assert room.text(".stale").startswith("No answer since")
        hall.process.send_signal(signal.SIGCONT)
        room.until(lambda: not room.find(".stale").is_displayed())
