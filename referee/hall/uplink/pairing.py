"""Pairing: how a box and a hall that never met come to know each other's keys.

Each commits to a nonce before it sees the other's; then both show six digits made of both keys and both nonces. Who
sits between them has other keys on each side, and cannot choose a nonce that makes the digits agree: one chance in a
million a try. People compare, and confirm on both sides.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from referee.errors import Malformed
from referee.hall.uplink.messages import (
    VERSION,
    Confirm,
    Goodbye,
    Hello,
    Message,
    Offer,
    Pair,
    Paired,
    Ping,
    Pong,
    Reveal,
    goodbye,
    read,
    write,
)
from referee.hall.uplink.term import REBUILDING, Identity, Term
from referee.hall.uplink.times import USUAL, Times
from referee.journal.seal import Signer, Statement

TRIES: Final = 3
"""Boxes that may ask while the organiser waits for one."""


def commitment(nonce: str) -> str:
    """Return what is sent of a nonce before the nonce itself."""
    return sha256(f"referee pairing nonce\n{nonce}\n".encode("ascii")).hexdigest()


def agreement(event: str, certificate: str, key: str, hall_nonce: str, box_nonce: str) -> Statement:
    """Return what both sides agree on, and the box signs; all in hex."""
    return Statement("uplink pairing", (str(VERSION), event, certificate, key, hall_nonce, box_nonce))


def digits(agreed: Statement) -> str:
    """Return the six digits that people compare."""
    return f"{int(sha256(agreed.message()).hexdigest(), 16) % 1_000_000:06}"


@dataclass(frozen=True, slots=True)
class Request:
    """A box that wants to be paired. ``box``, ``hall``: whether somebody confirmed there, and at the desk."""

    key: str
    digits: str
    box: bool
    hall: bool


@dataclass(slots=True)
class _Try:
    number: int
    key: str
    commit: str
    nonce: str
    agreed: Statement | None = None
    box: bool = False
    hall: bool = False


@dataclass(slots=True)
class HallPairing:
    """The hall's side, for one box at a time, while the organiser waits for one. ``secret`` returns a new nonce."""

    event: str
    certificate: str
    admit: Callable[[str], None]
    secret: Callable[[], str] = lambda: os.urandom(32).hex()
    out: list[tuple[int, Message | None]] = field(default_factory=list)
    """What to send, by connection; None: close it."""
    _until: float = 0.0
    _tries: int = 0
    _try: _Try | None = None

    @property
    def request(self) -> Request | None:
        """The box whose digits the organiser is to compare."""
        if self._try is None or self._try.agreed is None:
            return None
        return Request(self._try.key, digits(self._try.agreed), self._try.box, self._try.hall)

    def waits(self, now: float) -> bool:
        """Whether the organiser waits for a box."""
        return now < self._until

    def open(self, until: float) -> None:
        """Wait for a box until then; a box that asked before is refused."""
        self.refuse()
        self._until, self._tries = until, TRIES

    def refuse(self) -> None:
        """The digits differ, or the organiser waits no longer."""
        self._until = 0.0
        if self._try is not None:
            self._end("refused", "the same digits on both sides")

    def confirm(self, compared: str) -> None:
        """The organiser saw these digits on the box. Raises Malformed if they are not those of a box that asks."""
        if self._try is None or self._try.agreed is None or digits(self._try.agreed) != compared:
            raise Malformed("expected the digits of the box that asks now; it is gone, or another came")
        self._try.hall = True
        self._finish()

    def about(self, number: int) -> bool:
        """Whether a connection is that of the box that asks."""
        return self._try is not None and self._try.number == number

    def take_out(self) -> list[tuple[int, Message | None]]:
        """Return what there is to send, each to its connection, and have it no more; None: close that connection."""
        out, self.out = self.out, []
        return out

    def begin(self, number: int, pair: Pair, now: float) -> None:
        """A box asks to be paired."""
        if now >= self._until or self._try is not None or not self._tries:
            why = "the organiser to wait for this box: choose 'pair a box' at the hall"
            self.out += [(number, goodbye("closed", f"expected {why}")), (number, None)]
            return
        self._tries -= 1
        self._try = _Try(number, pair.key, pair.commit, self.secret())
        self.out.append((number, Offer(commitment(self._try.nonce))))

    def take(self, message: Message) -> None:
        """Take what the box that asks says. Raises Malformed for what is not expected now."""
        asks = self._try
        assert asks is not None
        if isinstance(message, Reveal) and asks.agreed is None:
            if commitment(message.nonce) != asks.commit:
                raise Malformed("nonce: expected the one that was committed to")
            asks.agreed = agreement(self.event, self.certificate, asks.key, asks.nonce, message.nonce)
            self.out.append((asks.number, Reveal(asks.nonce)))
        elif isinstance(message, Confirm) and asks.agreed is not None:
            if not asks.agreed.signed(asks.key, message.signature):
                raise Malformed("signature: expected one by the key that is to be paired")
            asks.box = True
            self._finish()
        else:
            raise Malformed(f"expected {'a confirmation' if asks.agreed else 'the nonce'}, not that")

    def closed(self, number: int) -> None:
        """The connection of a box is gone."""
        if self.about(number):
            self._try = None

    def _finish(self) -> None:
        asks = self._try
        if asks is not None and asks.box and asks.hall:
            self._until = 0.0
            self.admit(asks.key)
            self.out.append((asks.number, Paired()))
            self._end("paired", "to log in now")

    def _end(self, code: str, expected: str) -> None:
        assert self._try is not None
        self.out += [(self._try.number, goodbye(code, f"expected {expected}")), (self._try.number, None)]
        self._try = None


@dataclass(slots=True)
class BoxPairing:
    """The box's side. Each method returns what is to be sent; ``event`` and ``term`` are the hall's.

    ``digits``  what people compare, "" while there is nothing to compare
    ``paired``  whether both sides confirmed
    """

    signer: Signer
    times: Times = USUAL
    digits: str = ""
    paired: bool = False
    event: str = ""
    term: Term | None = None
    certificate: str = ""
    refused: Goodbye | None = None
    over: bool = True
    _nonce: str = ""
    _commit: str = ""
    _agreed: Statement | None = None
    _compared: str = ""
    _heard: float = 0.0
    _asked: float = 0.0

    def opened(self, certificate: str, nonce: str, now: float) -> None:
        """Begin a connection; ``nonce``: 32 new random bytes in hex, told to nobody."""
        self.over, self.paired, self.digits, self.event, self._commit = False, False, "", "", ""
        self._compared = ""
        self.certificate, self._nonce, self._agreed, self.refused = certificate, nonce, None, None
        self._heard = self._asked = now

    def closed(self) -> None:
        """Forget a connection that is gone."""
        self.over, self.digits = True, ""

    def confirm(self, compared: str) -> None:
        """Somebody at the box saw these digits at the hall; `tick` tells it. May be called from another thread."""
        self._compared = compared

    def received(self, text: str | bytes, now: float) -> list[str]:
        """Take a message. What is not expected ends the connection."""
        if self.over:
            return []
        self._heard = now
        expected: type[Message] = (
            Paired if self._agreed else Reveal if self._commit else Offer if self.event else Hello
        )
        try:
            return [write(answer) for answer in self._take(read(text, expected, Ping, Pong, Goodbye))]
        except Malformed as fault:
            self.closed()
            self.refused = goodbye("malformed", fault.text)
            return []

    def tick(self, now: float) -> list[str]:
        """Ask whether the hall is there, or give it up."""
        if self.over:
            return []
        if now - self._heard > self.times.patience:
            self.closed()
            return []
        if self._agreed is not None and self.digits == self._compared:
            self._compared = ""
            return [write(Confirm(self.signer.sign(self._agreed)))]
        if now - max(self._heard, self._asked) >= self.times.ping:
            self._asked = now
            return [write(Ping())]
        return []

    def _take(self, message: Message) -> list[Message]:
        if isinstance(message, Hello):
            if message.version != VERSION:
                raise Malformed(f"expected version {VERSION} of the protocol, got {message.version}")
            shown = Identity(message.event, message.term, self.certificate, message.signature)
            if not shown.holds() or message.term.number == REBUILDING:
                raise Malformed("expected a hall that its event key certified")
            self.event, self.term = message.event, message.term
            return [Pair(VERSION, self.signer.public, commitment(self._nonce))]
        if isinstance(message, Offer):
            self._commit = message.commit
            return [Reveal(self._nonce)]
        if isinstance(message, Reveal):
            if commitment(message.nonce) != self._commit:
                raise Malformed("nonce: expected the one that was committed to")
            key = self.signer.public
            self._agreed = agreement(self.event, self.certificate, key, message.nonce, self._nonce)
            self.digits = digits(self._agreed)
        elif isinstance(message, Paired):
            self.paired = True
            self.closed()
        elif isinstance(message, Ping):
            return [Pong()]
        elif isinstance(message, Goodbye):
            self.closed()
            self.refused = message
        return []
