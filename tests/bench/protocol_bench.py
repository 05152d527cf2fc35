"""pyserial's own seam: a URL ``bench://NAME`` opens a simulated cable (`tests.bench.usb`) in place of a device."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

import serial

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class Port(Protocol):
    """What a simulated cable is to the end that opened it."""

    def attach(self) -> Callable[[int], bytes]:
        """Open it; return what reads. Raises SerialException."""

    def write(self, data: bytes) -> None:
        """Take bytes. Raises SerialException."""

    def detach(self) -> None:
        """Close it."""


PORTS: dict[str, Port] = {}
"""The cables that are plugged in, by URL."""


class Serial(serial.SerialBase):
    """A port as `serial.serial_for_url` makes it."""

    def open(self) -> None:
        if self.port not in PORTS:
            raise serial.SerialException(2, f"could not open port {self.port}")
        self._end = PORTS[self.port]
        self._read = self._end.attach()
        self.is_open = True

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            self._end.detach()

    def read(self, size: int = 1) -> bytes:
        return self._read(size)

    def write(self, data: ReadableBuffer, /) -> int:
        octets = bytes(data)
        self._end.write(octets)
        return len(octets)

    def fileno(self) -> int:
        return 0

    def _reconfigure_port(self, **_: Any) -> None:
        """There is no speed to set."""
