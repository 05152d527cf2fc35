"""The voice: what comes onto the glass is read aloud, and stays there meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from referee.console.aloud import aloud
from referee.console.console import Console
from referee.console.views import View

SOURCE: Final = "voice"


@dataclass(frozen=True)
class Silent:
    """An item of the loop's queue: text number ``n`` was said, or could not be said (``why``)."""

    n: int
    at: float
    why: str = ""


class Voice:
    """Reads aloud what comes onto the glass, and lets it stay there meanwhile. Belongs to the loop's thread."""

    def __init__(self, console: Console, say: Callable[[int, str], None]) -> None:
        self._console = console
        self._say = say
        self._n = 0
        self._read: tuple[int, str] = (0, "")
        self._failed = False

    def follow(self, view: View, now: float) -> None:
        """Say what this view says, unless it was said of this screen already."""
        read = self._console.screen, aloud(view)
        if read == self._read or read[1] == self._read[1] == "":
            return
        self._read = read
        self._n += 1
        self._console.voice(SOURCE, now, speaks=read[1] != "")
        self._say(self._n, read[1])

    def silent(self, silent: Silent) -> None:
        """The voice has ended; what keeps it from speaking is told once, until it has spoken again."""
        if silent.n == self._n:
            self._console.voice(SOURCE, silent.at, speaks=False)
        if silent.why and not self._failed:
            self._console.fault("No voice", f"{silent.why}. The game goes on without it.", silent.at)
        self._failed = bool(silent.why)
