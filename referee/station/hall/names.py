"""Names of hosts, looked up on a thread of their own: a resolver cannot be interrupted, and may take minutes."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any, TypeAlias

Places: TypeAlias = list[tuple[Any, ...]]
"""What `socket.getaddrinfo` returns."""


class Names:
    """Where one host is. It is looked up again for each connection; one that hangs is not asked twice at a time."""

    def __init__(self, host: str, port: int, resolve: Callable[..., Places] = socket.getaddrinfo) -> None:
        """``resolve``: as `socket.getaddrinfo`."""
        self.where = host.strip("[]"), port
        self._resolve = resolve
        self._changed = threading.Condition()
        self._asks = False
        self._found: Places | OSError | None = None

    def places(self, limit: float) -> Places:
        """Return where the host can be reached. Raises OSError, TimeoutError after ``limit`` s."""
        try:
            return self._resolve(*self.where, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
        except socket.gaierror:
            pass  # it is a name
        with self._changed:
            if not self._asks:
                self._asks, self._found = True, None
                threading.Thread(target=self._look_up, name="names", daemon=True).start()
            if not self._changed.wait_for(lambda: self._found is not None, limit):
                raise TimeoutError(f"{self.where[0]}: its address was not found within {limit:.0f} s")
            assert self._found is not None
            if isinstance(self._found, OSError):
                raise self._found
            return self._found

    def _look_up(self) -> None:
        found: Places | OSError
        try:
            found = self._resolve(*self.where, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as fault:
            found = fault if isinstance(fault, OSError) else OSError(f"{self.where[0]}: is no name of a host")
        with self._changed:
            self._asks, self._found = False, found
            self._changed.notify_all()
