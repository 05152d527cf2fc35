"""How well the tray reads rendered throws: `python -m tests.hardware.tray.judge --throws 2000 --seed 1000000`.

``--dark 400`` judges dark dice with light pips as well, and ``--uncalibrated 400`` pictures without a calibration, of
plain grounds of any colour. Where something is wrong with a throw, reading it at all counts as wrong. Seeds from
1,000,000 on are for judging; nothing was tuned on them.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, TypeAlias

import cv2
import numpy as np

from hardware.dice.tray import uncalibrated
from hardware.dice.tray.calibration import locate, measure, sheet
from hardware.dice.tray.reader import Reader, Sight
from tests.hardware.tray import scenes
from tests.hardware.tray.render import Array

UNCALIBRATED = ("", "", "cocked", "", "", "cocked", "marked", "stacked", "foreign")
"""Throws of one tray that nobody calibrated."""

EACH = 40
"""Throws of one tray, its light and its dice, of the kind of which most are wanted."""


@dataclass
class Count:
    """What came of throws of one kind."""

    throws: int = 0
    accepted: int = 0
    wrong: int = 0
    whys: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        """Return them for the table."""
        share = self.accepted / max(1, self.throws)
        return {"throws": self.throws, "accepted": round(share, 4), "refused": round(1 - share, 4),
                "wrong": self.wrong, "why": dict(self.whys)}  # fmt: skip


def right(sight: Sight, throw: scenes.Throw, near: float) -> bool:
    """Whether every die was read as what it is, where it is."""
    left = list(throw.faces)
    for die in sight.dice:
        match = next(
            (each for each in left if each[0] == die.face and np.hypot(each[1] - die.x, each[2] - die.y) < near), None
        )
        if match is None:
            return False
        left.remove(match)
    return not left


Read: TypeAlias = Callable[[Array], Sight]


def judge(read: Read, setting: scenes.Setup, rng: np.random.Generator, count: Count, trick: str,
          keep: Path | None) -> tuple[Sight, scenes.Throw]:  # fmt: skip
    """Throw, read and count once."""
    throw = scenes.throw(setting, rng, int(rng.integers(1, 6)), trick)
    picture = scenes.picture(setting, throw, rng)
    start = time.process_time()
    sight = read(picture)
    count.seconds.append(time.process_time() - start)
    count.throws += 1
    count.whys[sight.why or "read"] += 1
    is_wrong = False
    if not sight.why:
        count.accepted += 1
        is_wrong = not right(sight, throw, setting.die.size)
        count.wrong += is_wrong
    if keep is not None and (is_wrong or bool(sight.why) != bool(trick)):
        faces = "".join(str(face) for face, _, _ in throw.faces)
        cv2.imwrite(
            str(keep / f"{trick or 'flat'}-{setting.cloth}-{faces}-{sight.why or 'read'}-{count.throws}.png"), picture
        )
    return sight, throw


def calibrated(setting: scenes.Setup, seed: int) -> Reader:
    """Return a reader of a tray that was calibrated as people do it; a ruler is 2 % off. Raises BadPicture."""
    rng = np.random.default_rng([seed, 7])
    floor = setting.scene.tray.size
    height = float(setting.scene.camera.at[2]) * rng.uniform(0.98, 1.02)
    view = locate(scenes.with_sheet(setting, sheet(floor)), floor, height)
    empty = scenes.picture(setting, scenes.Throw((), ()), rng)
    throws = [scenes.picture(setting, scenes.throw(setting, rng, 4), rng) for _ in range(5)]
    return Reader(view, measure(view, empty, throws), empty)


def judge_trays(wanted: dict[str, int], seed: int, keep: Path | None, *, dark: bool = False) -> dict[str, Any]:
    """Calibrate trays, and throw so often with each trick; return the figures."""
    counts = {trick: Count() for trick in wanted}
    failed, number = 0, 0
    while any(counts[trick].throws < most for trick, most in wanted.items()):
        setting = scenes.setup(seed + number, dark=dark)
        number += 1
        try:
            reader = calibrated(setting, seed + number)
        except ValueError as error:
            failed += 1
            print(f"{setting.cloth} {setting.colours}: {error}", file=sys.stderr)
            continue
        rng = np.random.default_rng([seed, number])
        for trick, most in wanted.items():
            share = max(1, EACH * most // max(wanted.values()))
            for _ in range(min(share, most - counts[trick].throws)):
                judge(reader.read, setting, rng, counts[trick], trick, keep)
        if keep is not None:
            print(number, setting.cloth, setting.colours, {t or "flat": c.figures() for t, c in counts.items()},
                  file=sys.stderr, flush=True)  # fmt: skip
    seconds = [each for count in counts.values() for each in count.seconds]
    return {
        **{trick or "flat": count.figures() for trick, count in counts.items() if count.throws},
        "trays": number,
        "trays not calibrated": failed,
        "milliseconds a reading": round(1000 * median(seconds), 1) if seconds else None,
    }


def judge_uncalibrated(
    trays: int, seed: int, keep: Path | None = None, tricks: Sequence[str] = UNCALIBRATED
) -> dict[str, Any]:
    """Read pictures that nobody calibrated for, some with something wrong."""
    counts = {trick: Count() for trick in tricks}
    for number in range(trays):
        setting = scenes.setup(seed + 200_000 + number, plain=True)
        rng = np.random.default_rng([seed, 9, number])
        for trick in tricks:
            sight, throw = judge(uncalibrated.read, setting, rng, counts[trick], trick, keep)
            alone = len(throw.bodies) == 1 and throw.bodies[0].kind == "cube" and throw.bodies[0].pip > 0
            # Nobody has said how large the dice are: a smaller one by itself is a die.
            leans = trick in scenes.TRICKS and not (trick == "foreign" and alone)
            counts[trick].wrong += bool(leans and not sight.why and right(sight, throw, setting.die.size))
    return {trick or "flat": count.figures() for trick, count in counts.items()}


def run(options: argparse.Namespace) -> dict[str, Any]:
    """Return all figures."""
    wanted = {"": options.throws, "marked": options.marked // 2, "cocked": options.cocked,
              "stacked": options.others, "foreign": options.others}  # fmt: skip
    dark = {"": options.dark, "marked": options.marked // 2, "cocked": options.dark // 2}
    few = -(-options.uncalibrated // UNCALIBRATED.count(""))
    return {
        **judge_trays(wanted, options.seed, options.keep),
        **({"dark dice": judge_trays(dark, options.seed, options.keep, dark=True)} if any(dark.values()) else {}),
        **({"without a calibration": judge_uncalibrated(few, options.seed, options.keep)} if few else {}),
        "MiB with the renderer": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
    }  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--throws", type=int, default=2000, help="flat throws")
    parser.add_argument("--marked", type=int, default=2000, help="flat throws with glints or dirt on a top")
    parser.add_argument("--cocked", type=int, default=1000, help="throws with a die at 15 degrees or more")
    parser.add_argument("--others", type=int, default=200, help="throws with a stack, and with a foreign thing")
    parser.add_argument("--dark", type=int, default=400, help="flat throws of dark dice")
    parser.add_argument("--uncalibrated", type=int, default=400, help="flat throws without a calibration")
    parser.add_argument("--seed", type=int, default=scenes.JUDGED)
    parser.add_argument("--keep", type=Path, help="a folder for pictures that were not judged as they should be")
    options = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
    print(json.dumps(run(options), indent=1))


if __name__ == "__main__":
    main()
