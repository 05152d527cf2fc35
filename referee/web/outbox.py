"""What one browser has not been sent yet. Bounded: of each kind of state only the newest is kept."""

from __future__ import annotations

import json
import threading
from typing import Final

from referee.web.hub import Message

MAX_SOUNDS: Final = 4
"""Sounds kept for a browser that lags; older ones are not worth hearing any more."""


class Packet:
    """One message on its way to any number of browsers, put into JSON once."""

    __slots__ = ("_text", "message")

    def __init__(self, message: Message) -> None:
        self.message = message
        self._text: str | None = None

    @property
    def text(self) -> str:
        """The message as compact JSON."""
        if self._text is None:
            self._text = json.dumps(self.message, ensure_ascii=False, separators=(",", ":"))
        return self._text


class Outbox:
    """Filled from the box's thread, emptied from the web server's; neither ever waits for the other.

    A message of state (glass, lamps, table, log) takes the place of the one of its kind that still waits,
    and keeps that one's turn, so that none is starved. Sounds queue, the newest `MAX_SOUNDS` of them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, Packet] = {}
        self._sounds = 0

    def put(self, packet: Packet) -> bool:
        """Add a packet; true if the outbox was empty, so that its reader has to be woken."""
        with self._lock:
            was_empty = not self._waiting
            self._waiting[self._slot(packet)] = packet
            return was_empty

    def fill(self, packet: Packet) -> bool:
        """Add a packet unless a later one of its kind waits already; true as for `put`."""
        with self._lock:
            was_empty = not self._waiting
            self._waiting.setdefault(self._slot(packet), packet)
            return was_empty

    def take(self) -> Packet | None:
        """Remove and return the packet that has waited longest, or None."""
        with self._lock:
            for slot in self._waiting:
                return self._waiting.pop(slot)
            return None

    def _slot(self, packet: Packet) -> str:
        kind = str(packet.message["type"])
        if kind != "sound":
            return kind
        sounds = [slot for slot in self._waiting if slot.startswith("sound ")]
        if len(sounds) >= MAX_SOUNDS:
            del self._waiting[sounds[0]]
        self._sounds += 1
        return f"sound {self._sounds}"
