"""Faults of what the box is made of: keys, display, input board."""

from __future__ import annotations

import errno
from pathlib import Path

from tests.faults.rig import Rig
from tests.faults.table import Row, scenario

NEVER = 1e9
"""Seconds, more than any evening has."""


@scenario("Keys", "a key is stuck")
def stuck(folder: Path) -> Row:
    with Rig(folder) as rig:
        rig.inject(lambda: rig.simulated.press("select"))
        rig.until_said("Key stuck")
        rig.mend(lambda: rig.simulated.release("select"))
        rig.until_usable(key="back")
        return rig.row("letting go, then any key")


@scenario("Keys", "a contact chatters")
def chatters(folder: Path) -> Row:
    with Rig(folder) as rig:

        def chatter() -> None:
            for _ in range(200):
                rig.simulated.press("seat-1")
                rig.wait(0.001)
                rig.simulated.release("seat-1")
                rig.wait(0.001)

        rig.inject(chatter)
        rig.until_said("Key chatters")
        rig.mend(lambda: rig.wait(0.1))
        rig.until_usable(key="back")
        return rig.row("the contact resting, then any key")


@scenario("Display", "unplugged while nothing is drawn, then a knob is turned")
def unplugged(folder: Path) -> Row:
    with Rig(folder) as rig:
        rig.simulated.controller.absent = True
        rig.inject(lambda: rig.simulated.turn(1))
        rig.until_said_beside("Display lost")

        def plug() -> None:
            rig.simulated.controller.power_cycle()
            rig.simulated.controller.absent = False

        rig.wait(20)
        rig.mend(plug)
        rig.until_seen("Display back")
        rig.until_usable(key="select")
        return rig.row("plugging it in, then any key")


@scenario("Display", "a bus error (EIO) within a picture")
def bus_error(folder: Path) -> Row:
    with Rig(folder) as rig:
        rig.simulated.controller.fail_next(errno.EIO, after=1, taken=40)
        rig.inject(lambda: rig.simulated.turn(1))
        rig.until_said_beside("Display lost")
        rig.mend(lambda: None)
        rig.until_seen("Display back")
        rig.until_usable(key="select")
        return rig.row("trying again after a second, then any key")


@scenario("Display", "a transfer that takes ten seconds, and a key pressed meanwhile")
def slow_bus(folder: Path) -> Row:
    with Rig(folder) as rig:
        return _wedged(rig, 10.0)


@scenario("Display", "a bus that never lets go, for an hour")
def wedged_bus(folder: Path) -> Row:
    with Rig(folder) as rig:
        return _wedged(rig, NEVER)


def _wedged(rig: Rig, seconds: float) -> Row:
    rig.simulated.controller.stall_next(seconds)
    before = len(rig.console.table.entries)
    rig.inject(lambda: rig.simulated.turn(1))
    rig.wait(0.2)
    rig.hold("die-2", 0.06)  # on the question that still stands on the glass
    assert len(rig.console.table.entries) == before + 1, "a key had to wait for the display"
    assert rig.clock.now - rig.console.table.entries[-1].at < 0.1
    rig.asked = rig.console.table.n
    rig.until_said_beside("Display hangs")
    for _ in range(3):  # on what nobody can see
        rig.key("1", "select", "back")
    assert len(rig.console.table.entries) == before + 1, "a press was taken for a question nobody had seen"
    rig.wait(min(seconds, 3600))
    rig.mend(rig.screen.let_go)
    rig.until_seen("Display back")
    rig.until_usable(key="select")
    return rig.row("the bus letting go, then any key", "5", "4")


@scenario("Display", "its plug out and in again unnoticed")
def powered_anew(folder: Path) -> Row:
    with Rig(folder) as rig:
        rig.inject(rig.simulated.controller.power_cycle)
        rig.wait(1)
        assert rig.glass.getbbox() is None
        rig.seen, rig.noticed = "a dark glass, until Back is held", 0.0
        rig.mend(lambda: rig.hold("back", 0.6))
        rig.until_seen("Undo")
        rig.until_usable(key="back")
        return rig.row("holding Back, or five minutes without a key; Back closes the menu")
