"""Broken things: bytes, JSON and text, from a seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

NASTY: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 7, 2**31, 2**53, -(2**63), 10**30, 0.5, 1e308, "", " ", "0", "back", "null", "\x00",
    "\t", "é" * 9, "\u2028", "x" * 300, [], [[]], [None], [1, 2], {}, {"": {}}, {"n": 1}, [True] * 20, "../../etc",
)  # fmt: skip
RAW = (
    b"", b" ", b"\x00", b"\xff", b"\xc3(", b"\xed\xa0\x80", b"\xef\xbb\xbf{}", b"{", b"}", b"[]", b"null", b"NaN",
    b"-Infinity", b"1", b'"', b"{}{}", b"{'a':1}", b"[" * 400, b'{"a":' * 40 + b"1" + b"}" * 40, b"1e999",
    b'"\\ud800"', b"9" * 400, b"//", b"\\u",
    b'{"a":"\t"}', b"{,}", b"nul", b"+1", b"0x1", b"\r", b'{"answer":1,"answer":2}', b"\xf4\x90\x80\x80",
)  # fmt: skip
WORDS = ("answer", "undo", "n", "seat", "type", "key", "do", "code", "ANSWER", "", "__class__", "override", "steps")


def broken(chance: random.Random, data: bytes) -> bytes:
    """Return bytes changed in one of the ways in which bytes go wrong."""
    out = bytearray(data)
    kind = chance.randrange(7)
    at = chance.randrange(len(out) + 1)
    if kind == 0 and out:
        for _ in range(1 + chance.randrange(4)):
            out[chance.randrange(len(out))] ^= 1 << chance.randrange(8)
    elif kind == 1:
        del out[at : at + 1 + chance.randrange(8)]
    elif kind == 2:
        out[at:at] = chance.randbytes(1 + chance.randrange(8))
    elif kind == 3:
        out[at:at] = chance.choice(RAW)
    elif kind == 4:
        del out[at:]
    elif kind == 5:
        out[at:at] = out[: 1 + chance.randrange(20)]
    else:
        return chance.choice(RAW)
    return bytes(out)


def twisted(chance: random.Random, value: Any) -> Any:
    """Return a JSON value with something in it that should not be there."""
    if isinstance(value, dict) and value and chance.random() < 0.8:
        out = dict(value)
        name = chance.choice(list(out))
        kind = chance.randrange(5)
        if kind == 0:
            del out[name]
        elif kind == 1:
            out[chance.choice(WORDS)] = chance.choice(NASTY)
        elif kind == 2:
            out[name + chance.choice(("", "s", " ", "\x00"))] = out.pop(name)
        elif kind == 3:
            out[name] = chance.choice(NASTY)
        else:
            out[name] = twisted(chance, out[name])
        return out
    if isinstance(value, list) and chance.random() < 0.7:
        out_list = list(value)
        out_list.insert(chance.randrange(len(out_list) + 1), chance.choice(NASTY))
        return out_list
    if isinstance(value, int) and chance.random() < 0.6:
        return value + chance.choice((-1, 1, 100, -100))
    return chance.choice(NASTY)


def line(chance: random.Random, value: Any) -> bytes:
    """Return a JSON value as a line: as it should be, with spaces, or escaped throughout."""
    kind = chance.randrange(8)
    if kind == 0:
        return json.dumps(value, indent=None, separators=(" , ", " : ")).encode()
    if kind == 1:
        return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return json.dumps(value, separators=(",", ":")).encode()


def fuzzed(chance: random.Random, valid: Callable[[], Any]) -> bytes:
    """Return a line that is most likely not valid, made from one that is."""
    roll = chance.random()
    if roll < 0.15:
        return chance.choice(RAW)
    if roll < 0.25:
        return chance.randbytes(chance.randrange(60))
    if roll < 0.6:
        value = twisted(chance, valid())
        return line(chance, twisted(chance, value) if chance.random() < 0.3 else value)
    return broken(chance, line(chance, valid()))
