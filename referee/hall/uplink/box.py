"""The box's side of the uplink, without sockets, threads or clocks: messages in, messages out.

Each method returns what is to be sent. `BoxSide.over` says that the connection is to be closed; `BoxSide.pause` how
long to wait before the next.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from referee.errors import JournalError, Malformed
from referee.hall.countersignature import check as check_countersignature
from referee.hall.uplink.copies import RecordCopies
from referee.hall.uplink.messages import (
    VERSION,
    Ack,
    Clock,
    Entries,
    Goodbye,
    Heads,
    Hello,
    Login,
    Message,
    Order,
    Ping,
    Pong,
    Record,
    Refill,
    Replaced,
    Seating,
    Superseded,
    Takeover,
    read,
    statement,
    write,
)
from referee.hall.uplink.outbox import Outbox
from referee.hall.uplink.taking import Taken, Taking
from referee.hall.uplink.term import REBUILDING, Identity, Term
from referee.hall.uplink.times import USUAL, Times
from referee.journal.seal import Signer
from referee.journal.sequence import Place

WINDOW: Final = 4
"""Batches that are sent before the first of them is acknowledged."""

_LASTING = (
    "version", "event", "certificate", "term", "signature", "unknown", "twin", "damaged", "malformed", "journal",
)  # fmt: skip
"""Codes of what will be refused again, until somebody does something."""


@dataclass(slots=True)
class BoxNews:
    """What the hall told a box that the station is to know.

    ``orders``   what was decided about its table
    ``clock``    how the clock of the round stood, and when that was said, s; None: nothing new
    ``taken``    the game of another box that this one goes on with
    ``replaced`` table that a spare took over from this box, 0 if it gave it back, None: nothing new
    """

    orders: list[Order] = field(default_factory=list)
    clock: tuple[Clock, float] | None = None
    taken: Taken | None = None
    replaced: int | None = None


@dataclass(slots=True)
class BoxSide:
    """One box.

    ``event``    that it was paired with: public half of the event key
    ``copies``   of the hall's record
    ``term``     the latest one that a hall showed; halls of earlier terms are refused
    ``keep``     makes a later term durable
    ``start``    32 random bytes in hex, drawn when the program started
    ``started``  when that was, s
    ``refused``  why the hall refused it, or the journal cannot be read; None while neither is so
    ``durable``  last entry of which the hall said that it is on its disk
    ``heard``    when the hall last said something, s
    ``seating``  where the hall said the box stands, None while it has not
    ``news``     what the station is to know and has not taken yet
    """

    outbox: Outbox
    signer: Signer
    event: str
    copies: RecordCopies
    term: Term
    keep: Callable[[Term], None]
    start: str
    started: float
    times: Times = USUAL
    state: Literal["off", "new", "heads", "refill", "on", "rebuild"] = "off"
    refused: Goodbye | None = None
    durable: Place | None = None
    heard: float = 0.0
    seating: Seating | None = None
    news: BoxNews = field(default_factory=BoxNews)
    _waits: bool = True
    """Whether the station still waits for what its journal lost."""
    _certificate: str = ""
    _nonce: str = ""
    _asked: float = 0.0
    _progress: float = 0.0
    _sent: Place | None = None
    _flight: deque[Place] = field(default_factory=deque)
    _failures: int = 0
    _taking: Taking = field(default_factory=Taking)

    @property
    def over(self) -> bool:
        """Whether there is no connection, or it is to be closed."""
        return self.state == "off"

    def may_play(self, now: float) -> bool:
        """Whether the station need not wait any longer. Once it need not, it takes nothing back from the hall."""
        self._waits = self._waits and now - self.started < self.times.grace
        return not self._waits

    def pause(self, chance: float) -> float:
        """Return how long to wait for the next connection, s, longer each time. ``chance``: random, from 0 to 1."""
        if self.refused is not None:
            return self.times.refused * (0.5 + chance / 2)
        self._failures += 1
        return self.times.retry * min(1.0, 0.25 * 2.0 ** min(self._failures, 2)) * (0.2 + 0.8 * chance)

    def opened(self, certificate: str, nonce: str, now: float) -> None:
        """Begin a connection.

        ``certificate``: SHA-256 of the certificate the hall showed, in hex; ``nonce``: 32 new random bytes in hex.
        """
        self.state, self._certificate, self._nonce = "new", certificate, nonce
        self.heard = self._asked = self._progress = now
        self._flight.clear()

    def closed(self) -> None:
        """Forget a connection that is gone."""
        self.state = "off"

    def received(self, text: str | bytes, now: float) -> list[str]:
        """Take a message. What is not expected ends the connection and changes nothing."""
        if self.over:
            return []
        self.heard = now
        kinds: tuple[type[Message], ...] = (
            Heads, Entries, Ack, Record, Refill, Ping, Pong, Seating, Order, Clock, Takeover,
            Replaced,
        )  # fmt: skip
        if self.state in ("new", "rebuild"):
            kinds = (Hello,) if self.state == "new" else (Refill, Ping, Pong)
        try:
            return self._written(self._take(read(text, *kinds, Goodbye), now))
        except (Malformed, JournalError) as fault:
            return self._failed(fault)

    def tick(self, now: float) -> list[str]:
        """Send what is new, ask whether the hall is there, or give it up. To be called several times a second."""
        if self.over:
            return []
        if self.state == "refill" and self.may_play(now):
            self.state = "off"  # what the station plays from now on leaves what the hall has
            return []
        waits_for_ack = bool(self._flight) or self.state in ("new", "heads")
        if now - self.heard > self.times.patience or (waits_for_ack and now - self._progress > self.times.patience):
            self.state = "off"
            return []
        try:
            messages = self._next(now) if self.state == "on" else []
            if self.state != "new" and now - max(self.heard, self._asked) >= self.times.ping:
                self._asked = now
                messages.append(Ping())
            return self._written(messages)
        except (Malformed, JournalError) as fault:
            return self._failed(fault)

    def _failed(self, fault: Malformed | JournalError) -> list[str]:
        """End a connection: the hall says what nobody expects, or the journal cannot be read or sent."""
        self.state = "off"
        code = "journal" if isinstance(fault, JournalError) else "malformed"
        self.refused = Goodbye(code, str(fault))
        return []

    @staticmethod
    def _written(messages: list[Message]) -> list[str]:
        return [write(message) for message in messages]

    # -- messages ------------------------------------------------------------------------------------------------

    def _take(self, message: Message, now: float) -> list[Message]:
        if isinstance(message, Hello):
            return self._log_in(message)
        if isinstance(message, Goodbye):
            self.state = "off"
            self.refused = message if message.code in _LASTING else None
            return []
        if isinstance(message, Ping):
            return [Pong()]
        if isinstance(message, Heads):
            return self._take_heads(message, now)
        if isinstance(message, Entries):
            return self._take_back(message)
        if isinstance(message, (Record, Refill)):
            return self._copy(message)
        if isinstance(message, Ack):
            self._acknowledge(message, now)
            return self._next(now)
        self._learn(message, now)
        return []

    def take_news(self) -> BoxNews:
        """Return what the station is to know, once."""
        news, self.news = self.news, BoxNews()
        return news

    def _learn(self, message: Message, now: float) -> None:
        """Keep what the station is to know until it takes it."""
        if isinstance(message, Seating):
            self.seating = message
        elif isinstance(message, Clock):
            self.news.clock = message, now
        elif isinstance(message, Order):
            self._obey(message)
        elif isinstance(message, Takeover):
            self.news.taken = self._taking.take(message) or self.news.taken
        elif isinstance(message, Replaced):
            self.news.replaced = message.table

    def _log_in(self, hello: Hello) -> list[Message]:
        shown = Identity(hello.event, hello.term, self._certificate, hello.signature)
        if hello.version != VERSION:
            return self._refuse("version", f"version {VERSION} of the protocol, got {hello.version}")
        if hello.event != self.event:
            return self._refuse("event", f"the event {self.event!r}, got {hello.event!r}")
        if not shown.holds():
            return self._refuse("certificate", "a hall that the event key certified")
        rebuilds = hello.term.number == REBUILDING
        if not rebuilds and hello.term != self.term and hello.term.number <= self.term.number:
            self._refuse("term", f"the hall of term {self.term.number}, which took the event over")
            return [Superseded(self.term)]
        if not rebuilds and hello.term != self.term:
            self.keep(hello.term)
            self.term = hello.term
        login = Login(VERSION, self.signer.public, self._nonce, self.start, self.outbox.end(), "0" * 128)
        signature = self.signer.sign(statement(hello, self._certificate, login))
        self.state = "rebuild" if rebuilds else "heads"
        return [Login(login.version, login.key, login.nonce, login.start, login.end, signature)]

    def _refuse(self, code: str, expected: str) -> list[Message]:
        self.state, self.refused = "off", Goodbye(code, f"expected {expected}")
        return []

    def _obey(self, order: Order) -> None:
        """Keep an order for the station. Raises Malformed for a countersignature that does not hold."""
        if order.what == "countersigned":
            check_countersignature(order.text, self.event)
        self.news.orders.append(order)

    def _copy(self, message: Record | Refill) -> list[Message]:
        """Copy the record of the hall and tell where the copy ends; give it to a hall that is being rebuilt."""
        if isinstance(message, Record):
            self.copies.take(message, self.term.number)
        elif self.state == "rebuild" and (record := self.copies.following(message.after)) is not None:
            return [record]
        copy = self.copies.best() if self.state == "rebuild" else self.copies.state()
        return [replace(copy, known=self.term.number)]

    def _take_heads(self, heads: Heads, now: float) -> list[Message]:
        """Go on from the latest entry that both sides have, or ask for what only the hall has."""
        self._failures, self.refused = 0, None
        if heads.behind and not self.may_play(now):
            self.state = "refill"
            end = self.outbox.end()
            return [Refill(end.hash if end else "")]
        self._waits = False
        here = [(order, end.seq, end) for end in heads.ends if (order := self.outbox.order(end)) is not None]
        self._sent = max(here)[2] if here else None
        self.durable = self._sent
        self._flight.clear()
        self.state, self._progress = "on", now
        return self._next(now)

    def _take_back(self, batch: Entries) -> list[Message]:
        """Write what the hall gave back, unless the station plays already; then ask for more."""
        if self.state != "refill":
            raise Malformed("expected no entries from the hall, which were not asked for")
        if not self._waits:
            self.state = "off"  # begin again: what was played since leaves what the hall has
            return []
        self.outbox.refill(batch)
        end = self.outbox.end()
        return [Refill(end.hash if end else "")]

    def _acknowledge(self, ack: Ack, now: float) -> None:
        if ack.hash not in [place.hash for place in self._flight]:
            return  # of what was sent before the hall said where it stands
        while self._flight:
            self.durable = self._flight.popleft()
            if self.durable.hash == ack.hash:
                break
        self._progress = now

    def _next(self, now: float) -> list[Message]:
        """Return the batches that may be sent now."""
        messages: list[Message] = []
        while self.state == "on" and len(self._flight) < WINDOW:
            batch = self.outbox.after(self._sent)
            if batch is None:
                break
            if not self._flight:
                self._progress = now
            last = batch.entries[-1]
            self._sent = Place(batch.game, last["seq"], last["hash"])
            self._flight.append(self._sent)
            messages.append(batch)
        return messages
