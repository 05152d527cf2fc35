"""What the panel needs of a box: a picture of now, news of every change, and somewhere to send presses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

Message: TypeAlias = Mapping[str, Any]
"""One JSON object for the browser; ``type`` names it, and it is not changed once handed over."""

Listener: TypeAlias = Callable[[Message], None]

DIE_KEYS: Final = tuple(f"die-{face}" for face in range(1, 7))
SEAT_KEYS: Final = tuple(f"seat-{number}" for number in range(1, 9))
KEYS: Final = frozenset((*DIE_KEYS, "select", "back", *SEAT_KEYS))

MAX_STEPS: Final = 32
"""Detents in one message; a knob with 24 to the turn gives fewer between two frames."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key of the box went down or came up; ``key`` is one of `KEYS`."""

    key: str
    down: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """The encoder turned by ``steps`` detents, clockwise positive, never 0, at most `MAX_STEPS` either way."""

    steps: int


class Hub(Protocol):
    """The box as the panel sees it.

    The hub changes its own state first and publishes afterwards, so that a snapshot may be newer than the
    last message published but never older. All three methods return at once.
    """

    def snapshot(self) -> list[Message]:
        """The messages that bring a fresh browser up to now."""

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call ``listener`` with each later message, from whatever thread has it; returns the way to stop."""

    def act(self, message: Key | Turn) -> None:
        """Take what somebody did at a browser. Called from the web server's thread."""
