"""Which hall speaks for an event: terms against two halls that both believe they do.

An event is known by the public half of its event key. That key certifies the key of each hall that takes the event
over, under the number of its term: 1 for the first hall, one more for each that was rebuilt. Boxes follow the highest
number that was ever shown to them. Term 0 is that of a hall which is being rebuilt: boxes hand it the record, and
nothing else.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from referee.journal.seal import Signer, Statement

REBUILDING: Final = 0
"""The term of a hall that has no record yet."""


class Term(NamedTuple):
    """``hall``: public key that seals the record in this term; ``proof``: signature by the event key; both in hex."""

    number: int
    hall: str
    proof: str

    def holds(self, event: str) -> bool:
        """Whether the event key certified it. ``event``: public half of that key, in hex."""
        return _certificate(event, self.number, self.hall).signed(event, self.proof)


def certify(event_key: Signer, number: int, hall: str) -> Term:
    """Return a term of the event with this key. ``hall``: public key of the hall, in hex."""
    return Term(number, hall, event_key.sign(_certificate(event_key.public, number, hall)))


def _certificate(event: str, number: int, hall: str) -> Statement:
    return Statement("hall term", (event, str(number), hall))


class Identity(NamedTuple):
    """What a hall shows to every box.

    ``event``        public half of the event key, in hex
    ``certificate``  SHA-256 of the hall's TLS certificate, in hex
    ``signature``    by the key of the term, so that nobody else shows the same term over another connection
    """

    event: str
    term: Term
    certificate: str
    signature: str

    def holds(self) -> bool:
        """Whether it is the hall of this term that shows this certificate."""
        signed = _appearance(self.event, self.term.number, self.certificate).signed(self.term.hall, self.signature)
        return signed and self.term.holds(self.event)


def identity(hall: Signer, event: str, term: Term, certificate: str) -> Identity:
    """Return what a hall shows. ``hall``: the key that the term names."""
    return Identity(event, term, certificate, hall.sign(_appearance(event, term.number, certificate)))


def _appearance(event: str, number: int, certificate: str) -> Statement:
    return Statement("hall certificate", (event, str(number), certificate))
