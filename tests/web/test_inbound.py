"""What a browser may say, and that everything else is refused."""

from __future__ import annotations

import json

import pytest

from referee.errors import Malformed
from referee.web.hub import (
    HELD_KEYS,
    KEYS,
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


def test_a_name_of_any_script_is_typed_or_refused_in_words() -> None:
    for name in ("علی\u200cرضا", "👩\u200d👩\u200d👧", ""):
        assert parse(json.dumps({"type": "name", "key": "seat-1", "name": f" {name} "})) == PanelName("seat-1", name)
    with pytest.raises(Malformed) as refused:
        parse(json.dumps({"type": "name", "key": "seat-1", "name": 25 * "x"}))
    assert refused.value.text == "A name has at most 24 letters, this one has 25"


REFUSED = """
down
["down"]
null
{}
{"type":["down"]}
{"type":"down","key":"die-1"}
{"type":"click","ms":1}
{"type":"click","key":"die-7","ms":1}
{"type":"click","key":["die-1"],"ms":1}
{"type":"click","key":"die-1"}
{"type":"click","key":"die-1","ms":300}
{"type":"click","key":"die-1","ms":-1}
{"type":"click","key":"die-1","ms":true}
{"type":"click","key":"die-1","ms":1.0}
{"type":"hold","key":"die-1"}
{"type":"release","key":["back"]}
{"type":"tap","button":"0","held":false}
{"type":"tap","screen":true,"button":"0","held":false}
{"type":"tap","screen":9007199254740992,"button":"0","held":false}
{"type":"tap","screen":1,"button":0,"held":false}
{"type":"tap","screen":1,"button":"","held":false}
{"type":"tap","screen":1,"button":"12345678901234567","held":false}
{"type":"tap","screen":1,"button":"0"}
{"type":"voice","speaks":1}
{"type":"name","key":"seat-9","name":""}
{"type":"turn","steps":0}
{"type":"turn","steps":33}
{"type":"turn","steps":true}
{"type":"turn","steps":1e400}
"""


def test_anything_else_is_refused() -> None:
    long = (f'{{"type":"turn","steps":{4050 * "9"}}}', f'{{"type":"ping","pad":"{2040 * "é"}"}}')
    for text in (*REFUSED.split("\n"), 4000 * "[", *long):
        with pytest.raises(Malformed, match="malformed: expected"):
            parse(text)


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
