"""Commands of the drive protocol: one per line, every member checked before the session sees it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from referee.errors import Malformed
from referee.files.jsonl import named
from referee.session import Origin
from referee.session.extra import Mode

BESIDE = {
    "answer": {"n", "seat", "override", "reroll", "faces"},
    "correct_throw": {"n", "seat", "judge"},
    "bundle": {"n", "seat"},
    "undo": {"n"},
    "correct": {"n"},
    "concede": {"n"},
    "pause": {"n"},
    "odds": {"n"},
    "state": {"n"},
    "about": {"n"},
}
"""Commands, each with the members that may stand beside it."""


def command_of(message: dict[str, Any]) -> str:
    """Return the one command of an object. Raises Malformed."""
    commands = [name for name in message if name in BESIDE]
    if len(commands) != 1:
        present = " and ".join(commands) or (_short(next(iter(message))) if message else "none")
        raise Malformed(f"expected exactly one command: {', '.join(BESIDE)}; got {present}")
    strange = [name for name in message if name != commands[0] and name not in BESIDE[commands[0]]]
    if strange:
        allowed = ", ".join(sorted(BESIDE[commands[0]]))
        raise Malformed(f"{_short(strange[0])} cannot be combined with {commands[0]}; expected {allowed} or nothing")
    return commands[0]


def _short(name: str) -> str:
    """Return a name from outside as it can stand in one line."""
    return json.dumps(name if len(name) <= 40 else name[:37] + "...", ensure_ascii=False)


def beside(message: dict[str, Any]) -> tuple[int | None, str | None, Mode]:
    """Return ``n`` and ``seat`` of a message, and whether it overrides or re-rolls. Raises Malformed."""
    n, seat = message.get("n"), message.get("seat")
    if "n" in message and type(n) is not int:
        raise Malformed(f"n: expected the number of a prompt, got {named(n)}")
    if "seat" in message and type(seat) is not str:
        raise Malformed(f"seat: expected the id of a seat, got {named(seat)}")
    override, reroll = (_flag(name, message.get(name, False)) for name in ("override", "reroll"))
    if override and reroll:
        raise Malformed("expected override or reroll, not both")
    return n, seat, "override" if override else "reroll" if reroll else ""


def judges(message: dict[str, Any]) -> bool:
    """Return whether the judge does it. Raises Malformed."""
    return bool(_flag("judge", message.get("judge", False)))


def origins(message: dict[str, Any]) -> tuple[Origin, ...]:
    """Return where each face came from, as ``faces`` says. Raises Malformed."""
    faces = message.get("faces", [])
    if isinstance(faces, list):
        with suppress(TypeError):
            told = tuple(Origin(**face) for face in faces)
            if all(type(text) is str for each in told for text in (each.source, each.die, each.doubt, each.picture)):
                return told
    raise Malformed('faces: expected a list of {"source":...} or {"source":...,"die":...}, one for each face')


def _answer(name: str, value: Any) -> Any:
    if isinstance(value, dict) and [type(each) for each in value.values()] == [int]:
        return value  # how many dice did something, by its name
    items = value if isinstance(value, list) else [value]
    odd = next((item for item in items if type(item) not in (str, int)), "")
    if odd == "":
        return value
    raise Malformed(
        f"{name}: expected an id, a whole number, a list of them or one number by its name, got {named(odd)}"
    )


def _settings(name: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Malformed(f"{name}: expected an object of fields and values, got {named(value)}")
    if not value:
        raise Malformed(f"{name}: expected at least one field and its value, got an empty object")
    for path, to in value.items():
        if type(to) not in (str, int, bool):
            raise Malformed(f"{name}: {_short(path)}: expected a number, a word, true or false, got {named(to)}")
    return value


def _is(accepts: Callable[[Any], bool], expected: str) -> Callable[[str, Any], Any]:
    """Return what checks a value; it raises Malformed saying what was expected, and what came."""

    def check(name: str, value: Any) -> Any:
        if not accepts(value):
            got = str(value) if type(value) is int else named(value)
            raise Malformed(f"{name}: expected {expected}, got {got}")
        return value

    return check


_flag = _is(lambda value: type(value) is bool, "true or false")
_id = _is(lambda value: type(value) is str, "an id")
_true = _is(lambda value: value is True, "true")

CHECKS: dict[str, Callable[[str, Any], Any]] = {
    "answer": _answer,
    "correct_throw": _answer,
    "bundle": _id,
    "undo": _is(lambda value: type(value) is int and value > 0, "the number of steps to undo, 1 or more"),
    "correct": _settings,
    "concede": _id,
    "pause": _flag,
    "odds": _true,
    "state": _true,
    "about": _true,
}
"""What checks the value of each command."""
