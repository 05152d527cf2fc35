"""A cable between a device's driver and a test, and what the driver reports."""

from __future__ import annotations

import os
import pty
import queue
import select
import tty
from typing import Any

from hardware.errors import PortNotFound


class Cable:
    """A pty that can be plugged in again and again; each time it may be another device."""

    def __init__(self) -> None:
        self.master = -1
        self.path = ""

    def plug(self) -> None:
        self.master, slave = pty.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        os.close(slave)

    def pull(self) -> None:
        if self.master >= 0:
            os.close(self.master)
        self.master, self.path = -1, ""

    def find(self) -> str:
        if not self.path:
            raise PortNotFound("nothing is plugged in")
        return self.path

    def write(self, data: bytes) -> None:
        assert os.write(self.master, data) == len(data)

    def read(self, timeout: float) -> bytes:
        if not select.select([self.master], [], [], timeout)[0]:
            return b""
        try:
            return os.read(self.master, 4096)
        except OSError:  # nobody has the other end open
            return b""


class Reports:
    """What the daemon hears, in order."""

    def __init__(self) -> None:
        self.queue: queue.SimpleQueue[Any] = queue.SimpleQueue()

    def next(self) -> Any:
        return self.queue.get(timeout=20)
