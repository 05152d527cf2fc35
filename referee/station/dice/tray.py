"""The tray's own process, as the station starts it (docs/tray.md)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import referee
from referee.config import Tray


def command(config: Tray, journal: Path) -> list[str]:
    """Return the command that watches the camera of the station that keeps this journal."""
    folder = journal.absolute().parent / "tray"
    calibration = Path(config.calibration).expanduser() if config.calibration else folder / "calibration.json"
    paths = (str(Path(referee.__file__).parents[1]), os.environ.get("PYTHONPATH", ""))
    words = ["env", f"PYTHONPATH={os.pathsep.join(filter(None, paths))}"]
    words += [sys.executable, "-P", "-m", "referee", "tray", "--watch", "--camera", config.camera]
    words += ["--calibration", str(calibration), *(f"--rpicam={each}" for each in config.rpicam)]
    return [*words, "--keep", str(folder / "throws")] if config.keep else words
