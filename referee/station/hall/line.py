"""One connection to the hall: HTTP over TLS, its certificate pinned, each call with a limit in all.

An answer counts only as a whole: `http.client` takes headers that were cut for whole ones, so the JSON has to be
complete, and where there is none the status says so. Limits are those of a call, not of one ``recv``: a hall that
sends a byte now and then is not there.
"""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, TypeAlias

from referee.errors import Malformed, NoAnswer, WrongCertificate
from referee.files import jsonl

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


MOST: Final = 1 << 20
"""Bytes of the longest answer."""
CONNECT: Final = 3.0
"""How long finding the hall and agreeing on keys may take of a call, s."""
WITHOUT: Final = (204, 304)
"""Statuses of answers that have no body."""


@dataclass(frozen=True, slots=True)
class Answer:
    """``body``: what the JSON says, empty where there is none; ``headers``: by name in lower case."""

    status: int
    headers: Mapping[str, str]
    body: Mapping[str, Any]


class _Socket:
    """A socket as `http.client` has one, whose every step ends when the call does."""

    def __init__(self, secured: ssl.SSLSocket) -> None:
        self.secured = secured
        self.until = 0.0

    def sendall(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            self._wait()
            view = view[self.secured.send(view) :]

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Raw(self))

    def receive(self, into: memoryview) -> int:
        self._wait()
        return self.secured.recv_into(into)

    def close(self) -> None:
        """`http.client` closes what it still reads from; the line does it later."""

    def _wait(self) -> None:
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError("the call took too long")
        self.secured.settimeout(left)


class _Raw(io.RawIOBase):
    def __init__(self, of: _Socket) -> None:
        self._of = of

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int:
        return self._of.receive(memoryview(into))


class Line:
    """The connection of one thread; `cut` may come from any."""

    def __init__(self, names: Names, fingerprint: str, headers: Callable[[], Mapping[str, str]]) -> None:
        """``fingerprint``: SHA-256 of the hall's certificate, in hex; ``headers``: that every call carries.

        They are asked for when certificate and fingerprint are the same, and not before.
        """
        self._names = names
        self._fingerprint = fingerprint
        self._headers = headers
        self._lock = threading.Lock()
        self._socket: _Socket | None = None

    def call(
        self, method: str, path: str, body: bytes | None = None, *, limit: float, headers: Mapping[str, str] = {}
    ) -> Answer:
        """Return the answer to a call. Raises NoAnswer within ``limit`` s where there is none that is whole.

        A connection that the hall has closed meanwhile is made anew once; to say a thing twice does nothing twice.
        """
        until = time.monotonic() + limit
        used = self._socket is not None
        try:
            try:
                return self._call(method, path, body, headers, until)
            except (ConnectionError, ssl.SSLError, http.client.RemoteDisconnected):
                if not used:
                    raise
                self.close()
                return self._call(method, path, body, headers, until)
        except (OSError, http.client.HTTPException, Malformed) as fault:
            self.close()
            raise NoAnswer(str(fault) or type(fault).__name__) from fault
        except BaseException:
            self.close()
            raise

    def cut(self) -> None:
        """Let a call that waits end at once; from any thread."""
        with self._lock, suppress(OSError):
            if self._socket is not None:
                socket.socket.shutdown(
                    self._socket.secured, socket.SHUT_RDWR
                )  # not SSLSocket's: another thread reads

    def close(self) -> None:
        """End the connection; the next call makes one."""
        with self._lock:
            gone, self._socket = self._socket, None
        if gone is not None:
            gone.secured.close()

    def _call(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str], until: float) -> Answer:
        if self._socket is None:
            opened = _Socket(connect(self._names, self._fingerprint, min(until, time.monotonic() + CONNECT)))
            with self._lock:
                self._socket = opened
        of = self._socket
        of.until = until
        host, port = self._names.where
        asking = http.client.HTTPConnection(host, port)
        asking.sock = of  # all that it uses of a socket
        asking.request(method, path, body, {**self._headers(), **headers})
        with asking.getresponse() as response:
            data = response.read(MOST + 1)
            if len(data) > MOST:
                raise Malformed(f"expected an answer of at most {MOST} bytes")
            said = {name.lower(): value for name, value in response.getheaders()}
            if response.will_close:
                self.close()
            return Answer(response.status, said, _body(response.status, data))


def connect(names: Names, fingerprint: str, until: float) -> ssl.SSLSocket:
    """Return a connection to the hall with that certificate. Raises OSError, WrongCertificate by ``until``."""
    secured = secure(reach(names, until), until)
    if shown(secured) != fingerprint:
        secured.close()
        raise WrongCertificate("this is another hall than the one that this box was added to")
    return secured


def shown(secured: ssl.SSLSocket) -> str:
    """Return SHA-256 of the certificate that the other side has shown, in hex."""
    return sha256(secured.getpeercert(binary_form=True) or b"").hexdigest()


def reach(names: Names, until: float) -> socket.socket:
    """Return a connection to the first place of a host that answers. Raises OSError by ``until``."""
    places = names.places(until - time.monotonic())
    fault: OSError = OSError("the name has no address")
    for number, (family, kind, protocol, _, where) in enumerate(places):
        plain = socket.socket(family, kind, protocol)
        try:
            plain.settimeout(max(0.01, (until - time.monotonic()) / (len(places) - number)))
            plain.connect(where)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as refused:
            plain.close()
            fault = refused
        else:
            return plain
    raise fault


def secure(plain: socket.socket, until: float) -> ssl.SSLSocket:
    """Return the connection encrypted, whoever is at its other end. Raises OSError by ``until``."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # nobody vouches for it, and a box has no clock: its hash is compared
    secured = context.wrap_socket(plain, do_handshake_on_connect=False)
    try:
        secured.settimeout(max(0.01, until - time.monotonic()))
        secured.do_handshake()
    except BaseException:
        secured.close()
        raise
    return secured


def _body(status: int, data: bytes) -> Mapping[str, Any]:
    """Return what an answer says. Raises Malformed for one that is not whole."""
    if status in WITHOUT:
        return {}
    return jsonl.parse(data)
