"""Messages from a browser, parsed strictly; a refusal says what was expected."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Final

from referee.errors import WHOLE, Malformed
from referee.files import outside
from referee.web.hub import (
    CLICK_MS,
    HELD_KEYS,
    KEYS,
    MAX_BUTTON,
    MAX_STEPS,
    SEAT_KEYS,
    Gesture,
    PanelClick,
    PanelHold,
    PanelName,
    PanelRelease,
    PanelTap,
    PanelTurn,
    PanelVoice,
)

MAX_BYTES: Final = 4096
"""Longest message accepted, in bytes of UTF-8; the protocol's longest is below 64."""


@dataclass(frozen=True, slots=True)
class Ping:
    """The browser checks whether the connection is alive."""


def parse(text: str) -> Gesture | PanelVoice | PanelName | Ping:
    """Read one message.

    Raises `Malformed` for anything but the messages described in `referee.web.hub`. Further members are ignored.
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
    if kind == "click":
        return PanelClick(_key(value.get("key")), _ms(value.get("ms")))
    if kind == "hold":
        return PanelHold(_held_key(value.get("key")))
    if kind == "release":
        return PanelRelease(_held_key(value.get("key")))
    if kind == "turn":
        return PanelTurn(_steps(value.get("steps")))
    if kind == "tap":
        return PanelTap(
            _screen(value.get("screen")), _button(value.get("button")), _yes_no("held", value.get("held"))
        )
    if kind == "voice":
        return PanelVoice(_yes_no("speaks", value.get("speaks")))
    if kind == "name":
        return PanelName(_seat(value.get("key")), _name(value.get("name")))
    if kind == "ping":
        return Ping()
    raise Malformed('expected "type" to be click, hold, release, turn, tap, voice, name or ping')


def _key(value: Any) -> str:
    if not isinstance(value, str) or value not in KEYS:
        raise Malformed('expected "key" to be die-1 to die-6, select, back or seat-1 to seat-8')
    return value


def _seat(value: Any) -> str:
    if not isinstance(value, str) or value not in SEAT_KEYS:
        raise Malformed('expected "key" to be seat-1 to seat-8')
    return value


def _name(value: Any) -> str:
    try:
        return outside.name(value)
    except Malformed as error:
        raise Malformed(f"{error.text[:1].upper()}{error.text[1:]}") from error  # a person typed it


def _held_key(value: Any) -> str:
    if not isinstance(value, str) or value not in HELD_KEYS:
        raise Malformed('expected "key" to be select or back')
    return value


def _ms(value: Any) -> int:
    if type(value) is not int or not 0 <= value < CLICK_MS:
        raise Malformed(f'expected "ms" to be a whole number from 0 to {CLICK_MS - 1}')
    return value


def _yes_no(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise Malformed(f'expected "{name}" to be true or false')
    return value


def _screen(value: Any) -> int:
    if type(value) is not int or not 0 <= value < WHOLE:
        raise Malformed('expected "screen" to be the number of a screen')
    return value


def _button(value: Any) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= MAX_BUTTON:
        raise Malformed(f'expected "button" to be the id of a button, at most {MAX_BUTTON} letters')
    return value


def _steps(value: Any) -> int:
    # bool is an int to Python, not to the protocol.
    if type(value) is not int or value == 0 or abs(value) > MAX_STEPS:
        raise Malformed(f'expected "steps" to be a whole number from -{MAX_STEPS} to {MAX_STEPS}, not 0')
    return value
