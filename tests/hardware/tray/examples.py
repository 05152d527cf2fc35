"""Draws the example of docs/dice.md, with which the tests work too: `python -m tests.hardware.tray.examples`."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from hardware.dice.tray.calibration import sheet
from tests.hardware.tray import scenes

FOLDER = Path(__file__).parents[3] / "docs" / "images" / "tray"
SEED = 25


def example() -> scenes.Setup:
    """Return the tray of the example."""
    return scenes.setup(SEED)


def main() -> None:
    """Write the pictures."""
    setting = example()
    rng = np.random.default_rng(SEED)
    floor = setting.scene.tray.size
    pictures = {
        "sheet": scenes.with_sheet(setting, sheet(floor)),
        "empty": scenes.picture(setting, scenes.Throw((), ()), rng),
    }
    for name, dice, trick in (
        ("throw-1", 4, ""), ("throw-2", 4, ""), ("throw-3", 4, ""),
        ("cocked", 3, "cocked"), ("stacked", 3, "stacked"), ("foreign", 3, "foreign"),
    ):  # fmt: skip
        throw = scenes.throw(setting, rng, dice, trick)
        print(name, [face for face, _, _ in throw.faces])
        pictures[name] = scenes.picture(setting, throw, rng)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures.items():
        cv2.imwrite(str(FOLDER / f"{name}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 90])
    print(f"floor {floor[0]:.1f} x {floor[1]:.1f} mm, camera {setting.scene.camera.at[2]:.0f} mm above it")


if __name__ == "__main__":
    main()
