"""The log that browsers are told: a message has only the lines that are new, and two messages make one."""

from __future__ import annotations

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
