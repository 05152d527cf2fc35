"""The box's loudspeaker: texts are said by espeak-ng, a process for each.

Nothing waits for it. Only the newest text is ever said: a new one cuts off the one before.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Sequence

from referee.config import Voice as Settings
from referee.console.giving_way import READING
from referee.station.voice import Silent


def command(settings: Settings) -> tuple[str, ...]:
    """Return the command that says what it gets on its standard input (espeak-ng(1))."""
    return "espeak-ng", "-v", settings.language, "-s", str(settings.words_per_minute), "--stdin"


class Speaker:
    """Says texts, on a thread of its own."""

    def __init__(
        self,
        command: Sequence[str],
        report: Callable[[Silent], None],
        *,
        limit: float = READING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``report`` is called from the speaker's thread; ``limit``: seconds after which a text is cut off."""
        self._command = tuple(command)
        self._report = report
        self._limit = limit
        self._clock = clock
        self._changed = threading.Condition()
        self._next: tuple[int, str] | None = None
        self._closed = False
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, n: int, text: str) -> None:
        """Say text number ``n`` in place of whatever is being said; "" only silences."""
        with self._changed:
            self._next = (n, text)
            self._cut()

    def close(self) -> None:
        """Fall silent and end the thread; may be called twice."""
        with self._changed:
            self._closed = True
            self._cut()
        self._thread.join()

    def _cut(self) -> None:
        if self._process is not None:
            self._process.kill()
        self._changed.notify()

    def _superseded(self) -> bool:
        return self._closed or self._next is not None

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._next is not None)
                if self._closed:
                    return
                assert self._next is not None
                (n, text), self._next = self._next, None
            why = self._say(text) if text else None
            if why is not None:
                self._report(Silent(n, self._clock(), why))

    def _say(self, text: str) -> str | None:
        """Return "" if it was said, why it could not be said, or None if it was cut off by the next."""
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(  # noqa: S603 - no shell; the configuration allows only names of voices
                self._command, stdin=pipe, stdout=subprocess.DEVNULL, stderr=pipe
            )
        except OSError as error:
            # Where a folder on PATH may not be read, a command that is nowhere is "Permission denied".
            missing = shutil.which(self._command[0]) is None
            return f"{self._command[0]}: {'not installed' if missing else error.strerror}"
        with self._changed:
            self._process = process
            if self._superseded():
                process.kill()
        with process:
            try:
                _, complaint = process.communicate(text.encode(), self._limit)
            except subprocess.TimeoutExpired:
                process.kill()  # nobody listens for so long
                return ""
            finally:
                with self._changed:
                    self._process = None
            if self._superseded():
                return None
        if process.returncode == 0:
            return ""
        lines = complaint.decode(errors="replace").split("\n")
        return f"{self._command[0]}: {lines[0] or f'ended with {process.returncode}'}"
