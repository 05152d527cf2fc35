"""The hall's certificate: Ed25519 (RFC 8410), signed by itself, as X.509 (RFC 5280) in DER.

Nobody has to trust it: a box compares its hash with the one it saw when it was paired. So it names nobody, and is
valid for as long as X.509 can say, since boxes do not know the time. The same key always gives the same certificate.
"""

from __future__ import annotations

import base64
import os
import re
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from nacl.signing import SigningKey

from referee.errors import JournalError
from referee.files import durable

FILE: Final = "uplink.pem"
"""Private key and certificate, mode 0600."""

_PEM = re.compile(r"-----BEGIN PRIVATE KEY-----\n([A-Za-z0-9+/=\n]{50,200})-----END PRIVATE KEY-----\n")
_ED25519 = bytes.fromhex("300506032b6570")  # 1.3.101.112
_NAME = "electronic referee hall"


@dataclass(frozen=True, slots=True)
class Certificate:
    """``path``: of the file with key and certificate; ``hash``: SHA-256 of the certificate, in hex."""

    path: Path
    hash: str


def certificate(folder: Path) -> Certificate:
    """Return the certificate of the hall in a folder; create key and certificate where there are none.

    Raises JournalError if they cannot be read or written.
    """
    path = folder / FILE
    try:
        if not path.exists():
            durable.replace(path, _pem(os.urandom(32)), 0o600)
        text = path.read_text(encoding="ascii", errors="replace")
    except OSError as fault:
        raise JournalError(f"{path}: the key of the uplink cannot be read or saved: {fault.strerror}") from fault
    match = _PEM.match(text)
    if match is None:
        raise JournalError(
            f"{path} is not a key; move it away and a new one is created, to which boxes are paired anew"
        )
    return Certificate(path, sha256(_der(base64.b64decode(match[1])[-32:])).hexdigest())


def _pem(seed: bytes) -> str:
    key = _tlv(0x30, b"\x02\x01\x00", _ED25519, _tlv(0x04, _tlv(0x04, seed)))
    return _block("PRIVATE KEY", key) + _block("CERTIFICATE", _der(seed))


def _block(name: str, data: bytes) -> str:
    text = base64.encodebytes(data).decode("ascii")
    return f"-----BEGIN {name}-----\n{text}-----END {name}-----\n"


def _der(seed: bytes) -> bytes:
    key = SigningKey(seed)
    public = bytes(key.verify_key)
    common_name = _tlv(0x30, bytes.fromhex("0603550403"), _tlv(0x0C, _NAME.encode("ascii")))
    name = _tlv(0x30, _tlv(0x31, common_name))
    validity = _tlv(0x30, _tlv(0x17, b"200101000000Z"), _tlv(0x18, b"99991231235959Z"))
    serial = _tlv(0x02, b"\x01" + sha256(public).digest()[:8])
    version = _tlv(0xA0, b"\x02\x01\x02")
    body = _tlv(
        0x30, version, serial, _ED25519, name, validity, name, _tlv(0x30, _ED25519, _tlv(0x03, b"\x00" + public))
    )
    return _tlv(0x30, body, _ED25519, _tlv(0x03, b"\x00" + key.sign(body).signature))


def _tlv(tag: int, *parts: bytes) -> bytes:
    """Return a tag, the length and the value (X.690, 8.1); lengths below 65,536."""
    value = b"".join(parts)
    size = len(value)
    length = bytes([size]) if size < 0x80 else bytes([0x81, size]) if size < 0x100 else b"\x82" + size.to_bytes(2)
    return bytes([tag]) + length + value
