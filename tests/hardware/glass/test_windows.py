"""Windows cover what changed, what answers the press before the rest."""

from itertools import chain

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hardware.glass.panels import panel
from hardware.glass.windows import Layout, Window
from hardware.glass.windows import plan as plan_on
from hardware.ports import Area

I2C = panel("ssd1306", "i2c").layout
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
        for part in I2C.slices(window):
            memory[part] = new[part]
    return bytes(memory)


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
    assert cost(plan(BLANK, bytes(new))) == I2C.overhead + 1


def test_lines_that_follow_one_another_are_one_window_and_others_their_own() -> None:
    new = painted([(100, 0, 10, 2), (0, 1, 10, 1), (0, 4, 1, 1)])
    assert plan(BLANK, new) == [Window(0, 0, 110, 2), Window(0, 4, 1, 5)]
    paged = panel("sh1106", "i2c").layout
    assert plan(BLANK, new, layout=paged) == [Window(100, 0, 110, 1), Window(0, 1, 110, 2), Window(0, 4, 1, 5)]


def test_cells_of_two_bytes_are_sent_whole() -> None:
    layout = panel("ssd1322", "spi").layout
    old = bytes(64 * 64 * 2)
    new = bytearray(old)
    new[3 * 128 + 9] = new[4 * 128 + 20] = 1
    assert plan(old, bytes(new), layout=layout) == [Window(4, 3, 11, 5)]


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
