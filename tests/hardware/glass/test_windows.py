"""Windows cover what changed, what answers the press before the rest."""

import random
from itertools import chain

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from hardware.glass.layout import Layout, Window
from hardware.glass.packing import pack
from hardware.glass.panels import panel
from hardware.glass.windows import plan as plan_on
from hardware.ports import Area

I2C = panel("ssd1306", "i2c").layout
OVERHEAD, WORTH = I2C.overhead, I2C.worth
WIDTH, PAGES = 128, 8
WHOLE_FRAME = 1034
BLANK = bytes(WIDTH * PAGES)


def plan(old: bytes, new: bytes, *first: Area, layout: Layout = I2C) -> list[Window]:
    return [*chain.from_iterable(plan_on(old, new, first, layout))]


def cost(windows: list[Window]) -> int:
    return I2C.cost(windows)


def apply(windows: list[Window], old: bytes, new: bytes) -> bytes:
    """What the controller's memory holds once the windows were sent."""
    memory = bytearray(old)
    for window in windows:
        data = I2C.cut(new, window)
        columns = window.right - window.left
        for i, page in enumerate(range(window.top, window.bottom)):
            memory[page * WIDTH + window.left : page * WIDTH + window.right] = data[i * columns : (i + 1) * columns]
    return bytes(memory)


def scribble(chance: random.Random, marks: int) -> bytes:
    image = Image.new("1", (WIDTH, PAGES * 8))
    draw = ImageDraw.Draw(image)
    for _ in range(marks):
        x, y = chance.randrange(WIDTH), chance.randrange(PAGES * 8)
        if chance.random() < 0.5:
            draw.text((x, y), chance.choice(["Gondor out", "9+", "Rohan", "kills"]), fill=1)
        else:
            draw.rectangle((x, y, x + chance.randrange(30), y + chance.randrange(20)), fill=chance.randrange(2))
    return pack(image)


memories = st.lists(
    st.tuples(st.integers(0, WIDTH - 1), st.integers(0, PAGES - 1), st.integers(1, 40), st.integers(1, 8)),
    max_size=12,
)


def painted(blocks: list[tuple[int, int, int, int]]) -> bytes:
    memory = bytearray(BLANK)
    for left, top, wide, high in blocks:
        for page in range(top, min(top + high, PAGES)):
            right = min(left + wide, WIDTH)
            memory[page * WIDTH + left : page * WIDTH + right] = bytes([0xA5]) * (right - left)
    return bytes(memory)


areas = st.tuples(*[st.integers(-10, 140)] * 4)


@example(
    [(0, 0, 1, 1), (26, 0, 40, 8), (16, 7, 10, 8), (7, 2, 1, 1)],
    [(0, 0, 1, 1), (15, 2, 28, 8), (0, 0, 4, 5), (47, 7, 40, 1), (87, 0, 17, 8)],
    [(2, 29, 89, 62)],
)
@given(memories, memories, st.lists(areas, max_size=3))
def test_windows_turn_the_old_memory_into_the_new_for_little_more_than_a_frame(
    before: list[tuple[int, int, int, int]],
    after: list[tuple[int, int, int, int]],
    first: list[Area],
) -> None:
    old, new = painted(before), painted(after)
    windows = plan(old, new, *first)
    assert apply(windows, old, new) == new
    assert bool(windows) == (old != new)
    answers = [area for area in map(I2C.cells, first) if changed(old, new, area)]
    own = cost(plan(old, only(old, new, answers[0]))) if answers else 0
    assert cost(windows) <= own + WHOLE_FRAME


def changed(old: bytes, new: bytes, area: Window) -> set[int]:
    """The bytes that differ in an area."""
    cells = (line * WIDTH + x for line in range(area.top, area.bottom) for x in range(area.left, area.right))
    return {at for at in cells if old[at] != new[at]}


def only(old: bytes, new: bytes, area: Window) -> bytes:
    """The old memory with what changed in an area."""
    inside = changed(old, new, area)
    return bytes(new[at] if at in inside else byte for at, byte in enumerate(old))


@settings(max_examples=300, deadline=None)
@given(memories, memories, areas)
def test_what_answers_the_press_is_complete_before_anything_else_is_sent(
    before: list[tuple[int, int, int, int]], after: list[tuple[int, int, int, int]], first: Area
) -> None:
    old, new = painted(before), painted(after)
    area = I2C.cells(first)
    missing = changed(old, new, area)
    for window in plan(old, new, first):
        if not missing:
            break
        assert window.left >= area.left
        assert window.right <= area.right
        assert window.top >= area.top
        assert window.bottom <= area.bottom
        missing -= changed(old, new, window)
    assert not missing


@pytest.mark.parametrize(
    ("controller", "bus", "area", "window"),
    [
        ("ssd1306", "i2c", (3, 7, 5, 9), Window(3, 0, 5, 2)),
        ("ssd1306", "i2c", (-3, -7, 500, 500), Window(0, 0, 128, 8)),
        ("ssd1306", "i2c", (7, 8, 8, 16), Window(7, 1, 8, 2)),
        ("ssd1322", "spi", (7, 3, 9, 5), Window(1, 3, 3, 5)),
        ("ssd1322", "spi", (-1, -1, 500, 500), Window(0, 0, 64, 64)),
        ("ssd1322", "spi", (4, 0, 8, 1), Window(1, 0, 2, 1)),
    ],
)
def test_an_area_is_the_cells_it_touches(controller: str, bus: str, area: Area, window: Window) -> None:
    assert panel(controller, bus).layout.cells(area) == window


def test_a_whole_frame_costs_what_luma_pays_for_one() -> None:
    assert cost(plan(BLANK, bytes([255]) * len(BLANK))) == WHOLE_FRAME
    assert plan(BLANK, bytes([255]) * len(BLANK)) == [Window(0, 0, WIDTH, PAGES)]


def test_one_changed_byte_costs_one_byte_and_its_window() -> None:
    new = bytearray(BLANK)
    new[3 * WIDTH + 77] = 8
    assert plan(BLANK, bytes(new)) == [Window(77, 3, 78, 4)]
    assert cost(plan(BLANK, bytes(new))) == OVERHEAD + 1


@pytest.mark.parametrize(("gap", "windows"), [(WORTH, 1), (WORTH + 1, 2)])
def test_two_columns_are_sent_at_once_unless_a_window_between_them_is_the_sooner_there(
    gap: int, windows: int
) -> None:
    new = bytearray(BLANK)
    new[0] = new[gap + 1] = 1
    assert len(plan(BLANK, bytes(new))) == windows


@pytest.mark.parametrize(("lower", "windows"), [(40, 1), (40 + WORTH, 1), (40 + WORTH + 1, 2)])
def test_a_line_joins_the_one_above_it_unless_that_wastes_more_than_a_window(lower: int, windows: int) -> None:
    new = painted([(0, 2, 40, 1), (0, 3, lower, 1)])
    assert len(plan(BLANK, new)) == windows


def test_a_line_joins_the_nearest_of_those_right_above_it() -> None:
    near, far = (100, 0, 10, 2), (0, 0, 10, 1)
    assert plan(BLANK, painted([far, near])) == [Window(0, 0, 10, 1), Window(100, 0, 110, 2)]
    assert plan(BLANK, painted([(0, 0, 1, 1), (0, 2, 1, 1)])) == [Window(0, 0, 1, 1), Window(0, 2, 1, 3)]


def test_the_first_area_that_changed_answers() -> None:
    new = painted([(0, 7, 60, 1), (100, 0, 28, 1), (0, 0, 20, 1)])
    still, answer = (40, 16, 60, 40), (100, 0, 128, 8)
    assert plan(BLANK, new, still, answer, (0, 0, 20, 8)) == [
        Window(100, 0, 128, 1),
        Window(0, 0, 20, 1),
        Window(0, 7, 60, 8),
    ]


def test_an_answer_inside_a_large_change_gets_a_window_of_its_own() -> None:
    """Of a wide change a corner answers the press: it does not wait for the rest of the row."""
    new = painted([(0, 0, 128, 6)])
    windows = plan(BLANK, new, (0, 0, 20, 16))
    assert windows[0] == Window(0, 0, 20, 2)


@pytest.mark.parametrize("marks", [1, 2, 3, 5, 8, 13, 21])
def test_drawn_changes_are_sent_with_few_bytes_that_did_not_change(marks: int) -> None:
    """A picture redrawn: less than half a window's worth of unchanged bytes for each run of changed ones."""
    chance = random.Random(marks)
    for _ in range(8):
        old, new = scribble(chance, marks), scribble(chance, marks)
        windows = plan(old, new)
        sent = sum(window.area for window in windows)
        different = len(changed(old, new, Window(0, 0, WIDTH, PAGES)))
        runs = sum(old[at] != new[at] and (at % WIDTH == 0 or old[at - 1] == new[at - 1]) for at in range(len(new)))
        assert sent <= different + runs * WORTH / 2 or windows == I2C.whole
