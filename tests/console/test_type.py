"""Type: the right glyphs at the right height, and no word lost on the way to a line."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageFont

from referee.console.drawing.type import (
    BARRED_CELLS,
    FONTS,
    HEADLINES,
    OPTIONS,
    SHOUT,
    STATUS,
    Strike,
    cut,
    wrap,
)

STRIKES = (*HEADLINES, *BARRED_CELLS)
NAMES = (
    "Łódź",
    "Алёна",
    "Ирёй",
    "Ελένη",
    "Ιωάννα",
    "Barad-dûr",
    "Nazgûl",
    "Udûn",
    "Lothlórien",
    "Éomer",
    "Éowyn",
    "Dúnedain",
    "Fëanor",
    "ő",
)
TEXT = st.text(st.characters(codec="latin-1", exclude_categories=("Cc", "Zs")) | st.just(" "), max_size=90)


def drawn(strike: Strike, text: str) -> Image.Image | None:
    mask = strike.mask(text)
    return None if mask is None else mask.image()


def ink(strike: Strike, text: str) -> bytes:
    picture = drawn(strike, text)
    assert picture is not None
    return picture.tobytes()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("strike", STRIKES, ids=lambda s: s.file)
def test_names_keep_their_accents(strike: Strike, name: str) -> None:
    assert strike.missing(name) == ""
    bare = "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))
    assert ink(strike, name) != ink(strike, bare)


@pytest.mark.parametrize("strike", STRIKES, ids=lambda s: s.file)
def test_greek_and_cyrillic_stand_beside_latin(strike: Strike) -> None:
    letters = [char for code in (*range(0x386, 0x3CF), *range(0x400, 0x460)) if (char := chr(code)).isalpha()]
    assert strike.missing("".join(letters)) in ("", "ЀЍѐѝ")  # with a grave, which the small font has not
    high = {strike.extent(char).height for char in "ЖДШΩΔΣ"}
    assert max(high) <= strike.cap + 3
    assert min(high) >= strike.cap * 7 // 10


def test_a_character_without_a_glyph_is_named_and_drawn_as_a_box() -> None:
    assert STATUS.missing("a漢b→漢\n") == "漢\n"
    box = drawn(STATUS, "漢")
    assert box is not None
    assert all(box.getpixel((x, y)) for x in (0, box.width - 1) for y in (0, box.height - 1))
    assert not box.getpixel((2, 3))


@pytest.mark.parametrize("strike", STRIKES, ids=lambda s: s.file)
def test_every_letter_is_the_one_that_freetype_draws(strike: Strike) -> None:
    other = ImageFont.truetype(str(FONTS / strike.file), strike.size, layout_engine=ImageFont.Layout.BASIC)
    letters = [char for char in map(chr, range(1, 0x250)) if char in strike.font]
    assert len(letters) > 180
    for char in letters:
        core, (dx, dy) = other.getmask2(char, mode="1", anchor="ls")
        wanted = Image.frombytes("L", core.size, bytes(core)) if all(core.size) else Image.new("L", (1, 1))
        box, mask, extent = wanted.getbbox(), drawn(strike, char), strike.extent(char)
        assert extent.advance == int(other.getlength(char, mode="1"))
        assert (box is None) == (mask is None)
        if box is not None and mask is not None:
            assert wanted.crop(box).convert("1", dither=Image.Dither.NONE).tobytes() == mask.tobytes()
            assert (extent.dx, extent.dy) == (dx + box[0], dy + box[1])


def test_every_font_is_carried_with_its_notice() -> None:
    carried = {item.name for item in FONTS.iterdir() if item.name.endswith(".gz")}
    notice = (FONTS / "NOTICE").read_text("utf-8")
    assert carried == {strike.file for strike in STRIKES} | {"6x13B.pcf.gz", "9x15B.pcf.gz"}
    assert all(name in notice for name in carried)
    assert "Copyright 1984-1989, 1994 Adobe Systems Incorporated." in notice
    assert "Copyright 1988, 1994 Digital Equipment Corporation." in notice


@given(TEXT, st.sampled_from(STRIKES), st.integers(30, 130))
def test_wrapping_loses_no_letter_and_keeps_the_width(text: str, strike: Strike, width: int) -> None:
    wrapped = wrap(text, strike, width)
    assert "".join(wrapped.lines).replace(" ", "") == "".join(text.split())
    assert all(strike.width(line) <= width or len(line) == 1 for line in wrapped.lines)
    if not wrapped.broken:
        words = [piece for line in wrapped.lines for piece in line.split()]
        assert re.sub(r"-", "", "".join(words)) == re.sub(r"-", "", "".join(text.split()))


def test_a_word_too_wide_is_broken_after_a_hyphen_between_letters_only() -> None:
    assert wrap("Barad-dûr", OPTIONS, 50) == (("Barad-", "dûr"), ())
    lines, broken = wrap("1000-2000-3000", OPTIONS, 50)
    assert broken == ("1000-2000-3000",)
    assert "".join(lines) == "1000-2000-3000"


def test_cut_marks_what_it_cut() -> None:
    assert cut("Gondor", STATUS, 128) == "Gondor"
    short = cut("Minas Tirith falls", STATUS, 60)
    assert short.endswith("…")
    assert "Minas Tirith falls".startswith(short[:-1])
    assert STATUS.width(short) <= 60
    assert cut("Gondor", SHOUT, 3) == ""
