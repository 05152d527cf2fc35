"""Text from outside on a terminal: no letter of it does anything but stand there."""

from __future__ import annotations

import json
import unicodedata

import pytest

from referee.files.plain import plain


@pytest.mark.parametrize("text", ["", "Nazgûl → 5+, “Fort”", "東京 1\u00a02\u3000", "e\u0301 \U0001f3b2"])
def test_letters_of_any_script_stay_as_they_are(text: str) -> None:
    assert plain(text) == text


def test_nothing_else_gets_through_and_json_stays_that_json() -> None:
    text = "".join(
        map(chr, [*range(0x3000), *range(0xD700, 0x10000), *range(0x1F000, 0x20000), *range(0xE0000, 0xE0200)])
    )
    shown = plain(text)
    assert {unicodedata.category(letter) for letter in shown} & {"Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp"} == set()
    for letter in ("\x00", "\x1b", "\n", "\t", "\u2028", "\u202e", "\u200b", "\ud800", "\U000e0041"):
        line = json.dumps({"text": f"<{letter}>"}, ensure_ascii=False)
        assert letter not in plain(line)
        assert json.loads(plain(line)) == {"text": f"<{letter}>"}
