"""The four questions: what they take, what they refuse and with which code, and that they copy no state."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import Malformed, NotNow, Refused
from referee.rulebook import YES_NO, Ask, Bar, Choose, Count, Option, Options, Pick, Roll

ORCS = Options([("orc", "Orc"), ("elf", "Elf"), Option("man", "Man", "M"), ("ent", "Ent")])
SOFT = Bar("X-1", "Elves rest")
FIRM = Bar("X-2", "No Ent is here", firm=True)

ids = st.sampled_from(["orc", "elf", "man", "ent"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=60) | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def bar(option: str) -> Bar | None:
    return {"elf": SOFT, "ent": FIRM}.get(option)


def refusal(ask: Ask, answer: object, *, override: bool = False) -> tuple[type[Refused], str]:
    """Return the kind and code with which an answer is refused."""
    with pytest.raises(Refused) as caught:
        ask.check(answer, override=override)
    assert caught.value.text
    assert len(caught.value.text) < 200
    return type(caught.value), caught.value.code


def asks() -> list[Ask]:
    return [
        Choose("a", "?", ORCS, bar),
        Pick("a", "?", ORCS, bar, low=1, high=2),
        Count("a", "?", 2, 9, lambda n: SOFT if n == 5 else None),
        Roll("a", "?", 2, total=True),
    ]


def test_options_are_looked_up_by_id_and_come_once() -> None:
    assert ORCS.by_id["man"] == ("man", "Man", "M")
    assert [o.id for o in ORCS.only("man", "orc")] == ["man", "orc"]
    assert YES_NO == (("yes", "Yes", ""), ("no", "No", ""))
    assert Options(ORCS) is ORCS
    with pytest.raises(ValueError, match="same id"):
        Options([("orc", "Orc"), ("orc", "Another")])
    with pytest.raises(KeyError):
        ORCS.only("hobbit")


def test_a_choice_is_the_id_of_an_open_option() -> None:
    ask = Choose("a", "?", ORCS, bar)
    assert ask.check("orc") == "orc"
    assert refusal(ask, "hobbit") == (Malformed, "no-such-option")
    assert refusal(ask, ["orc"]) == (Malformed, "malformed")
    assert refusal(ask, "elf") == (NotNow, "X-1")
    assert refusal(ask, "ent") == (NotNow, "X-2")


def test_a_card_opens_what_is_barred_but_not_firmly() -> None:
    assert Choose("a", "?", ORCS, bar).check("elf", override=True) == "elf"
    assert refusal(Choose("a", "?", ORCS, bar), "ent", override=True) == (NotNow, "X-2")
    assert Pick("a", "?", ORCS, bar).check(["elf", "orc"], override=True) == ("elf", "orc")
    assert refusal(Pick("a", "?", ORCS, bar), ["ent"], override=True) == (NotNow, "X-2")
    count = Count("a", "?", 1, 6, {4: SOFT, 6: FIRM}.get)
    assert count.check(4, override=True) == 4
    assert refusal(count, 6, override=True) == (NotNow, "X-2")
    assert refusal(Roll("a", "?", 1), [7], override=True) == (NotNow, "bad-dice")


@given(st.lists(ids, max_size=6))
def test_a_pick_takes_as_many_as_asked_each_once(answer: list[str]) -> None:
    ask = Pick("a", "?", ORCS, bar, low=1, high=2)
    if len(set(answer)) != len(answer):
        assert refusal(ask, answer) == (Malformed, "malformed")
    elif "elf" in answer or "ent" in answer:
        first = next(each for each in answer if each in ("elf", "ent"))
        assert refusal(ask, answer) == (NotNow, "X-1" if first == "elf" else "X-2")
    elif 1 <= len(answer) <= 2:
        assert ask.check(answer) == ask.check(tuple(answer)) == tuple(answer)
    else:
        assert refusal(ask, answer) == (Malformed, "out-of-range")


@given(st.lists(st.integers(-1, 8), max_size=5))
def test_a_throw_is_as_many_faces_as_there_are_dice(faces: list[int]) -> None:
    ask = Roll("a", "?", 3, low=2, code="X-D", face_code="X-F")
    if not all(1 <= face <= 6 for face in faces):
        assert refusal(ask, faces) == (NotNow, "X-F")
    elif 2 <= len(faces) <= 3:
        assert ask.check(faces) == tuple(faces)
    else:
        assert refusal(ask, faces) == (NotNow, "X-D")


@given(st.integers(-2, 40))
def test_a_sum_is_taken_where_only_the_sum_matters(total: int) -> None:
    ask = Roll("a", "?", 3, total=True)
    if 3 <= total <= 18:
        assert ask.check(total) == (total,)
    else:
        assert refusal(ask, total) == (NotNow, "bad-dice")
    assert refusal(Roll("a", "?", 3), total) == (NotNow, "bad-dice")


@pytest.mark.parametrize("hits", range(-1, 5))
def test_a_tally_is_taken_where_only_that_matters(hits: int) -> None:
    ask = Roll("a", "?", 3, tally="hits", code="dice")
    if 0 <= hits <= 3:
        assert ask.check({"hits": hits}) == ask.check(hits) == {"hits": hits}
    else:
        assert refusal(ask, {"hits": hits}) == refusal(ask, hits) == (NotNow, "dice")
    assert ask.check([6, 1, 1]) == (6, 1, 1)
    assert refusal(Roll("a", "?", 3), {"hits": hits}) == (Malformed, "malformed")


@given(values, st.booleans())
def test_anything_at_all_is_taken_or_refused_with_a_code(value: Any, override: bool) -> None:
    for ask in asks():
        try:
            accepted = ask.check(value, override=override)
        except Refused:
            assert refusal(ask, value, override=override)[1]
        else:
            assert ask.check(value, override=override) == accepted
