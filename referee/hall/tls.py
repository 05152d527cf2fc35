"""Certificates of the hall, with keys on P-256, which every browser takes.

Boxes pin theirs by its hash; it names nobody, and holds from 2020 to 9999, since a box has no clock. The staff's is
signed by an authority of the event, which tablets are told to trust: it may speak for the hall's own names and
addresses alone, for 14 days, and its key is never written.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import ipaddress
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from referee.errors import JournalError
from referee.files import durable

CALLS: Final = "calls.pem"  # key and certificate of the boxes' port, mode 0600
STAFF: Final = "staff.pem"  # key and certificate of the staff's port, and the authority's certificate, mode 0600
LIFE: Final = dt.timedelta(days=14)
EARLY: Final = dt.timedelta(days=1)
"""How much earlier it is valid than it was made: a tablet without internet may be slow."""
LEFT: Final = dt.timedelta(days=2)
"""A certificate that ends sooner is replaced when the hall starts: an event may take two days."""
_PEM: Final = serialization.Encoding.PEM
_USAGES: Final = (
    *("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement"),
    *("key_cert_sign", "crl_sign", "encipher_only", "decipher_only"),
)

Subject = x509.DNSName | x509.IPAddress


@dataclass(frozen=True, slots=True)
class Shown:
    """A certificate that a port shows. ``path``: of key and certificates; ``der``: what clients pin or install."""

    path: Path
    der: bytes
    leaf: x509.Certificate

    @property
    def until(self) -> dt.datetime:
        """When it ends."""
        return self.leaf.not_valid_after_utc

    @property
    def digest(self) -> str:
        """SHA-256 of ``der``, in hex."""
        return hashlib.sha256(self.der).hexdigest()

    @property
    def fingerprint(self) -> str:
        """The same as people compare it."""
        return bytes.fromhex(self.digest).hex(" ").upper()

    def context(self) -> ssl.SSLContext:
        """Return the server's side of TLS 1.3."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.load_cert_chain(self.path)
        return context


def for_boxes(folder: Path) -> Shown:
    """Return the certificate that boxes pin, made where there is none. Raises JournalError."""
    path = folder / CALLS
    return _shown(path, None if path.exists() else _for_boxes())


def for_staff(folder: Path, subjects: Sequence[str], now: dt.datetime) -> Shown:
    """Return the certificate of the staff's port, a new one where it must be; ``der`` is that of its authority.

    ``subjects``: names and addresses of the hall; ``now``: with its time zone. Raises JournalError.
    """
    path = folder / STAFF
    if path.exists():
        shown = _shown(path)
        names = shown.leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        if now + LEFT < shown.until and list(names) == [_subject(each) for each in subjects]:
            return shown
    return _shown(path, issue(subjects, now))


def _shown(path: Path, made: bytes | None = None) -> Shown:
    try:
        if made is not None:
            durable.replace(path, made, 0o600)
        certificates = x509.load_pem_x509_certificates(path.read_bytes())
    except (OSError, ValueError) as fault:
        told = f"{path}: expected key and certificate: {fault}. Take them from a backup, or move the file away"
        raise JournalError(told) from fault
    return Shown(path, certificates[-1].public_bytes(serialization.Encoding.DER), certificates[0])


def _for_boxes() -> bytes:
    key, name = ec.generate_private_key(ec.SECP256R1()), _name("electronic referee hall")
    until = dt.datetime(9999, 12, 31, 23, 59, 59, tzinfo=dt.UTC)
    made = _begun(name, name, key, dt.datetime(2020, 1, 1, tzinfo=dt.UTC), until).sign(key, hashes.SHA256())
    return _private(key) + made.public_bytes(_PEM)


def issue(subjects: Sequence[str], now: dt.datetime) -> bytes:
    """Return a key, its certificate, and that of the authority that signed it, in PEM."""
    alternatives = [_subject(each) for each in subjects]
    signer, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    name = _name(f"Electronic referee {now:%Y-%m-%d}, {subjects[0]}")
    signs = x509.KeyUsage(**dict.fromkeys(_USAGES, False) | {"key_cert_sign": True})
    authority = (
        _begun(name, name, signer, now - EARLY, now + LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(signs, critical=True)
        .add_extension(x509.NameConstraints([_within(each) for each in alternatives], None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(signer.public_key()), critical=False)
        .sign(signer, hashes.SHA256())
    )
    leaf = (
        _begun(_name(subjects[0][:64]), name, key, now - EARLY, now + LIFE)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
        .sign(signer, hashes.SHA256())
    )
    return _private(key) + leaf.public_bytes(_PEM) + authority.public_bytes(_PEM)


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, begins: dt.datetime, ends: dt.datetime
) -> x509.CertificateBuilder:
    builder = x509.CertificateBuilder(issuer, subject, key.public_key(), x509.random_serial_number())
    return builder.not_valid_before(begins).not_valid_after(ends)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _private(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(_PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def _subject(text: str) -> Subject:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _within(subject: Subject) -> Subject:
    """Return what a name constraint says of a subject: an address alone is a network of one."""
    if isinstance(subject, x509.DNSName):
        return subject
    return x509.IPAddress(ipaddress.ip_network(subject.value))
