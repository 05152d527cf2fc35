"""Every display on every bus: always the right picture, few bytes, and no fault outlasts the next picture."""

import errno
import random
import threading
from collections.abc import Callable, Iterator
from itertools import groupby

import pytest
from PIL import Image, ImageDraw

from hardware.errors import BadImage, DeviceClosed, DisplayLost
from hardware.glass.oled import OledDisplay
from hardware.glass.panels import CONTROLLERS, buses, panel
from hardware.glass.windows import plan
from tests.hardware.glass.bench import Bench, bench_on, random_frames

CLOCK_TICK, DIE_KEYED_IN = 110, 200
ALL = [(controller, bus) for controller in CONTROLLERS for bus in buses(controller)]
SMALL = [each for each in ALL if each[0] != "ssd1322"]


@pytest.fixture(params=ALL, ids="-".join)
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    new = bench_on(*request.param)
    yield new
    new.display.close()


@pytest.mark.long
def test_thousands_of_frames_arrive_through_faults(bench: Bench) -> None:
    """One frame in twelve meets a fault; half of those cost the panel its power too."""
    chance = random.Random(2)
    cells = bench.panel.layout
    shadow: bytes | None = None
    for frame in random_frames(1, 1500, bench.display.size):
        left, top = chance.randrange(bench.display.size[0]), chance.randrange(64)
        first = [(left, top, left + 40, top + 20)] if chance.random() < 0.5 else []
        memory = bench.panel.pack(frame)
        planned = None if shadow is None else sum(map(cells.cost, plan(shadow, memory, first, cells)))
        if chance.random() < 1 / 12 and planned != 0:
            bench.chip.fail_next(chance.choice([errno.EIO, errno.ETIMEDOUT]), sent=chance.randrange(5))
            with pytest.raises(DisplayLost):
                bench.display.show(frame, first)
            if chance.random() < 0.5:
                bench.chip.power_cycle()
            planned = None
        sent = bench.show(frame, *first)
        assert planned is None or sent == planned, "the cost model is what the bus counts"
        shadow = memory


@pytest.mark.parametrize("transfer", range(9))
@pytest.mark.parametrize("sent", [0, 1, 2, 3, 40])
def test_wherever_a_fault_strikes_the_next_picture_is_complete(bench: Bench, transfer: int, sent: int) -> None:
    """While initialising, and then in the commands or the data of a window."""
    one, other = random_frames(3, 30, bench.display.size)[-2:]
    for image in (one, other):
        bench.chip.fail_next(errno.EIO, after=transfer, sent=sent)
        for attempt in range(3):
            try:
                bench.show(image)
            except DisplayLost:
                assert attempt < 2
            else:
                break
        # Forget a fault that this picture was too short to meet.
        bench.chip._failures.clear()
    bench.show(Image.new("1", bench.display.size))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda display: display.show(Image.new("L", display.size)), 'expected mode "1", '),
        (lambda display: display.show(Image.new("1", (96, 64))), "expected mode"),
        (lambda display: display.contrast(256), "contrast is 256: expected 0 to 255"),
    ],
)
def test_what_the_glass_cannot_show_is_refused(
    bench: Bench, call: Callable[[OledDisplay], None], message: str
) -> None:
    image = random_frames(8, 5, bench.display.size)[-1]
    bench.show(image)
    sent = bench.chip.bytes_sent
    with pytest.raises(BadImage, match=message):
        call(bench.display)
    assert bench.chip.bytes_sent == sent
    assert bench.show(image) == 0


def test_a_bus_that_hangs_is_not_waited_for_at_the_end(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    blank, image = (Image.new("1", bench.display.size, colour) for colour in (0, 1))
    bench.show(blank)

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


def test_a_renewed_panel_shows_the_picture_after_lost_power(bench: Bench) -> None:
    image = random_frames(7, 40, bench.display.size)[-1]
    bench.show(image)
    bench.chip.fail_next(errno.EIO)
    with pytest.raises(DisplayLost):
        bench.display.contrast(33)
    bench.show(image)
    bench.chip.power_cycle()
    bench.display.show(image)
    assert bench.chip.glass().getbbox() is None
    bench.display.renew()
    bench.show(image)
    assert bench.chip.chip.contrast == 33


@pytest.mark.parametrize(("controller", "bus"), ALL)
def test_a_module_mounted_upside_down_shows_the_answer_first(controller: str, bus: str) -> None:
    bench = bench_on(controller, bus, upside_down=True)
    blank = Image.new("1", bench.display.size)
    bench.display.show(blank)
    seen: list[tuple[int, int, int, int] | None] = []
    bench.chip.on_change = lambda: seen.append(bench.chip.glass().transpose(Image.Transpose.ROTATE_180).getbbox())
    image = blank.copy()
    draw = ImageDraw.Draw(image)
    answer = (88, 8, 104, 16)
    draw.rectangle((88, 8, 103, 15), fill=1)
    draw.rectangle((88, 0, 103, 3), fill=1)  # above it
    draw.rectangle((8, 8, 23, 15), fill=1)  # on its left
    draw.rectangle((88, 56, 103, 63), fill=1)  # and below, where the other half of the rest begins
    bench.display.show(image, [answer])
    assert bench.chip.glass().transpose(Image.Transpose.ROTATE_180).tobytes() == image.tobytes()
    boxes = [box for box, _ in groupby(seen) if box is not None]
    assert boxes[:2] == [answer, (88, 8, 104, 64)]


def test_each_controller_is_told_only_what_its_datasheet_defines() -> None:
    """luma speaks SSD1306 to them all; the simulated ones take no byte that is not theirs."""
    commands = {each: b"".join(part.payload for part in panel(*each).start if part and not part.data) for each in ALL}
    assert b"\x8d\x14" in commands[("ssd1306", "i2c")]
    assert b"\x8d" not in commands[("ssd1309", "i2c")] + commands[("sh1106", "i2c")]
    assert b"\xad\x8b" in commands[("sh1106", "i2c")]
    runs = [kind for kind, _ in groupby(part is None for part in panel("ssd1322", "spi").start)]
    assert runs == [False, True, False], "the picture comes once, before the panel is switched on"
