"""Notifications to the service manager: ready, alive, and stopping.

The protocol is that of sd_notify(3): datagrams of ``NAME=value`` to the Unix socket named in ``NOTIFY_SOCKET``.
Without a manager all of it is silent and costs nothing, not even a wake-up.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable, Mapping
from typing import Final

_logger = logging.getLogger(__name__)


class Notifier:
    """The line to the service manager. ``watchdog``: seconds within which it expects a message, None: it does not.

    A line that breaks is logged and never stops a game.
    """

    def __init__(self, address: str = "", watchdog: float | None = None) -> None:
        """``address`` is a path, or begins with "@" in the abstract namespace (unix(7)); empty: no manager."""
        self.watchdog = watchdog
        self._socket: socket.socket | None = None
        if address:
            self._address = f"\0{address[1:]}" if address.startswith("@") else address
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._socket.setblocking(False)

    def send(self, message: str) -> None:
        """Send one message, ``READY=1`` for example."""
        if self._socket is None:
            return
        try:
            self._socket.sendto(message.encode(), self._address)
        except OSError as error:
            _logger.warning("the service manager could not be notified of %s: %s", message, error)

    def close(self) -> None:
        """Close the socket; may be called twice."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


SILENT: Final = Notifier()
"""Without a service manager."""


def from_environment(environment: Mapping[str, str] = os.environ) -> Notifier:
    """Return the notification socket that systemd opened for this process, or a silent one without systemd."""
    address = environment.get("NOTIFY_SOCKET", "")
    return Notifier(address, _watchdog(environment) if address else None)


def _watchdog(environment: Mapping[str, str]) -> float | None:
    """Return the seconds of sd_watchdog_enabled(3); None: there are none, or they are meant for another process."""
    ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    text = environment.get("WATCHDOG_USEC", "")
    return int(text) / 1e6 if ours and text.isdecimal() and int(text) else None


class Pulse:
    """Sends a notification only when its condition was observed.

    ``READY=1`` goes out when the first picture is on the glass and the keys are listened to. Twice per watchdog
    interval the loop asks the display's thread for a sign of life; its answer comes back through the loop's own
    queue, the one the inputs use, and only then ``WATCHDOG=1`` goes out. If either hangs, nothing does.
    """

    def __init__(self, notifier: Notifier, ask: Callable[[], None]) -> None:
        """``ask`` makes the display's thread put its reply into the loop's queue."""
        self._notifier = notifier
        self._ask = ask
        self._every = None if notifier.watchdog is None else notifier.watchdog / 2
        self._ask_at: float | None = None
        self._missing = {"picture", "keys"}

    def have(self, part: str, now: float) -> None:
        """Note that the first "picture" is on the glass, or that the "keys" are open."""
        if part not in self._missing:
            return
        self._missing.remove(part)
        if not self._missing:
            self._notifier.send("READY=1")
            self._ask_at = None if self._every is None else now + self._every

    def deadline(self) -> float | None:
        """Return when `due` must run next, or None."""
        return self._ask_at

    def due(self, now: float) -> None:
        """Ping the display's thread if it is time to."""
        if self._ask_at is not None and self._every is not None and now >= self._ask_at:
            self._ask_at = now + self._every
            self._ask()

    def answered(self) -> None:
        """Process the reply of the display's thread."""
        if self._every is not None:
            self._notifier.send("WATCHDOG=1")
