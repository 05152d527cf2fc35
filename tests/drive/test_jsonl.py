"""Lines from outside: what is doubtful is refused with its reason, and no line takes more memory than its limit."""

from __future__ import annotations

import io
import tracemalloc

import pytest

from referee.errors import Malformed
from referee.files.jsonl import LIMIT, lines, parse

DOUBTFUL = [
    (b"", "empty line"),
    (b"{", "one JSON object"),
    (b"[1]", "expected a JSON object, got a list"),
    (b"7", "got a whole number"),
    (b'"answer"', "got text"),
    (b'{"a":1}{"b":2}', "character 8 another value begins"),
    (b'{"a":1,"a":1}', "each name only once"),
    (b'{"a":NaN}', "NaN is not a JSON number"),
    (b'{"a":1e999}', "fit a double"),
    (b'{"a":' + b"9" * 5000 + b"}", r"below 2\*\*53"),
    (b'{"a":9007199254740992}', r"below 2\*\*53"),
    (b'{"a":"\\ud800"}', "lone surrogates"),
    (b'\xff\xfe{\x00"\x00', "expected UTF-8, this is UTF-16"),
    (b'{"a":"\xff"}', "byte 6 is not"),
    (b'{"a":' + b"[" * 30 + b"]" * 30 + b"}", "levels of nesting"),
    (b'{"a":"\x01"}', "control character"),
    (b"{'a':1}", "one JSON object"),
]


@pytest.mark.parametrize(("line", "message"), DOUBTFUL)
def test_doubtful_line_is_refused_with_its_reason(line: bytes, message: str) -> None:
    with pytest.raises(Malformed, match=message) as refused:
        parse(line)
    assert refused.value.code == "malformed"
    assert len(refused.value.text) < 200


def test_sound_line_is_taken() -> None:
    assert parse('{"a":["Nazgûl",-3,true,null,{"b":"\\ud83d\\ude00"}]}'.encode()) == {
        "a": ["Nazgûl", -3, True, None, {"b": "😀"}]
    }


def test_lines_end_with_a_newline_or_with_the_input() -> None:
    assert list(lines(io.BytesIO(b"one\ntwo\r\n\nthree"))) == [b"one", b"two", b"", b"three"]
    assert list(lines(io.BytesIO(b""))) == []


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_longest_line_is_taken_and_a_longer_one_is_not(end: bytes) -> None:
    longest, more = b"x" * LIMIT, end + (b"y" if end else b"")
    assert next(lines(io.BytesIO(longest + more))) == longest
    rest = list(lines(io.BytesIO(longest + b"x" + more)))
    assert rest == ([None, b"y"] if end else [None])


def test_endless_line_is_read_past_and_never_held() -> None:
    class Endless:
        """Ten million bytes without a newline, then a line."""

        left = 10_000_000

        def readline(self, size: int, /) -> bytes:
            if not self.left:
                self.left = -1
                return b"\n"
            if self.left < 0:
                return b""
            size_read = min(size, self.left)
            self.left -= size_read
            return b"[" * size_read

    tracemalloc.start()
    parsed = list(lines(Endless()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert parsed == [None]
    assert peak < 4 * LIMIT
    with pytest.raises(Malformed, match="at most 65536 bytes") as refused:
        parse(None)
    assert refused.value.code == "too-long"
