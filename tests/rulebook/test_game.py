"""The state: what the judge may set in it, what it says of itself, and that it can be copied."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import Malformed
from referee.rulebook import Over, Range, Ruling
from tests.rulebook.duel import Duel

anything = st.none() | st.booleans() | st.integers(-3, 12) | st.floats(allow_nan=False) | st.text(max_size=3)


@pytest.mark.parametrize(
    ("path", "value", "before"),
    [
        ("hits.east", 2, 0),
        ("arms.powder", 9, 2),
        ("tracks.1", 0, 5),
        ("weather", "wet", "dry"),
        ("plays_on", True, False),
    ],
)
def test_the_judge_sets_fields_of_any_kind(path: str, value: Any, before: Any) -> None:
    game = Duel()
    assert game.read(path) == before
    game.correct(path, value)
    assert game.read(path) == value
    game.correct(path, before)
    assert game == Duel()


@given(st.sampled_from([*Duel.correctable, "turn", "hits", "hits.north", "", "a.b"]), anything)
def test_a_correction_is_within_its_limits_or_changes_nothing(path: str, value: Any) -> None:
    game = Duel()
    try:
        game.correct(path, value)
    except Malformed as refused:
        assert game == Duel()
        text = refused.text
    else:
        text = ""
        assert game.read(path) == value
        assert type(game.read(path)) is type(Duel().read(path))
    limits = Duel.correctable.get(path)
    if limits is None:
        assert "can be set" in text
    elif isinstance(limits, Range):
        assert (text == "") == (type(value) is int and limits.low <= value <= limits.high)
    else:
        assert (text == "") == any(type(v) is type(value) and v == value for v in limits.values)


def test_the_state_is_told_as_plain_values() -> None:
    game = Duel(over=Over("beaten", "East is beaten", ("west",)))
    game.remind("DU-4", "Sit down")
    fields = json.loads(json.dumps(game.as_json()))
    assert fields["hits"] == {"east": 0, "west": 0}
    assert fields["arms"] == {"powder": 2, "names": ["Old Betsy"]}
    assert fields["seen"] == ["a", "b"]
    assert fields["over"] == {"reason": "beaten", "text": "East is beaten", "winners": ["west"]}
    assert not {"outbox", "attempts"} & fields.keys()


def test_rulings_explain_themselves_only_when_asked() -> None:
    asked: list[int] = []

    def why(data: Any) -> tuple[str, ...]:
        asked.append(1)
        return (f"made {data['total']}",)

    ruling = Ruling("hit", "Hit", ("DU-2",), why, {"total": 9})
    assert not asked
    assert ruling.why == ("made 9",)
    assert Ruling("hit", "Hit", (), ("said", ("DU-2", "before"))).why == ("said", "before (DU-2)")
    assert Ruling("hit", "Hit", ()).data == {}
