"""Gestures of browsers in, events of keys out: pure. Nothing bounces here, so nothing is debounced or joined.

A browser says itself whether it clicked or holds, each as one message. Only how long a hold lasts is measured here,
from the moment its key went down. A hold ends by itself where nothing more follows from it, after a second, or, of
Back, once a judge is called: a browser that never lets go keeps no other key from counting.
"""

from __future__ import annotations

from typing import NamedTuple

from hardware import events
from hardware.keys.debounce import HOLD, LONG_HOLD
from referee.web.hub import CLICK_MS, Gesture, PanelClick, PanelHold, PanelRelease, PanelTurn


class Felt(NamedTuple):
    """The event of a gesture, and who made it."""

    event: events.Event
    source: str


class Fingers:
    """The keys held and pressed by all browsers: of each held one, what happens to it next, by itself."""

    def __init__(self) -> None:
        self._down: dict[tuple[str, str], list[events.Hold | events.LongHold | events.Release]] = {}

    def feed(self, gesture: Gesture, source: str, at: float) -> list[Felt]:
        """Return the immediate events of a gesture that arrived then; ``source`` names who made it."""
        if isinstance(gesture, PanelTurn):
            return [Felt(events.Turn(gesture.steps, at), source)]
        if isinstance(gesture, PanelRelease):
            felt = self.due(at)
            if steps := self._down.pop((source, gesture.key), None):
                felt.append(Felt(events.Release(gesture.key, at, steps[-1].pressed_at), source))
            return felt
        assert isinstance(gesture, (PanelClick, PanelHold))  # a tap is for a card, not for a key
        key, ms = gesture.key, gesture.ms if isinstance(gesture, PanelClick) else CLICK_MS
        began = at - ms / 1000
        told: tuple[events.KeyEvent, ...] = (events.Press(key, began),)
        if isinstance(gesture, PanelClick):
            told += (events.Release(key, at, began), events.Click(key, at, began))
        else:
            self._down[source, key] = [
                events.Hold(key, began + HOLD, began),
                events.LongHold(key, began + LONG_HOLD, began),
                events.Release(key, began + LONG_HOLD, began),
            ]
        return [Felt(event, source) for event in told]

    def due(self, now: float) -> list[Felt]:
        """Report the holds that are complete by ``now``."""
        felt: list[Felt] = []
        for (source, key), steps in list(self._down.items()):
            while steps and now >= steps[0].at:
                felt.append(Felt(steps.pop(0), source))
            if not steps:
                del self._down[source, key]
        return felt

    def deadline(self) -> float | None:
        """Return when `due` has something to report, or None."""
        return min((steps[0].at for steps in self._down.values()), default=None)
