"""A calibration as a file: where the camera is, and what the dice of the table are."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

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
        value = json.loads(text)
        width, depth = map(float, value["floor"])
        view = View(np.array(value["matrix"], float).reshape(3, 4), (width, depth))
        columns, rows = map(int, value["size"])
        known = Calibration(view, Cube(**{name: float(each) for name, each in value["die"].items()}), (columns, rows))
        if value["format"] != 1 or not _is_sane(known):
            raise ValueError("expected a camera above a tray, and dice")
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise BadPicture(f"{path}: expected a calibration made by `referee tray --calibrate`: {error}") from error
    return known


def _is_sane(known: Calibration) -> bool:
    """Whether a tray and its dice can be so, whoever wrote the file: pictures of its size are made."""
    die = known.cube
    return (
        all(64 <= each <= WIDEST for each in known.size)
        and all(50 <= each <= 500 for each in known.view.floor)
        and 5 <= die.edge <= 40
        and 0 < die.rounding < die.edge / 3
        and 0 < die.pip < die.edge / 4
        and 0 < die.pitch < die.edge / 2
        and 0.1 < die.long_six < 2
        and 2 * die.edge < known.view.eye[2] < 10_000
    )


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
