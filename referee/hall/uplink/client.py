"""The box's side on a socket: a thread that talks with the hall, and that nothing at the table ever waits for."""

from __future__ import annotations

import logging
import os
import random
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from referee.errors import JournalError
from referee.hall.uplink.box import BoxSide
from referee.hall.uplink.messages import MOST_BYTES, goodbye

POLL: Final = 0.1
"""How soon what was written is seen, s."""
_TIMEOUT: Final = 5.0
"""How long connecting, and closing, may take, s."""

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hall:
    """A hall that a box was paired with.

    ``address`` is host and port as in a URL; ``event``: hash of entry 0 of its record; ``certificate``: SHA-256 of
    its certificate; both in hex.
    """

    address: str
    event: str
    certificate: str


class Uplink:
    """See the module. ``open_side`` is called on the thread: it opens the journal, and closes it at the end."""

    def __init__(self, hall: Hall, open_side: Callable[[], AbstractContextManager[BoxSide]]) -> None:
        self._hall = hall
        self._open_side = open_side
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="uplink", daemon=True)

    def start(self) -> None:
        """Begin to talk."""
        self._thread.start()

    def stop(self) -> None:
        """End it, without waiting for a hall that does not answer."""
        self._stop.set()
        self._thread.join(POLL * 5)

    def _run(self) -> None:
        try:
            with self._open_side() as side:
                while not self._stop.is_set():
                    converse(self._hall, side, self._stop.is_set)
                    self._stop.wait(side.pause(random.random()))  # noqa: S311 - it spreads load
        except JournalError as fault:
            _logger.error("nothing is sent to the hall: %s", fault)


def converse(hall: Hall, side: BoxSide, stop: Callable[[], bool]) -> None:
    """Connect and talk until the connection is over, or ``stop`` says so."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # nobody vouches for it: its hash is compared below
    try:
        with connect(
            f"wss://{hall.address}/", ssl=context, max_size=MOST_BYTES, max_queue=4, compression=None,
            open_timeout=_TIMEOUT, close_timeout=0.5, ping_interval=_TIMEOUT, ping_timeout=_TIMEOUT, proxy=None,
            user_agent_header=None,
        ) as socket:  # fmt: skip
            _talk(socket, hall, side, stop)
    except (OSError, WebSocketException, EOFError) as fault:
        _logger.debug("the hall at %s is not reached: %s", hall.address, fault)
    finally:
        side.closed()


def _talk(socket: ClientConnection, hall: Hall, side: BoxSide, stop: Callable[[], bool]) -> None:
    assert isinstance(socket.socket, ssl.SSLSocket)
    shown = sha256(socket.socket.getpeercert(binary_form=True) or b"").hexdigest()
    if shown != hall.certificate:
        side.refused = goodbye("certificate", "expected the hall that this box was paired with")
        return
    side.opened(shown, os.urandom(32).hex(), time.monotonic())
    while not side.over and not stop():
        try:
            texts = side.received(socket.recv(POLL), time.monotonic())
        except TimeoutError:
            texts = []
        for text in (*texts, *side.tick(time.monotonic())):
            socket.send(text)
