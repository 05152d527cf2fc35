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


@pytest.mark.parametrize("key", sorted(KEYS))
@pytest.mark.parametrize("ms", [0, 299])
def test_every_key_is_clicked(key: str, ms: int) -> None:
    assert parse(json.dumps({"type": "click", "key": key, "ms": ms})) == PanelClick(key, ms)


@pytest.mark.parametrize("key", HELD_KEYS)
def test_select_and_back_are_held_and_let_go(key: str) -> None:
    assert parse(json.dumps({"type": "hold", "key": key})) == PanelHold(key)
    assert parse(json.dumps({"type": "release", "key": key})) == PanelRelease(key)


@pytest.mark.parametrize("steps", [-32, -1, 1, 32])
def test_turns_within_bounds(steps: int) -> None:
    assert parse(json.dumps({"type": "turn", "steps": steps})) == PanelTurn(steps)


@pytest.mark.parametrize("speaks", [True, False])
def test_a_voice_begins_and_is_silent(speaks: bool) -> None:
    assert parse(json.dumps({"type": "voice", "speaks": speaks})) == PanelVoice(speaks)


def test_a_button_is_tapped() -> None:
    tap = '{"type":"tap","screen":17,"button":"box-rolls","held":true}'
    assert parse(tap) == PanelTap(17, "box-rolls", held=True)


def test_a_name_of_any_script_is_typed_and_one_that_is_none_is_refused_in_words_for_whoever_typed_it() -> None:
    for name in ("علی\u200cرضا", "👩\u200d👩\u200d👧", ""):
        assert parse(json.dumps({"type": "name", "key": "seat-1", "name": f" {name} "})) == PanelName("seat-1", name)
    with pytest.raises(Malformed) as refused:
        parse(json.dumps({"type": "name", "key": "seat-1", "name": 25 * "x"}))
    assert refused.value.text == "A name has at most 24 letters, this one has 25"


def test_ping_and_members_of_a_later_protocol() -> None:
    assert parse('{"type":"ping","since":3}') == Ping()


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
