"""What a player sees: the bytes of the guest's display bus, taken by the simulated controller."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Iterator

from PIL import Image

from hardware.pins import I2cWiring, Pins
from hardware.simulated.bus import SimulatedI2c
from hardware.simulated.controllers import CHIPS

_HEADER = struct.Struct("<QHH")


class _Message:
    """One write transfer."""

    def __init__(self, address: int, payload: bytes) -> None:
        self.addr = address
        self._payload = payload

    def __iter__(self) -> Iterator[int]:
        return iter(self._payload)


class Blind(Exception):
    """The glass does not show what it should; ``shown`` is what it shows."""

    def __init__(self, text: str, shown: Image.Image) -> None:
        super().__init__(text)
        self.shown = shown


class Eye:
    """Watches the glass from a thread of its own, until the power is cut."""

    def __init__(self, glass: socket.socket, pins: Pins) -> None:
        wires = pins.display.wires
        assert isinstance(wires, I2cWiring)
        self._controller = SimulatedI2c(CHIPS[pins.display.controller](0), address=wires.address)
        self._changed = threading.Condition()
        self._at = 0.0
        self._seen: list[tuple[float, Image.Image]] = []
        self.fault = ""
        self._glass = glass
        self._thread = threading.Thread(target=self._watch, name="eye", daemon=True)
        self._thread.start()

    @property
    def image(self) -> Image.Image:
        """What is on the glass now."""
        with self._changed:
            return self._controller.glass()

    def look_anew(self) -> None:
        """Forget what was seen."""
        with self._changed:
            self._seen.clear()

    def first(self, picture: Image.Image) -> float:
        """Return when that was seen first, in s of the guest's clock; seen since `look_anew`. Raises Blind."""
        with self._changed:
            for at, image in self._seen:
                if image.tobytes() == picture.tobytes():
                    return at
        raise Blind("never on the glass", picture)

    def wait(self, *wanted: Image.Image, patience: float = 30.0) -> float:
        """Wait until the glass shows one of these; return when its last byte came, in s of the guest's clock.

        Raises Blind.
        """
        pictures = {image.tobytes() for image in wanted}
        end = time.monotonic() + patience
        with self._changed:
            while (image := self._controller.glass()).tobytes() not in pictures:
                left = end - time.monotonic()
                if self.fault or left <= 0 or not self._changed.wait(left):
                    raise Blind(self.fault or f"not on the glass within {patience:.0f} s", image)
            return self._at

    def _watch(self) -> None:
        try:
            with self._glass.makefile("rb") as stream:
                while len(header := stream.read(_HEADER.size)) == _HEADER.size:
                    at, address, length = _HEADER.unpack(header)
                    payload = stream.read(length)
                    with self._changed:
                        self._controller.i2c_rdwr(_Message(address, payload))
                        self._at = at / 1e9
                        self._seen.append((self._at, self._controller.glass()))
                        self._changed.notify_all()
            fault = "the machine is off"
        except (OSError, ValueError) as error:
            fault = f"the bus broke: {error}"
        with self._changed:
            self.fault = fault
            self._changed.notify_all()
