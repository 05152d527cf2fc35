"""Faults of what the box is made of: keys, display, input board."""

from __future__ import annotations

from pathlib import Path

from tests.faults.rig import Rig
from tests.faults.table import Row, scenario


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
