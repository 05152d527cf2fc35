"""The certificate of the staff's port: for these names, for a fortnight, by an authority that signs nothing else."""

from __future__ import annotations

import datetime as dt
import socket
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from referee.errors import JournalError
from referee.hall.staff.certificates import FILE, LIFE, StaffCertificate, certificate, issue

NAMES = ("192.0.2.7", "laptop", "laptop.local")
NOW = dt.datetime.now(dt.UTC).replace(microsecond=0)


def shaken(shown: StaffCertificate, name: str) -> str:
    """Shake hands as a tablet that trusts the authority; return the version of TLS."""
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.load_verify_locations(cadata=shown.authority)
    sides = [ssl.MemoryBIO(), ssl.MemoryBIO()]
    client = trusting.wrap_bio(sides[0], sides[1], server_hostname=name)
    server = shown.context().wrap_bio(sides[1], sides[0], server_side=True)
    waits = {client, server}
    while waits:
        for side in tuple(waits):
            try:
                side.do_handshake()
                waits.discard(side)
            except ssl.SSLWantReadError:
                pass
    return str(client.version())


def test_a_tablet_trusts_it_by_each_name_and_by_no_other(memory: Path) -> None:
    shown = certificate(memory, NAMES, NOW)
    assert [shaken(shown, name) for name in NAMES] == ["TLSv1.3"] * 3
    for other in ("192.0.2.8", "elsewhere.local"):
        with pytest.raises(ssl.SSLCertVerificationError, match="mismatch"):
            shaken(shown, other)
    assert shown.until == NOW + LIFE


def test_the_authority_is_constrained_to_the_hall_and_its_key_is_nowhere(memory: Path) -> None:
    pem = issue(NAMES, NOW)
    _, authority = x509.load_pem_x509_certificates(pem)
    constraints = authority.extensions.get_extension_for_class(x509.NameConstraints)
    assert constraints.critical
    assert [str(each.value) for each in constraints.value.permitted_subtrees or ()] == ["192.0.2.7/32", *NAMES[1:]]
    basic = authority.extensions.get_extension_for_class(x509.BasicConstraints).value
    assert (basic.ca, basic.path_length) == (True, 0)
    assert isinstance(authority.public_key(), ec.EllipticCurvePublicKey)
    assert pem.count(b"PRIVATE KEY-----") == 2  # begin and end of the server's own
    certificate(memory, NAMES, NOW)
    assert [each.name for each in memory.iterdir()] == [FILE]
    assert (memory / FILE).stat().st_mode & 0o777 == 0o600


def test_it_stays_until_it_ends_or_the_address_is_another(memory: Path) -> None:
    first = certificate(memory, NAMES, NOW)
    assert certificate(memory, NAMES, NOW + dt.timedelta(days=11)).authority == first.authority
    later = certificate(memory, NAMES, NOW + dt.timedelta(days=13))
    assert later.authority != first.authority
    assert certificate(memory, ("192.0.2.9", *NAMES[1:]), NOW).authority != later.authority


def test_its_fingerprint_is_what_tablets_show(memory: Path) -> None:
    shown = certificate(memory, NAMES, NOW)
    (_, authority) = x509.load_pem_x509_certificates((memory / FILE).read_bytes())
    assert bytes.fromhex(shown.fingerprint) == authority.fingerprint(authority.signature_hash_algorithm)  # type: ignore[arg-type]
    assert len(shown.fingerprint.split()) == 32


@pytest.mark.parametrize("text", [b"", b"nothing", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
def test_a_file_that_is_none_is_told_and_kept(memory: Path, text: bytes) -> None:
    (memory / FILE).write_bytes(text)
    with pytest.raises(JournalError, match=r"staff\.pem: expected key and certificate"):
        certificate(memory, NAMES, NOW)
    assert (memory / FILE).read_bytes() == text


def test_a_name_of_this_computer_fits(memory: Path) -> None:
    certificate(memory, ("127.0.0.1", socket.gethostname(), f"{socket.gethostname()}.local"), NOW)
