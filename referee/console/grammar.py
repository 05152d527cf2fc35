"""The guards of the input grammar: pure functions of time that say which presses count.

A press belongs to the screen that was on the glass when it was made. What was pressed too early, twice, by a
nudge of the knob or under another key is dropped with a tick and never queued: a queued press would answer a
question its player has not seen.
"""

from __future__ import annotations

from typing import Final, Literal

LATE: Final = 0.150
"""A press counts only so long after its prompt reached the glass; reactions to what is seen take 220-250 ms, so
whatever comes earlier was meant for the question before."""

DOUBLE_DIE: Final = 0.080
"""The same key again within one dice prompt; two equal faces keyed on purpose are further apart."""

DOUBLE: Final = 0.300
"""The same key again across two prompts."""

NUDGE: Final = 0.100
"""A click so soon after a detent is the knob being nudged while it is pressed."""

SEAT_MINIMUM: Final = 0.060
"""A seat button must be down so long; a sleeve or a card that brushes it is not."""

Drop = Literal["late", "double", "nudge", "chord"]


def late(pressed_at: float, shown_at: float | None) -> bool:
    """Whether a press was made before its screen had been on the glass for 150 ms (None: not there yet)."""
    return shown_at is None or pressed_at < shown_at + LATE


def doubled(key: str, pressed_at: float, last_key: str, last_at: float, *, same_screen: bool) -> bool:
    """Whether a press is the bounce of a finger on the key that was accepted last."""
    return key == last_key and pressed_at < last_at + (DOUBLE_DIE if same_screen else DOUBLE)


def nudged(pressed_at: float, detent_at: float) -> bool:
    """Whether a click of the knob came within 100 ms of a detent."""
    return pressed_at < detent_at + NUDGE


class Guard:
    """Remembers just enough of the past (keys down, last accepted press, last detent) to apply the guards.

    ``press`` is asked when a key goes down and says why it is dropped, or None. A dropped press stays dropped:
    neither its click nor its hold counts. All times are seconds of one monotonic clock.
    """

    def __init__(self) -> None:
        self._down: dict[str, float] = {}
        self._dropped: set[str] = set()
        self._last_key = ""
        self._last_at = float("-inf")
        self._last_screen = -1
        self._detent_at = float("-inf")

    def press(self, key: str, at: float, *, screen: int, shown_at: float | None, timed: bool = True) -> Drop | None:
        """Judge a press made while ``screen`` (shown since ``shown_at``) was the newest; ``timed``: late applies."""
        reason = self._judge(key, at, screen, shown_at, timed=timed)
        self._down[key] = at
        if reason is None:
            self._dropped.discard(key)
            self._last_key, self._last_at, self._last_screen = key, at, screen
        else:
            self._dropped.add(key)
        return reason

    def release(self, key: str) -> None:
        """A key came up."""
        self._down.pop(key, None)

    def counts(self, key: str) -> bool:
        """Whether the press of this key that is going on, or just ended, was accepted."""
        return key not in self._dropped

    def turn(self, at: float) -> bool:
        """Whether a detent counts: not under a pressed knob."""
        self._detent_at = at
        return "select" not in self._down

    def held_since(self, key: str) -> float | None:
        """When a key that is down, and counts, went down."""
        return self._down.get(key) if key not in self._dropped else None

    def _judge(self, key: str, at: float, screen: int, shown_at: float | None, *, timed: bool) -> Drop | None:
        others = self._down.keys() - {key}
        holding = key in ("select", "back") or bool(others & {"select", "back"})
        if others and holding:
            return "chord"  # the first edge wins; two die keys, though, are two dice
        if timed and late(at, shown_at):
            return "late"
        if doubled(key, at, self._last_key, self._last_at, same_screen=screen == self._last_screen):
            return "double"
        if key == "select" and nudged(at, self._detent_at):
            return "nudge"
        return None
