"""A calibration as a file: where the camera is, and what the dice of the table are."""

from __future__ import annotations

import json
import math
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hardware.dice.tray.geometry import Array, Cube, View
from hardware.errors import BadPicture

MOST = 40_000_000
"""Bytes of the largest picture that is read."""

WIDEST = 4096
"""Pixels of its longer edge."""


@dataclass(frozen=True)
class Calibration:
    """What was calibrated. ``size``: columns and rows of the camera's pictures."""

    view: View
    cube: Cube
    size: tuple[int, int]

    def save(self, path: Path) -> None:
        """Write it. Raises OSError."""
        value = {
            "format": 1,
            "size": list(self.size),
            "floor": list(self.view.floor),
            "matrix": self.view.matrix.tolist(),
            "die": asdict(self.cube),
        }
        write(path, json.dumps(value, indent=1).encode() + b"\n")


def write(path: Path, data: bytes) -> None:
    """Write a file; what was there before stays until all is on the disk. Raises OSError."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _read(path: Path) -> bytes:
    """Return a file of at most `MOST` bytes. Raises BadPicture or OSError."""
    with path.open("rb") as file:
        data = file.read(MOST + 1)
    if len(data) > MOST:
        raise BadPicture(f"{path}: expected a file of at most {MOST} bytes")
    return data


def load(path: Path) -> Calibration:
    """Read a calibration. Raises BadPicture saying what was expected, or OSError."""
    text = _read(path)
    try:
        return _parse(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise BadPicture(f"{path}: expected a calibration made by `referee tray --calibrate`: {error}") from error


def _parse(value: Any) -> Calibration:
    """Check what was read. Raises ValueError."""
    if not isinstance(value, dict) or value.get("format") != 1:
        raise ValueError('expected {"format": 1, ...}')
    width, height = (round(each) for each in _numbers(value.get("size"), 2, 64, WIDEST))
    rows = value.get("matrix")
    if not isinstance(rows, list) or len(rows) != 3:
        raise ValueError("expected a matrix of 3 rows")
    matrix = np.array([_numbers(row, 4, -1e9, 1e9) for row in rows])
    if abs(np.linalg.det(matrix[:, :3])) < 1e-12:
        raise ValueError("expected the matrix of a camera")
    floor = _numbers(value.get("floor"), 2, 50, 500)
    die = value.get("die")
    names = list(asdict(Cube(0, 0, 0, 0)))
    if not isinstance(die, dict) or set(die) != set(names):
        raise ValueError(f"expected a die with {', '.join(names)}")
    edge, rounding, pip, pitch, long_six = _numbers([die[name] for name in names], 5, 0.1, 40)
    if not (edge >= 5 and rounding < edge / 3 and pip < edge / 4 and pitch < edge / 2 and long_six < 2):
        raise ValueError("expected rounding, pips and their pitch to fit on the die")
    view = View(matrix, (floor[0], floor[1]))
    if not 2 * edge < view.eye[2] < 10_000:
        raise ValueError("expected a camera above the tray")
    return Calibration(view, Cube(edge, rounding, pip, pitch, long_six), (width, height))


def _numbers(value: Any, count: int, low: float, high: float) -> list[float]:
    if not isinstance(value, list) or len(value) != count:
        raise ValueError(f"expected {count} numbers")
    for each in value:
        if type(each) not in (int, float) or not math.isfinite(each) or not low <= each <= high:
            raise ValueError(f"expected numbers from {low:g} to {high:g}")
    return [float(each) for each in value]


def picture(path: Path, size: tuple[int, int] | None = None) -> Array:
    """Read a picture, of that size if one is named. Raises BadPicture saying what was expected, or OSError."""
    return decode(_read(path), str(path), size)


def decode(data: bytes, name: str, size: tuple[int, int] | None = None) -> Array:
    """Return what a JPEG or PNG shows. Raises BadPicture saying what was expected."""
    image = None
    if data:
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            image = None
    if image is None or max(image.shape[:2]) > WIDEST or min(image.shape[:2]) < 64:
        raise BadPicture(f"{name}: expected a JPEG or PNG picture of 64 to {WIDEST} pixels each way")
    if size is not None and (image.shape[1], image.shape[0]) != size:
        raise BadPicture(
            f"{name}: expected a picture of {size[0]} x {size[1]} pixels, as calibrated; "
            f"got {image.shape[1]} x {image.shape[0]}"
        )
    return image
