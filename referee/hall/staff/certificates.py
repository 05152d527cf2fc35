"""The certificate of the staff's port, and the event's own authority, which tablets are told to trust.

Both keys are P-256, which every browser takes. The authority signs one certificate; its key is never written and is
gone when `issue` returns. It may speak for the hall's own names and addresses alone, and for 14 days.
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

FILE: Final = "staff.pem"
"""Private key, certificate, and that of the authority; mode 0600."""
LIFE: Final = dt.timedelta(days=14)
EARLY: Final = dt.timedelta(days=1)
"""How much earlier it is valid than it was made: a tablet without internet may be slow."""
LEFT: Final = dt.timedelta(days=2)
"""A certificate that ends sooner is replaced when the hall starts: an event may take two days."""

Subject = x509.DNSName | x509.IPAddress


@dataclass(frozen=True, slots=True)
class StaffCertificate:
    """What the staff's port shows. ``path``: of key and certificates; ``authority``: DER that tablets install."""

    path: Path
    authority: bytes
    until: dt.datetime

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the authority as tablets show it: pairs of hex digits."""
        return hashlib.sha256(self.authority).digest().hex(" ").upper()

    def context(self) -> ssl.SSLContext:
        """Return the server's side of TLS 1.3."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.load_cert_chain(self.path)
        return context


def certificate(folder: Path, subjects: Sequence[str], now: dt.datetime) -> StaffCertificate:
    """Return that of the hall in a folder; issue one where there is none, it ends, or it is for other addresses.

    ``subjects``: names and addresses of the hall; ``now``: with its time zone. Raises JournalError if the file cannot
    be read or written.
    """
    path = folder / FILE
    try:
        if not _fits(path, subjects, now):
            durable.replace(path, issue(subjects, now), 0o600)
        leaf, authority = _certificates(path)
    except (OSError, ValueError) as fault:
        raise JournalError(
            f"{path}: expected key and certificate of the staff's port: {fault}; move it away for a new one"
        ) from fault
    return StaffCertificate(path, authority.public_bytes(serialization.Encoding.DER), leaf.not_valid_after_utc)


def issue(subjects: Sequence[str], now: dt.datetime) -> bytes:
    """Return a key, its certificate, and that of the authority that signed it, in PEM."""
    alternatives = [_subject(each) for each in subjects]
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Electronic referee {now:%Y-%m-%d}, {subjects[0]}")])
    authority = (
        _begun(name, name, authority_key.public_key(), now)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(signs=True), critical=True)
        .add_extension(x509.NameConstraints([_within(each) for each in alternatives], None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(authority_key.public_key()), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    own = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, subjects[0][:64])])
    leaf = (
        _begun(own, name, key.public_key(), now)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(signs=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key()), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    return private + b"".join(each.public_bytes(serialization.Encoding.PEM) for each in (leaf, authority))


def _begun(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: dt.datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLY)
        .not_valid_after(now + LIFE)
    )


def _usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs,
        key_cert_sign=signs,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )


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


def _certificates(path: Path) -> tuple[x509.Certificate, x509.Certificate]:
    """Return the certificate and that of its authority. Raises ValueError or OSError."""
    leaf, authority = x509.load_pem_x509_certificates(path.read_bytes())
    return leaf, authority


def _fits(path: Path, subjects: Sequence[str], now: dt.datetime) -> bool:
    """Whether there is a certificate for these names that does not end soon. Raises ValueError or OSError."""
    if not path.exists():
        return False
    leaf, _ = _certificates(path)
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return now + LEFT < leaf.not_valid_after_utc and list(names) == [_subject(each) for each in subjects]
