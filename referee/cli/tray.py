"""The command `tray`: calibrate the camera, and read a picture."""

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
        watch(options) if options.watch else _still(_pictures(), options)
    except BadPicture as error:
        raise BadSetting(str(error)) from error


def _still(pictures: ModuleType, options: Namespace) -> None:
    """Do what the options say of pictures."""
    if options.sheet is not None:
        pictures.print_sheet(options.sheet, _floor(options))
        _written(options, options.sheet, "print it at 100 %, cut it out, and lay it flat into the tray")
    elif options.calibrate:
        if options.markers is None or options.background is None or not options.throw or options.height is None:
            raise BadSetting("expected --markers, --background, --height, and --throw for each picture of dice")
        file, floor = _calibration(options), _floor(options)
        pictures_of = options.markers, options.background, options.throw
        _written(options, file, "it is written", pictures.calibrate(file, floor, options.height, *pictures_of))
    elif options.image is not None:
        _image(pictures, options)
    elif options.snap is not None:
        pictures.snap(_camera(options), options.rpicam, options.snap)
        _written(options, options.snap, "it is written")
    else:
        raise BadSetting("expected --image, --sheet, --snap, --calibrate or --watch")


def _written(options: Namespace, file: Path, text: str, lines: Sequence[str] = ()) -> None:
    """Say which file was written, and what people do with it."""
    show(options, {"file": str(file)}, [*lines, f"{file}: {text}"])


def _image(pictures: ModuleType, options: Namespace) -> None:
    calibration = _calibration(options)
    result: dict[str, Any]
    if not (options.calibration or options.background or calibration.exists()):
        result = pictures.read_uncalibrated(options.image)
    elif not calibration.exists():
        raise BadSetting(f"{calibration}: there is no calibration; --calibrate makes one (docs/dice.md)")
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
    "empty": "there are no dice in the tray",
    "cocked": "a die is cocked",
    "touching": "dice touch or overlap, and cannot be told apart",
    "cut off": "something reaches over the edge of the tray",
    "foreign": "something in the tray is not one of this table's dice",
    "unsure": "one picture does not show whether the dice lie flat: calibrate the tray",
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
