"""Windows cover what changed, what answers the press before the rest."""

from itertools import chain

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
def test_windows_cost_little_more_than_a_frame(
    before: list[tuple[int, int, int, int]], after: list[tuple[int, int, int, int]], first: list[Area]
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
def test_what_answers_the_press_is_sent_first(
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
