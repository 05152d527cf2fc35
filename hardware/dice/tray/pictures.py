"""The tray's work on files: the sheet, a calibration, one picture."""

from __future__ import annotations

import contextlib
import struct
import zlib
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import cv2

from hardware.dice.tray import calibration, saved, uncalibrated
from hardware.dice.tray.frames import frames
from hardware.dice.tray.reader import Reader, Sight
from hardware.errors import BadPicture

cv2.setNumThreads(1)  # a tray leaves the other cores to the station


def print_sheet(path: Path, floor: tuple[float, float]) -> None:
    """Write the sheet with the four markers. Raises BadPicture or OSError."""
    if path.suffix.lower() != ".png":
        raise BadPicture(f"{path}: expected the name of a PNG file")
    saved.write(path, _with_scale(cv2.imencode(".png", calibration.sheet(floor))[1].tobytes()))


def _with_scale(data: bytes) -> bytes:
    """Say in a PNG how many pixels a metre has, so that it is printed as large as it is meant."""
    chunk = b"pHYs" + struct.pack(">IIB", calibration.DOTS * 1000, calibration.DOTS * 1000, 1)
    head = 8 + 25  # the signature, and IHDR
    return data[:head] + struct.pack(">I", 9) + chunk + struct.pack(">I", zlib.crc32(chunk)) + data[head:]


SIZE, SETTLED = (640, 480), 15
"""Of the pictures that are taken, and after how many frames: cameras set their exposure meanwhile."""


def snap(camera: str, more: Sequence[str], path: Path) -> None:
    """Write a picture of the camera. Raises BadPicture or OSError."""
    if path.suffix.lower() not in (".jpg", ".png"):
        raise BadPicture(f"{path}: expected the name of a JPEG or PNG file")
    with contextlib.closing(frames(camera, SIZE, more)) as seen:
        picture = next((picture for picture, _ in islice(seen, SETTLED, None)), None)
    if picture is None:
        raise BadPicture(f"{camera}: expected at least {SETTLED + 1} frames")
    saved.write(path, cv2.imencode(path.suffix, picture, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes())


def empty_beside(path: Path) -> Path:
    """Return where the picture of the empty tray of a calibration lies."""
    return path.with_name(f"{path.stem}-empty.png")


def calibrate(
    path: Path, floor: tuple[float, float], height: float, markers: Path, background: Path, throws: Sequence[Path]
) -> list[str]:
    """Calibrate, write it, and return what was measured. Raises BadPicture, with what was there before untouched."""
    sheet = saved.picture(markers)
    size = sheet.shape[1], sheet.shape[0]
    empty = saved.picture(background, size)
    dice = [saved.picture(each, size) for each in throws]
    view = calibration.locate(sheet, floor, height)
    cube = calibration.measure(view, empty, dice)
    path.parent.mkdir(parents=True, exist_ok=True)
    saved.write(empty_beside(path), cv2.imencode(".png", empty)[1].tobytes())
    saved.Calibration(view, cube, (size[0], size[1])).save(path)
    return [
        f"camera {view.eye[2]:.0f} mm above the floor, {view.eye[0]:+.0f} and {view.eye[1]:+.0f} mm off its middle",
        f"dice of {cube.edge:.1f} mm, pips of {2 * cube.pip:.1f} mm, {cube.pitch:.1f} mm from one to the next",
    ]


def read(path: Path, background: Path, image: Path) -> dict[str, Any]:
    """Return what a picture shows, for JSON. Raises BadPicture or OSError."""
    known = saved.load(path)
    picture = saved.picture(image, known.size)
    return as_json(Reader(known.view, known.cube, saved.picture(background, known.size)).read(picture))


def read_uncalibrated(image: Path) -> dict[str, Any]:
    """Return what a picture shows as far as it tells by itself, for JSON. Raises BadPicture or OSError."""
    return as_json(uncalibrated.read(saved.picture(image)))


def as_json(sight: Sight) -> dict[str, Any]:
    """Return what was seen, for JSON."""
    dice = [
        {"face": die.face, "certainty": round(die.certainty, 3), "x": round(die.x, 1), "y": round(die.y, 1)}
        for die in sight.dice
    ]
    return {"throw": "doubt" if sight.why else "read", "why": sight.why, "dice": dice}
