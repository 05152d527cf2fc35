"""Windows cover what changed, and cost next to nothing more than the cheapest ones possible."""

import random
from collections.abc import Callable
from itertools import combinations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageDraw

from hardware.glass.layout import Layout, Window, overlap
from hardware.glass.packing import pack
from hardware.glass.panels import panel
from hardware.glass.windows import plan as plan_on
from hardware.ports import Area

I2C = panel("ssd1306", "i2c").layout
OVERHEAD = I2C.overhead
WIDTH, PAGES = 128, 8
WHOLE_FRAME = 1034
BLANK = bytes(WIDTH * PAGES)
FAR_FROM_OPTIMUM = 1.1

Optimum = Callable[..., int]


def plan(old: bytes, new: bytes, *first: Area, layout: Layout = I2C) -> list[Window]:
    return plan_on(old, new, first, layout)


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


def noise(chance: random.Random, changes: int) -> bytes:
    memory = bytearray(BLANK)
    for _ in range(changes):
        memory[chance.randrange(len(memory))] = 1 + chance.randrange(255)
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


@given(memories, memories, st.lists(st.tuples(*[st.integers(-10, 140)] * 4), max_size=3))
def test_windows_turn_the_old_memory_into_the_new_for_no_more_than_a_frame(
    before: list[tuple[int, int, int, int]],
    after: list[tuple[int, int, int, int]],
    first: list[Area],
) -> None:
    old, new = painted(before), painted(after)
    windows = plan(old, new, *first)
    assert apply(windows, old, new) == new
    assert cost(windows) <= WHOLE_FRAME
    assert bool(windows) == (old != new)


def test_a_whole_frame_costs_what_luma_pays_for_one() -> None:
    assert cost(plan(BLANK, bytes([255]) * len(BLANK))) == WHOLE_FRAME
    assert plan(BLANK, bytes([255]) * len(BLANK)) == [Window(0, 0, WIDTH, PAGES)]


def test_one_changed_byte_costs_one_byte_and_its_window() -> None:
    new = bytearray(BLANK)
    new[3 * WIDTH + 77] = 8
    assert plan(BLANK, bytes(new)) == [Window(77, 3, 78, 4)]
    assert cost(plan(BLANK, bytes(new))) == OVERHEAD + 1


def cheapest_by_trying(cells: list[bool], columns: int, cell_bytes: int) -> int:
    """All sets of disjoint rectangles on a tiny grid, one by one."""
    pages = len(cells) // columns
    changed = frozenset((i % columns, i // columns) for i, cell in enumerate(cells) if cell)
    rectangles = [
        frozenset((x, p) for x in range(left, right) for p in range(top, bottom))
        for left, right in combinations(range(columns + 1), 2)
        for top, bottom in combinations(range(pages + 1), 2)
    ]

    def search(missing: frozenset[tuple[int, int]], used: frozenset[tuple[int, int]]) -> int:
        if not missing:
            return 0
        cell = min(missing)
        fitting = (r for r in rectangles if cell in r and not r & used)
        return min(OVERHEAD + cell_bytes * len(r) + search(missing - r, used | r) for r in fitting)

    return search(changed, frozenset())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.booleans(), min_size=12, max_size=12), st.sampled_from([1, 3, 6, 11]))
def test_the_optimum_itself_is_the_best_of_all_sets_of_rectangles(
    optimum: Optimum, cells: list[bool], cell_bytes: int
) -> None:
    """Three pages of four wide cells; between wide ones a gap is dearer than a window of its own."""
    columns = 4
    row = columns * cell_bytes
    new = bytearray(PAGES * row)
    for i, cell in enumerate(cells):
        start = i // columns * row + i % columns * cell_bytes
        new[start : start + cell_bytes] = bytes([cell]) * cell_bytes
    assert optimum(bytes(len(new)), bytes(new), row) == cheapest_by_trying(cells, columns, cell_bytes)


def test_two_distant_columns_are_two_windows_at_the_optimum_and_two_near_ones_one(optimum: Optimum) -> None:
    for gap, expected in ((9, OVERHEAD + 11), (10, OVERHEAD + 12), (11, 2 * OVERHEAD + 2)):
        new = bytearray(BLANK)
        new[0] = new[gap + 1] = 1
        assert optimum(BLANK, bytes(new)) == expected
        assert cost(plan(BLANK, bytes(new))) == expected


@pytest.mark.parametrize("changes", [2, 5, 10, 20, 40, 70, 110, 160, 250, 400])
def test_scattered_changes_cost_next_to_the_optimum(optimum: Optimum, changes: int) -> None:
    chance = random.Random(changes)
    for _ in range(4):
        new = noise(chance, changes)
        assert cost(plan(BLANK, new)) <= FAR_FROM_OPTIMUM * optimum(BLANK, new)


def stripes(chance: random.Random, spacing: int, gaps: float) -> bytes:
    """Upright strokes with gaps, as the edges of frames and letters are."""
    memory = bytearray(BLANK)
    for at in range(len(memory)):
        if at % WIDTH % spacing == 0 and chance.random() > gaps:
            memory[at] = 0x3C
    return bytes(memory)


@pytest.mark.parametrize("spacing", [3, 5, 7, 9, 12, 15, 30])
@pytest.mark.parametrize("gaps", [0.0, 0.1, 0.25])
def test_upright_strokes_cost_next_to_the_optimum(optimum: Optimum, spacing: int, gaps: float) -> None:
    new = stripes(random.Random(spacing), spacing, gaps)
    assert cost(plan(BLANK, new)) <= FAR_FROM_OPTIMUM * min(optimum(BLANK, new), WHOLE_FRAME)


@pytest.mark.parametrize("marks", [1, 2, 3, 5, 8, 13, 21])
def test_drawn_changes_cost_next_to_the_optimum(optimum: Optimum, marks: int) -> None:
    chance = random.Random(marks)
    for _ in range(8):
        old, new = scribble(chance, marks), scribble(chance, marks)
        best = min(optimum(old, new), WHOLE_FRAME) if old != new else 0
        assert cost(plan(old, new)) <= FAR_FROM_OPTIMUM * best
        area = (chance.randrange(100), chance.randrange(50), 128, 64)
        assert cost(plan(old, new, area)) <= FAR_FROM_OPTIMUM * best


@example(
    [(0, 0, 1, 1), (26, 0, 40, 8), (16, 7, 10, 8), (7, 2, 1, 1)],
    [(0, 0, 1, 1), (15, 2, 28, 8), (0, 0, 4, 5), (47, 7, 40, 1), (87, 0, 17, 8)],
    (2, 29, 89, 62),
)
@settings(max_examples=400, deadline=None)
@given(
    memories, memories, st.tuples(st.integers(0, 60), st.integers(0, 30), st.integers(61, 128), st.integers(31, 64))
)
def test_what_answers_the_press_is_sent_before_the_rest(
    before: list[tuple[int, int, int, int]], after: list[tuple[int, int, int, int]], first: tuple[int, int, int, int]
) -> None:
    windows = plan(painted(before), painted(after), first)
    touching = [overlap(window, I2C.cells(first)) for window in windows]
    assert touching == sorted(touching, reverse=True)


def test_the_first_area_that_changed_answers_and_the_rest_follows_the_nearest_first() -> None:
    new = painted([(0, 7, 60, 1), (100, 0, 28, 1), (0, 0, 20, 1)])
    still, answer = (40, 16, 60, 40), (100, 0, 128, 8)
    assert plan(BLANK, new, still, answer, (0, 0, 20, 8)) == [
        Window(100, 0, 128, 1),
        Window(0, 7, 60, 8),
        Window(0, 0, 20, 1),
    ]


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 31), st.integers(0, 30), st.integers(1, 48), st.integers(1, 32))
def test_an_answer_of_a_new_screen_is_complete_after_five_milliseconds(
    left: int, top: int, wide: int, high: int
) -> None:
    """As large as the console makes one, anywhere, while three quarters of the glass change."""
    assume(I2C.cells((left, top, left + wide, top + high)).area <= 192)
    new = painted([(0, 0, 96, 8)])
    windows = plan(BLANK, new, (left, top, left + wide, top + high))
    missing, sent = I2C.cells((left, top, left + wide, top + high)), 0
    for window in windows:
        if not overlap(window, missing):
            break
        sent += cost([window])
        if window.left <= missing.left and missing.right <= window.right and missing.bottom <= window.bottom:
            break
    assert sent <= 0.005 * 400_000 / 9


def test_an_answer_inside_a_large_change_gets_windows_of_its_own() -> None:
    """Of a wide change a corner answers the press: it does not wait for the rest of the row."""
    new = painted([(0, 0, 128, 6)])
    windows = plan(BLANK, new, (0, 0, 20, 16))
    assert windows[0] == Window(0, 0, 20, 2)
    assert cost(windows) <= WHOLE_FRAME
