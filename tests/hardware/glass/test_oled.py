"""The windowed driver: always the right picture, few bytes, and no fault outlasts the next picture."""

import errno
import threading
from collections.abc import Callable

import pytest
from PIL import Image, ImageDraw

from hardware.errors import BadImage, DeviceClosed, DisplayLost
from hardware.glass.oled import OledDisplay
from tests.hardware.glass.bench import Bench, bench_on, random_frames

SIZE = (128, 64)
WHOLE_FRAME = 1034
ANSWER = 10 + 4 * 40
"""A window of 40 columns by 20 rows, which touch four pages."""


@pytest.fixture(params=["ssd1306", "ssd1309"])
def bench(request: pytest.FixtureRequest) -> Bench:
    return bench_on(request.param, "i2c")


def test_the_first_picture_follows_lumas_initialisation_at_once(bench: Bench) -> None:
    """Not luma's blank frame and then the picture: the glass wakes up with the right one."""
    image = random_frames(3, 20, SIZE)[-1]
    sent = bench.show(image)
    commands = sum(2 + len(part.payload) for part in bench.panel.start if part is not None)
    resynchronised = 2 + 2
    assert sent == resynchronised + commands + WHOLE_FRAME
    bench.chip.power_cycle()
    assert bench.chip.glass().getbbox() is None


def test_the_part_that_answers_the_press_is_on_the_glass_first() -> None:
    bench = bench_on("ssd1306", "i2c")
    bench.show(Image.new("1", SIZE))
    seen: list[tuple[int, int, int, int] | None] = []
    bench.chip.on_change = lambda: seen.append(bench.chip.glass().getbbox())
    image = Image.new("1", SIZE)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 127, 10), fill=1)
    draw.rectangle((90, 50, 100, 60), fill=1)
    bench.display.show(image, [(90, 50, 101, 61)])
    assert next(box for box in seen if box is not None) == (90, 50, 101, 61)


def test_contrast_outlasts_a_fault(bench: Bench) -> None:
    image = random_frames(6, 9, SIZE)[-1]
    bench.display.contrast(40)
    bench.show(image)
    assert bench.chip.chip.contrast == 40
    bench.chip.fail_next(errno.EIO)
    with pytest.raises(DisplayLost):
        bench.display.contrast(90)
    bench.chip.power_cycle()
    bench.show(image)
    assert bench.chip.chip.contrast == 90


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: d.show(Image.new("L", SIZE)), 'expected mode "1", 128 by 64'),
        (lambda d: d.show(Image.new("1", (256, 64))), "expected mode"),
        (lambda d: d.contrast(256), "contrast is 256: expected 0 to 255"),
        (lambda d: d.contrast(-1), "expected 0 to 255"),
    ],
)
def test_what_the_glass_cannot_show_is_refused(
    bench: Bench, call: Callable[[OledDisplay], None], message: str
) -> None:
    image = random_frames(8, 5, SIZE)[-1]
    bench.show(image)
    sent = bench.chip.bytes_sent
    with pytest.raises(BadImage, match=message):
        call(bench.display)
    assert bench.chip.bytes_sent == sent
    assert bench.show(image) == 0


def test_a_bus_that_hangs_is_not_waited_for_at_the_end(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    bench = bench_on("ssd1306", "i2c")
    image = Image.new("1", SIZE, 1)
    bench.show(Image.new("1", SIZE))

    def hang() -> None:
        begun.set()
        assert go_on.wait(20)

    bench.chip.on_change = hang
    thread = threading.Thread(target=bench.display.show, args=(image,))
    thread.start()
    assert begun.wait(20)
    monkeypatch.setattr("hardware.glass.oled.PATIENCE", 0.01)
    for _ in range(2):
        bench.display.close()
    assert [record.message for record in caplog.records] == ["the display's bus hangs; it was not closed"]
    go_on.set()
    thread.join()
    assert not bench.chip.closed
    with pytest.raises(DeviceClosed, match="the display is closed"):
        bench.display.show(image)
