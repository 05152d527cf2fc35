"""The power is cut in the middle of a game, again and again: what the glass has said is accepted must still be there.

Acknowledged is an answer once the picture that follows it has left the guest, byte for byte over the display's bus.
"""

from __future__ import annotations

import contextlib
import random
import statistics
import subprocess
from pathlib import Path
from typing import Any

from referee.console.views import Dice
from tests.kernel.disk import Disk
from tests.kernel.journals import accepted, recover
from tests.kernel.machine import Guest
from tests.kernel.sitting import LEAD, Differs, Player, Sitting

MOMENTS = ("drawn", "time", "disk", "time")
"""When the power is cut: the very moment a picture is complete; at some time between just before the next press and a
little after its picture; or with the press's first requests to the disk, before one of them is carried out.
"""

REQUESTS = 4
"""An answer takes two or three requests to the disk: writes and a flush."""

State = tuple[list[tuple[Any, ...]], tuple[Any, ...]]
"""The entries of a game, and its prompt."""


def measure(folder: Path, guest: Guest, cuts: int, seed: int) -> dict[str, Any]:
    """Cut the power of a game so often, and switch it on once more. Raises Differs if an answer is lost."""
    game = Cuts(guest, folder, seed)
    for cut in range(cuts):
        game.cut(cut)
    game.last_prompt()
    return game.figures | {"blocks_at_stake": game.disk.at_stake, "blocks_dropped": game.disk.dropped}


class Cuts:
    """A game that is cut off and taken up again; ``figures`` counts."""

    def __init__(self, guest: Guest, folder: Path, seed: int) -> None:
        self.figures = dict.fromkeys(("cuts", "presses", "acknowledged", "in_flight", "in_flight_kept"), 0)
        self.disk = Disk()
        self._guest = guest
        self._folder = folder
        self._chance = random.Random(seed)
        self._twin = folder / "twin.db"
        self._expected: tuple[Any, ...] = ()

    def cut(self, cut: int) -> None:
        """Play from power-on to a cut. Raises Differs if the journal or the prompt is not as it must be."""
        moment = MOMENTS[cut % len(MOMENTS)]
        with Sitting(self._guest, self.disk, self._twin) as sitting:
            if cut:
                self._compare(sitting)
            else:
                sitting.begin()
            had = len(accepted(sitting.twin.journal))
            more = 1 + self._chance.randrange(3)
            # Three power-ons in a row without an accepted answer would rightly bring the safe mode.
            while more or (cut and len(accepted(sitting.twin.journal)) == had):
                sitting.key(_next(sitting, self._chance))
                more = max(0, more - 1)
            shown = _state(sitting)
            if moment != "drawn":
                self._press_and_cut(sitting, moment)
            sitting.machine.cut()
            might = _state(sitting)
        self.disk.cut(self._chance)
        self._twin = recover(self.disk, self._folder / f"after-{cut}")
        recorded = accepted(self._twin)
        for entries, prompt in (shown, might):
            if recorded == entries:
                self._expected = prompt
                break
        else:
            raise Differs(f"after cut {cut + 1} the journal holds {recorded[-3:]}; acknowledged was {shown[0][-3:]}")
        self.figures["cuts"] += 1
        self.figures["presses"] += sitting.presses
        self.figures["acknowledged"] += len(shown[0]) - (had if cut else 0)
        self.figures["in_flight"] += moment != "drawn"
        self.figures["in_flight_kept"] += recorded == might[0] != shown[0]

    def last_prompt(self) -> None:
        """Power on once more: the last prompt, too, must stand again."""
        with Sitting(self._guest, self.disk, self._twin) as sitting:
            self._compare(sitting)

    def _compare(self, sitting: Player) -> None:
        """The guest's glass has been compared with the twin's, which took up the journal that the cut left behind."""
        _, prompt = _state(sitting)
        if prompt != self._expected:
            raise Differs(f"{prompt} stands where {self._expected} was to be")

    def _press_and_cut(self, sitting: Player, moment: str) -> None:
        key = _next(sitting, self._chance)
        machine = sitting.machine
        if moment == "disk":
            self.disk.trip(self._chance.randrange(REQUESTS), machine.process.kill)
        machine.press(sitting.pins.keys[f"die-{key}" if key.isdigit() else key], lead=LEAD)
        latest = 1.2 * statistics.median(sitting.took)
        with contextlib.suppress(subprocess.TimeoutExpired):
            machine.process.wait(latest if moment == "disk" else self._chance.uniform(0, latest))
        machine.cut()
        sitting.twin.key(key)


def _next(sitting: Player, chance: random.Random) -> str:
    """Return a key that leads on: a face, or one of those that can be had now."""
    if isinstance(sitting.twin.view, Dice):
        return str(chance.randint(1, 6))
    buttons = sitting.twin.console.stage.top.buttons
    keys = [each.key.lower() for each in buttons if each.bar is None and not each.held]
    return chance.choice([key for key in keys if key == "select" or key in set("123456")] or ["select"])


def _state(sitting: Player) -> State:
    session = sitting.twin.console.table.session
    prompt = session.prompt if session else None
    asked = (prompt.n, prompt.ask, prompt.seat, prompt.kind) if prompt else ()
    return accepted(sitting.twin.journal), asked
