"""The power is cut in the middle of a game, again and again: what the glass has said is accepted must still be there.

Acknowledged is an answer once the picture that follows it has left the guest, byte for byte over the display's bus.
"""

from __future__ import annotations

import contextlib
import random
import statistics
import subprocess
import time
from pathlib import Path
from typing import Any

from referee.console.views import Dice
from referee.errors import RefereeError
from tests.kernel.disk import Disk
from tests.kernel.journals import accepted, recover
from tests.kernel.machine import Guest, MachineFault
from tests.kernel.sitting import LEAD, Differs, Player, PowerOn, Sitting

MOMENTS = ("drawn", "time", "disk", "time")
"""When the power is cut: the very moment a picture is complete; at some time between just before the next press and a
little after its picture; or with the press's first requests to the disk, before one of them is carried out.
"""

REQUESTS = 4
"""An answer takes two or three requests to the disk: writes and a flush."""


def measure(folder: Path, guest: Guest, cuts: int, seed: int, cold: Guest | None = None) -> dict[str, Any]:
    """Cut the power of a game so often; `cold` is powered on last. What was counted stands also beside a fault."""
    game = Cuts(guest, folder, seed)
    try:
        game.play(cuts)
        game.last_prompt(cold or guest)
    except (Differs, MachineFault, RefereeError) as error:
        return game.figures | {"failed": 1, "fault": f"seed {seed}, cut {game.figures['cuts']}: {error}"}
    return game.figures


class Cuts:
    """A game that is cut off and taken up again; ``figures`` counts, also where a `play` ended with Differs."""

    def __init__(self, guest: Guest, folder: Path, seed: int) -> None:
        self.figures: dict[str, Any] = dict.fromkeys(
            ("cuts", "presses", "acknowledged", "lost", "applied_twice", "in_flight", "in_flight_kept"), 0
        )
        self.figures |= {"cycle_s": [], "power_to_prompt_s": []}
        self._guest = guest
        self._folder = folder
        self._chance = random.Random(seed)
        self._disk = Disk()
        self._twin = folder / "twin.db"
        self._expected: tuple[Any, ...] = ()
        self._reaction = 1.0

    def play(self, cuts: int) -> None:
        """Play on after each cut. Raises Differs if an acknowledged answer is lost or another prompt stands."""
        for cut in range(cuts):
            began = time.monotonic()
            shown, might = self._live(cut, MOMENTS[cut % len(MOMENTS)])
            self._twin = self._recovered(self._folder / f"after-{cut}")
            recorded = accepted(self._twin)
            self._judge(cut, [shown, might], recorded)
            self.figures["cycle_s"].append(time.monotonic() - began)
        self.figures["blocks_at_stake"] = self._disk.at_stake
        self.figures["blocks_dropped"] = self._disk.dropped

    def last_prompt(self, guest: Guest) -> None:
        """Power on once more, that guest: the last prompt, too, must stand again."""
        with self._power_on(guest) as sitting:
            self._compare(sitting)
            if not sitting.machine.warm:
                self.figures["boot_to_prompt_s"] = round(sitting.resumed, 1)

    def _power_on(self, guest: Guest) -> PowerOn:
        """Switch on with the disk as the last cut left it, and with a twin that has its journal."""
        return Sitting(guest, self._disk, self._twin)

    def _recovered(self, folder: Path) -> Path:
        """Return a copy of the journal as the cut left it, read after the disk lost what it had not flushed."""
        self._disk.cut(self._chance)
        return recover(self._disk, folder)

    def _live(self, cut: int, moment: str) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
        """Play from power-on to the cut; return entries and prompt without and with the answer in flight."""
        with self._power_on(self._guest) as sitting:
            self.figures["power_to_prompt_s"].append(sitting.resumed)
            if cut:
                self._compare(sitting)
            else:
                sitting.begin()
            had = len(_entries(sitting))
            more = 1 + self._chance.randrange(3)
            # Three power-ons in a row without an accepted answer would rightly bring the safe mode.
            while more or (cut and len(_entries(sitting)) == had):
                sitting.key(_next(sitting, self._chance))
                more = max(0, more - 1)
            shown = _entries(sitting), _prompt(sitting)
            self._reaction = statistics.median(sitting.took)
            if moment != "drawn":
                self._press_and_cut(sitting, moment)
            sitting.machine.cut()
            self.figures["cuts"] += 1
            self.figures["presses"] += sitting.presses
            self.figures["acknowledged"] += len(shown[0]) - (had if cut else 0)
            self.figures["in_flight"] += moment != "drawn"
            return shown, (_entries(sitting), _prompt(sitting))

    def _judge(self, cut: int, could_be: list[tuple[Any, Any]], recorded: list[tuple[Any, ...]]) -> None:
        (shown, _), (might, _) = could_be
        self.figures["lost"] += sum(a != b for a, b in zip(shown, recorded + [()] * len(shown), strict=False))
        self.figures["applied_twice"] += max(0, len(recorded) - len(might))
        self.figures["in_flight_kept"] += recorded == might != shown
        for entries, prompt in could_be:
            if recorded == entries:
                self._expected = prompt
                return
        raise Differs(f"after cut {cut + 1} the journal holds {recorded[-3:]}; acknowledged was {shown[-3:]}")

    def _compare(self, sitting: Player) -> None:
        """The guest's glass has been compared with the twin's, which took up the journal that the cut left behind."""
        if _prompt(sitting) != self._expected:
            raise Differs(f"{_prompt(sitting)} stands where {self._expected} was to be")

    def _press_and_cut(self, sitting: Player, moment: str) -> None:
        key = _next(sitting, self._chance)
        machine = sitting.machine
        if moment == "disk":
            self._disk.trip(self._chance.randrange(REQUESTS), machine.process.kill)
        machine.press(sitting.pins.keys[f"die-{key}" if key.isdigit() else key], lead=LEAD)
        latest = 1.2 * self._reaction
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


def _entries(sitting: Player) -> list[tuple[Any, ...]]:
    return accepted(sitting.twin.journal)


def _prompt(sitting: Player) -> tuple[Any, ...]:
    session = sitting.twin.console.table.session
    prompt = session.prompt if session else None
    return (prompt.n, prompt.ask, prompt.seat, prompt.kind) if prompt else ()
