"""Tells whoever sits at the box what to do, in the terminal and on the glass; and fingers where nobody sits there."""

from __future__ import annotations

import sys
from collections.abc import Callable

from hardware.errors import HardwareError
from hardware.ports import Display
from hardware.simulated.box import SimulatedBox
from referee.console.drawing.screens import SIZES, SMALL, draw
from referee.console.views import Notice
from referee.doctor.hands import DETENTS
from referee.doctor.simulated import InstantEar

PUSH = (0.0004, 0.0003, 0.09, 0.0006, 0.0009)
"""Seconds between the edges of a simulated push: a good key, bouncing a little as it closes and as it opens."""


DETENT = 0.1
"""Seconds from one detent to the next."""


class Teller:
    """Says it on stderr, so that stdout holds nothing but findings, and on the glass where there is one."""

    def __init__(self, display: Display | None) -> None:
        self._display = display

    def ask(self, what: str, text: str) -> None:
        """See `referee.doctor.hands.Guide`."""
        print(f"  -> {text}", file=sys.stderr, flush=True)  # noqa: T201
        if self._display is None or what == "yes":  # what is asked about may be the glass itself
            return
        size = self._display.size if self._display.size in SIZES else SMALL
        try:
            self._display.show(draw(Notice("Doctor", text), size)[0])
        except HardwareError:
            self._display = None  # the checks have said so already


class Fingers:
    """Does on a simulated box what is asked, as a willing player would."""

    def __init__(self, box: SimulatedBox, ear: InstantEar, tell: Callable[[str, str], None]) -> None:
        self._box = box
        self._ear = ear
        self._tell = tell

    def ask(self, what: str, text: str) -> None:
        """See `referee.doctor.hands.Guide`."""
        self._tell(what, text)
        if what in ("clockwise", "counterclockwise"):
            for _ in range(DETENTS):
                self._ear.now += DETENT
                self._box.turn(1 if what == "clockwise" else -1)
        elif what != "nothing":
            self.push("select" if what == "yes" else what, *PUSH)

    def push(self, key: str, *seconds: float) -> None:
        """Close a contact, and change it again after each of these times."""
        self._box.press(key)
        for i, pause in enumerate(seconds):
            self._ear.now += pause
            (self._box.press if i % 2 else self._box.release)(key)
