"""A server on loopback that speaks TLS, and answers as it is told: whole, cut, slowly, never."""

from __future__ import annotations

import queue
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from referee.station.hall.line import Names

Reply = Callable[[ssl.SSLSocket, bytes], None]  # answers a request, whose headers those are


def certificate(folder: Path) -> tuple[Path, str]:
    """Make key and certificate; return their file, and the certificate's SHA-256 in hex."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "hall")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2020, 1, 1, tzinfo=UTC) + timedelta(days=1))  # a box has no clock
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    path = folder / "hall.pem"
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path, sha256(made.public_bytes(serialization.Encoding.DER)).hexdigest()


@dataclass
class Served:
    """``heads``: of every request; ``connections``: how many were made."""

    port: int
    fingerprint: str
    heads: queue.Queue[bytes] = field(default_factory=queue.Queue)
    connections: int = 0

    @property
    def names(self) -> Names:
        return Names("127.0.0.1", self.port)


@contextmanager
def serving(folder: Path, reply: Reply) -> Iterator[Served]:
    """Serve on loopback, each connection in a thread of its own."""
    path, fingerprint = certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    server = socket.create_server(("127.0.0.1", 0))
    served = Served(server.getsockname()[1], fingerprint)
    open_: list[socket.socket] = []
    threads: list[threading.Thread] = []

    def talk(plain: socket.socket) -> None:
        with suppress(OSError, ssl.SSLError), context.wrap_socket(plain, server_side=True) as secured:
            open_.append(secured)
            with secured.makefile("rb") as file:
                while head := b"".join(iter(lambda: _line(file.readline()), b"")):
                    served.heads.put(head)
                    size = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
                    file.read(int(size[0].partition(b":")[2]) if size else 0)
                    reply(secured, head)

    def accept() -> None:
        with suppress(OSError):
            while True:
                plain, _ = server.accept()
                served.connections += 1
                open_.append(plain)
                threads.append(threading.Thread(target=talk, args=(plain,)))
                threads[-1].start()

    threads.append(threading.Thread(target=accept))
    threads[0].start()
    try:
        yield served
    finally:
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
        server.close()
        threads[0].join()
        for each in open_:
            with suppress(OSError):
                socket.socket.shutdown(each, socket.SHUT_RDWR)
        for thread in threads:
            thread.join()


def _line(line: bytes) -> bytes:
    return b"" if line == b"\r\n" else line


def whole(body: bytes = b"{}", status: str = "200 OK", *headers: str) -> bytes:
    """Return an answer as it should be."""
    lines = [f"HTTP/1.1 {status}", f"content-length: {len(body)}", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def says(answer: bytes) -> Reply:
    return lambda secured, _: secured.sendall(answer)
