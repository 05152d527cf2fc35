"""Views: what cannot be drawn is refused where it is made, and told what was expected."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.console.views import Band, Cell, Confirm, Count, Dice, Grid, Log, Notice, Odds, Pick, Rows, Ruling, Why

BAND = Band("Sauron")
SEVEN = tuple(Cell(str(n)) for n in range(7))

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "seven cells": (lambda: Grid(BAND, SEVEN), "cells has 7 entries: expected 0 to 6"),
    "seven rows": (lambda: Rows(BAND, SEVEN), "cells has 7 entries"),
    "seven picks": (lambda: Pick(BAND, SEVEN), "cells has 7 entries"),
    "lit outside": (lambda: Grid(BAND, SEVEN[:2], lit=2), "lit is 2: expected None or the index of one of 2 cells"),
    "lit below": (lambda: Rows(BAND, SEVEN[:2], lit=-1), "lit is -1"),
    "page past the last": (lambda: Grid(BAND, (), page=2, pages=2), "page is 2: expected 0 to 1"),
    "no pages": (lambda: Why(0, 0, "BR-1", ()), "pages is 0: expected 1 to"),
    "log page": (lambda: Log(1, 1, ()), "page is 1: expected 0 to 0"),
    "notice page": (lambda: Notice("a", "b", page=3, pages=3), "page is 3"),
    "no dice": (lambda: Dice(BAND, ()), "faces has 0 entries: expected 1 to 5"),
    "six dice": (lambda: Dice(BAND, (None,) * 6), "faces has 6 entries"),
    "face seven": (lambda: Dice(BAND, (7,)), "faces holds 7: expected faces 1 to 6"),
    "face zero": (lambda: Ruling("a", True, (0,)), "faces holds 0"),
    "what to do beside dice": (lambda: Ruling("a", True, (1,), to_do=("b",)), "to_do has 1 entries: expected 0 to 0"),
    "eleven faces": (lambda: Ruling("a", True, (1,) * 11), "faces has 11 entries: expected 0 to 10"),
    "bar": (lambda: Dice(BAND, (1,), bar=1.1), "bar is 1.1: expected 0.0 to 1.0"),
    "hold": (lambda: Confirm("a", "b", bar=-0.1), "bar is -0.1"),
    "count": (lambda: Count(BAND, 7, 1, 6), "value is 7: expected 1 to 6"),
    "upside down": (lambda: Count(BAND, 1, 6, 1), "high is 1: expected 6 to 999"),
    "share": (lambda: Odds(BAND, (("wins", 1.5, "150%"),)), "share of 'wins' is 1.5: expected 0.0 to 1.0"),
    "five outcomes": (lambda: Odds(BAND, (("a", 0.2, "20%"),) * 5), "rows has 5 entries: expected 0 to 4"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_drawn_says_what_was_expected(case: str) -> None:
    make, message = REFUSED[case]
    with pytest.raises(ValueError, match="expected") as caught:
        make()
    assert message in str(caught.value)


@pytest.mark.parametrize(("lit", "first"), [(None, 0), (0, 0), (2, 0), (3, 3), (5, 3)])
def test_a_list_shows_the_half_the_lit_row_is_in(lit: int | None, first: int) -> None:
    assert Rows(BAND, SEVEN[:6], lit=lit).first == first


@pytest.mark.parametrize(("faces", "keyed"), [((None, None), 0), ((5, None), 0), ((5, 4), 1), ((1, 2, None), 1)])
def test_the_die_keyed_last_is_known(faces: tuple[int | None, ...], keyed: int) -> None:
    assert Dice(BAND, faces).keyed == keyed
