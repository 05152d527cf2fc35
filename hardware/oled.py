"""An SSD1306 or SSD1309 glass on I2C that is sent only what changed.

luma.oled knows how to initialise the panel and luma.core how to talk I2C; both always send whole frames.
Here a shadow of the controller's memory is kept, and of a new picture only the windows that differ are sent.
"""

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from luma.core.error import Error as LumaError
from luma.oled import device as panels
from PIL import Image

from hardware.errors import BadImage, DeviceClosed, DisplayLost
from hardware.packing import PAGE, pack
from hardware.ports import Area
from hardware.windows import Window, plan

DISPLAY_OFF = 0xAE
SET_CONTRAST = 0x81
COLUMN_RANGE = 0x21
PAGE_RANGE = 0x22
NO_OPERATION = 0xE3

_logger = logging.getLogger(__name__)


class Wire(Protocol):
    """luma's serial interface: what its `i2c` class offers."""

    def command(self, *cmd: int) -> None:
        """Send command bytes in one transfer."""

    def data(self, data: Sequence[int]) -> None:
        """Send display memory."""

    def cleanup(self) -> None:
        """Close the bus."""


class _Transcript:
    """A wire without a panel: keeps what luma says, so that it can be said again after a fault."""

    def __init__(self) -> None:
        self.transfers: list[tuple[int, ...] | None] = []

    def command(self, *cmd: int) -> None:
        self.transfers.append(cmd)

    def data(self, data: Sequence[int]) -> None:
        assert len(data) > 0
        self.transfers.append(None)

    def cleanup(self) -> None:
        pass


def initialisation(controller: str, size: tuple[int, int]) -> list[tuple[int, ...] | None]:
    """Return luma's own initialisation of a panel: commands, and None where it sends its blank frame.

    luma is asked once, away from any bus: each of its devices registers an exit hook, so making a new one
    after every fault would pile them up, and one made while the panel is missing never comes into being.
    """
    transcript = _Transcript()
    device: Any = getattr(panels, controller)(transcript, width=size[0], height=size[1])
    device.persist = True
    return transcript.transfers


class OledDisplay:
    """A paged 1-bit OLED behind luma's I2C interface. May be used from any thread, by one at a time."""

    def __init__(self, wire: Wire, *, controller: str = "ssd1306", size: tuple[int, int] = (128, 64)) -> None:
        self._wire = wire
        self._size = size
        self._initialisation = initialisation(controller, size)
        self._shadow: bytes | None = None
        self._contrast: int | None = None
        self._closed = False
        self._lock = threading.Lock()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._size

    def show(self, image: Image.Image, first: Area | None = None) -> None:
        """Put `image` on the glass, the windows that touch `first` before the others.

        Raises BadImage before anything is sent, DisplayLost if the panel does not answer; after that the
        next picture initialises the panel and is sent as a whole.
        """
        if image.mode != "1" or image.size != self._size:
            width, height = self._size
            raise BadImage(f'image is "{image.mode}" {image.size}: expected mode "1", {width} by {height}')
        memory = pack(image)
        with self._open():
            # While bytes are on their way nobody knows what the panel holds; an exception leaves it so.
            shadow, self._shadow = self._shadow, None
            if shadow is None:
                self._initialise(memory)
            else:
                for window in plan(shadow, memory, first, width=self._size[0]):
                    self._send(window, memory)
            self._shadow = memory

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255; it outlasts a fault. Raises BadImage or DisplayLost."""
        if not 0 <= level <= 255:
            raise BadImage(f"contrast is {level}: expected 0 to 255")
        with self._open():
            self._contrast = level
            if self._shadow is not None:
                shadow, self._shadow = self._shadow, None
                self._wire.command(SET_CONTRAST, level)
                self._shadow = shadow

    def close(self) -> None:
        """Leave the glass dark, its memory blank, and the bus closed; may be called twice."""
        if self._closed:
            return
        try:
            with self._open():
                self._wire.command(DISPLAY_OFF)
                self._send(Window(0, 0, self._size[0], self._size[1] // PAGE), bytes(_area(self._size)))
        except DisplayLost as error:
            _logger.warning("the display could not be blanked: %s", error)
        finally:
            self._closed = True
            self._wire.cleanup()

    @contextmanager
    def _open(self) -> Iterator[None]:
        """Hold the bus; turn what luma and the kernel raise into one error."""
        with self._lock:
            if self._closed:
                raise DeviceClosed("the display is closed")
            try:
                yield
            except (OSError, LumaError) as error:
                raise DisplayLost(f"the display does not answer: {error}") from error

    def _initialise(self, memory: bytes) -> None:
        # A transfer that broke off, now or in an earlier process, may have left a command waiting for its
        # parameters, two at most: these complete it, and are no operation otherwise.
        self._wire.command(NO_OPERATION, NO_OPERATION)
        # luma sends a blank frame before it switches the panel on; the picture goes in its place.
        for command in self._initialisation:
            if command is None:
                self._wire.data(memory)
            else:
                self._wire.command(*command)
        if self._contrast is not None:
            self._wire.command(SET_CONTRAST, self._contrast)

    def _send(self, window: Window, memory: bytes) -> None:
        self._wire.command(COLUMN_RANGE, window.left, window.right - 1, PAGE_RANGE, window.top, window.bottom - 1)
        self._wire.data(window.cut(memory, self._size[0]))


def _area(size: tuple[int, int]) -> int:
    return size[0] * size[1] // PAGE
