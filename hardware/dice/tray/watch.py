"""The tray's own process: frames in, lines of JSON out, for the station that started it (docs/dice.md).

It holds itself to a limit of memory, and ends with a reason where its camera does.
"""

from __future__ import annotations

import hashlib
import json
import resource
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import cv2

from hardware.dice.tray import pictures, saved
from hardware.dice.tray.frames import frames
from hardware.dice.tray.geometry import Array
from hardware.dice.tray.reader import Reader
from hardware.dice.tray.settle import Settled, Settling

ALIVE = 3.0
"""Seconds between two lines that say that frames come."""

LONGEST = 600.0
"""Seconds for which dice are said to roll, at most."""

CERTAIN = 900
"""A face of which a reading is less certain than this, of 1000, is in doubt."""

MEMORY = 256 * 2**20
"""Bytes of data the process may have at most."""


def limit_memory() -> None:
    """Let this process have no more than `MEMORY`."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def run(
    calibration: Path, background: Path | None, camera: str, more: Sequence[str], keep: Path | None, *, sure: bool
) -> None:
    """Watch a camera, and print every throw. Raises BadPicture or OSError when it is gone."""
    known = saved.load(calibration)
    empty = saved.picture(background or pictures.empty_beside(calibration), known.size)
    watch(Reader(known.view, known.cube, empty), frames(camera, known.size, more), _say, keep, sure=sure)


def _say(line: Mapping[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def watch(
    reader: Reader,
    seen: Iterable[tuple[Array, float]],
    tell: Callable[[Mapping[str, Any]], None],
    keep: Path | None = None,
    *,
    sure: bool = False,
) -> None:
    """Tell every throw. ``keep``: a folder for a picture of each; ``sure``: certain faces are. Raises OSError."""
    settling = Settling(reader.read)
    numbers = count(1)
    alive = -ALIVE
    for picture, at in seen:
        if at >= alive + ALIVE:
            alive = at
            tell({})
        for event in settling.feed(picture, at):
            line = {"throw": next(numbers), **_shown(event, sure=sure)}
            tell(line if keep is None else {**line, "picture": _keep(picture, keep)})


def _shown(event: Settled, *, sure: bool) -> dict[str, Any]:
    faces, certainty = [die.face for die in event.dice], [round(1000 * die.certainty) for die in event.dice]
    shown = {"faces": faces, "certainty": certainty, "ago": round(min(event.at - event.started, LONGEST), 3)}
    if None in faces:
        return {**shown, "sure": False, "why": "cocked" if event.why == "cocked" else "unread"}
    return {**shown, "sure": sure and not event.why and min(certainty) >= CERTAIN}


def _keep(picture: Array, folder: Path) -> str:
    """Write a picture of a throw, named after its SHA-256, and return that."""
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
    digest = hashlib.sha256(data).hexdigest()
    folder.mkdir(parents=True, exist_ok=True)
    saved.write(folder / f"{digest}.jpg", data)
    return digest
