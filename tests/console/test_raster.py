"""Pictures as numbers: whatever is drawn, on the picture or past its edges, is what Pillow draws."""

from __future__ import annotations

import random
from functools import reduce
from operator import or_

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw

from referee.console.drawing.raster import Box, Raster, stack

WIDTHS = st.sampled_from((1, 7, 8, 21, 128, 255, 256))
INK = st.integers(0, 1)


@st.composite
def boxes(draw: st.DrawFn) -> Box:
    left, upper = draw(st.integers(-9, 260)), draw(st.integers(-9, 70))
    return left, upper, left + draw(st.integers(0, 270)), upper + draw(st.integers(0, 80))


@st.composite
def pictures(draw: st.DrawFn) -> Raster:
    width, height = draw(WIDTHS), draw(st.integers(1, 64))
    chance = random.Random(draw(st.integers(0, 1 << 32)))
    return Raster(width, height, stack(chance.getrandbits(width) for _ in range(height)))


@given(pictures())
def test_a_picture_is_its_rows_from_the_top_and_each_from_the_left(picture: Raster) -> None:
    image = picture.image()
    assert (image.mode, image.size) == ("1", (picture.width, picture.height))
    rows = [image.crop((0, y, image.width, y + 1)).tobytes() for y in range(image.height)]
    assert [int.from_bytes(row, "big") >> -image.width % 8 for row in rows] == picture.rows()
    assert {*image.convert("L").tobytes()} <= {0, 255}


@given(pictures(), boxes(), INK)
def test_a_box_is_filled_inverted_and_framed_as_pillow_does_it(picture: Raster, box: Box, ink: int) -> None:
    image = picture.image()
    picture.fill(box, ink)
    image.paste(ink, box)
    assert picture.image().tobytes() == image.tobytes()
    mask = Image.new("1", image.size)
    mask.paste(1, box)
    picture.invert(box)
    image = ImageChops.logical_xor(image, mask)
    assert picture.image().tobytes() == image.tobytes()
    left, upper, right, lower = box
    if left < right and upper < lower - 1:  # of a single row Pillow draws two
        picture.frame(box)
        ImageDraw.Draw(image).rectangle((left, upper, right - 1, lower - 1), outline=1)
        assert picture.image().tobytes() == image.tobytes()


@given(pictures(), pictures(), st.integers(-40, 260), st.integers(-40, 70), INK)
def test_a_shape_is_stamped_and_cut_at_the_edges_as_pillow_does_it(
    picture: Raster, shape: Raster, x: int, y: int, ink: int
) -> None:
    image = picture.image()
    picture.stamp(shape, x, y, ink)
    image.paste(ink, (x, y), shape.image())
    assert picture.image().tobytes() == image.tobytes()


@given(pictures(), boxes(), INK)
def test_the_last_free_column_is_the_last_without_a_pixel_of_the_ink(picture: Raster, box: Box, ink: int) -> None:
    left, upper, right, lower = box
    rows = picture.rows()[max(upper, 0) : max(lower, 0)]
    inked = reduce(or_, (row if ink else ~row for row in rows), 0)
    columns = range(max(left, 0), min(right, picture.width))
    free = [x for x in columns if not inked >> picture.width - 1 - x & 1]
    assert picture.last_free(box, ink) == (free[-1] if free else None)
