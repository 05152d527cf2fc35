"""The guards of the input grammar: pure functions of time that say which presses count, and when a screen goes.

A press belongs to the screen that was on the glass when it was made. What was pressed too early, twice, by a
nudge of the knob or under another key is dropped with a tick and never queued: a queued press would answer a
question its player has not seen.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

LATE: Final = 0.150
"""A press counts only so long after its prompt reached the glass; reactions to what is seen take 220-250 ms, so
whatever comes earlier was meant for the question before."""

UNBIDDEN: Final = 0.600
"""The same for a screen that came by itself: nobody's press has caused it, so a hand may be on its way already."""

DISTURBED: Final = 300.0
"""Seconds for which a press that was lost on what a browser did is remembered."""

DOUBLE_DIE: Final = 0.080
"""The same key again within one dice prompt; two equal faces keyed on purpose are further apart."""

DOUBLE: Final = 0.300
"""The same key again across two prompts."""

NUDGE: Final = 0.100
"""A click so soon after a detent is the knob being nudged while it is pressed."""

SEAT_MINIMUM: Final = 0.060
"""A seat button must be down so long; a sleeve or a card that brushes it is not."""

FIRST: Final = 0.500
"""Seconds after a key of the box was touched in which nothing counts that is pressed in a browser."""

KEYS: Final = "keys"
"""Where presses come from that nobody says more of: the keys of the box."""

Drop = Literal["late", "double", "nudge", "chord"]


def late(pressed_at: float, shown_at: float | None, after: float = LATE) -> bool:
    """Whether a press came before its screen had been on the glass for ``after`` seconds (None: not there yet)."""
    return shown_at is None or pressed_at < shown_at + after


class Finger(NamedTuple):
    """What presses: a key, and whose it is. The same key may be pressed on the box and in browsers at once."""

    key: str
    source: str

    @property
    def at_the_box(self) -> bool:
        """Whether it is at the keys of the box."""
        return self.source == KEYS


def in_browser(source: str) -> bool:
    """Whether a press comes from a browser: those at the box and beside it come first."""
    return source.startswith("panel")


class Guard:
    """Remembers just enough of the past (keys down, last accepted press, last detent) to apply the guards.

    ``press`` is asked when a key goes down and says why it is dropped, or None. A dropped press stays dropped:
    neither its click nor its hold counts. All times are seconds of one monotonic clock.
    """

    def __init__(self) -> None:
        self._down: dict[Finger, float] = {}
        self._dropped: dict[Finger, Drop] = {}
        self._touched_at = float("-inf")
        self._last_key = ""
        self._last_at = float("-inf")
        self._last_screen = -1
        self._detent_at = float("-inf")
        self._disturbed: list[float] = []

    def press(
        self, finger: Finger, at: float, *, screen: int, shown_at: float | None, after: float = LATE
    ) -> Drop | None:
        """Judge a press made while ``screen`` (shown since ``shown_at``) was the newest; ``after``: see `late`."""
        reason = self._judge(finger, at, screen, late=late(at, shown_at, after))
        self._down[finger] = at
        if reason is None:
            self._dropped.pop(finger, None)
            self._last_key, self._last_at, self._last_screen = finger.key, at, screen
        else:
            self._dropped[finger] = reason
        return reason

    def release(self, finger: Finger) -> None:
        self._down.pop(finger, None)

    def refuse(self, finger: Finger) -> None:
        """Drop a press without judging it, and so its click or hold."""
        self._dropped[finger] = "late"

    def touched(self, source: str, at: float) -> bool:
        """Note that keys of that source are used; return whether those of the box come first, and it has to wait."""
        if not in_browser(source):
            self._touched_at = at
            return False
        disturbed = sum(at < each + DISTURBED for each in self._disturbed)
        return at < self._touched_at + FIRST * 4 ** max(0, disturbed - 1) or any(
            not in_browser(finger.source) for finger in self._down
        )

    def disturbed(self, at: float) -> None:
        """Note that a press at the box was lost on what a browser did: came too early, or closed what that had laid.

        From the second one in five minutes on browsers wait four times as long for each, up to 32 s: one that changes
        the screen again and again would else keep every key from the table.
        """
        self._disturbed = [*self._disturbed[-3:], at]

    @property
    def idle(self) -> bool:
        return not self._down

    def counts(self, finger: Finger) -> bool:
        """Whether the press that is going on, or just ended, was accepted."""
        return finger not in self._dropped

    def alone(self, finger: Finger) -> bool:
        """Whether no other key was held as it went down."""
        return self._dropped.get(finger) != "chord"

    def turn(self, at: float) -> bool:
        """Whether a detent counts: not under a pressed knob."""
        self._detent_at = at
        return all(finger.key != "select" for finger in self._down)

    def holding(self, key: str) -> dict[Finger, float]:
        """Who holds a key down so that it counts, and since when."""
        return {finger: at for finger, at in self._down.items() if finger.key == key and finger not in self._dropped}

    def _judge(self, finger: Finger, at: float, screen: int, *, late: bool) -> Drop | None:
        key = finger.key
        first = not in_browser(finger.source)
        others = {other.key for other in self._down if other != finger and not (first and in_browser(other.source))}
        holding = key in ("select", "back") or bool(others & {"select", "back"})
        if others and holding:
            return "chord"  # the first edge wins; two die keys, though, are two dice
        if late:
            return "late"
        apart = DOUBLE_DIE if screen == self._last_screen else DOUBLE
        if key == self._last_key and at < self._last_at + apart:
            return "double"
        if key == "select" and at < self._detent_at + NUDGE:
            return "nudge"
        return None


QUIET: Final = 1.0
"""Seconds without a press or a detent before a screen gives way by itself: nobody is to press into its successor."""

READING: Final = 30.0
"""Seconds after which a screen gives way by itself though a voice still reads it."""


class AutoDismiss:
    """Remembers when a key was touched last, and which voices read the glass aloud. All times are seconds."""

    def __init__(self) -> None:
        self._touched_at = float("-inf")
        self._voices: set[str] = set()
        self._silent_at = float("-inf")

    def touched(self, at: float) -> None:
        """A key was pressed, let go or turned."""
        self._touched_at = at

    def voice(self, source: str, at: float, *, speaks: bool) -> None:
        """A voice has begun to read, or is silent again; ``source`` names it.

        Meanwhile nothing gives way by itself, nor for `QUIET` after, but nothing stays for longer than `READING`.
        """
        if speaks:
            self._voices.add(source)
        elif source in self._voices:
            self._voices.remove(source)
            self._silent_at = at

    def at(self, shown_at: float, after: float) -> float:
        """Return when a screen that was shown then, and is read in ``after`` seconds, gives way."""
        at_last = shown_at + max(after, READING)
        read_at = at_last if self._voices else min(self._silent_at + QUIET, at_last)
        return max(shown_at + after, self._touched_at + QUIET, read_at)
