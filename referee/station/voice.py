"""The voice: what comes onto the glass is read aloud, and stays there meanwhile.

Texts are said by espeak-ng, a process for each, and nothing waits for it. Only the newest text is ever said: a new
one cuts off the one before.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

from referee.config import VoiceSettings
from referee.console.console import Console
from referee.console.grammar import READING
from referee.console.views import View

SOURCE: Final = "voice"

Said: TypeAlias = Callable[[float, str], None]
"""Takes when a text was said, and why it could not be, "" if it was; on any thread."""


class Voice:
    """Reads aloud what comes onto the glass, and lets it stay there meanwhile. Belongs to the loop's thread."""

    def __init__(
        self, console: Console, say: Callable[[str, Said], None], post: Callable[[Callable[[], object]], None]
    ) -> None:
        """``post`` has something done on the loop's thread."""
        self._console = console
        self._say = say
        self._post = post
        self._n = 0
        self._read: tuple[int, str] = (0, "")
        self._failed = False

    def follow(self, view: View, now: float) -> None:
        """Say what this view says, unless it was said of this screen already."""
        read = self._console.stage.screen, view.speech().aloud
        if read == self._read or read[1] == self._read[1] == "":
            return
        self._read = read
        self._n += 1
        n = self._n
        self._console.voice(SOURCE, now, speaks=read[1] != "")
        self._say(read[1], lambda at, why: self._post(partial(self._silent, n, at, why)))

    def _silent(self, n: int, at: float, why: str) -> None:
        """Text ``n`` has ended; what keeps the voice from speaking is told once, until it has spoken again."""
        if n == self._n:
            self._console.voice(SOURCE, at, speaks=False)
        if why and not self._failed:
            self._console.stage.fault("No voice", f"{why}. The game goes on without it.", at)
        self._failed = bool(why)


def command(settings: VoiceSettings) -> tuple[str, ...]:
    """Return the command that says what it gets on its standard input (espeak-ng(1))."""
    return "espeak-ng", "-v", settings.language, "-s", str(settings.words_per_minute), "--stdin"


class Speaker:
    """Says texts, each on a thread of its own."""

    def __init__(
        self, command: Sequence[str], *, limit: float = READING, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """``limit``: seconds after which a text is cut off."""
        self._command = tuple(command)
        self._limit = limit
        self._clock = clock
        self._lock = threading.Lock()
        self._n = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None

    def say(self, text: str, said: Said) -> None:
        """Say a text in place of whatever is being said; "" only silences. ``said`` is told unless it was cut off."""
        self._cut()
        if text:
            before = self._thread
            self._thread = threading.Thread(target=self._run, args=(self._n, text, said, before), daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Fall silent; may be called twice."""
        self._cut()
        if self._thread is not None:
            self._thread.join()

    def _cut(self) -> None:
        with self._lock:
            self._n += 1
            if self._process is not None:
                self._process.kill()

    def _run(self, n: int, text: str, said: Said, before: threading.Thread | None) -> None:
        if before is not None:
            before.join()
        with self._lock:
            if n != self._n:
                return
            process, why = self._begin()
            self._process = process
        if process is not None:
            with process:
                try:
                    _, complaint = process.communicate(text.encode(), self._limit)
                except subprocess.TimeoutExpired:
                    process.kill()  # nobody listens for so long
                else:
                    first = complaint.decode(errors="replace").partition("\n")[0]
                    if process.returncode:
                        why = f"{self._command[0]}: {first or f'ended with {process.returncode}'}"
        with self._lock:
            self._process = None
            if n != self._n:
                return
        said(self._clock(), why)

    def _begin(self) -> tuple[subprocess.Popen[bytes] | None, str]:
        """Return the process that says a text, or why there is none."""
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(  # noqa: S603 - no shell; the configuration allows only names of voices
                self._command, stdin=pipe, stdout=subprocess.DEVNULL, stderr=pipe
            )
        except OSError as error:
            # Where a folder on PATH may not be read, a command that is nowhere is "Permission denied".
            missing = shutil.which(self._command[0]) is None
            return None, f"{self._command[0]}: {'not installed' if missing else error.strerror}"
        return process, ""
