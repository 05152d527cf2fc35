"""Problems: every text that is cut, lost or without a glyph is told, wherever a view carries it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.console.drawing.screens import SMALL, problems
from referee.console.drawing.type import BARRED_CELLS, HEADLINES
from referee.console.views import (
    Band,
    Cell,
    Confirm,
    Count,
    Dice,
    Grid,
    Idle,
    Notice,
    Odds,
    Refusal,
    Rows,
    Ruling,
    View,
    Why,
)
from tests.console.sheet import render

BAND = Band("Sauron", "who?")

EACH_TEXT: dict[str, Callable[[str], View]] = {
    "band left": lambda text: Grid(Band(text), ()),
    "band right": lambda text: Grid(Band("", text), ()),
    "cell": lambda text: Grid(BAND, (Cell(text),)),
    "short": lambda text: Grid(BAND, (Cell("Cirith Ungol pass", text),)),
    "barred cell": lambda text: Grid(BAND, (Cell(text, barred=True),)),
    "row": lambda text: Rows(BAND, (Cell(text),)),
    "row not on the glass": lambda text: Rows(BAND, (*(Cell("a"),) * 4, Cell(text)), lit=0),
    "pick": lambda text: Grid(BAND, (Cell(text, chosen=True),), ticks=True),
    "need": lambda text: Dice(BAND, (1,), need=text),
    "need note": lambda text: Dice(BAND, (1, 2), need="9+", need_note=text),
    "dice foot left": lambda text: Dice(BAND, (1,), foot_left=text),
    "dice foot right": lambda text: Dice(BAND, (1,), foot_right=text),
    "count foot": lambda text: Count(BAND, 3, 1, 9, foot_left=text),
    "headline": lambda text: Ruling(text, True),
    "plain headline": lambda text: Ruling(text, False),
    "total": lambda text: Ruling("Draw", True, (1, 2), text),
    "ruling need": lambda text: Ruling("Draw", True, (1, 2), "3", text),
    "ruling foot": lambda text: Ruling("Draw", True, foot_left="3rd", foot_right=text),
    "why rules": lambda text: Why(0, 1, text, ()),
    "why line": lambda text: Why(0, 1, "", ("a", "b", "c", text)),
    "refusal title": lambda text: Refusal(text, "no"),
    "refusal text": lambda text: Refusal("Not now", text, "BR-X10", "pick"),
    "refusal text, no hint": lambda text: Refusal("Not now", text, "BR-X10"),
    "refusal hint": lambda text: Refusal("Not now", "no", "", text),
    "idle title": lambda text: Idle(text, "Attack"),
    "idle subtitle": lambda text: Idle("Sauron", text),
    "idle foot": lambda text: Idle("Sauron", foot_left=text),
    "notice title": lambda text: Notice(text, "a"),
    "notice text": lambda text: Notice("a", text, "foot"),
    "notice foot": lambda text: Notice("a", "b", text),
    "odds label": lambda text: Odds(BAND, ((text, 0.5, "50%"),)),
    "odds share": lambda text: Odds(BAND, (("wins", 0.5, text),)),
    "confirm title": lambda text: Confirm(text, "a"),
    "confirm text": lambda text: Confirm("a", text),
    "confirm hint": lambda text: Confirm("a", "b", hint=text),
}
"""For every text a view can carry, a view that carries it."""


def pixels(view: View) -> bytes:
    return render(view).tobytes()


@pytest.mark.parametrize("place", EACH_TEXT)
def test_text_that_does_not_fit_is_reported(place: str) -> None:
    assert problems(EACH_TEXT[place]("3")) == []
    text = "Wwwww-10 of the Tower of the Moon " * 9
    lines = problems(EACH_TEXT[place](text))
    assert any("room for" in line or "wider than" in line or "below" in line for line in lines)


@pytest.mark.parametrize("place", EACH_TEXT)
def test_a_glyph_that_is_missing_is_reported(place: str) -> None:
    lines = problems(EACH_TEXT[place]("漢"))
    assert any("no glyph for '漢' (U+6F22)" in line for line in lines)


@given(st.text(max_size=60), st.sampled_from(sorted(EACH_TEXT)))
def test_any_text_can_be_drawn(text: str, place: str) -> None:
    view = EACH_TEXT[place](text)
    assert render(view).size == SMALL
    lost = [
        char for char in text if char.strip() and all(strike.missing(char) for strike in (*HEADLINES, *BARRED_CELLS))
    ]
    if place != "why line" and lost:
        assert problems(view)


def test_every_word_of_a_reason_is_on_the_glass_or_reported() -> None:
    reason = "All the pieces of Rohan have attacked already in this very round of the game"
    words = reason.split()
    for many in range(1, len(words) + 1):
        less, more = (Refusal("Not now", " ".join(words[:n]), "BR-X10", "pick") for n in (many - 1, many))
        assert problems(more) or pixels(less) != pixels(more)
