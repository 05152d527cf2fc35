"""Dice in a tray with a camera: another process sees them, and tells them in lines of JSON on a pipe.

What it says is checked as if anybody could have said it. If it dies or falls silent, that is told, and it is started
again. Imports neither numpy nor OpenCV.
"""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from hardware.errors import DeviceClosed
from hardware.events import DiceEvent, Doubt, Reading, Thrown
from hardware.line.presence import Connected, Disconnected, Presence, Unreadable
from hardware.line.serial_port import guarded

LONGEST: Final = 4096
"""Bytes of the longest line."""

MOST: Final = 30
"""Dice of one throw."""

RETRY: Final = 4.0
"""Seconds after which a process that ended is started again."""

CERTAIN: Final = 900
_WHYS: Final = ("", "unsure", "cocked", "touching", "cut off", "foreign", "covered")
_PICTURE: Final = re.compile(r"|[0-9a-f]{64}")


class TrayTalk:
    """Lines in, throws out; pure."""

    def __init__(
        self, sink: Callable[[DiceEvent], None], report: Callable[[Presence], None], *, confirm: bool = True
    ) -> None:
        """``confirm``: every face is only proposed, and somebody has to say that it is so."""
        self._sink = sink
        self._report = report
        self._confirm = confirm
        self._there = False
        self._readable = True

    def line(self, line: bytes, now: float) -> None:
        """Take a line; that one cannot be read is told until the next one can."""
        readable = self._line(line, now)
        if self._readable and not readable:
            self._report(Unreadable(line[:120], now))
        self._readable = readable

    def lost(self, why: str, now: float) -> None:
        """The process ended or could not be started."""
        self._there = False
        self._report(Disconnected(why, now, "Check the camera and its cable."))

    def _line(self, line: bytes, now: float) -> bool:
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            return False
        if value == {"type": "ready"}:
            if not self._there:
                self._there = True
                self._report(Connected("", now))
            return True
        if value == {"type": "rolling"}:
            return True
        return isinstance(value, dict) and value.get("type") == "throw" and self._throw(value, now)

    def _throw(self, value: dict[str, Any], now: float) -> bool:
        why, ago, dice, picture = (value.get(name, "") for name in ("why", "ago", "dice", "picture"))
        if why not in _WHYS or type(ago) not in (int, float) or not 0 <= ago < 3600:
            return False
        if not isinstance(dice, list) or not 0 < len(dice) <= MOST:
            return False
        if not isinstance(picture, str) or not _PICTURE.fullmatch(picture):
            return False
        readings = tuple(_reading(die, picture) for die in dice)
        if None in readings:
            return False
        self._tell(why, tuple(each for each in readings if each is not None), now - ago, now)
        return True

    def _tell(self, why: str, dice: tuple[Reading, ...], started: float, now: float) -> None:
        if any(die.face is None for die in dice):
            self._sink(Doubt("cocked" if why == "cocked" else "unread", dice, started, now))
        elif why or self._confirm or any((die.certainty or 0) < CERTAIN for die in dice):
            self._sink(Doubt("unsure", dice, started, now))
        else:
            self._sink(Thrown(dice, started, now))


def _reading(value: Any, picture: str) -> Reading | None:
    if not isinstance(value, dict) or value.keys() != {"face", "certainty"}:
        return None
    face, certainty = value["face"], value["certainty"]
    if type(certainty) is not int or not 0 <= certainty <= 1000:
        return None
    if face is None:
        return Reading(None, "", 0, picture)
    return Reading(face, "", certainty, picture) if type(face) is int and 1 <= face <= 6 else None


class TrayDice:
    """The tray, as `hardware.ports` has dice. A thread starts its process, reads it, and starts it again."""

    def __init__(
        self,
        command: Sequence[str],
        report: Callable[[Presence], None],
        *,
        confirm: bool = True,
        retry: float = RETRY,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._command = tuple(command)
        self._report = report
        self._confirm = confirm
        self._retry = retry
        self._clock = clock
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None

    def open(self, sink: Callable[[DiceEvent], None]) -> None:
        """Start the process. Raises DeviceClosed if it was started before."""
        if self._thread is not None:
            raise DeviceClosed("the tray is open already: close it first")
        talk = TrayTalk(guarded(sink), guarded(self._report), confirm=self._confirm)
        self._thread = threading.Thread(target=self._run, args=(talk,), name="tray", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the process and the thread; may be called twice."""
        with self._lock:
            self._closed.set()
            if self._process is not None:
                self._process.kill()
        if self._thread is not None:
            self._thread.join()

    def _run(self, talk: TrayTalk) -> None:
        while not self._closed.is_set():
            why = self._once(talk)
            if not self._closed.is_set():
                talk.lost(why, self._clock())
                self._closed.wait(self._retry)

    def _once(self, talk: TrayTalk) -> str:
        """Run the process to its end; return why it ended."""
        with self._lock:
            if self._closed.is_set():
                return ""
            try:
                process = subprocess.Popen(  # noqa: S603 - no shell
                    self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
                )
            except OSError as error:
                return f"{self._command[0]}: {error.strerror}"
            self._process = process
        assert process.stdout is not None
        assert process.stderr is not None
        complaint: list[bytes] = []
        ear = threading.Thread(target=_hear, args=(process.stderr, complaint), name="tray-complaints", daemon=True)
        ear.start()
        with process:
            while line := process.stdout.readline(LONGEST):
                talk.line(line, self._clock())
            process.kill()
            ear.join()
        with self._lock:
            self._process = None
        words = b"".join(complaint).decode(errors="replace").strip().splitlines()
        return words[-1] if words else f"its process ended with {process.returncode}"


def _hear(stream: Any, complaint: list[bytes]) -> None:
    """Keep the end of what a process complains about."""
    with contextlib.suppress(OSError, ValueError):
        while data := stream.read1(4096):
            complaint[:] = [*complaint, data][-4:]
