"""Gestures of browsers in, events of keys out: pure. Nothing bounces here, so nothing is debounced or joined.

A browser says itself whether it clicked or holds, each as one message. Only how long a hold lasts is measured here,
from the moment its key went down. A hold ends by itself where nothing more follows from it, after a second, or, of
Back, once a judge is called: a browser that never lets go keeps no other key from counting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from hardware import events
from hardware.keys.debounce import HOLD, LONG_HOLD
from referee.console.event import CALL_AFTER
from referee.web.hub import CLICK_MS, Gesture, PanelClick, PanelHold, PanelRelease, PanelTurn

LONGEST = CALL_AFTER + 0.5
"""How long Back counts as held, s: a loop that is late by half a second still calls the judge."""


class Felt(NamedTuple):
    """The event of a gesture, and who made it."""

    event: events.Event
    source: str


@dataclass(slots=True)
class _Down:
    """``calls``: it was held for long, and goes on until a judge is called."""

    at: float
    long: bool = False
    calls: bool = False

    @property
    def next(self) -> float:
        return self.at + (LONGEST if self.calls else LONG_HOLD if self.long else HOLD)


class Fingers:
    """The keys held and pressed by all browsers."""

    def __init__(self) -> None:
        self._down: dict[tuple[str, str], _Down] = {}

    def feed(self, gesture: Gesture, source: str, at: float) -> list[Felt]:
        """Return the immediate events of a gesture that arrived then; ``source`` names who made it."""
        if isinstance(gesture, PanelClick):
            return [Felt(event, source) for event in _click(gesture, at)]
        if isinstance(gesture, PanelHold):
            pressed_at = at - CLICK_MS / 1000
            self._down[source, gesture.key] = _Down(pressed_at)
            return [Felt(events.Press(gesture.key, pressed_at), source)]
        if isinstance(gesture, PanelRelease):
            felt = self.due(at)
            down = self._down.pop((source, gesture.key), None)
            if down is not None:
                felt.append(Felt(events.Release(gesture.key, at, down.at), source))
            return felt
        assert isinstance(gesture, PanelTurn)  # a tap is for a card, not for a key
        return [Felt(events.Turn(gesture.steps, at), source)]

    def due(self, now: float) -> list[Felt]:
        """Report the holds that are complete by ``now``."""
        felt: list[Felt] = []
        for (source, key), down in list(self._down.items()):
            if not down.long and now >= down.next:
                felt.append(Felt(events.Hold(key, down.next, down.at), source))
                down.long = True
            if down.long and not down.calls and now >= down.next:
                felt.append(Felt(events.LongHold(key, down.next, down.at), source))
                down.calls = key == "back"
                if not down.calls:
                    felt.append(Felt(events.Release(key, down.next, down.at), source))
                    del self._down[source, key]
            if down.calls and now >= down.next:
                felt.append(Felt(events.Release(key, down.next, down.at), source))
                del self._down[source, key]
        return felt

    def deadline(self) -> float | None:
        """Return when `due` has something to report, or None."""
        return min((down.next for down in self._down.values()), default=None)


def _click(click: PanelClick, at: float) -> tuple[events.KeyEvent, ...]:
    pressed_at = at - click.ms / 1000
    return (
        events.Press(click.key, pressed_at),
        events.Release(click.key, at, pressed_at),
        events.Click(click.key, at, pressed_at),
    )
