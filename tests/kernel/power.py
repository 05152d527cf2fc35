"""The power is cut in the middle of a game, again and again: what the glass has said is accepted must still be there.

Acknowledged is an answer once the picture that follows it has left the guest, byte for byte over the display's bus.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

from referee.console.views import Notice, Ruling
from tests.bench.spread import spread
from tests.kernel.journals import accepted, recover
from tests.kernel.prepare import disk
from tests.kernel.sitting import Differs, Sitting

LATEST = 0.4
"""Seconds after a press at which the power is cut at the latest; its picture takes about a quarter of that."""


def measure(kernel: tuple[Path, Path], folder: Path, cuts: int, seed: int = 1) -> dict[str, Any]:
    """Play on after each cut. Raises Differs if an acknowledged answer is lost or another prompt stands."""
    chance = random.Random(seed)
    image = disk(folder / "disk")
    twin = folder / "twin.db"
    told: dict[str, Any] = {
        "cuts": 0,
        "presses": 0,
        "acknowledged": 0,
        "lost": 0,
        "in_flight": 0,
        "in_flight_kept": 0,
    }
    cycles: list[float] = []
    resumed: list[float] = []
    expected: tuple[Any, ...] = ()
    for cut in range(cuts):
        began = time.monotonic()
        with Sitting(kernel, image, twin) as sitting:
            resumed.append(sitting.resumed)
            if cut:
                _stands(sitting, expected)
            else:
                sitting.begin()
            _play(sitting, 3 + chance.randrange(4), chance)
            said, stood = _entries(sitting), _prompt(sitting)
            in_flight = bool(cut % 2)
            if in_flight:
                _press_and_cut(sitting, chance)
            else:
                sitting.machine.cut()  # at the very moment its last picture was complete
            might, may_stand = _entries(sitting), _prompt(sitting)
            told["presses"] += sitting.presses
        twin = recover(image, folder / f"after-{cut}")
        found = accepted(twin)
        told["cuts"] += 1
        told["acknowledged"] = len(said)
        told["in_flight"] += in_flight
        told["in_flight_kept"] += found == might != said
        told["lost"] += len(said) - len([1 for a, b in zip(said, found, strict=False) if a == b])
        if found not in (said, might):
            raise Differs(f"after cut {cut + 1} the journal holds {found[-3:]}; acknowledged was {said[-3:]}")
        cycles.append(time.monotonic() - began)
        expected = stood if found == said else may_stand
    # One more power-on: the last prompt, too, must stand again.
    with Sitting(kernel, image, twin) as sitting:
        _stands(sitting, expected)
    return told | {"cycle_s": spread(cycles, 1), "power_to_prompt_s": spread(resumed, 1)}


def _stands(sitting: Sitting, expected: tuple[Any, ...]) -> None:
    """The guest's glass has been compared with the twin's, which took up the journal that the cut left behind."""
    if _prompt(sitting) != expected:
        raise Differs(f"{_prompt(sitting)} stands where {expected} was to be")


def _play(sitting: Sitting, presses: int, chance: random.Random) -> None:
    for _ in range(presses):
        sitting.key(_next(sitting, chance))


def _next(sitting: Sitting, chance: random.Random) -> str:
    """Return a key that leads on."""
    if isinstance(sitting.twin.view, (Notice, Ruling)) or sitting.twin.console.top.wakes:
        return "select"
    return str(chance.randint(1, 6)) if sitting.asked == "roll" else "1"


def _press_and_cut(sitting: Sitting, chance: random.Random) -> None:
    key = _next(sitting, chance)
    time.sleep(0.4)
    sitting.machine.press(sitting.pins.keys[f"die-{key}" if key.isdigit() else key])
    time.sleep(chance.uniform(0, LATEST))
    sitting.machine.cut()
    sitting.twin.key(key)


def _entries(sitting: Sitting) -> list[tuple[Any, ...]]:
    return accepted(sitting.twin.journal)


def _prompt(sitting: Sitting) -> tuple[Any, ...]:
    session = sitting.twin.console.session
    prompt = session.prompt if session else None
    return (prompt.n, prompt.ask, prompt.seat, prompt.kind) if prompt else ()
