"""A camera on a cable that can be pulled: frames with the time at which they were taken, over a socket.

``python -m tests.tray.cable SOCKET CALIBRATION EMPTY`` is the tray's own process with such a camera. Its time is that
of the frames, so that no throw depends on how fast the machine is.
"""

from __future__ import annotations

import os
import signal
import socket
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2

from referee.tray import saved, watch
from referee.tray.geometry import Array
from referee.tray.reader import Reader

RATE = 15
"""Frames a second."""

_HEAD = struct.Struct("!dI")
_PEER = struct.Struct("3i")


class Camera:
    """The end of the cable at which frames are taken. One process after the other may be at the other end."""

    def __init__(self, path: Path) -> None:
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen(1)
        self._time = 0.0
        self._there: socket.socket | None = None

    def plug(self) -> None:
        """Wait for the process that has been started."""
        self._there, _ = self._server.accept()

    def show(self, picture: Array, frames: int = 1) -> None:
        """Take that many frames of one picture."""
        assert self._there is not None
        data = cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 1])[1].tobytes()
        for _ in range(frames):
            self._time += 1 / RATE
            self._there.sendall(_HEAD.pack(self._time, len(data)) + data)

    def kill(self) -> None:
        """Kill the process at the other end, as a lack of memory or a broken driver does."""
        assert self._there is not None
        process, _, _ = _PEER.unpack(self._there.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _PEER.size))
        os.kill(process, signal.SIGKILL)
        self._there.close()

    def close(self) -> None:
        """End it."""
        if self._there is not None:
            self._there.close()
        self._server.close()


def frames(path: str, size: tuple[int, int]) -> Iterator[tuple[Array, float]]:
    """Yield the frames that come over the cable, until it is pulled."""
    with socket.socket(socket.AF_UNIX) as cable:
        cable.connect(path)
        stream = cable.makefile("rb")
        while head := stream.read(_HEAD.size):
            time, length = _HEAD.unpack(head)
            yield saved.decode(stream.read(length), path, size), time


def _say(line: str) -> None:
    print(line, flush=True)


def main() -> None:
    """Watch."""
    watch.limit_memory()
    path, calibration, empty = sys.argv[1:]
    known = saved.load(Path(calibration))
    reader = Reader(known.view, known.cube, saved.picture(Path(empty), known.size))
    watch.watch(reader, frames(path, known.size), _say)


if __name__ == "__main__":
    main()
