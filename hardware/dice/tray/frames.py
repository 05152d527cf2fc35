"""Where pictures come from: a camera of the Raspberry Pi, one by USB, or files."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import IO, TypeAlias

import cv2

from hardware.dice.tray import saved
from hardware.dice.tray.geometry import Array
from hardware.errors import BadPicture

Frames: TypeAlias = Generator[tuple[Array, float], None, None]
"""Pictures and the seconds at which they were taken."""

RATE = 15
"""Frames a second."""

LARGEST = 4_000_000
"""Bytes of the largest frame."""

START, END = b"\xff\xd8", b"\xff\xd9"


def jpegs(read: Callable[[int], bytes]) -> Generator[bytes, None, None]:
    """Cut a stream into JPEG pictures. Raises BadPicture where it is none."""
    buffer = b""
    searched = 0
    while data := read(65536):
        buffer += data
        while (end := buffer.find(END, searched)) >= 0:
            picture, buffer, searched = buffer[: end + 2], buffer[end + 2 :], 0
            if not picture.startswith(START):
                raise BadPicture("the camera: expected JPEG pictures, one after the other")
            yield picture
        searched = max(0, len(buffer) - 1)
        if len(buffer) > LARGEST:
            raise BadPicture(f"the camera: expected pictures of at most {LARGEST} bytes")


def rpicam(size: tuple[int, int], more: Sequence[str]) -> list[str]:
    """Return the command that writes frames of the Pi's camera to its standard output (rpicam-vid(1))."""
    width, height = size
    return ["rpicam-vid", "--nopreview", "--timeout", "0", "--codec", "mjpeg", "--width", str(width),
            "--height", str(height), "--framerate", str(RATE), *more, "--output", "-"]  # fmt: skip


def from_command(
    command: Sequence[str], size: tuple[int, int], clock: Callable[[], float] = time.monotonic
) -> Frames:
    """Yield the frames that a command writes, with their times. Raises BadPicture where it cannot be run or ends."""
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)  # noqa: S603 - no shell
    except OSError as error:
        raise BadPicture(f"{command[0]}: {error.strerror}") from error
    assert process.stdout is not None
    try:
        yield from _decoded(process.stdout, command[0], size, clock)
        raise BadPicture(f"{command[0]} ended with {process.wait()}")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def _decoded(stream: IO[bytes], name: str, size: tuple[int, int], clock: Callable[[], float]) -> Frames:
    for data in jpegs(getattr(stream, "read1", stream.read)):
        yield saved.decode(data, name, size), clock()


def from_device(path: str, size: tuple[int, int], clock: Callable[[], float]) -> Frames:
    """Yield the frames of a V4L2 camera. Raises BadPicture where it is none or is gone."""
    camera = cv2.VideoCapture(path, cv2.CAP_V4L2)
    try:
        camera.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        camera.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        camera.set(cv2.CAP_PROP_FPS, RATE)
        if not camera.isOpened():
            raise BadPicture(f"{path}: expected a camera")
        while True:
            there, picture = camera.read()
            if not there:
                raise BadPicture(f"{path}: the camera is gone")
            if (picture.shape[1], picture.shape[0]) != size:
                raise BadPicture(f"{path}: expected pictures of {size[0]} x {size[1]} pixels, as calibrated")
            yield picture, clock()
    finally:
        camera.release()


def from_files(folder: Path, size: tuple[int, int]) -> Frames:
    """Yield the pictures of a folder by name, as if a camera had taken them. Raises BadPicture or OSError."""
    for number, path in enumerate(sorted(path for path in folder.iterdir() if path.suffix in (".jpg", ".png"))):
        yield saved.picture(path, size), number / RATE


def frames(
    camera: str, size: tuple[int, int], more: Sequence[str] = (), clock: Callable[[], float] = time.monotonic
) -> Frames:
    """Yield the frames of "rpicam", of a device or of a folder, with their times. Raises BadPicture or OSError."""
    if camera == "rpicam":
        return from_command(rpicam(size, more), size, clock)
    if Path(camera).is_dir():
        return from_files(Path(camera), size)
    return from_device(camera, size, clock)
