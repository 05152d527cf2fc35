"""The box's side on a socket: one connection, on whatever thread nothing at the table waits for."""

from __future__ import annotations

import logging
import os
import socket
import ssl
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Protocol, TypeAlias

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.frames import CloseCode
from websockets.sync.client import ClientConnection, connect

from referee.hall.uplink.messages import MOST_BYTES, Goodbye
from referee.hall.uplink.term import Term

POLL: Final = 0.1
"""How soon what was written is seen, s."""
TIMEOUT: Final = 3.0
"""How long connecting, and closing, may take, s."""
PATIENCE: Final = 3.0
"""How often the hall is asked whether it is there, and how long it may take to answer, s."""
SILENCE: Final = "keepalive ping timeout"
"""What the library says to a hall that took longer. It closes with the same code after a fault of its own."""

_library = logging.getLogger(f"{__name__}.library")
_library.setLevel(logging.CRITICAL + 1)  # what it has to say, with a traceback, comes as an exception, too
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Hall:
    """A hall.

    ``address`` is host and port as in a URL; ``event``: public half of the event key, in hex; ``term``: the latest
    that a hall of the event showed. "" and None where the box was not paired.
    """

    address: str
    event: str = ""
    term: Term | None = None


class Side(Protocol):
    """A core that talks with the hall: `BoxSide`, or whoever pairs a box."""

    refused: Goodbye | None

    @property
    def over(self) -> bool:
        """Whether there is no connection, or it is to be closed."""

    def opened(self, certificate: str, nonce: str, now: float) -> None:
        """Begin a connection."""

    def received(self, text: str | bytes, now: float) -> list[str]:
        """Take a message; return what to send."""

    def tick(self, now: float) -> list[str]:
        """Return what to send now."""

    def closed(self) -> None:
        """Forget the connection."""


def converse(hall: Hall, side: Side, stop: Callable[[], bool], timeout: float = TIMEOUT) -> None:
    """Connect and talk until the connection is over, or ``stop`` says so.

    ``timeout``: for looking the name of the hall up, and for connecting, s.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # nobody vouches for it: the hall's hello is about its hash
    host, _, port = hall.address.rpartition(":")
    try:
        with (
            _connected(_look_up(host.strip("[]"), int(port), timeout, stop), timeout) as plain,
            context.wrap_socket(plain) as secured,
        ):
            shown = sha256(secured.getpeercert(binary_form=True) or b"").hexdigest()
            secured.settimeout(None)  # from here on the library counts the time
            with connect(
                f"ws://{hall.address}/", sock=secured, max_size=MOST_BYTES, max_queue=4, compression=None,
                open_timeout=timeout, close_timeout=0.5, ping_interval=PATIENCE, ping_timeout=PATIENCE, proxy=None,
                user_agent_header=None, logger=_library,
            ) as uplink:  # fmt: skip
                side.opened(shown, os.urandom(32).hex(), time.monotonic())
                _talk(uplink, side, stop)
    except (OSError, ValueError, OverflowError, WebSocketException, EOFError) as fault:
        sent = fault.sent if isinstance(fault, ConnectionClosed) else None
        if sent is None or sent.code != CloseCode.INTERNAL_ERROR:
            _logger.debug("the hall at %s is not reached: %s", hall.address, fault)
        elif sent.reason == SILENCE:
            words = "the hall at %s has not answered for %g s; the box connects again"
            _logger.warning(words, hall.address, PATIENCE)
        else:
            words = "a fault of this box ended its line to the hall at %s; the box connects again"
            _logger.error(words, hall.address, exc_info=fault)
    finally:
        side.closed()


_Places: TypeAlias = list[tuple[Any, ...]]
"""What `socket.getaddrinfo` returns."""
_lookups: dict[tuple[str, int], Future[_Places]] = {}
"""Names that are being looked up: a resolver may take longer than anybody waits, and is asked one at a time."""
_one_at_a_time = threading.Lock()


def _look_up(host: str, port: int, timeout: float, stop: Callable[[], bool]) -> _Places:
    """Return where a host can be reached, as `socket.getaddrinfo` does. Raises OSError, also if that takes longer.

    A resolver that does not answer cannot be interrupted: it is asked on a thread that keeps nothing from ending.
    """
    try:
        return socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST)
    except socket.gaierror:
        pass  # it is a name
    with _one_at_a_time:
        found = _lookups.get((host, port))
        if found is None:
            found = _lookups[host, port] = Future()
            threading.Thread(target=_resolve, args=(host, port, found), name="lookup", daemon=True).start()
    until = time.monotonic() + timeout
    while not stop():
        try:
            return found.result(max(0.0, min(POLL, until - time.monotonic())))
        except TimeoutError:
            if found.done() or time.monotonic() >= until:
                raise
    raise TimeoutError("the box stops")


def _resolve(host: str, port: int, found: Future[_Places]) -> None:
    try:
        places: _Places = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as fault:
        result: _Places | Exception = fault
    else:
        result = places
    with _one_at_a_time:
        del _lookups[host, port]
    if isinstance(result, Exception):
        found.set_exception(result)
    else:
        found.set_result(result)


def _connected(places: _Places, timeout: float) -> socket.socket:
    """Return a connection to the first place that answers. Raises OSError if none does."""
    fault: OSError = OSError("no address")
    for family, kind, protocol, _, where in places:
        plain = socket.socket(family, kind, protocol)
        try:
            plain.settimeout(timeout)
            plain.connect(where)
        except OSError as refused:
            plain.close()
            fault = refused
        else:
            return plain
    raise fault


def _talk(uplink: ClientConnection, side: Side, stop: Callable[[], bool]) -> None:
    while not side.over and not stop():
        try:
            texts = side.received(uplink.recv(POLL), time.monotonic())
        except TimeoutError:
            texts = []
        for text in (*texts, *side.tick(time.monotonic())):
            uplink.send(text)
