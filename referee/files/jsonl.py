"""Read lines of JSON from outside with bounded memory, and refuse what programs read differently.

Refused, with the reason: duplicate names, NaN and Infinity, numbers beyond 2**53, lone surrogates, deep nesting
(RFC 8259, sections 4, 6, 8 and 9).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn, Protocol

from referee.errors import WHOLE, Malformed

LIMIT = 65_536
"""Longest line that is read, in bytes without its end."""

DEPTH = 16
"""Deepest nesting of a value."""


class ByteLines(Protocol):
    """Where lines come from: a binary file open for reading."""

    def readline(self, size: int, /) -> bytes:
        """Return at most ``size`` bytes, up to and with the next newline; empty at the end."""


class BoundedLines:
    """Lines of a stream that may be read up to ``most`` bytes in all."""

    def __init__(self, stream: ByteLines, most: int) -> None:
        self._stream = stream
        self._most = most
        self._left = most

    def readline(self, size: int, /) -> bytes:
        """Return at most ``size`` bytes, up to and with the next newline. Raises Malformed beyond the bound."""
        line = self._stream.readline(size)
        self._left -= len(line)
        if self._left < 0:
            raise Malformed(f"expected a file of at most {self._most} bytes", "too-long")
        return line


def lines(stream: ByteLines) -> Iterator[bytes | None]:
    """Yield each line without its end, None for one that is too long; that one is read past, never held."""
    while line := stream.readline(LIMIT + 2):
        text = line.rstrip(b"\n").removesuffix(b"\r")
        if len(text) <= LIMIT and (line.endswith(b"\n") or len(line) < LIMIT + 2):
            yield text
            continue
        while not line.endswith(b"\n") and (line := stream.readline(LIMIT)):
            pass
        yield None


_SURROGATE = re.compile(r"\\u[dD]")


def parse(line: bytes | None) -> dict[str, Any]:
    """Return the JSON object a line holds. Raises Malformed saying what was expected."""
    if line is None:
        raise Malformed(f"expected a line of at most {LIMIT} bytes", "too-long")
    if not line.strip():
        raise Malformed("expected a JSON object, got an empty line")
    if line.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Malformed("expected UTF-8, this is UTF-16")
    try:
        text = line.decode("utf-8-sig")  # PowerShell puts a byte order mark in front of what it pipes
    except UnicodeDecodeError as fault:
        raise Malformed(f"expected UTF-8; byte {fault.start} is not") from None
    try:
        value = json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_constant, parse_int=_whole, parse_float=_finite
        )
    except Malformed:
        raise
    except json.JSONDecodeError as fault:
        raise Malformed(_expected(fault)) from None
    except RecursionError:
        raise Malformed(f"expected at most {DEPTH} levels of nesting") from None
    _sound(value, text)
    if not isinstance(value, dict):
        raise Malformed(f"expected a JSON object, got {named(value)}")
    return value


def named(value: object) -> str:
    """Return what kind of JSON value it is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    kinds = {int: "a whole number", float: "a fraction", str: "text", list: "a list"}
    return kinds.get(type(value), "an object")


def _expected(fault: json.JSONDecodeError) -> str:
    """Return what was expected where a line stopped being JSON. Places count from 1, as editors do."""
    place = f"at character {fault.pos + 1}"
    if fault.msg.startswith("Invalid control character"):
        code = ord(fault.doc[fault.pos])
        return f"expected one JSON object; {place} a control character is not escaped: write it as \\u{code:04x}"
    if fault.msg == "Extra data":
        return f"expected one JSON object in a line; {place} another value begins"
    words = fault.msg.removesuffix(" starting at").removesuffix(" at")
    return f"expected one JSON object; {place}: {words[:1].lower()}{words[1:]}"


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise Malformed("expected each name only once in an object")
    return unique


def _no_constant(name: str) -> NoReturn:
    raise Malformed(f"{name} is not a JSON number")


def _whole(digits: str) -> int:
    if len(digits) <= 17 and abs(value := int(digits)) < WHOLE:
        return value
    raise Malformed("expected whole numbers below 2**53")


def _finite(digits: str) -> float:
    if len(digits) > 40 or abs(value := float(digits)) == float("inf"):
        raise Malformed("expected numbers that fit a double")
    return value


def _sound(value: object, text: str) -> None:
    """Refuse deep nesting and lone surrogates, without recursion of our own. ``text``: what was read."""
    level: list[object] = [value]
    for _ in range(DEPTH + 1):
        inside = [
            each.values() if isinstance(each, dict) else each for each in level if isinstance(each, (dict, list))
        ]
        if not any(inside):
            break
        level = [each for members in inside for each in members]
    else:
        raise Malformed(f"expected at most {DEPTH} levels of nesting")
    if _SURROGATE.search(text):  # UTF-8 itself has none: only an escape can be one
        try:
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise Malformed("expected text without lone surrogates") from None
