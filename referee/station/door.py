"""What the box knows of those who come to its panel: who was let in, and how a phone gets there.

It belongs to the loop's thread. What other threads find out reaches it through the inbox.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from referee.files import qr

if TYPE_CHECKING:
    from referee.web.passes import Pass, Passes


class Door:
    """See `referee.console.shelf.Visitors`."""

    def __init__(self, passes: Passes, post: Callable[[Callable[[], object]], None]) -> None:
        """``post`` has something done on the loop's thread."""
        self._passes = passes
        self._post = post
        self._address: Callable[[], str] = str
        self._code: tuple[str, qr.Rows] = ("", ())
        self._drawing = ""
        self._invitation = ""

    def listed(self) -> Sequence[Pass]:
        """Return the passes of all browsers. Raises StationError."""
        return self._passes.listed()

    def revoke(self) -> Sequence[Pass]:
        """Take back all passes; return those. Raises StationError."""
        return self._passes.revoke()

    def reached_at(self, address: Callable[[], str]) -> None:
        """Take the way to ask where a phone reaches the panel."""
        self._address = address

    @property
    def address(self) -> str:
        """What a phone opens, "" where none can reach the panel."""
        return self._address()

    def invite(self) -> None:
        """Let one browser in that types a new code."""
        self._invitation = f"{secrets.randbelow(10**6):06d}"

    def shut(self) -> None:
        """Let none in any more."""
        self._invitation = ""

    def invited(self) -> str:
        """Return the code that one browser may type now, "" for none; may be called from any thread."""
        return self._invitation

    def modules(self, address: str) -> qr.Rows:
        """Return the QR code of an address, empty until it is drawn.

        It is drawn beside the loop: what draws it is loaded first, which takes long on a Pi.
        """
        if address not in (self._code[0], self._drawing):
            self._drawing = address
            threading.Thread(target=self._draw, args=(address,), name="code", daemon=True).start()
        drawn, rows = self._code
        return rows if drawn == address else ()

    def _draw(self, address: str) -> None:
        # Capitals take half the room (alphanumeric mode), and neither scheme nor host cares.
        rows = qr.rows(address.upper())
        self._post(partial(self._keep, address, rows))

    def _keep(self, address: str, rows: qr.Rows) -> None:
        if address == self._drawing:  # the newest wins, in whatever order they are drawn
            self._code = address, rows
