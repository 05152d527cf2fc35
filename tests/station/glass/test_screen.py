"""The display's thread: the newest frame wins, a lost display is noticed and found again."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence

import pytest
from PIL import Image

from hardware.ports import Area
from hardware.simulated.box import SimulatedBox
from referee.console.drawing.raster import Raster
from referee.station.screen import DisplayReport, Frame, Screen, Shown
from referee.station.virtual.screen import VirtualScreen

PATIENCE = 10


class SlowDisplay:
    """Shows a frame only when it is let go on, and notes what it has shown."""

    size = (128, 64)

    def __init__(self) -> None:
        self.shown: list[int] = []
        self.begun = threading.Semaphore(0)
        self.go = threading.Semaphore(0)

    def show(self, image: Image.Image, first: Sequence[Area] = ()) -> None:
        self.begun.release()
        assert self.go.acquire(timeout=PATIENCE)
        self.shown.append(image.getbbox()[0] if image.getbbox() else 0)  # type: ignore[index]

    def contrast(self, level: int) -> None:
        """Brightness does not matter here."""

    def renew(self) -> None:
        """Nothing to begin from scratch."""

    def close(self) -> None:
        """Nothing to close."""


def frame(number: int) -> Frame:
    picture = Raster(128, 64)
    picture.fill((number, 0, number + 1, 1))
    return Frame(number, picture, ())


@pytest.fixture
def reports() -> queue.SimpleQueue[DisplayReport]:
    return queue.SimpleQueue()


@pytest.fixture
def simulated() -> Iterator[SimulatedBox]:
    box = SimulatedBox()
    yield box
    box.close()


def test_frames_that_were_overtaken_are_never_drawn(reports: queue.SimpleQueue[DisplayReport]) -> None:
    display = SlowDisplay()
    screen = Screen(display)
    screen.start(reports.put)
    screen.put(frame(1))
    assert display.begun.acquire(timeout=PATIENCE)
    for number in range(2, 9):
        screen.put(frame(number))  # returns at once, though the display is busy
    display.go.release(2)
    reported = [reports.get(timeout=PATIENCE) for _ in range(2)]
    assert [report.screen for report in reported if isinstance(report, Shown)] == [1, 8]
    assert display.shown == [1, 8]
    display.go.release(9)
    screen.stop()


def test_what_is_expected_is_shown_unless_it_is_settled_before(
    simulated: SimulatedBox, reports: queue.SimpleQueue[DisplayReport]
) -> None:
    screen = Screen(simulated.box.display)
    screen.start(reports.put)
    screen.put(frame(1))
    assert isinstance(reports.get(timeout=PATIENCE), Shown)
    screen.expect(frame(2), PATIENCE)
    assert not screen.settle()
    screen.expect(frame(3), 0.05)
    shown = reports.get(timeout=PATIENCE)
    assert isinstance(shown, Shown)
    assert shown.screen == 3
    assert screen.settle()
    screen.put(frame(4))
    assert isinstance(reports.get(timeout=PATIENCE), Shown)
    assert simulated.glass().getpixel((4, 0)) == 255
    screen.stop()
    assert reports.empty()


def test_a_bus_that_never_returns_keeps_nobody_from_stopping(
    simulated: SimulatedBox, reports: queue.SimpleQueue[DisplayReport], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("referee.station.screen", "hardware.glass.oled"):
        monkeypatch.setattr(f"{module}.PATIENCE", 0.05)
    wedged, free = threading.Event(), threading.Event()

    def never() -> None:
        wedged.set()
        assert free.wait(PATIENCE)

    simulated.controller.on_change = never
    screen = Screen(simulated.box.display)
    screen.start(reports.put)
    screen.put(frame(1))
    assert wedged.wait(PATIENCE)
    screen.stop()
    simulated.box.display.close()
    assert reports.empty()
    free.set()


def test_a_picture_begins_from_scratch_as_one_it_overtakes(simulated: SimulatedBox) -> None:
    reports: list[DisplayReport] = []
    screen = VirtualScreen(simulated.box.display, lambda: 0.0, simulated.controller)
    screen.start(reports.append)
    screen.put(frame(1))
    screen.put(frame(0))  # which takes its time
    simulated.controller.power_cycle()
    screen.put(frame(2)._replace(renew=True))
    screen.put(frame(3))
    screen.let_go()
    screen.let_go()
    assert [report.screen for report in reports if isinstance(report, Shown)] == [1, 0, 3]
    assert simulated.glass().getpixel((3, 0)) == 255
