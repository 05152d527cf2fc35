"""One connection to the hall: HTTP over TLS, its certificate pinned, each call with a limit in all.

An answer counts only as a whole: `http.client` takes headers that were cut for whole ones, so the JSON has to be
complete, and where there is none the status says so. Limits are those of a call, not of one ``recv``: a hall that
sends a byte now and then is not there.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeAlias

from referee.errors import Malformed, NoAnswer, WrongCertificate
from referee.files import jsonl

Places: TypeAlias = list[tuple[Any, ...]]  # what `socket.getaddrinfo` returns

MOST: Final = 1 << 20  # bytes of the longest answer
CONNECT: Final = 3.0  # how long finding the hall and agreeing on keys may take of a call, s
WITHOUT: Final = (204, 304)  # statuses of answers that have no body


class Names:
    """Where one host is. It is looked up again for each connection; one that hangs is not asked twice at a time."""

    def __init__(self, host: str, port: int, resolve: Callable[..., Places] = socket.getaddrinfo) -> None:
        """``resolve``: as `socket.getaddrinfo`."""
        self.where = host.strip("[]"), port
        self._resolve = resolve
        self._lock = threading.Lock()
        self._asked: Future[Places] | None = None

    def places(self, limit: float) -> Places:
        """Return where the host can be reached. Raises OSError, TimeoutError after ``limit`` s."""
        with self._lock:
            if self._asked is None or self._asked.done():
                self._asked = Future()
                threading.Thread(target=self._look_up, args=(self._asked,), name="names", daemon=True).start()
            asked = self._asked
        try:
            return asked.result(limit)
        except TimeoutError:
            raise TimeoutError(f"{self.where[0]}: its address was not found within {limit:.0f} s") from None

    def _look_up(self, asked: Future[Places]) -> None:
        try:
            asked.set_result(self._resolve(*self.where, type=socket.SOCK_STREAM))
        except OSError as fault:
            asked.set_exception(fault)
        except UnicodeError:
            asked.set_exception(OSError(f"{self.where[0]}: is no name of a host"))


@dataclass(frozen=True, slots=True)
class Answer:
    """``body``: what the JSON says, empty where there is none; ``headers``: by name in lower case."""

    status: int
    headers: Mapping[str, str]
    body: Mapping[str, Any]


class _Connection(http.client.HTTPConnection):
    """Connects to the hall with a certificate, and to none other."""

    def __init__(self, names: Names, fingerprint: str) -> None:
        super().__init__(*names.where)
        self._names = names
        self._fingerprint = fingerprint
        self.until = 0.0

    def connect(self) -> None:
        """Raise OSError, WrongCertificate."""
        secured = secure(self._names, min(self.until, time.monotonic() + CONNECT))
        if shown(secured) != self._fingerprint:
            secured.close()
            raise WrongCertificate("this is another hall than the one that this box was added to")
        secured.settimeout(None)
        self.sock = secured


class Line:
    """The connection of one thread; `cut` may come from any."""

    def __init__(self, names: Names, fingerprint: str, headers: Callable[[], Mapping[str, str]]) -> None:
        """``fingerprint``: SHA-256 of the hall's certificate, in hex; ``headers``: that every call carries.

        They are asked for when certificate and fingerprint are the same, and not before.
        """
        self._headers = headers
        self._connection = _Connection(names, fingerprint)

    def call(
        self, method: str, path: str, body: bytes | None = None, *, limit: float, headers: Mapping[str, str] = {}
    ) -> Answer:
        """Return the answer to a call. Raises NoAnswer within ``limit`` s where there is none that is whole.

        A connection that the hall has closed meanwhile is made anew once; to say a thing twice does nothing twice.
        """
        self._connection.until = time.monotonic() + limit
        timer = threading.Timer(limit, self.cut)
        timer.daemon = True
        timer.start()
        used = self._connection.sock is not None
        try:
            try:
                return self._call(method, path, body, headers)
            except (ConnectionError, ssl.SSLError, http.client.RemoteDisconnected):
                if not used or time.monotonic() >= self._connection.until:
                    raise
                self.close()
                return self._call(method, path, body, headers)
        except (OSError, http.client.HTTPException, Malformed) as fault:
            self.close()
            raise NoAnswer(str(fault) or type(fault).__name__) from fault
        except BaseException:
            self.close()
            raise
        finally:
            timer.cancel()

    def cut(self) -> None:
        """Let a call that waits end at once; from any thread."""
        with suppress(OSError):
            if isinstance(opened := self._connection.sock, socket.socket):
                socket.socket.shutdown(opened, socket.SHUT_RDWR)  # not SSLSocket's: another thread reads

    def close(self) -> None:
        """End the connection; the next call makes one."""
        self._connection.close()

    def _call(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> Answer:
        connection = self._connection
        if connection.sock is None:
            connection.connect()
        connection.request(method, path, body, {**self._headers(), **headers})
        with connection.getresponse() as response:
            data = response.read(MOST + 1)
            if len(data) > MOST:
                raise Malformed(f"expected an answer of at most {MOST} bytes")
            said = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, said, {} if response.status in WITHOUT else jsonl.parse(data))


def shown(secured: ssl.SSLSocket) -> str:
    """Return SHA-256 of the certificate that the other side has shown, in hex."""
    return sha256(secured.getpeercert(binary_form=True) or b"").hexdigest()


def secure(names: Names, until: float) -> ssl.SSLSocket:
    """Return an encrypted connection to the first place that answers, whoever it is. Raises OSError by ``until``."""
    places = names.places(until - time.monotonic())
    fault: OSError = OSError("the name has no address")
    for number, (family, _, _, _, address) in enumerate(places):
        # Wrapped before it connects: Python leaves a socket open that was reset before it was wrapped.
        secured = _context().wrap_socket(socket.socket(family, socket.SOCK_STREAM), do_handshake_on_connect=False)
        try:
            secured.settimeout(max(0.01, (until - time.monotonic()) / (len(places) - number)))
            secured.connect(address)
        except OSError as refused:
            secured.close()
            fault = refused
            continue
        try:
            secured.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            secured.settimeout(max(0.01, until - time.monotonic()))
            secured.do_handshake()
        except BaseException:
            secured.close()
            raise
        return secured
    raise fault


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # nobody vouches for it, and a box has no clock: its hash is compared
    return context
