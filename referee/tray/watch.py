"""The tray's own process: frames in, lines of JSON out, for the station that started it (docs/tray.md).

It holds itself to a limit of memory, and ends with a reason where its camera does.
"""

from __future__ import annotations

import hashlib
import json
import resource
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import cv2

from referee.files import durable
from referee.tray import pictures, saved
from referee.tray.frames import frames
from referee.tray.geometry import Array
from referee.tray.reader import Reader
from referee.tray.settle import Rolling, Settled, Settling

MEMORY = 256 * 2**20
"""Bytes of data the process may have at most."""


def limit_memory() -> None:
    """Let this process have no more than `MEMORY`."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))


def run(calibration: Path, background: Path | None, camera: str, more: Sequence[str], keep: Path | None) -> None:
    """Watch a camera, and print every throw. Raises BadSetting or OSError when it is gone."""
    known = saved.load(calibration)
    empty = saved.picture(background or pictures.empty_beside(calibration), known.size)
    watch(Reader(known.view, known.cube, empty), frames(camera, known.size, more), _say, keep)


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def watch(
    reader: Reader, seen: Iterable[tuple[Array, float]], tell: Callable[[str], None], keep: Path | None = None
) -> None:
    """Tell every throw in a line. ``keep``: a folder for a picture of each. Raises OSError."""
    settling = Settling(reader.read)
    ready = False
    for picture, at in seen:
        if not ready:
            ready = True
            tell(json.dumps({"type": "ready"}))
        for event in settling.feed(picture, at):
            tell(json.dumps(_line(event, picture, keep)))


def _line(event: Rolling | Settled, picture: Array, keep: Path | None) -> dict[str, Any]:
    if isinstance(event, Rolling):
        return {"type": "rolling"}
    dice = [{"face": die.face, "certainty": round(1000 * die.certainty)} for die in event.dice]
    line = {"type": "throw", "why": event.why, "ago": round(event.at - event.started, 3), "dice": dice}
    return line if keep is None else {**line, "picture": _keep(picture, keep)}


def _keep(picture: Array, folder: Path) -> str:
    """Write a picture of a throw, named after its SHA-256, and return that."""
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
    digest = hashlib.sha256(data).hexdigest()
    folder.mkdir(parents=True, exist_ok=True)
    durable.replace(folder / f"{digest}.jpg", data)
    return digest
