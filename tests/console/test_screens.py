"""Screens: pixel for pixel as they were looked at, and honest about what does not fit.

The golden images are drawn anew with ``python -m tests.console.sheet``; look at the difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import ImageChops

from referee.console.drawing import screens
from referee.console.drawing.screens import LARGE, SIZES, SMALL, draw, paginate, problems
from referee.console.drawing.type import rehearse
from referee.console.views import (
    Band,
    Blank,
    Cell,
    Confirm,
    Count,
    Dice,
    Grid,
    Idle,
    Refusal,
    Ruling,
    View,
    Why,
)
from tests.console.sheet import GOLDEN, render, same
from tests.console.specimens import SPECIMENS

BAND = Band("Sauron", "who?")
SIZED = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")


def pixels(view: View, size: tuple[int, int] = SMALL) -> bytes:
    return render(view, size).tobytes()


def difference(one: View, other: View) -> tuple[int, int, int, int]:
    box = ImageChops.logical_xor(render(one), render(other)).getbbox()
    assert box is not None, "the two look the same"
    return box


def inside(inner: tuple[int, int, int, int], outer: tuple[int, int, int, int]) -> bool:
    return inner[0] >= outer[0] and inner[1] >= outer[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


# -- as they were looked at -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SPECIMENS)
def test_golden(name: str, tmp_path: Path) -> None:
    picture = render(SPECIMENS[name])
    golden = GOLDEN / f"{name}.png"
    drawn = tmp_path / golden.name
    picture.save(drawn)
    assert same(golden, picture), f"{golden} differs from {drawn}"


def test_every_kind_of_view_has_a_golden_image_and_every_image_a_view() -> None:
    assert {type(view) for view in SPECIMENS.values()} == {*screens._DRAWN, Blank}
    assert {path.stem for path in GOLDEN.glob("*.png")} == {*SPECIMENS}


@pytest.mark.parametrize("name", SPECIMENS)
def test_the_wide_glass_shows_the_same_picture_in_its_middle(name: str) -> None:
    view = SPECIMENS[name]
    assert render(view, LARGE).crop((64, 0, 192, 64)).tobytes() == pixels(view)


@SIZED
@pytest.mark.parametrize("name", SPECIMENS)
def test_specimens_lose_nothing(name: str, size: tuple[int, int]) -> None:
    assert problems(SPECIMENS[name], size) == []


def test_a_glass_of_another_size_is_refused() -> None:
    with pytest.raises(ValueError, match=r"\(96, 16\).*expected one of \(\(128, 64\), \(256, 64\)\)"):
        render(Blank(), (96, 16))


# -- cells --------------------------------------------------------------------------------------------------------


def test_the_short_form_stands_in_only_where_the_long_one_does_not_fit() -> None:
    def drawn(text: str, short: str = "") -> bytes:
        return pixels(Grid(BAND, (Cell(text, short), Cell("Orc"), Cell("Ent"), Cell("Elf"))))

    assert drawn("Rohan", "Ro") == drawn("Rohan")
    assert drawn("Lothlórien of the wood", "Lórien") == drawn("Lórien")


def test_a_page_beside_a_number_is_not_read_with_it() -> None:
    def marks(band: Band) -> bytes:
        return render(Grid(band, (Cell("Evil"),), 0, 0, 2)).crop((120, 0, 128, 12)).tobytes()

    pips = marks(Band("Saruman, Sauron's friend", "whom?"))  # no room for "1/2"
    assert marks(Band("BR1 2-1", "needs 1")) == pips
    assert marks(Band("BR1 2-1", "who?")) != pips


# -- dice, counts, holds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", range(1, 6))
def test_a_keyed_die_is_the_part_that_answers(dice: int) -> None:
    for keyed in range(dice):
        after = Dice(BAND, (3,) * (keyed + 1) + (None,) * (dice - keyed - 1), need="9+", need_note="kills")
        before = replace(after, faces=(3,) * keyed + (5,) + (None,) * (dice - keyed - 1))
        assert inside(difference(before, after), answered(before, after))


@pytest.mark.parametrize("faces", range(1, 11))
def test_rulings_show_every_die(faces: int) -> None:
    view = Ruling("Draw", True, (1,) * faces, "2 hits", "5+")
    assert problems(view) == []
    seen = {pixels(replace(view, faces=(1,) * n + (6,) + (1,) * (faces - n - 1))) for n in range(faces)}
    assert len(seen) == faces


@pytest.mark.parametrize("make", [lambda bar: Dice(BAND, (None,), bar=bar), lambda bar: Confirm("Concede?", "", bar)])
def test_the_bar_of_a_hold_fills_from_left_to_right(make: Callable[[float], View]) -> None:
    edges = [difference(make(0.0), make(step / 10))[2] for step in range(1, 11)]
    assert edges == sorted(set(edges))
    assert edges[-1] >= 125


# -- the part that answers the press ------------------------------------------------------------------------------


@SIZED
@pytest.mark.parametrize("name", SPECIMENS)
def test_what_may_answer_lies_on_the_glass_has_ink_and_is_no_more_than_a_bus_carries_at_once(
    name: str, size: tuple[int, int]
) -> None:
    view = SPECIMENS[name]
    boxes = draw(view, size)[1]
    assert bool(boxes) is not isinstance(view, Blank)
    for left, upper, right, lower in boxes:
        assert inside((left, upper, right, lower), (0, 0, *size))
        assert (right - left) * (-(-lower // 8) - upper // 8) <= 192
        assert len(set(render(view, size).crop((left, upper, right, lower)).tobytes())) > 1


FRODO = Grid(Band("Frodo", "who?"), (Cell("Elf"), Cell("Orc"), Cell("Ent")), lit=0)


@pytest.mark.parametrize(
    ("before", "after", "where"),
    [
        (FRODO, replace(FRODO, band=Band("Sam", "who?")), (0, 0, 64, 12)),
        (FRODO, replace(FRODO, lit=2), (0, 32, 64, 48)),
        (FRODO, replace(FRODO, lit=None, band=Band("Frodo", "Sel: Done")), (64, 0, 128, 12)),
        (Dice(Band("Fight", "1/2"), (3, 4)), Dice(Band("Fight", "2/2"), (None, None)), (20, 13, 64, 51)),
        (Dice(Band("Fight", "1/2"), (3, None)), Dice(Band("Fight", "2/2"), (3, 4)), (64, 13, 110, 51)),
        (Count(BAND, 3, 0, 9), Count(BAND, 4, 0, 9), (44, 13, 84, 41)),
        (Count(BAND, 3, 0, 9, "Men"), Count(BAND, 3, 0, 9, "Elves"), (0, 52, 64, 64)),
        (Why(0, 2, "BR-45", ("one",)), Why(1, 2, "BR-45", ("two",)), (0, 0, 64, 12)),
        (Idle("Sauron", "Attack"), Idle("Sauron", "Build"), (30, 28, 98, 64)),
        (FRODO, Ruling("Gondor out", True), (0, 0, 80, 27)),
        (FRODO, Refusal("Not now", "All have attacked"), (29, 0, 128, 18)),
    ],
    ids=["question", "light", "passing", "twin", "die", "number", "label", "page", "phase", "ruling", "refusal"],
)
def test_what_answers_is_the_first_part_that_changed(
    before: View, after: View, where: tuple[int, int, int, int]
) -> None:
    assert inside(answered(before, after), where)


def answered(before: View, after: View) -> tuple[int, int, int, int]:
    old, new = render(before), render(after)
    return next(box for box in draw(after)[1] if old.crop(box).tobytes() != new.crop(box).tobytes())


# -- pages --------------------------------------------------------------------------------------------------------


def test_pages_hold_all_lines_and_none_overflows() -> None:
    lines = tuple(f"line {n} of the reasons of a long ruling" for n in range(7))
    pages = paginate(lines)
    joined = " ".join(line for page in pages for line in page)
    assert joined == " ".join(lines)
    for number, page in enumerate(pages):
        assert problems(Why(number, len(pages), "BR-45", page)) == []


def test_a_line_that_is_wrapped_is_read_out_as_one() -> None:
    (first, second) = paginate(("Ordinary attacks Ordinary", "Defender: open ground", "Odds D 15/36"))
    assert Why(0, 2, "", first, "BR-45").speech().spoken == (
        "BR-45. page 1 of 2. Ordinary attacks Ordinary. Defender: open ground"
    )
    assert Why(1, 2, "BR-49", second).speech().spoken == "Why BR-49. page 2 of 2. Odds D 15/36"


def test_after_the_rehearsal_no_screen_waits_for_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len([*rehearse()]) > 8, "it can be interrupted"
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail(f"{path} is read while somebody waits"))
    for view in SPECIMENS.values():
        draw(view)


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: Dice(BAND, (None,) * 6), "number of faces is 6: expected 1 to 5"),
        (lambda: Ruling("a", True, (1,) * 11), "number of faces is 11: expected 0 to 10"),
        (lambda: Count(BAND, 1, 6, 1), "high is 1: expected 6 to 999"),
    ],
)
def test_what_nobody_could_draw_is_refused(make: Callable[[], View], expected: str) -> None:
    with pytest.raises(ValueError, match=expected):
        make()
