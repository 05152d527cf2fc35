"""What a browser may say, read strictly: anything else is refused with what was expected."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from referee.errors import Malformed
from referee.web.hub import KEYS, MAX_STEPS, Key, Turn

MAX_BYTES: Final = 4096
"""Longest message accepted, in bytes of UTF-8; the protocol's longest is below 64."""


@dataclass(frozen=True, slots=True)
class Ping:
    """The browser asks whether the line still lives."""


def parse(text: str) -> Key | Turn | Ping:
    """Read one message.

    Raises `Malformed` for anything but ``{"type":"down"|"up","key":...}``,
    ``{"type":"turn","steps":...}`` and ``{"type":"ping"}``. Further members are ignored.
    """
    if len(text.encode()) > MAX_BYTES:
        raise Malformed(f"expected at most {MAX_BYTES} bytes")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Malformed("expected one JSON object") from error
    if not isinstance(value, dict):
        raise Malformed("expected one JSON object")
    kind = value.get("type")
    if kind in ("down", "up"):
        return Key(_key(value.get("key")), down=kind == "down")
    if kind == "turn":
        return Turn(_steps(value.get("steps")))
    if kind == "ping":
        return Ping()
    raise Malformed('expected "type" to be down, up, turn or ping')


def _key(value: Any) -> str:
    if not isinstance(value, str) or value not in KEYS:
        raise Malformed('expected "key" to be die-1 to die-6, select, back or seat-1 to seat-8')
    return value


def _steps(value: Any) -> int:
    # bool is an int to Python, not to the protocol.
    if type(value) is not int or value == 0 or abs(value) > MAX_STEPS:
        raise Malformed(f'expected "steps" to be a whole number from -{MAX_STEPS} to {MAX_STEPS}, not 0')
    return value
