"""The certificate of the staff's port: for these names, for a fortnight, by an authority that signs nothing else."""

from __future__ import annotations

import datetime as dt
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

from referee.errors import JournalError
from referee.hall.tls import LIFE, Shown, for_staff, issue
from referee.hall.tls import STAFF as FILE

NAMES = ("192.0.2.7", "laptop", "laptop.local")
NOW = dt.datetime.now(dt.UTC).replace(microsecond=0)


def shaken(shown: Shown, name: str) -> str:
    """Shake hands as a tablet that trusts the authority; return the version of TLS."""
    trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    trusting.load_verify_locations(cadata=shown.der)
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
    shown = for_staff(memory, NAMES, NOW)
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
    for_staff(memory, NAMES, NOW)
    assert [each.name for each in memory.iterdir()] == [FILE]
    assert (memory / FILE).stat().st_mode & 0o777 == 0o600


def test_it_stays_until_it_ends_or_the_address_is_another(memory: Path) -> None:
    first = for_staff(memory, NAMES, NOW)
    assert for_staff(memory, NAMES, NOW + dt.timedelta(days=11)).der == first.der
    later = for_staff(memory, NAMES, NOW + dt.timedelta(days=13))
    assert later.der != first.der
    assert for_staff(memory, ("192.0.2.9", *NAMES[1:]), NOW).der != later.der


@pytest.mark.parametrize("text", [b"", b"nothing", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
def test_a_file_that_is_none_is_told_and_kept(memory: Path, text: bytes) -> None:
    (memory / FILE).write_bytes(text)
    with pytest.raises(JournalError, match=r"staff\.pem: expected key and certificate"):
        for_staff(memory, NAMES, NOW)
    assert (memory / FILE).read_bytes() == text
