"""Messages not yet sent to one browser. Bounded: of each kind of state only the newest is stored."""

from __future__ import annotations

import json
from typing import Final

from referee.web.hub import Message

LOG_LINES: Final = 200
"""Lines of the log that a browser is told at most; the newest."""


def together(older: Message, newer: Message) -> Message:
    """Return one message of state in place of two of its kind: the newer, but a log keeps its earlier lines."""
    first, since = older.get("since", 0), newer.get("since", 0)
    if since <= first:
        return newer
    earlier = [line for line in older["entries"] if line["seq"] < since]
    return {**newer, "since": first, "entries": [*earlier, *newer["entries"]][-LOG_LINES:]}


MAX_SOUNDS: Final = 4
"""Sounds stored for a slow browser; older ones are dropped."""


class Packet:
    """One message for any number of browsers, serialised once."""

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
    """Belongs to the web server's thread.

    A message of state (glass, lamps, table, log) takes the place of the one of its kind that still waits,
    and keeps that one's turn, so that none is starved; a log takes over the earlier lines of that one. Sounds
    queue, the newest `MAX_SOUNDS` of them.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, Packet] = {}
        self._sounds = 0

    def put(self, packet: Packet) -> None:
        """Add a packet."""
        slot = self._slot(packet)
        self._waiting[slot] = _together(self._waiting.get(slot), packet)

    def fill(self, packet: Packet) -> None:
        """Add a packet unless a newer one of its kind is queued."""
        slot = self._slot(packet)
        self._waiting[slot] = _together(packet, self._waiting.get(slot, packet))

    def take(self) -> list[Packet]:
        """Remove and return all packets, oldest first."""
        packets, self._waiting = list(self._waiting.values()), {}
        return packets

    def _slot(self, packet: Packet) -> str:
        kind = str(packet.message["type"])
        if kind != "sound":
            return kind
        sounds = [slot for slot in self._waiting if slot.startswith("sound ")]
        if len(sounds) >= MAX_SOUNDS:
            del self._waiting[sounds[0]]
        self._sounds += 1
        return f"sound {self._sounds}"


def _together(older: Packet | None, newer: Packet) -> Packet:
    """Return one packet in place of two; the newer itself where that is all, so that it is serialised once."""
    message = newer.message if older is None else together(older.message, newer.message)
    return newer if message is newer.message else Packet(message)
