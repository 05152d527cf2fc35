"""The hall's side of the uplink, without sockets, threads or clocks: messages in, messages out.

A *line* here is a number that the caller gave a connection. Whatever a method has to send lies in `HallSide.out`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal

from referee.errors import JournalDamaged, JournalError, Malformed
from referee.hall.uplink.accept import Gap, accept
from referee.hall.uplink.intake import Intake, Node
from referee.hall.uplink.messages import (
    MOST_ENDS,
    VERSION,
    Ack,
    Entries,
    Heads,
    Hello,
    Login,
    Message,
    Ping,
    Pong,
    Refill,
    goodbye,
    read,
    statement,
    write,
)
from referee.hall.uplink.times import USUAL, Times
from referee.journal.sequence import Place

MOST_LINES: Final = 1000
"""Connections at one time."""


@dataclass(frozen=True, slots=True)
class News:
    """What people or pages should know, told once it is durable.

    ``kind``  "on" and "off": a box is connected, or no more; "entries": some arrived; "fork", "anew", "set-back",
              "twin", "refused": see docs/hall-protocol.md
    """

    kind: str
    key: str
    text: str = ""


@dataclass(slots=True)
class _Connection:
    hello: Hello
    heard: float
    state: Literal["new", "waiting", "on"] = "new"
    login: Login | None = None
    ack: str = ""
    until: float = 0.0

    @property
    def key(self) -> str:
        return self.login.key if self.login else ""


@dataclass(slots=True)
class HallSide:
    """All boxes of an event. ``certificate``: SHA-256 of the certificate they see, in hex; ``news``: who is told."""

    intake: Intake
    event: str
    certificate: str
    news: Callable[[News], None]
    times: Times = USUAL
    out: list[tuple[int, str | None]] = field(default_factory=list)
    """What to send, by line; None: close that connection."""
    _lines: dict[int, _Connection] = field(default_factory=dict)
    _boxes: dict[str, int] = field(default_factory=dict)
    _news: list[News] = field(default_factory=list)

    def opened(self, line: int, nonce: str, now: float) -> None:
        """Greet a new connection. ``nonce``: 32 random bytes in hex, never used before."""
        self._lines[line] = _Connection(Hello(VERSION, self.event, nonce), now)
        if len(self._lines) > MOST_LINES:
            self._end(line, "busy", f"at most {MOST_LINES} connections")
        else:
            self._send(line, self._lines[line].hello)

    def received(self, line: int, text: str | bytes, now: float) -> None:
        """Take a message. What is not expected ends its connection and changes nothing."""
        connection = self._lines.get(line)
        if connection is None:
            return
        connection.heard = now
        kinds: tuple[type[Message], ...] = (Login,) if connection.login is None else (Entries, Refill, Ping, Pong)
        try:
            self._take(line, connection, read(text, *kinds), now)
        except Malformed as fault:
            self._end(line, "malformed", fault.text)
        except JournalError as fault:
            self._failed(str(fault))

    def closed(self, line: int) -> None:
        """Forget a connection that is gone."""
        connection = self._lines.pop(line, None)
        if connection is not None and self._boxes.get(connection.key) == line:
            del self._boxes[connection.key]
            self._news.append(News("off", connection.key))

    def tick(self, now: float) -> None:
        """Give up what is silent, and let those in who waited for it. To be called several times a second."""
        for line, connection in list(self._lines.items()):
            other = self._boxes.get(connection.key)
            if connection.state == "waiting" and (other is None or now >= connection.until):
                if other is not None:
                    self._end(other, "replaced", "an answer; another connection took its place")
                self._enter_safely(line, connection)
            elif now - connection.heard > self.times.patience:
                self._end(line, "silent", f"a word every {self.times.patience:g} s")

    def commit(self) -> None:
        """Make durable what has come, and acknowledge it. To be called when no message waits to be taken."""
        try:
            self.intake.commit()
        except JournalError as fault:
            self._failed(str(fault))
            return
        for line, connection in self._lines.items():
            if connection.ack:
                self._send(line, Ack(connection.ack))
                connection.ack = ""
        news, self._news = self._news, []
        for each in news:
            self.news(each)

    # -- messages ------------------------------------------------------------------------------------------------

    def _take(self, line: int, connection: _Connection, message: Message, now: float) -> None:
        if isinstance(message, Login):
            self._log_in(line, connection, message, now)
        elif isinstance(message, Ping):
            self._send(line, Pong())
        elif isinstance(message, Pong):
            self._refuse_twin(connection)
        elif connection.state != "on":
            raise Malformed("expected nothing but pings before the hall has sent its heads")
        elif isinstance(message, Entries):
            self._receive(line, connection, message)
        elif isinstance(message, Refill):
            self._refill(line, connection, message)

    def _receive(self, line: int, connection: _Connection, batch: Entries) -> None:
        try:
            accepted = accept(self.intake, connection.key, batch)
        except Gap:
            self._send_heads(line, connection.key, None)
            return
        except JournalDamaged as fault:
            self._tell("refused", connection.key, str(fault))
            self._end(line, "damaged", f"entries that hold: {fault}")
            return
        connection.ack = accepted.hash
        if accepted.kind:
            self._tell(accepted.kind, connection.key, accepted.text)
        if accepted.new:
            self._news.append(News("entries", connection.key, str(accepted.new)))

    def _refill(self, line: int, connection: _Connection, message: Refill) -> None:
        node = self.intake.find(connection.key, message.after) if message.after else None
        ways = self.intake.following(connection.key, node) if node or not message.after else []
        if len(ways) == 1:
            self._send(line, self.intake.batch(connection.key, ways[0]))
        else:
            self._send_heads(line, connection.key, node)

    # -- who is there --------------------------------------------------------------------------------------------

    def _log_in(self, line: int, connection: _Connection, login: Login, now: float) -> None:
        if login.version != VERSION:
            self._end(line, "version", f"version {VERSION} of the protocol")
            return
        if not statement(connection.hello, self.certificate, login).signed(login.key, login.signature):
            self._end(line, "signature", "a login signed with the key that it names, for this connection")
            return
        if not self.intake.admitted(login.key):
            self._end(line, "unknown", "a box that was paired with this hall")
            return
        if self._waiting(login.key):
            self._end(line, "busy", "no other connection with this key that waits to be let in")
            return
        connection.login = login
        other = self._boxes.get(login.key)
        if other is None:
            self._enter(line, connection)
        elif self._run(other) == login.run:
            self._end(other, "replaced", "one connection; the box opened another")
            self._enter(line, connection)
        else:
            connection.state, connection.until = "waiting", now + self.times.probe
            self._send(other, Ping())

    def _run(self, line: int) -> str:
        login = self._lines[line].login
        return login.run if login else ""

    def _waiting(self, key: str) -> list[int]:
        return [line for line, each in self._lines.items() if each.key == key and each.state == "waiting"]

    def _refuse_twin(self, connection: _Connection) -> None:
        """The box that is connected is alive, so whoever waits for its place has a copy of its key."""
        for line in self._waiting(connection.key) if connection.state == "on" else ():
            run = self._run(line)
            self._tell("twin", connection.key, f"the key is used by two programs at once; refused was run {run[:16]}")
            self._end(line, "twin", "one box with this key; another is connected and answers")

    def _enter_safely(self, line: int, connection: _Connection) -> None:
        try:
            self._enter(line, connection)
        except JournalError as fault:
            self._failed(str(fault))

    def _enter(self, line: int, connection: _Connection) -> None:
        login = connection.login
        assert login is not None
        self.commit()  # what is not durable is not told as if it were
        if line not in self._lines:
            return
        connection.state = "on"
        self._boxes[login.key] = line
        self._news.append(News("on", login.key))
        node = self.intake.find(login.key, login.end.hash) if login.end else None
        behind = self._send_heads(line, login.key, node, empty=login.end is None)
        if behind:
            end = f"entry {login.end.seq} of game {login.end.game}" if login.end else "nothing"
            text = f"the journal ends with {end}, but entries after it were received (run {login.run[:16]})"
            self._tell("set-back", login.key, text)

    def _send_heads(self, line: int, key: str, node: Node | None, *, empty: bool = False) -> bool:
        """Send where the hall stands; return whether it has more than the box, whose journal ends at that entry."""
        ends = self.intake.ends(key)
        ways = self.intake.following(key, node) if node or empty else []
        behind = 0
        if len(ways) == 1:
            behind = next((end.at for end in ends if end.branch == ways[0].branch), 0) - ways[0].at + 1
        named = ends[:MOST_ENDS] if node is None else [node, *(end for end in ends if end != node)][:MOST_ENDS]
        self._send(line, Heads(tuple(Place(end.game, end.seq, end.hash) for end in named), behind))
        return bool(ways)

    # -- sending -------------------------------------------------------------------------------------------------

    def _send(self, line: int, message: Message) -> None:
        self.out.append((line, write(message)))

    def _end(self, line: int, code: str, expected: str) -> None:
        self._send(line, goodbye(code, f"expected {expected}"))
        self.out.append((line, None))
        self.closed(line)

    def _tell(self, kind: str, key: str, text: str) -> None:
        if self.intake.tell(key, kind, text):
            self._news.append(News(kind, key, text))

    def _failed(self, text: str) -> None:
        """The intake failed: nothing that was not acknowledged is here, and every box begins again."""
        self.intake.rollback()
        self._news = [News("failed", "", text)]
        for line in list(self._lines):
            self._end(line, "store", f"a disk that takes what arrives: {text}")
