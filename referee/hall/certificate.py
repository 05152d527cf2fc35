"""The certificate of the calls: ECDSA, signed by itself, the same for the whole event; boxes pin its hash.

It names nobody and holds from 2020 to 9999, since a box has no clock.
"""

from __future__ import annotations

import ssl
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from referee.errors import JournalError
from referee.files import durable

FILE: Final = "calls.pem"
"""Private key and certificate, mode 0600."""
_BEGIN: Final = "-----BEGIN CERTIFICATE-----"


def certificate(folder: Path) -> tuple[Path, str]:
    """Return the file with key and certificate, made where there is none, and the certificate's SHA-256 in hex.

    Raises JournalError.
    """
    path = folder / FILE
    try:
        if not path.exists():
            durable.replace(path, _made(), 0o600)
        _, begin, rest = path.read_text(encoding="ascii").partition(_BEGIN)
        return path, sha256(ssl.PEM_cert_to_DER_cert(begin + rest)).hexdigest()
    except OSError as fault:
        raise JournalError(f"{path} cannot be read or written: {fault.strerror}") from fault
    except ValueError:
        raise JournalError(f"{path}: expected key and certificate. Take them from a backup") from None


def _made() -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "electronic referee hall")])
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC))
        .sign(key, hashes.SHA256())
    )
    plain = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    return private + made.public_bytes(serialization.Encoding.PEM)
