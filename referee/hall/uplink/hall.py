"""The hall's side of the uplink, without sockets, threads or clocks: messages in, messages out.

A connection is named by a number that the caller gave it. Whatever a method has to send lies in `HallSide.out`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol

from referee.errors import JournalDamaged, JournalError, Malformed
from referee.hall.uplink.accept import Gap, accept
from referee.hall.uplink.copies import Store
from referee.hall.uplink.copying import Copying
from referee.hall.uplink.intake import Intake, Node
from referee.hall.uplink.messages import (
    MOST_ENDS,
    VERSION,
    Ack,
    Clock,
    Confirm,
    Copy,
    Entries,
    Heads,
    Hello,
    Login,
    Message,
    Order,
    Pair,
    Ping,
    Pong,
    Refill,
    Replaced,
    Reveal,
    Seating,
    Superseded,
    Takeover,
    goodbye,
    read,
    statement,
    write,
)
from referee.hall.uplink.pairing import HallPairing
from referee.hall.uplink.term import Identity
from referee.hall.uplink.times import USUAL, Times
from referee.journal.sequence import Place
from referee.web.pace import Paces

MOST_CONNECTIONS: Final = 1000
"""Connections at one time."""
TRIES_OF_ADDRESS: Final = (0.5, 20)
"""Tries to log in or to be paired a second, and at once, from one address; a router may stand before many boxes."""
ADDRESSES: Final = 256
"""Addresses whose tries are counted."""
CLOCK_EVERY: Final = 30.0
"""How often a box hears again how the clock of its round stands, s: crystals of 100 ppm differ by 6 ms in that."""
SEEN: Final = ("on", "off", "superseded")
"""Kinds of news that are not of the intake: they are true also if it fails."""
NOWHERE: Final = Seating(0, 0)
"""What a box is told that stands at no table."""


@dataclass(frozen=True, slots=True)
class News:
    """What people or pages should know, told once it is durable.

    ``kind``  "on" and "off": a box is connected, or no more; "entries": some arrived; "superseded": another hall
              took the event over; "fork", "anew", "set-back", "twin", "refused", "record": see docs/hall-protocol.md
    """

    kind: str
    key: str
    text: str = ""


@dataclass(slots=True)
class _Connection:
    hello: Hello
    heard: float
    address: str = ""
    state: Literal["new", "waiting", "on"] = "new"
    login: Login | None = None
    ack: str = ""
    until: float = 0.0
    seating: Seating | None = None
    ordered: set[Order] = field(default_factory=set)
    end: str = ""
    clock: Clock | None = None
    clock_sent: float = 0.0
    clock_due: bool = True
    clock_said: bool = False
    takes: Place | None = None
    replaced: int = 0

    @property
    def key(self) -> str:
        return self.login.key if self.login else ""

    @property
    def last(self) -> str:
        """Hash of the last entry that the box is known to have in its journal, "" for none."""
        return self.end or (self.login.end.hash if self.login and self.login.end else "")


class Spares(Protocol):
    """Which boxes take over from which."""

    def of(self, spare: str) -> Sequence[Takeover]:
        """Return the messages by which a spare goes on with the game of the box it replaced; none if it has."""

    def table_of(self, old: str) -> int:
        """Return the table at which a spare took over from a box, 0 for none."""


@dataclass(slots=True)
class HallSide:
    """All boxes of an event. ``identity``: what they see; ``record``: what they copy; ``news``: who is told.

    ``admit`` lets a box in, durably; ``spares``: which boxes take over from which, None: none can; ``clock``: returns
    how the clock of the round stands now for the box with that key, None where none runs; None: no box is told.
    """

    intake: Intake
    identity: Identity
    record: Store
    news: Callable[[News], None]
    admit: Callable[[str], None]
    spares: Spares | None = None
    clock: Callable[[str], Clock | None] | None = None
    counts: Callable[[str, str], bool] = lambda _key, _hash: True
    """Whether an entry of a box stands on a branch that counts: only that is given back."""
    times: Times = USUAL
    pairing: HallPairing = field(init=False)
    """How the organiser lets boxes in: open, request, confirm, refuse."""
    copying: Copying = field(init=False)
    out: list[tuple[int, str | None]] = field(default_factory=list)
    """What to send, by connection; None: close that connection."""
    _seatings: Mapping[str, Seating] | None = None
    _orders: Mapping[str, Sequence[Order]] = field(default_factory=dict)
    _connections: dict[int, _Connection] = field(default_factory=dict)
    _boxes: dict[str, int] = field(default_factory=dict)
    _news: list[News] = field(default_factory=list)
    _tries: Paces = field(default_factory=lambda: Paces(*TRIES_OF_ADDRESS, ADDRESSES))

    def __post_init__(self) -> None:
        event, term, certificate, _ = self.identity
        self.pairing = HallPairing(event, certificate, self.admit)
        self.copying = Copying(self.record, term.number, self.times.patience)

    def opened(self, number: int, nonce: str, now: float, address: str = "") -> None:
        """Greet a new connection. ``nonce``: 32 random bytes in hex, never used before.

        ``address``: from which, "" where tries to log in are not counted.
        """
        event, term, _, signature = self.identity
        self._connections[number] = _Connection(Hello(VERSION, event, nonce, term, signature), now, address)
        if len(self._connections) > MOST_CONNECTIONS:
            self._end(number, "busy", f"at most {MOST_CONNECTIONS} connections")
        else:
            self._send(number, self._connections[number].hello)

    def received(self, number: int, text: str | bytes, now: float) -> None:
        """Take a message. What is not expected ends its connection and changes nothing."""
        connection = self._connections.get(number)
        if connection is None:
            return
        connection.heard = now
        stranger = not self.admitted(number)
        if stranger and connection.address and not self._tries.allows(connection.address, now):
            self._end(number, "busy", f"at most {TRIES_OF_ADDRESS[1]} tries to log in at once from one address")
            return
        kinds: tuple[type[Message], ...] = (
            (Login, Pair, Superseded) if connection.login is None else (Entries, Refill, Copy, Ping, Pong)
        )
        if self.pairing.about(number):
            kinds = (Reveal, Confirm, Ping)
        try:
            self._take(number, connection, read(text, *kinds), now)
        except Malformed as fault:
            self._end(number, "malformed", fault.text)
        except JournalError as fault:
            self._failed(str(fault))

    def admitted(self, number: int) -> bool:
        """Whether a connection is that of a box that has proved its key, or is being paired."""
        connection = self._connections.get(number)
        return connection is not None and (connection.login is not None or self.pairing.about(number))

    def closed(self, number: int) -> None:
        """Forget a connection that is gone."""
        connection = self._connections.pop(number, None)
        self.pairing.closed(number)
        self.copying.closed(number)
        if connection is not None and self._boxes.get(connection.key) == number:
            del self._boxes[connection.key]
            self._news.append(News("off", connection.key))

    def tick(self, now: float) -> None:
        """Give up what is silent, and let those in who waited for it. To be called several times a second."""
        for number, connection in list(self._connections.items()):
            other = self._boxes.get(connection.key)
            if connection.state == "waiting" and (other is None or now >= connection.until):
                if other is not None:
                    self._end(other, "replaced", "an answer; another connection took its place")
                self._enter_safely(number, connection)
            elif now - connection.heard > self.times.patience:
                self._end(number, "silent", f"a word every {self.times.patience:g} s")
        for number, connection in self._connections.items():
            if connection.state == "on" and (connection.clock_due or now - connection.clock_sent >= CLOCK_EVERY):
                self._tell_clock(number, connection, now)
        self._copy(now)

    def commit(self) -> None:
        """Make durable what has come, and acknowledge it. To be called when no message waits to be taken."""
        try:
            self.intake.commit()
        except JournalError as fault:
            self._failed(str(fault))
            return
        for number, connection in self._connections.items():
            if connection.ack:
                self._send(number, Ack(connection.ack))
                connection.ack = ""
        self._pair()
        while self._news:  # one that cannot be taken keeps none of the others back
            self.news(self._news.pop(0))
        for key, orders in self._orders.items():
            self._tell_orders(key, orders)

    def take_out(self) -> list[tuple[int, str | None]]:
        """Return what there is to send, each to its connection, and have it no more; None: close that connection."""
        out, self.out = self.out, []
        return out

    def connected(self) -> Collection[str]:
        """Return the keys of the boxes that are connected."""
        return self._boxes.keys()

    def seat(self, seatings: Mapping[str, Seating]) -> None:
        """Let every box know where it stands, by its key; the others stand nowhere.

        The clock of the round follows at the next `tick`.
        """
        self._seatings = seatings
        for number in self._boxes.values():
            self._connections[number].clock_due = True
            self._tell_seating(number)

    def order(self, orders: Mapping[str, Sequence[Order]]) -> None:
        """Let boxes know what was decided, by key: what their journals are not known to have, the first first.

        They are told at the next `commit`, once the hall has all that a box had written when it logged in: what it
        has already is among that.
        """
        self._orders = orders

    def last(self, key: str) -> str:
        """Return the hash of the last entry that a box is known to have, "" where none is or it is not connected."""
        number = self._boxes.get(key)
        return "" if number is None else self._connections[number].last

    def heard(self, key: str) -> float | None:
        """Return when a box last said a word, None if it is not connected."""
        number = self._boxes.get(key)
        return None if number is None else self._connections[number].heard

    # -- messages ------------------------------------------------------------------------------------------------

    def _take(self, number: int, connection: _Connection, message: Message, now: float) -> None:
        if isinstance(message, Login):
            self._log_in(number, connection, message, now)
        elif isinstance(message, Pair):
            self.pairing.begin(number, message, now)
        elif isinstance(message, (Reveal, Confirm)):
            self.pairing.take(message)
        elif isinstance(message, Ping):
            self._send(number, Pong())
        elif isinstance(message, Pong):
            self._refuse_twin(connection)
        elif isinstance(message, Superseded):
            self._step_back(number, message)
        elif connection.state != "on":
            raise Malformed("expected nothing but pings before the hall has sent its heads")
        elif isinstance(message, Entries):
            self._receive(number, connection, message)
        elif isinstance(message, Refill):
            self._refill(number, connection, message)
        elif isinstance(message, Copy):
            apart = self.copying.take(number, connection.key, message)
            if apart:
                self._tell("record", connection.key, apart)
            self._copy_to(number, connection, now)

    def _step_back(self, number: int, message: Superseded) -> None:
        """A box knows a later hall; that it is one of this event is proved, whoever says so."""
        term = message.term
        if term.number <= self.identity.term.number or not term.holds(self.identity.event):
            raise Malformed("expected a later term that the event key certified")
        self._news.append(News("superseded", "", str(term.number)))
        self._end(number, "term", "a hall that nobody else took the event over from")

    def _copy(self, now: float) -> None:
        """Send to the boxes what they lack of the record."""
        try:
            self.copying.look()
            for number, connection in list(self._connections.items()):
                if connection.state == "on":
                    self._copy_to(number, connection, now)
        except JournalError as fault:
            self._failed(str(fault))

    def _copy_to(self, number: int, connection: _Connection, now: float) -> None:
        message = self.copying.next(number, connection.key, now)
        if message is not None:
            self._send(number, message)

    def _receive(self, number: int, connection: _Connection, batch: Entries) -> None:
        try:
            accepted = accept(self.intake, connection.key, batch)
        except Gap:
            self._send_heads(number, connection.key, None)
            return
        except JournalDamaged as fault:
            self._tell("refused", connection.key, str(fault))
            self._end(number, "damaged", f"entries that hold: {fault}")
            return
        connection.ack = connection.end = accepted.hash
        if accepted.kind:
            self._tell(accepted.kind, connection.key, accepted.text)
        if accepted.new:
            self._news.append(News("entries", connection.key, str(accepted.new)))
            table = self.spares.table_of(connection.key) if self.spares is not None else 0
            if table:
                self._tell("spent", connection.key, f"sent entries after a spare took table {table} over")

    def _refill(self, number: int, connection: _Connection, message: Refill) -> None:
        node = self.intake.find(connection.key, message.after) if message.after else None
        ways = self._ways(connection.key, node) if node or not message.after else []
        if len(ways) == 1:
            self._send(number, self.intake.batch(connection.key, ways[0]))
        else:
            self._send_heads(number, connection.key, node)

    def _ways(self, key: str, node: Node | None) -> list[Node]:
        """Return what counts of what follows an entry; or, where it has none, the beginnings of a journal."""
        return [each for each in self.intake.following(key, node) if self.counts(key, each.hash)]

    # -- who is there --------------------------------------------------------------------------------------------

    def _log_in(self, number: int, connection: _Connection, login: Login, now: float) -> None:
        if login.version != VERSION:
            self._end(number, "version", f"version {VERSION} of the protocol")
            return
        if not statement(connection.hello, self.identity.certificate, login).signed(login.key, login.signature):
            self._end(number, "signature", "a login signed with the key that it names, for this connection")
            return
        if not self.intake.admitted(login.key):
            self._end(number, "unknown", "a box that was paired with this hall")
            return
        if self._waiting(login.key):
            self._end(number, "busy", "no other connection with this key that waits to be let in")
            return
        connection.login = login
        other = self._boxes.get(login.key)
        if other is None:
            self._enter(number, connection)
        elif self._start(other) == login.start:
            self._end(other, "replaced", "one connection; the box opened another")
            self._enter(number, connection)
        else:
            connection.state, connection.until = "waiting", now + self.times.probe
            self._send(other, Ping())

    def _start(self, number: int) -> str:
        login = self._connections[number].login
        return login.start if login else ""

    def _waiting(self, key: str) -> list[int]:
        return [number for number, each in self._connections.items() if each.key == key and each.state == "waiting"]

    def _refuse_twin(self, connection: _Connection) -> None:
        """The box that is connected is alive, so whoever waits for its place has a copy of its key."""
        for number in self._waiting(connection.key) if connection.state == "on" else ():
            start = self._start(number)
            self._tell("twin", connection.key, f"two stations use the key at once; refused was start {start[:16]}")
            self._end(number, "twin", "one box with this key; another is connected and answers")

    def _enter_safely(self, number: int, connection: _Connection) -> None:
        try:
            self._enter(number, connection)
        except JournalError as fault:
            self._failed(str(fault))

    def _enter(self, number: int, connection: _Connection) -> None:
        login = connection.login
        assert login is not None
        self.commit()  # what is not durable is not told as if it were
        if number not in self._connections:
            return
        connection.state = "on"
        self._boxes[login.key] = number
        self._news.append(News("on", login.key))
        node = self.intake.find(login.key, login.end.hash) if login.end else None
        behind = self._send_heads(number, login.key, node, empty=login.end is None)
        self._tell_seating(number)
        if behind:
            end = f"entry {login.end.seq} of game {login.end.game}" if login.end else "nothing"
            text = f"the journal ends with {end}, but entries after it were received (start {login.start[:16]})"
            self._tell("set-back", login.key, text)
        self.copying.look()
        self._copy_to(number, connection, connection.heard)

    def _tell_seating(self, number: int) -> None:
        connection = self._connections[number]
        seating = (self._seatings or {}).get(connection.key, NOWHERE)
        if self._seatings is not None and seating != connection.seating:
            connection.seating = seating
            self._send(number, seating)
        if self.spares is not None:
            self._tell_spare(number, connection, self.spares)

    def _tell_clock(self, number: int, connection: _Connection, now: float) -> None:
        """Let a box know how the clock of its round stands, if it has changed or was not said for a while."""
        if self.clock is None:
            return
        before, clock = connection.clock, self.clock(connection.key)
        repeats = before is not None and clock is not None and before.number == clock.number
        if clock is None and (before is not None or not connection.clock_said):
            # A box goes on with what it knew: it is told that none runs, also when it comes back.
            self._send(number, Clock(before.number if before is not None else 1, 0, 0, runs=False, then=""))
        connection.clock_said = True
        if clock is not None and not (repeats and now - connection.clock_sent < CLOCK_EVERY):
            self._send(number, clock)
            connection.clock_sent = now
        connection.clock, connection.clock_due = clock, False

    def _tell_spare(self, number: int, connection: _Connection, spares: Spares) -> None:
        """Let a spare have the game it goes on with, and a box know that a spare took its table over."""
        parts = spares.of(connection.key) if self._knows_all(connection) else ()
        if parts and parts[0].last != connection.takes:
            connection.takes = parts[0].last
            for part in parts:
                self._send(number, part)
        table = spares.table_of(connection.key)
        if table != connection.replaced:
            connection.replaced = table
            self._send(number, Replaced(table))

    def _knows_all(self, connection: _Connection) -> bool:
        """Whether all that a box had written when it logged in is here."""
        end = connection.login.end if connection.login is not None else None
        return end is None or self.intake.find(connection.key, end.hash) is not None

    def _tell_orders(self, key: str, orders: Sequence[Order]) -> None:
        number = self._boxes.get(key)
        if number is None:
            return
        connection = self._connections[number]
        if not self._knows_all(connection):
            return
        for each in orders:
            if each not in connection.ordered:
                connection.ordered.add(each)
                self._send(number, each)

    def _send_heads(self, number: int, key: str, node: Node | None, *, empty: bool = False) -> bool:
        """Send where the hall stands; return whether it has more than the box, whose journal ends at that entry."""
        ends = self.intake.ends(key)
        ways = self._ways(key, node) if node or empty else []
        behind = 0
        if len(ways) == 1:
            behind = next((end.at for end in ends if end.branch == ways[0].branch), 0) - ways[0].at + 1
        named = ends[:MOST_ENDS] if node is None else [node, *(end for end in ends if end != node)][:MOST_ENDS]
        self._send(number, Heads(tuple(Place(end.game, end.seq, end.hash) for end in named), behind))
        return bool(ways)

    def _pair(self) -> None:
        """Send what pairing has to say."""
        for number, message in self.pairing.take_out():
            if message is not None and number in self._connections:
                self._send(number, message)
            elif number in self._connections:
                self.out.append((number, None))
                self.closed(number)

    # -- sending -------------------------------------------------------------------------------------------------

    def _send(self, number: int, message: Message) -> None:
        self.out.append((number, write(message)))

    def _end(self, number: int, code: str, expected: str) -> None:
        self._send(number, goodbye(code, f"expected {expected}"))
        self.out.append((number, None))
        self.closed(number)

    def _tell(self, kind: str, key: str, text: str) -> None:
        if self.intake.tell(key, kind, text):
            self._news.append(News(kind, key, text))

    def _failed(self, text: str) -> None:
        """The intake failed: nothing that was not acknowledged is here, and every box begins again."""
        self.intake.rollback()
        self._news = [*(each for each in self._news if each.kind in SEEN), News("failed", "", text)]
        for number in list(self._connections):
            self._end(number, "store", "a disk that takes what arrives; the hall's desk says what is wrong")
