"""What a browser may say, and that everything else is refused with what was expected."""

from __future__ import annotations

import json

import pytest

from referee.errors import Malformed
from referee.web.hub import (
    HELD_KEYS,
    KEYS,
    MAX_BYTES,
    PanelClick,
    PanelHold,
    PanelName,
    PanelRelease,
    PanelTap,
    PanelTurn,
    PanelVoice,
    Ping,
    parse,
)


def test_a_name_of_any_script_is_typed_and_one_that_is_none_is_refused_in_words_for_whoever_typed_it() -> None:
    for name in ("علی\u200cرضا", "👩\u200d👩\u200d👧", ""):
        assert parse(json.dumps({"type": "name", "key": "seat-1", "name": f" {name} "})) == PanelName("seat-1", name)
    with pytest.raises(Malformed) as refused:
        parse(json.dumps({"type": "name", "key": "seat-1", "name": 25 * "x"}))
    assert refused.value.text == "A name has at most 24 letters, this one has 25"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "one JSON object"),
        ("down", "one JSON object"),
        ("[" * 4000, "one JSON object"),
        ('["down"]', "one JSON object"),
        ("null", "one JSON object"),
        ("{}", '"type"'),
        ('{"type":["down"]}', '"type"'),
        ('{"type":"down","key":"die-1"}', '"type"'),
        ('{"type":"click","ms":1}', '"key"'),
        ('{"type":"click","key":"die-7","ms":1}', '"key"'),
        ('{"type":"click","key":["die-1"],"ms":1}', '"key"'),
        ('{"type":"click","key":"die-1"}', '"ms"'),
        ('{"type":"click","key":"die-1","ms":300}', '"ms"'),
        ('{"type":"click","key":"die-1","ms":-1}', '"ms"'),
        ('{"type":"click","key":"die-1","ms":true}', '"ms"'),
        ('{"type":"click","key":"die-1","ms":1.0}', '"ms"'),
        ('{"type":"hold","key":"die-1"}', '"key"'),
        ('{"type":"hold","key":"seat-1"}', '"key"'),
        ('{"type":"release","key":["back"]}', '"key"'),
        ('{"type":"tap","button":"0","held":false}', '"screen"'),
        ('{"type":"tap","screen":true,"button":"0","held":false}', '"screen"'),
        ('{"type":"tap","screen":-1,"button":"0","held":false}', '"screen"'),
        ('{"type":"tap","screen":9007199254740992,"button":"0","held":false}', '"screen"'),
        ('{"type":"tap","screen":1,"button":0,"held":false}', '"button"'),
        ('{"type":"tap","screen":1,"button":"","held":false}', '"button"'),
        ('{"type":"tap","screen":1,"button":"12345678901234567","held":false}', '"button"'),
        ('{"type":"tap","screen":1,"button":"0"}', '"held"'),
        ('{"type":"voice"}', '"speaks"'),
        ('{"type":"voice","speaks":1}', '"speaks"'),
        ('{"type":"turn"}', '"steps"'),
        ('{"type":"turn","steps":0}', '"steps"'),
        ('{"type":"turn","steps":33}', '"steps"'),
        ('{"type":"turn","steps":true}', '"steps"'),
        ('{"type":"turn","steps":1.5}', '"steps"'),
        ('{"type":"turn","steps":1e400}', '"steps"'),
        ('{"type":"turn","steps":' + "9" * 4050 + "}", '"steps"'),
        ('{"type":"turn","steps":' + "9" * 5000 + "}", f"{MAX_BYTES} bytes"),
        ('{"type":"ping","pad":"' + "é" * 2040 + '"}', f"{MAX_BYTES} bytes"),
    ],
)
def test_anything_else_is_refused_with_what_was_expected(text: str, expected: str) -> None:
    with pytest.raises(Malformed) as refusal:
        parse(text)
    assert expected in refusal.value.text
    assert refusal.value.text.startswith("expected")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        *((f'{{"type":"click","key":"{key}","ms":299}}', PanelClick(key, 299)) for key in sorted(KEYS)),
        *((f'{{"type":"hold","key":"{key}"}}', PanelHold(key)) for key in HELD_KEYS),
        *((f'{{"type":"release","key":"{key}"}}', PanelRelease(key)) for key in HELD_KEYS),
        *((f'{{"type":"turn","steps":{steps}}}', PanelTurn(steps)) for steps in (-32, -1, 1, 32)),
        ('{"type":"tap","screen":17,"button":"box-rolls","held":true}', PanelTap(17, "box-rolls", held=True)),
        ('{"type":"voice","speaks":true}', PanelVoice(speaks=True)),
        ('{"type":"ping","since":3}', Ping()),
    ],
)
def test_what_a_browser_may_say_is_read(text: str, read: object) -> None:
    assert parse(text) == read
