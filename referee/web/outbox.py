"""Messages not yet sent to one browser. Bounded: of each kind only the newest is stored."""

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

    A message takes the place of the one of its kind that still waits, and keeps that one's turn, so that none is
    starved; a log takes over the earlier lines of that one. Of several sounds a slow browser hears the newest.
    """

    def __init__(self) -> None:
        self._waiting: dict[str, Packet] = {}

    def put(self, packet: Packet) -> None:
        """Add a packet."""
        older = self._waiting.get(packet.message["type"])
        message = packet.message if older is None else together(older.message, packet.message)
        # The packet itself where that is all, so that it is serialised once.
        self._waiting[packet.message["type"]] = packet if message is packet.message else Packet(message)

    def take(self) -> list[Packet]:
        """Remove and return all packets, oldest first."""
        packets, self._waiting = list(self._waiting.values()), {}
        return packets
