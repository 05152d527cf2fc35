"""The large glass: one thing at a time, high enough to be read from 1.5 m."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from referee.config import Config, TableSettings
from referee.console.drawing.draw import BODY
from referee.console.drawing.raster import Raster
from referee.console.drawing.screens import SMALL, compose, problems
from referee.console.views import Band, Cell, Count, Dice, Grid, Question, Rows, Ruling, View
from referee.station.virtual.bench import Bench

BAND = Band("Sauron", "whom?")
GRID = Grid(BAND, (Cell("Gondor"), Cell("Army of the Dead", "Dead"), Cell("Elf", barred=True)), question="Whom?")


def shown(view: View) -> Raster:
    assert problems(view, enlarged=True) == []
    return compose(view, SMALL, enlarged=True)


def height(picture: Raster, box: tuple[int, int, int, int]) -> int:
    """Rows from the first to the last that have ink in a box."""
    found = picture.image().crop(box).getbbox()
    assert found is not None
    return found[3] - found[1]


@pytest.mark.parametrize("lit", range(2))
def test_an_option_stands_alone_with_its_number(lit: int) -> None:
    one = shown(replace(GRID, lit=lit))
    assert height(one, (26, BODY, 128, 64)) >= 19
    others = replace(GRID, cells=tuple(c if n == lit else Cell("Other") for n, c in enumerate(GRID.cells)))
    assert shown(replace(others, lit=lit)).bits == one.bits
    assert shown(replace(GRID, lit=1 - lit)).bits != one.bits


def test_while_nothing_is_lit_the_question_stands_there() -> None:
    assert height(shown(GRID), (0, BODY, 128, 64)) >= 19
    asked = Question(BAND, "Is the Ring Bearer still in the hex?", (Cell("Yes"), Cell("No")))
    assert shown(asked).bits != shown(replace(asked, lit=0)).bits


def test_what_is_not_open_looks_otherwise() -> None:
    cells = tuple(replace(cell, barred=False) for cell in GRID.cells)
    assert shown(replace(GRID, lit=2)).bits != shown(replace(GRID, lit=2, cells=cells)).bits


@pytest.mark.parametrize(
    "view",
    [
        Count(BAND, 3, 0, 10, "Regulars"),
        Dice(BAND, (None, None), need="9+", need_note="kills"),
        Dice(BAND, (5, None), need="9+", need_note="kills"),
        Ruling("Gondor out", changed=True, faces=(5, 4), total="9"),
        Rows(BAND, (Cell("Fortress and river", "Fort+riv"),), lit=0),
    ],
    ids=lambda view: type(view).__name__.lower(),
)
def test_numbers_and_headlines_are_large(view: View) -> None:
    body = (26, BODY, 128, 50)
    picture = shown(view).image()
    if isinstance(view, Ruling):
        picture = picture.point(lambda ink: 255 - ink)
    found = picture.crop(body).getbbox()
    assert found is not None
    assert found[3] - found[1] >= 17


def test_a_table_chooses_it(tmp_path: Path) -> None:
    config = Config(table=TableSettings(glass="large"))
    with Bench(tmp_path / "large.db", config=config) as bench:
        bench.settle()
        small = compose(bench.view, SMALL).bits
        assert bench.loop.picture.raster is not None
        assert bench.loop.picture.raster.bits != small
