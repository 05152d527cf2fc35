"""A hall that lost everything but the event key: it asks boxes for their copies of the record, and takes the best.

Its sockets are those of any hall (`referee.hall.uplink.server`). Boxes log in as always; whether they were paired
cannot be known yet, and need not: a record is proved by its seals and by the event key.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from referee.errors import JournalDamaged, Malformed
from referee.hall.uplink.copies import CHAIN, MOST, latest_term, rank
from referee.hall.uplink.messages import (
    VERSION,
    Copy,
    Goodbye,
    Hello,
    Login,
    Message,
    Ping,
    Pong,
    Record,
    Refill,
    goodbye,
    read,
    statement,
    write,
)
from referee.hall.uplink.term import Identity
from referee.hall.uplink.times import USUAL, Times
from referee.journal.seal import Seal
from referee.journal.sequence import Place

MOST_BOXES: Final = 500
"""Connections that may stay; anybody may make a key."""


MOST_ASKED: Final = 8
"""Boxes that are asked at one time, so that no more chains are in memory."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Entries of a record with their seals, as a box has them."""

    entries: tuple[Mapping[str, Any], ...] = ()
    seals: tuple[Seal, ...] = ()

    def copy(self) -> Copy:
        """Return how far it goes."""
        last = self.entries[-1] if self.entries else None
        return Copy(0, latest_term(self.entries), Place(CHAIN, last["seq"], last["hash"]) if last else None)

    def before(self, record: Record) -> Chain | None:
        """Return what of it comes before some entries; None if they do not continue it anywhere."""
        prev, seq = record.entries[0].get("prev"), record.entries[0].get("seq")
        if (seq, prev) == (0, ""):
            return Chain()
        if type(seq) is not int or not 0 < seq <= len(self.entries) or self.entries[seq - 1].get("hash") != prev:
            return None
        return Chain(self.entries[:seq], tuple(seal for seal in self.seals if seal.seq < seq))


_NOTHING: Final = Chain()


@dataclass(slots=True)
class _Connection:
    hello: Hello
    heard: float
    key: str = ""
    asked: float | None = None
    whole: bool = False
    base: Chain = _NOTHING
    chain: Chain | None = None


@dataclass(slots=True)
class RebuildSide:
    """See the module; its methods are those of `HallSide`. ``proved`` returns what holds of a chain, or raises.

    ``chain``  the best that was heard of
    ``heard``  how far the copy of each box goes, by its key
    ``wrong``  boxes whose copy does not hold, and why
    """

    identity: Identity
    proved: Callable[[Chain], Chain]
    times: Times = USUAL
    chain: Chain = _NOTHING
    heard: dict[str, Copy] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)
    out: list[tuple[int, str | None]] = field(default_factory=list)
    _connections: dict[int, _Connection] = field(default_factory=dict)

    def opened(self, number: int, nonce: str, now: float, address: str = "") -> None:
        """Greet a new connection."""
        del address
        event, term, _, signature = self.identity
        hello = Hello(VERSION, event, nonce, term, signature)
        self._connections[number] = _Connection(hello, now)
        self._send(number, hello)

    def received(self, number: int, text: str | bytes, now: float) -> None:
        """Take a message. What is not expected ends its connection and changes nothing."""
        connection = self._connections.get(number)
        if connection is None:
            return
        connection.heard = now
        kinds: tuple[type[Message], ...] = (Record, Copy, Ping, Pong) if connection.key else (Login,)
        try:
            self._take(number, connection, read(text, *kinds, Goodbye))
        except (Malformed, JournalDamaged) as fault:
            if connection.key:
                self.wrong[connection.key] = str(fault)
            self._end(number, goodbye("malformed", str(fault)))

    def admitted(self, number: int) -> bool:
        """Whether a connection is that of a box that has proved its key, one of so many."""
        connection = self._connections.get(number)
        return connection is not None and bool(connection.key) and len(self._connections) <= MOST_BOXES

    def closed(self, number: int) -> None:
        """Forget a connection that is gone; what it sent of a better record is kept."""
        connection = self._connections.pop(number, None)
        if connection is not None and connection.chain is not None:
            with suppress(JournalDamaged):
                self._prefer(connection.chain)

    def tick(self, now: float) -> None:
        """Ask the next box, and give up who is silent."""
        for number, connection in list(self._connections.items()):
            if now - connection.heard > self.times.patience:
                self._end(number, goodbye("silent", f"expected a word every {self.times.patience:g} s"))
        for number, each in self._connections.items():
            if each.asked is not None and now - each.asked > self.times.patience:
                self._ask(number, each, self._head(each.chain or each.base), now)
        free = MOST_ASKED - sum(each.asked is not None for each in self._connections.values())
        waiting = [
            item
            for item in self._connections.items()
            if item[1].key and item[1].key not in self.heard and item[1].asked is None
        ]
        for number, connection in sorted(waiting, key=lambda item: item[1].heard)[:free]:
            connection.base = self.chain
            self._ask(number, connection, self._head(self.chain), now)

    def commit(self) -> None:
        """There is nothing to make durable before the organiser confirms."""

    # -- messages ------------------------------------------------------------------------------------------------

    def _take(self, number: int, connection: _Connection, message: Message) -> None:
        now = connection.heard
        if isinstance(message, Login):
            signed = statement(connection.hello, self.identity.certificate, message)
            if message.version != VERSION or not signed.signed(message.key, message.signature):
                raise Malformed("expected a login signed with the key that it names, for this connection")
            connection.key = message.key
            self.tick(now)
        elif isinstance(message, Ping):
            self._send(number, Pong())
        elif isinstance(message, Record) and connection.asked is not None:
            self._collect(number, connection, message)
        elif isinstance(message, Copy) and connection.asked is not None:
            self._compare(number, connection, message)

    def _collect(self, number: int, connection: _Connection, record: Record) -> None:
        """Add what the box sent to its chain, and ask for more."""
        before = (connection.chain or connection.base).before(record)
        if before is None or len(before.entries) >= MOST:
            raise Malformed(f"expected the entries that were asked for, at most {MOST}")
        connection.chain = Chain(before.entries + record.entries, before.seals + record.seals)
        self._ask(number, connection, self._head(connection.chain), connection.heard)

    def _compare(self, number: int, connection: _Connection, copy: Copy) -> None:
        """The box has sent all it has after what was asked for: compare, or ask it for the whole of a better copy."""
        chain, connection.chain, connection.asked = connection.chain, None, None
        if chain is not None:
            self._prefer(chain)
        elif rank(copy) > rank(self.chain.copy()):
            if connection.whole or not connection.base.entries:
                raise Malformed("expected the entries of a copy that goes so far")
            connection.whole = True
            self._ask(number, connection, "", connection.heard)
            return
        self.heard[connection.key] = copy
        self.wrong.pop(connection.key, None)
        self.tick(connection.heard)

    def _prefer(self, chain: Chain) -> None:
        """Go on from this chain if it is better, as far as it holds. Raises JournalDamaged if none of it does."""
        proved = self.proved(chain)
        if rank(proved.copy()) > rank(self.chain.copy()):
            self.chain = proved

    @staticmethod
    def _head(chain: Chain) -> str:
        return str(chain.entries[-1].get("hash")) if chain.entries else ""

    def take_out(self) -> list[tuple[int, str | None]]:
        """Return what there is to send, each to its connection, and have it no more; None: close that connection."""
        out, self.out = self.out, []
        return out

    def _ask(self, number: int, connection: _Connection, after: str, now: float) -> None:
        connection.asked = now
        self._send(number, Refill(after))

    def _send(self, number: int, message: Message) -> None:
        self.out.append((number, write(message)))

    def _end(self, number: int, message: Message) -> None:
        self._send(number, message)
        self.out.append((number, None))
        self.closed(number)
