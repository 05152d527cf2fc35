"""An OLED glass that is sent only what changed.

luma.oled knows how to initialise the panel, but sends whole frames, or four boxes of one. Here a shadow of the
controller's memory is kept, and of a new picture only the windows that differ are sent.
"""

import logging
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from PIL import Image

from hardware.errors import BadImage, DeviceClosed, DisplayLost
from hardware.glass.buses import Transfer, Wire
from hardware.glass.panels import DISPLAY_OFF, Panel
from hardware.glass.windows import Window, plan
from hardware.ports import Area

PATIENCE = 2.0
"""Seconds to wait at the end for a transfer that does not return."""

_logger = logging.getLogger(__name__)


class OledDisplay:
    """A 1-bit picture on an OLED on I2C or SPI. May be used from any thread, by one at a time.

    With `upside_down` the picture is turned by 180 degrees, for a module that is mounted so.
    """

    def __init__(self, wire: Wire, kind: Panel, *, upside_down: bool) -> None:
        self._wire = wire
        self._panel = kind
        self._upside_down = upside_down
        self._shadow: bytes | None = None
        self._contrast: int | None = None
        self._closed = False
        self._lock = threading.Lock()

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self._panel.size

    def show(self, image: Image.Image, first: Sequence[Area] = ()) -> None:
        """Put `image` on the glass: what changed in the first area of `first` that changed, then the rest.

        Raises BadImage before anything is sent, DisplayLost if the panel does not answer; after that the
        next picture initialises the panel and is sent as a whole.
        """
        width, height = self.size
        if image.mode != "1" or image.size != self.size:
            raise BadImage(f'image is "{image.mode}" {image.size}: expected mode "1", {width} by {height}')
        if self._upside_down:
            image = image.transpose(Image.Transpose.ROTATE_180)
            first = [
                (width - right, height - lower, width - left, height - upper) for left, upper, right, lower in first
            ]
        memory = self._panel.pack(image)
        with self._open():
            # While bytes are being sent the panel's memory is unknown, and stays so after an exception.
            shadow, self._shadow = self._shadow, None
            if shadow is None:
                self._initialise(memory)
            else:
                for windows in plan(shadow, memory, first, self._panel.layout):
                    self._wire.send([*self._filling(windows, memory)])
            self._shadow = memory

    def contrast(self, level: int) -> None:
        """Set the brightness, 0 to 255; it outlasts a fault. Raises BadImage or DisplayLost."""
        if not 0 <= level <= 255:
            raise BadImage(f"contrast is {level}: expected 0 to 255")
        with self._open():
            self._contrast = level
            if self._shadow is not None:
                shadow, self._shadow = self._shadow, None
                self._wire.send(self._panel.contrast(level))
                self._shadow = shadow

    def renew(self) -> None:
        """Let the next picture initialise the panel: it may have lost its power while nothing was sent.

        On SPI, where nothing is acknowledged, there is no other way to find out.
        """
        with self._lock:
            self._shadow = None

    def close(self) -> None:
        """Leave the glass dark, its memory blank, and the bus closed; may be called twice.

        A transfer that does not return keeps the bus: then it is left as it is.
        """
        if self._closed:
            return
        if not self._lock.acquire(timeout=PATIENCE):
            self._closed = True
            _logger.warning("the display's bus hangs; it was not closed")
            return
        self._lock.release()
        layout = self._panel.layout
        blank = bytes(layout.columns * layout.lines * layout.cell_bytes)
        try:
            with self._open():
                if self._shadow is None:  # nothing was shown, or it is not known what the panel is in the middle of
                    self._initialise(blank)
                self._wire.send([Transfer(False, bytes([DISPLAY_OFF])), *self._filling(layout.whole, blank)])
        except DisplayLost as error:
            _logger.warning("the display could not be blanked: %s", error)
        finally:
            self._closed = True
            self._wire.cleanup()

    def leave(self) -> None:
        """Close the bus and leave on the glass what it shows; may be called twice."""
        if not self._closed:
            self._closed = True
            self._wire.cleanup()

    @contextmanager
    def _open(self) -> Iterator[None]:
        """Hold the bus; turn what the kernel raises into the display's own error."""
        with self._lock:
            if self._closed:
                raise DeviceClosed("the display is closed")
            try:
                yield
            except OSError as error:
                raise DisplayLost(f"the display does not answer: {error}") from error

    def _initialise(self, memory: bytes) -> None:
        self._wire.reset()
        # A transfer that broke off, now or in an earlier process, may have left a command waiting for its
        # parameters, two at most.
        transfers = [*self._panel.resync]
        # luma sends a blank frame before it switches the panel on; the picture is sent instead.
        for transfer in self._panel.start:
            transfers += self._filling(self._panel.layout.whole, memory) if transfer is None else (transfer,)
        if self._contrast is not None:
            transfers += self._panel.contrast(self._contrast)
        self._wire.send(transfers)

    def _filling(self, windows: Sequence[Window], memory: bytes) -> Iterator[Transfer]:
        for window in windows:
            yield from self._panel.address(window)
            yield Transfer(True, b"".join(memory[part] for part in self._panel.layout.slices(window)))
