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
    """Says texts, on a thread of its own."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        limit: float = READING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``limit``: seconds after which a text is cut off."""
        self._command = tuple(command)
        self._limit = limit
        self._clock = clock
        self._changed = threading.Condition()
        self._next: tuple[str, Said] | None = None
        self._closed = False
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._run, name="voice", daemon=True)
        self._thread.start()

    def say(self, text: str, said: Said) -> None:
        """Say a text in place of whatever is being said; "" only silences. ``said`` is told unless it was cut off."""
        with self._changed:
            self._next = text, said
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
                (text, said), self._next = self._next, None
            why = self._say(text) if text else None
            if why is not None:
                said(self._clock(), why)

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
