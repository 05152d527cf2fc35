"""A calibrated reader of a random tray, from pictures of it alone."""

from __future__ import annotations

import numpy as np

from hardware.dice.tray.calibration import locate, measure, sheet
from hardware.dice.tray.geometry import Array, Cube, View
from hardware.dice.tray.reader import Reader
from tests.hardware.tray import scenes


def measured(setting: scenes.Setup, seed: int) -> tuple[View, Cube, Array]:
    """Return camera, dice and picture of an empty tray that was calibrated as people do it.

    A ruler is 2 % off, the dice are thrown five times. Raises BadPicture.
    """
    rng = np.random.default_rng([seed, 7])
    floor = setting.scene.tray.size
    height = float(setting.scene.camera.at[2]) * rng.uniform(0.98, 1.02)
    view = locate(scenes.with_sheet(setting, sheet(floor)), floor, height)
    empty = scenes.picture(setting, scenes.Throw((), ()), rng)
    throws = [scenes.picture(setting, scenes.throw(setting, rng, 4), rng) for _ in range(5)]
    return view, measure(view, empty, throws), empty


def calibrated(setting: scenes.Setup, seed: int) -> Reader:
    """Return a reader of that tray. Raises BadPicture."""
    return Reader(*measured(setting, seed))
