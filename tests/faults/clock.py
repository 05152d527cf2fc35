"""Faults of the clock on the wall. A Pi has none of its own: it may jump by years when a network comes."""

from __future__ import annotations

from pathlib import Path

from referee.journal.proof import verify
from tests.faults.rig import Rig
from tests.faults.table import Row, scenario

HOUR = 3600.0
DECADE = 3652 * 24 * HOUR


def _stepped(folder: Path, seconds: float) -> Row:
    with Rig(folder) as rig:
        view = rig.view
        before = rig.clock.wall()
        rig.inject(lambda: rig.clock.step(seconds))
        rig.silent("nothing: no rule and no guard reads the clock; entries record it")
        assert rig.view == view
        row = rig.row("nothing to do")
        (proof,) = verify(rig.journal)
        first, *_, last = rig.journal.entries(proof.game.game)
        assert abs(last.wall - before - seconds) < 60 < last.at - first.at + 60
        assert rig.shelf.latest() is not None  # it is taken up again
        return row


@scenario("Clock", "stepped forwards by an hour")
def hour_on(folder: Path) -> Row:
    return _stepped(folder, HOUR)


@scenario("Clock", "stepped back by an hour")
def hour_back(folder: Path) -> Row:
    return _stepped(folder, -HOUR)


@scenario("Clock", "stepped forwards by ten years")
def decade_on(folder: Path) -> Row:
    return _stepped(folder, DECADE)


@scenario("Clock", "stepped back by ten years")
def decade_back(folder: Path) -> Row:
    return _stepped(folder, -DECADE)
