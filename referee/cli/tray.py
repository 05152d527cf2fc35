"""The tray with a camera: calibrate it, and read a picture."""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from hardware.errors import BadPicture
from referee.cli.output import say, show
from referee.cli.places import journal_path, lacking
from referee.errors import BadSetting, RefereeError, Unfit


def tray(options: Namespace) -> None:
    """Do what the options say. Raises BadSetting, StationError or OSError; Unfit where a throw is in doubt."""
    try:
        watch(options) if options.watch else still(_pictures(), options)
    except BadPicture as error:
        raise BadSetting(str(error)) from error


def still(pictures: ModuleType, options: Namespace) -> None:
    """Do what the options say of pictures."""
    if options.sheet is not None:
        pictures.print_sheet(options.sheet, _floor(options))
        written(
            options, options.sheet, [f"{options.sheet}: print it at 100 %, cut it out, and lay it flat into the tray"]
        )
    elif options.calibrate:
        calibrate(pictures, options)
    elif options.image is not None:
        image(pictures, options)
    elif options.snap is not None:
        pictures.snap(_camera(options), options.rpicam, options.snap)
        written(options, options.snap, [f"{options.snap} is written"])
    else:
        raise BadSetting("expected --image, --sheet, --snap, --calibrate or --watch")


def calibrate(pictures: ModuleType, options: Namespace) -> None:
    """Calibrate from pictures of the sheet, of the empty tray and of throws."""
    if options.markers is None or options.background is None or not options.throw or options.height is None:
        raise BadSetting("expected --markers, --background, --height, and --throw for each picture of dice")
    calibration = _calibration(options)
    lines = pictures.calibrate(
        calibration, _floor(options), options.height, options.markers, options.background, options.throw
    )
    written(options, calibration, [*lines, f"{calibration} is written"])


def written(options: Namespace, file: Path, lines: Sequence[str]) -> None:
    """Say which file was written, and what people do with it."""
    show(options, {"file": str(file)}, lines)


def image(pictures: ModuleType, options: Namespace) -> None:
    """Read one picture."""
    calibration = _calibration(options)
    result: dict[str, Any]
    if not (options.calibration or options.background or calibration.exists()):
        result = pictures.read_uncalibrated(options.image)
    elif not calibration.exists():
        raise BadSetting(f"{calibration}: no calibration is there; --calibrate makes one (docs/dice.md)")
    else:
        result = pictures.read(calibration, options.background or pictures.empty_beside(calibration), options.image)
    show(options, result, _words(result))
    if result["throw"] == "doubt":
        raise Unfit(f"the throw is in doubt: {WHY[result['why']]}")


def watch(options: Namespace) -> None:
    """Watch a camera until it is gone; each throw is a line of JSON, for the station."""
    try:
        _pictures()
        from hardware.dice.tray import watch as watching

        watching.limit_memory()
        watching.run(
            _calibration(options),
            options.background,
            _camera(options),
            options.rpicam,
            options.keep,
            sure=options.sure,
        )
    except (RefereeError, BadPicture, OSError) as error:
        say([json.dumps({"error": str(error)})])
        raise


WHY = {
    "empty": "no dice lie in the tray",
    "cocked": "a die leans, or lies on something",
    "touching": "dice touch or lie on each other, and cannot be told apart",
    "cut off": "something reaches over the edge of the tray",
    "foreign": "something in the tray is no die of this table",
    "unsure": "this picture alone does not tell whether the dice lie flat: calibrate the tray",
    "covered": "most of the tray is covered, or the camera or its light has changed",
}
"""Why a throw is in doubt, in words."""


def _words(result: dict[str, Any]) -> list[str]:
    lines = [
        f"{die['face'] or '?'}  {die['certainty']:.0%} certain, at {die['x']:.0f}, {die['y']:.0f}"
        for die in result["dice"]
    ]
    faces = " ".join(str(die["face"]) for die in result["dice"])
    return [*lines, f"read: {faces}" if result["throw"] == "read" else f"in doubt: {WHY[result['why']]}"]


def _calibration(options: Namespace) -> Path:
    calibration: Path = options.calibration or journal_path().parent / "tray" / "calibration.json"
    return calibration


def _camera(options: Namespace) -> str:
    if options.camera is None:
        raise BadSetting('expected --camera: "rpicam", or a device as /dev/video0')
    camera: str = options.camera
    return camera


def _floor(options: Namespace) -> tuple[float, float]:
    if options.floor is None:
        raise BadSetting("expected --floor, the inside of the tray in mm, as 210x148")
    width, depth = options.floor
    return width, depth


def _pictures() -> ModuleType:
    """Return what reads pictures. Raises StationError where it is not installed."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each of its threads takes 30 MiB, and none is needed
    try:
        from hardware.dice.tray import pictures
    except ImportError as error:
        raise lacking("the tray needs", error, "tray", "electronic-referee-tray") from error
    return pictures
