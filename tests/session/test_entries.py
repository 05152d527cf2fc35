"""An entry read back from JSON is the one that was written, or is refused by the name of what is wrong with it."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from referee.errors import Malformed
from referee.session.entries import FIELDS, KINDS, Entry
from referee.session.extra import check_extra

ENTRY = Entry(
    seq=3, kind="answer", edition="2", ask="shot.range", rule="SK-2", seat="north", by="north", answer=["near"],
    mode="override", group=2, source="keys", at=1.5, wall=7.25, result={"rulings": []},
)  # fmt: skip


def test_an_entry_goes_through_json_and_comes_back() -> None:
    assert Entry.from_json(json.loads(json.dumps(ENTRY.as_json()))) == ENTRY
    assert tuple(ENTRY.as_json()) == FIELDS
    plain = Entry(0, "start", "1")
    assert Entry.from_json(plain.as_json()) == plain
    assert (plain.at, plain.wall, plain.group) == (0.0, 0.0, None)
    assert type(Entry.from_json(ENTRY.as_json() | {"at": 2}).at) is float


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_that_is_not_there_is_named(name: str) -> None:
    fields = ENTRY.as_json()
    del fields[name]
    with pytest.raises(Malformed, match=f"lacks '{name}'"):
        Entry.from_json(fields)


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        *(
            (name, 7, "expected text, got int")
            for name in ("kind", "edition", "ask", "rule", "seat", "by", "mode", "source")
        ),
        ("seq", None, "expected a whole number, got NoneType"),
        ("group", 1.0, "expected a whole number, got float"),
        ("at", "now", "expected seconds, got str"),
        ("at", math.nan, "expected seconds, got float"),
        ("wall", math.inf, "expected seconds, got float"),
        ("kind", "x" * 50, f"expected one of {', '.join(KINDS)}; got '{'x' * 40}'"),
    ],
)
def test_a_value_of_another_kind_is_refused_by_its_name(name: str, value: Any, message: str) -> None:
    with pytest.raises(Malformed) as refusal:
        Entry.from_json(ENTRY.as_json() | {name: value})
    assert refusal.value.text == f"{name}: {message}"


@pytest.mark.parametrize(
    ("extra", "answer", "message"),
    [
        ({"faces": [{"source": "keys"}] * 2}, [5], "extra.faces: expected one for each face of the answer"),
        ({"faces": [{"source": "keys"}]}, 5, "extra.faces: expected one for each face of the answer"),
        ({"faces": [{"die": "A7"}]}, [5], "extra.faces: expected a list of objects, each with a source"),
        ({"unused": {"source": "tray"}}, [5], "extra.unused: expected a list of objects, each with a source and why"),
        ({"unused": [{"source": "tray"}]}, [5], "extra.unused: expected a list"),
        ({"unused": [{"source": "tray", "why": "late", "face": 7}]}, [5], "extra.unused: expected a list"),
        ({"faces": [{"source": "tray", "certainty": 1001}]}, [5], "extra.faces: expected a list"),
        *(
            ({"faces": [{"source": "tray", name: 7}]}, [5], "extra.faces: expected a list")
            for name in ("die", "doubt", "picture")
        ),
        ({"corrected": {"by": "judge"}}, [5], "extra.corrected: expected an object with was"),
        ({"corrected": {"was": [4], "by": "guest"}}, [5], "extra.corrected: expected an object with was"),
    ],
)
def test_an_extra_that_was_never_written_is_refused(extra: object, answer: object, message: str) -> None:
    with pytest.raises(Malformed) as refusal:
        check_extra(extra, answer)
    assert refusal.value.text.startswith(message)
